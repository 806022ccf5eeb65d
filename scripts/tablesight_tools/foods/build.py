"""Makes models/foods/usda.json: generic foods of USDA FoodData Central with figures per 100 g and named portions.

    scripts/tool foods.build SOURCES           make the file
    scripts/tool foods.build SOURCES --names   also count which names of names.json a taxonomy has (food-names.jsonl, …)

SOURCES is a folder with two copies of SR Legacy (April 2018), because no single public copy was taken on trust:

    food.csv, food_portion.csv   descriptions, categories and portions of all foods
    figures.json                 rows [id, description, category, kcal, protein, carbohydrate, fat, fibre, sugars,
                                 sodium]
    check.json                   the other copy: rows {id: "sr-…", cal, p, cb, f}
    FOOD_DES.txt, NUT_DATA.txt   SR28, for saturated fat and for what is not stated, which figures.json has as 0
    foundation.json              Foundation foods whose figures agree in two copies, in the form of figures.json

A food whose figures differ between the copies fails the run. Standard library only.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

from tablesight_tools.paths import MODELS

FOODS = MODELS / "foods"
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "cs", "hu", "pt")
FILES = (
    "food.csv",
    "food_portion.csv",
    "figures.json",
    "check.json",
    "FOOD_DES.txt",
    "NUT_DATA.txt",
    "foundation.json",
)
# Baby, fast and restaurant foods and those of peoples of North America: products and dishes rather than generic foods.
OTHER_CATEGORIES = {"3", "21", "24", "25"}
MOST_PORTIONS = 5
# Numbers of nutrients in SR28; the others in the order of the figures.
SATURATED, STATED = "606", ("208", "203", "205", "204", "291", "269", "307")
Figures = tuple[float | None, ...]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def tilde_rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="latin-1").splitlines()
    return [[cell.strip("~") for cell in line.split("^")] for line in lines]


def name_rows(path: Path) -> dict[int, list[str]]:
    """The rows of names.json by the id of the food: portion, then names in each language."""
    found: dict[int, list[str]] = {}
    for row in json.loads(path.read_text(encoding="utf-8"))["foods"]:
        number, *rest = row.split("|")
        if int(number) in found or len(rest) != len(LANGUAGES) + 1 or not all(rest[1:]):
            raise ValueError(f"a row of {path.name} is double or has no name in each language: {row}")
        found[int(number)] = rest
    return found


def is_generic(description: str, category: str) -> bool:
    """False for a brand, which USDA writes in capitals: CHOBANI, KELLOGG'S."""
    brands = [
        word for word in re.findall(r"[A-Z][A-Z'&]{2,}", description) if word not in {"USDA", "USDA'S", "BBQ", "DHA"}
    ]
    return category not in OTHER_CATEGORIES and not brands


def portions(path: Path) -> dict[int, list[tuple[str, float]]]:
    """Named portions with their grams; those of a food label of the US are no portions of a food."""
    found: dict[int, list[tuple[str, float]]] = defaultdict(list)
    for row in rows(path):
        name = re.sub(r"[;=|]|\(1 NLEA serving\)", " ", row["modifier"])
        label = f"{float(row['amount']):g} " + " ".join(name.split())
        own, grams = found[int(row["fdc_id"])], float(row["gram_weight"])
        if name.strip() and grams > 0 and "NLEA" not in name and label not in [known for known, _ in own]:
            own.append((label, grams))
    return found


def disagreements(figures: dict[int, Figures], path: Path) -> tuple[int, list[int]]:
    """How many figures the other copy has too, and the foods in which one differs by more than its rounding."""
    compared, wrong = 0, []
    for row in json.loads(path.read_text(encoding="utf-8")):
        own = figures.get(int(row["id"].split("-")[1])) if row["id"].startswith("sr-") else None
        if own is None:
            continue
        for value, other, rounding in zip(
            own, (row["cal"], row["p"], row["cb"], row["f"]), (0.51, 0.051, 0.051, 0.051), strict=False
        ):
            compared += 1
            if value is not None and abs(value - (other or 0)) > rounding:
                wrong.append(int(row["id"].split("-")[1]))
    return compared, wrong


def earlier(descriptions: dict[int, str], sources: Path) -> dict[int, dict[str, float]]:
    """The nutrients of SR28 by the ids of SR Legacy, for foods with the same description."""
    wanted = {SATURATED, *STATED}
    by_number: dict[str, dict[str, float]] = defaultdict(dict)
    for cells in tilde_rows(sources / "NUT_DATA.txt"):
        if cells[1] in wanted:
            by_number[cells[0]][cells[1]] = float(cells[2])
    numbers = {cells[2]: cells[0] for cells in tilde_rows(sources / "FOOD_DES.txt")}
    return {food: by_number[numbers[text]] for food, text in descriptions.items() if text in numbers}


