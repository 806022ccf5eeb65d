"""Makes models/foods/synonyms.json: further names of generic foods, from the taxonomies of Open Food Facts.

    scripts/tool foods.synonyms SOURCES

SOURCES is a folder with food-names.jsonl and food-categories.jsonl: an object {"id", "names": {language: [name]}} on
each line. An entry belongs to the food that names.json calls so in English, or else to the food whose description has
all words of its English name, and the fewest others. Of two foods with the same name in a language the first counts;
names of names.json count before all others. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tablesight_tools.foods.build import FOODS, LANGUAGES, name_rows
from tablesight_tools.foods.score_words import stems

# Words of a description that a name need not have.
MOST_OTHER_WORDS = 5
# First words of a description that only name its group.
GROUPS = {
    *("alcoholic beverage", "beans", "beverages", "bread", "cake", "candies", "cereals", "cheese", "cookies"),
    *(
        "desserts",
        "crustaceans",
        "fish",
        "leavening agents",
        "mollusks",
        "noodles",
        "nuts",
        "oil",
        "pie",
        "puddings",
        "rolls",
    ),
    *("salad dressing", "sauce", "seeds", "snacks", "soup", "spices", "sweeteners", "syrups", "vegetables"),
}
# Words of a description that make it another food than one without them.
OTHERS = {"free", "imitation", "meatless", "substitute"}
# Words that name no food by themselves.
QUALITIES = {"canned", "cooked", "dried", "food", "fresh", "frozen", "prepared", "raw", "whole"}
# Of a description, in this order before others: as people buy it.
USUAL = ("raw", "unprepared", "fresh", "whole")
LONGEST, MOST_WORDS = 40, 4


def entries(sources: Path) -> Iterator[dict[str, list[str]]]:
    for name in ("food-names.jsonl", "food-categories.jsonl"):
        for line in (sources / name).read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["names"]


class Foods:
    """The foods by their English names, and by the words of their descriptions."""

    def __init__(self) -> None:
        self.rows = name_rows(FOODS / "names.json")
        self.by_name: dict[frozenset[str], int] = {}
        for food, (_, english, *_rest) in self.rows.items():
            for name in english.split("/"):
                self.by_name.setdefault(frozenset(stems(name)), food)
        self.described: dict[str, list[tuple[int, set[str], str]]] = defaultdict(list)
        self.order: list[int] = []
        for row in json.loads((FOODS / "usda.json").read_text(encoding="utf-8"))["foods"]:
            number, description, *_ = row.split("|")
            words = stems(description)
            self.order.append(int(number))
            for word in words:
                self.described[word].append((int(number), words, description))

    def named(self, english: list[str]) -> int | None:
        """The food that English names of one thing mean, the usual name first; None where they mean none."""
        for name in english:
            if (food := self.by_name.get(frozenset(stems(name)))) is not None:
                return food
        return next((food for food in map(self.described_as, english) if food is not None), None)

    def described_as(self, name: str) -> int | None:
        wanted = stems(name)
        if not wanted - QUALITIES:
            return None
        rarest = min(wanted, key=lambda word: len(self.described[word]))
        found = [
            (len(words - wanted), [word not in words for word in USUAL], food)
            for food, words, description in self.described[rarest]
            if wanted <= words
            and not OTHERS & (words - wanted)
            and len(words - wanted) <= MOST_OTHER_WORDS
            and self.is_head(description, name)
        ]
        return min(found)[2] if found else None

    @staticmethod
    def is_head(description: str, name: str) -> bool:
        """True if a name says what the food is: canned potatoes are no `Sweet potato, canned`, nor pecan oil
        `Nuts, pecans, oil roasted`.
        """
        parts = [stems(part) for part in description.split(",")]
        head = parts[1] if description.split(",", maxsplit=1)[0].lower() in GROUPS and len(parts) > 1 else parts[0]
        last = stems(name.rsplit(maxsplit=1)[-1])
        return bool(head) and head <= stems(name) and last <= set().union(*parts[:2])

    def own(self, language: int) -> dict[str, int]:
        """The names of names.json in a language."""
        return {name.casefold(): food for food, row in self.rows.items() for name in row[language + 1].split("/")}


def is_name(text: str) -> bool:
    """False for a name with a number or punctuation, and for a sentence."""
    return len(text) <= LONGEST and len(text.split()) <= MOST_WORDS and not re.search(r"[\d%/|(),;:]", text)


def synonyms(sources: Path) -> dict[int, list[list[str]]]:
    """Further names of each food in each language."""
    foods = Foods()
    meant = [(names, foods.named(names.get("en", []))) for names in entries(sources)]
    found: dict[int, list[list[str]]] = defaultdict(lambda: [[] for _ in LANGUAGES])
    for index, language in enumerate(LANGUAGES):
        known = foods.own(index)
        for names, food in meant:
            for text in names.get(language, []) if food is not None else []:
                if is_name(text) and known.setdefault(text.casefold(), -1) == -1:
                    known[text.casefold()] = food
                    found[food][index].append(text)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    try:
        found = synonyms(parser.parse_args().sources)
    except (OSError, ValueError, KeyError) as error:
        print(f"foods.synonyms: {error}", file=sys.stderr)
        return 1
    head = {
        "schema": "tablesight.food-synonyms/1",
        "version": "1",
        "source": "Open Food Facts, taxonomies ingredients.txt and categories.txt of 2022-12, by scripts/tool "
        "foods.synonyms",
        "licence": "ODbL-1.0",
        "columns": "id of FoodData Central|" + "|".join(f"names in {one}" for one in LANGUAGES),
    }
    rows = ["|".join([str(food), *("/".join(names) for names in found[food])]) for food in sorted(found)]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
    text = json.dumps(head, ensure_ascii=False, indent=0)[:-2] + ',\n"foods": [\n' + lines + "\n]}\n"
    (FOODS / "synonyms.json").write_text(text, encoding="utf-8")
    print(f"{len(rows)} foods, {sum(len(names) for row in found.values() for names in row)} names")
    return 0


if __name__ == "__main__":
    sys.exit(main())
