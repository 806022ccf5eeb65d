"""Dishes with declared allergens and recipes, as rows with one truth for each of the 14 allergens."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy

ALLERGENS = (
    "gluten crustaceans eggs fish peanuts soybeans milk nuts celery mustard sesame sulphites lupin molluscs".split()
)
LANGUAGES = "en de fr es it pt nl pl cs hu".split()
KEY = {"sesame-seeds": "sesame", "sulphur-dioxide-and-sulphites": "sulphites"}
# Share of dishes with an allergen that their shop-bought ingredients often hold (stock: celery).
LIKELY = 0.4
# Origins whose rows may teach what ships. Rows of other origins are for measuring.
LICENCES = {
    "dpapathanasiou/recipes": "MIT",
    "TUM-Dev/eat-api (English)": "MIT",
    "TUM-Dev/eat-api": "MIT",
    "lqwk/ucla-dining-dataset": "MIT",
    "muety/kit-mensa-scraper": "MIT",
    "hhursev/recipe-scrapers": "MIT",
    "CauVang3061/HealthyCulinary": "MIT",
    "LukeSmithxyz/based.cooking": "Unlicense",
}
OPERATORS = {
    "TUM-Dev/eat-api (English)": "munich-en",
    "lqwk/ucla-dining-dataset": "ucla",
    "muety/kit-mensa-scraper": "kit",
    "HAWHHCalendarBot/mensa-data": "hamburg",
}
DEVELOPMENT = {"en-us-dev": "vanderbilt", "de-canteen-dev": "munich-dev", "de-canteen-train": "munich"}
HOME = "recipes"


@dataclass
class Row:
    """A dish, and what is known of its allergens."""

    text: str
    language: str
    kind: str  # recipe, menu, ingredient, described, national
    source: str
    operator: str  # the kitchen, or HOME
    present: dict[str, float]  # share of servings with the allergen
    covered: set[str]
    count: int = 1
    ingredients: list[str] = field(default_factory=list)

    @property
    def is_licensed(self) -> bool:
        return self.source in LICENCES

    @property
    def weight(self) -> float:
        base = {"recipe": 1.0, "menu": 2.0, "ingredient": 1.0, "described": 0.7, "national": 4.0}[self.kind]
        return base * min(3.0, 1 + 0.25 * float(numpy.log2(max(1, self.count))))


def keys(tags: Iterable[str]) -> set[str]:
    return {KEY.get(name, name) for name in (tag.split(":")[-1] for tag in tags)}


def covered_keys(covered: Any, present: set[str]) -> set[str]:
    """The EU-14 keys that a declaration covers. "shellfish" covers both groups only where it is absent."""
    names = set(ALLERGENS) if covered == "EU14" else keys(covered)
    if "shellfish" in names and "shellfish" not in present:
        names |= {"crustaceans", "molluscs"}
    return names & set(ALLERGENS)


def recipes(folder: Path, language: str) -> Iterator[Row]:
    path = folder / "recipes" / f"{language}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["kind"] == "part":
                continue
            present = {name: row.get("share", {}).get(name, 1.0) for name in row["allergens"]}
            present |= {name: LIKELY for name in row.get("likely", ()) if name not in present}
            yield Row(
                row["title"],
                row["language"],
                row["kind"],
                row["source"],
                OPERATORS.get(row["source"], HOME),
                present,
                covered_keys(row["covered"], set(row["allergens"])),
                row["n"],
                row.get("ingredients") or [],
            )


def declared(path: Path) -> Iterator[Row]:
    """Rows of food/dishes/*.jsonl. Allergens that only some servings have are not covered."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        present = keys(row.get("allergens", row.get("allergens_always", [])))
        unsure = keys(row.get("allergens_ever", [])) - present
        if row.get("suspect_crustacean_nut_mixup"):
            unsure |= {"crustaceans", "nuts"}
        yield Row(
            "\n".join(filter(None, (row["name"], row.get("description")))),
            row["lang"],
            "menu",
            "TUM-Dev/eat-api" if path.stem.startswith("de-canteen") else path.stem,
            DEVELOPMENT.get(path.stem) or row["operator"].split()[0].lower(),
            dict.fromkeys(present, 1.0),
            covered_keys(row["covered"], present) - unsure,
            row.get("n_servings", 1),
        )


def load(folder: Path) -> list[Row]:
    """All rows below a folder with `recipes/` and `dishes/`."""
    rows = [row for language in LANGUAGES for row in recipes(folder, language)]
    for path in sorted((folder / "dishes").glob("*.jsonl")):
        rows += declared(path)
    return rows


def same_operator(operator: str, other: str) -> bool:
    """The canteens of one operator publish in two languages."""
    return operator.split("-", maxsplit=1)[0] == other.split("-", maxsplit=1)[0]


def targets(rows: list[Row]) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Truth and mask of each row and allergen."""
    truth = numpy.array([[row.present.get(name, 0.0) for name in ALLERGENS] for row in rows], numpy.float32)
    mask = numpy.array([[float(name in row.covered) for name in ALLERGENS] for row in rows], numpy.float32)
    return truth, mask


__all__ = ["ALLERGENS", "HOME", "LANGUAGES", "LICENCES", "Row", "load", "replace", "same_operator", "targets"]