def stated(figures: Figures, old: dict[str, float] | None) -> tuple[Figures, float | None]:
    """The figures without those that the release does not state, which the copy has as 0, and the saturated fat.

    Saturated fat counts where energy, protein and fat did not change since SR28. Of foods that SR28 lacks, a 0 of
    fibre, sugars or sodium may mean either.
    """
    if old is None:
        return (*figures[:4], *(one or None for one in figures[4:])), None
    kept = tuple(None if one == 0 and key not in old else one for one, key in zip(figures, STATED, strict=True))
    same = all(old.get(STATED[index]) == figures[index] for index in (0, 1, 3))
    return kept, old.get(SATURATED) if same else None


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def row(food: int, description: str, figures: Figures, fat: float | None, named: list[tuple[str, float]]) -> str:
    kcal, protein, carbohydrate, total, fibre, sugars, sodium = figures
    # Salt is sodium times 2.5, as Regulation (EU) No 1169/2011 has it.
    salt = None if sodium is None else round(sodium * 2.5 / 1000, 4)
    cells = [number(one) for one in (kcal, protein, carbohydrate, total, fat, fibre, sugars, salt)]
    text = description.replace(" (Includes foods for USDA's Food Distribution Program)", "").replace("|", "/")
    return "|".join([str(food), text, *cells, ";".join(f"{name}={grams:g}" for name, grams in named)])


def build(sources: Path) -> str:
    descriptions = {int(one["fdc_id"]): one["description"] for one in rows(sources / "food.csv")}
    categories = {int(one["fdc_id"]): one["food_category_id"] for one in rows(sources / "food.csv")}
    legacy = json.loads((sources / "figures.json").read_text(encoding="utf-8"))
    figures: dict[int, Figures] = {one[0]: tuple(one[3:10]) for one in legacy}
    if differing := [one[0] for one in legacy if descriptions.get(one[0]) != one[1]]:
        raise ValueError(f"the copies describe foods differently: {differing[:5]}")
    compared, wrong = disagreements(figures, sources / "check.json")
    if wrong:
        raise ValueError(f"the copies differ in figures: {wrong[:5]}")
    named, common = portions(sources / "food_portion.csv"), name_rows(FOODS / "names.json")
    old = earlier(descriptions, sources)
    complete = {food: stated(own, old.get(food)) for food, own in figures.items()}
    for one in json.loads((sources / "foundation.json").read_text(encoding="utf-8")):
        complete[one[0]], descriptions[one[0]], categories[one[0]] = (tuple(one[3:10]), None), one[1], ""
    if unknown := [food for food in common if food not in complete]:
        raise ValueError(f"names.json names foods that are not there: {unknown}")
    kept = []
    for food in sorted(complete, key=lambda one: descriptions[one]):
        if not (food in common or is_generic(descriptions[food], categories[food])):
            continue
        piece = common[food][0] if food in common else ""
        own = sorted(named[food], key=lambda one: one[0] != piece)[:MOST_PORTIONS]
        if piece and (not own or own[0][0] != piece):
            raise ValueError(f"{descriptions[food]} has no portion {piece}: {named[food]}")
        kept.append(row(food, descriptions[food], *complete[food], own))
    hashes = ", ".join(f"{name} {hashlib.sha256((sources / name).read_bytes()).hexdigest()[:16]}" for name in FILES)
    head = {
        "schema": "tablesight.generic-foods/1",
        "version": "1",
        "source": "U.S. Department of Agriculture, FoodData Central: SR Legacy (April 2018) and Foundation Foods; two"
        f" public copies compared, {compared} figures, none different; saturated fat of SR28; sha256 of the inputs: "
        f"{hashes}",
        "licence": "public domain (CC0 1.0)",
        "columns": "id|description|kcal|protein|carbohydrate|fat|saturated fat|fibre|sugars|salt, grams per 100 g"
        "|portion=grams;…",
    }
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in kept)
    return json.dumps(head, ensure_ascii=False, indent=0)[:-2] + ',\n"foods": [\n' + lines + "\n]}\n"


def known_names(sources: Path) -> str:
    """How many of the names a taxonomy of foods has in the same language."""
    known: dict[str, set[str]] = defaultdict(set)
    for path in sorted(sources.glob("food-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for language, names in json.loads(line)["names"].items():
                known[language] |= {name.casefold() for name in names}
    counts = []
    for index, language in enumerate(LANGUAGES):
        names = [
            one.casefold() for rest in name_rows(FOODS / "names.json").values() for one in rest[index + 1].split("/")
        ]
        missing = [name for name in names if name not in known[language]]
        counts.append(f"{language}: {len(names) - len(missing)} of {len(names)}; not there: {', '.join(missing)}")
    return "\n".join(counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument(
        "--names", action="store_true", help="compare names.json with the taxonomies in SOURCES instead"
    )
    options = parser.parse_args()
    try:
        if options.names:
            print(known_names(options.sources))
        else:
            (FOODS / "usda.json").write_text(build(options.sources), encoding="utf-8")
    except (OSError, ValueError, KeyError) as error:
        print(f"foods.build: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
