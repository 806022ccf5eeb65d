"""More rows from recipes: plain ingredients, described titles, and titles translated word by word."""

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.training.dish_knowledge.rows import ALLERGENS, HOME, LANGUAGES, LIKELY, Row

FOLDER = Path(__file__).parent
UNITS = set(
    """
    cup cups tablespoon tablespoons teaspoon teaspoons tbsp tsp ounce ounces oz pound pounds lb lbs gram grams
    g kg ml l quart quarts pint pints clove cloves can cans package packages pkg jar jars bottle stick sticks
    slice slices piece pieces pinch dash head heads bunch stalk stalks sprig sprigs envelope box boxes bag
    bags inch large small medium of about size fluid fl each plus more or to taste as needed for the a an in
    with fresh freshly finely chopped diced minced sliced shredded grated peeled cubed crushed melted softened
    divided drained rinsed optional thawed cooked uncooked beaten packed cut into halved quartered trimmed
    room temperature at if desired you use very cold warm hot boiling dry lightly
    """.split()
)
PANTRY = {"salt", "pepper", "water", "oil", "sugar", "flour", "baking"}
MINIMUM_TRANSLATED = 0.6  # share of a title's words that the glossary must know
PLAIN = "models/lexicons"
KEPT = 0.3  # share of unknown words that stay: many are the same in other languages


def words_of(text: str) -> list[str]:
    """Lower-case words without accents, as keys of the glossary."""
    plain = unicodedata.normalize("NFD", text.lower().replace("ß", "ss").replace("œ", "oe"))
    return re.findall(r"[^\W_]+", "".join(c for c in plain if not unicodedata.combining(c)))


def plain_ingredient(line: str) -> str:
    """ "2 cups broccoli, chopped" → "broccoli"."""
    text = re.split(r",| - |;", re.sub(r"\([^)]*\)", " ", line))[0]
    words = [word for word in re.findall(r"[^\W\d_][\w'-]*", text.lower()) if word not in UNITS]
    return " ".join(words[:6])


def ingredients(rows: list[Row], most: int = 12000, least: int = 2) -> list[Row]:
    """Frequent ingredients as dishes of their own. Their truth is what their words name (see `features.named`)."""
    count = Counter(name for row in rows for name in {plain_ingredient(line) for line in row.ingredients})
    return [
        Row(name, "en", "ingredient", "dpapathanasiou/recipes", HOME, {}, set(ALLERGENS), n)
        for name, n in count.most_common(most)
        if n >= least and len(name) >= 3
    ]


def described(rows: list[Row], share: float, seed: int = 7) -> Iterator[Row]:
    """A title followed by a few of its ingredients reads like the description on a menu."""
    chance = random.Random(seed)
    for row in rows:
        names = [plain_ingredient(line) for line in row.ingredients]
        names = [name for name in names if len(name) > 2 and not PANTRY & set(name.split())]
        if chance.random() < share and len(names) >= 3:
            some = chance.sample(names, min(len(names), chance.randint(2, 6)))
            yield replace(row, text=row.text + "\n" + ", ".join(some), kind="described", ingredients=[])


def lines(name: str) -> Iterator[list[str]]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


class Glossary:
    """Translates English titles word by word. The result is no sentence, but has the words of a menu."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, ...], list[list[str]]] = {}
        for cells in lines("glossary.tsv"):
            concept = [[word.strip() for word in cell.split("|")] for cell in cells]
            for word in concept[0]:
                key = tuple(words_of(word))
                self.entries.setdefault(key, concept)
                if len(key) == 1 and not key[0].endswith("s"):
                    self.entries.setdefault((key[0] + "s",), concept)

    def translated(self, text: str, language: str, ignored: set[str], chance: random.Random) -> str | None:
        """None if too few words are known."""
        column = LANGUAGES.index(language)
        words = [word for word in words_of(text) if len(word) > 1 and word not in ignored]
        result: list[str] = []
        known = place = 0
        while place < len(words):
            for length in (3, 2, 1):
                concept = self.entries.get(tuple(words[place : place + length]))
                if concept and place + length <= len(words):
                    result.append(chance.choice(concept[column]))
                    known += length
                    place += length
                    break
            else:
                if chance.random() < KEPT:
                    result.append(words[place])
                place += 1
        return " ".join(result) if result and known >= MINIMUM_TRANSLATED * len(words) else None


def translated(rows: list[Row], language: str, ignored: set[str], seed: int = 5) -> Iterator[Row]:
    glossary, chance = Glossary(), random.Random(seed)
    for row in rows:
        text = glossary.translated(row.text, language, ignored, chance)
        if text:
            yield replace(row, text=text, language=language, ingredients=[])


def plain(language: str) -> Iterator[Row]:
    """Harmless foods of the lexicon, as dishes without allergens. Celery, mustard, soy and sulphites stay unknown,
    because kitchens add them to plain food. `train.learn` leaves out what the lexicon takes for an allergen."""
    lexicon = json.loads((REPOSITORY / "models/lexicons" / f"{language}.json").read_text(encoding="utf-8"))
    known = set(ALLERGENS) - {"celery", "mustard", "soybeans", "sulphites"}
    for word in lexicon["neutral"]:
        if len(word) > 2:
            yield Row(word, language, "ingredient", PLAIN, HOME, {}, known)


def national(language: str) -> Iterator[Row]:
    for cells in lines("national_dishes.tsv"):
        if cells[0] != language:
            continue
        usual, often = cells[2].split(), cells[3].split() if len(cells) > 3 else []
        present = dict.fromkeys(often, LIKELY) | dict.fromkeys(usual, 0.9)
        for name in cells[1].split("|"):
            yield Row(name, language, "national", "written for Tablesight", HOME, present, set(ALLERGENS))
