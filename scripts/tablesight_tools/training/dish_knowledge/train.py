"""Learns P(allergen | words of a dish) in ten languages: models/dishes/<language>.json and <language>.weights.

    swift build -c release --product tablesight-stage
    scripts/train-dishes FOOD --program .build/release/tablesight-stage --out models/dishes [--languages de,en]
    scripts/train-dishes FOOD --program … --out OTHER/dishes --languages de --leave-out munich

FOOD is a folder with recipes/<language>.jsonl.gz and dishes/*.jsonl (rows.py says what a row has). Only rows whose
origin states MIT or public domain teach a model that ships. German and English learn from declared menus and recipes.
The other languages have hardly any licensed rows: they learn from English titles that glossary.tsv translates word by
word, and from national_dishes.tsv. --leave-out trains without an operator, to measure on it. Needs numpy and scipy.
"""

import argparse
import json
import random
from collections import Counter
from itertools import compress
from pathlib import Path

import numpy

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.training.dish_knowledge import examples, features
from tablesight_tools.training.dish_knowledge.rows import (
    ALLERGENS,
    LANGUAGES,
    LICENCES,
    Row,
    load,
    same_operator,
)

SCHEMA, VERSION = "tablesight.dishes/3", "5"
RIDGE = 3.0
SMALL_BITS = 15  # translated titles have few words


def function_words(language: str) -> set[str]:
    lexicon = json.loads((REPOSITORY / "models/lexicons" / f"{language}.json").read_text(encoding="utf-8"))
    return {word for text in lexicon["functionWords"] for word in examples.words_of(text)}


def taught(rows: list[Row], left_out: str | None) -> list[Row]:
    """The rows that may teach: licensed, not of a development set, not of the operator that is left out."""
    return [
        row
        for row in rows
        if row.is_licensed and row.operator != "munich-dev" and not (left_out and same_operator(row.operator, left_out))
    ]


def english(rows: list[Row]) -> list[Row]:
    """English rows with described titles and plain ingredients."""
    own = [row for row in rows if row.language == "en"]
    recipes = [row for row in own if row.kind == "recipe"]
    return own + list(examples.described(recipes, 0.25)) + examples.ingredients(recipes)


def rows_for(language: str, rows: list[Row], source: list[Row]) -> list[Row]:
    national = list(examples.national(language))
    if language == "en":
        return source + national + list(examples.plain(language))
    chance = random.Random(5)
    some = [row for row in source if row.kind != "recipe" or chance.random() < 0.5]
    own = [row for row in rows if row.language == language] + list(examples.plain(language))
    if language == "de":
        some = [row for row in some if row.kind != "menu"]  # German kitchens are known
    return own + national + list(examples.translated(some, language, function_words("en")))


def learn(language: str, rows: list[Row], program: str) -> tuple[features.Model, list[Row]]:
    found = features.samples(program, rows)
    for row, sample in zip(rows, found):
        if row.kind == "ingredient":
            row.present = dict.fromkeys(sample.named, 1.0)
    usable = [row.source != examples.PLAIN or not (one.named or one.hints) for row, one in zip(rows, found)]
    rows, found = list(compress(rows, usable)), list(compress(found, usable))
    bits = features.BITS if language in ("en", "de") else SMALL_BITS
    return features.fit(rows, features.matrix(found, bits), bits, RIDGE), rows


def write(model: features.Model, language: str, rows: list[Row], folder: Path) -> None:
    steps = numpy.abs(model.weights).max(axis=0) / 127 + 1e-9
    quantised = numpy.round(model.weights / steps).astype(numpy.int8)
    count = Counter(row.source for row in rows)
    head = {
        "schema": SCHEMA,
        "version": VERSION,
        "language": language,
        "source": "Learned with scripts/train-dishes from the rows below; weights only, no text of theirs",
        "licence": "Apache-2.0; learned from rows under MIT and Unlicense",
        "sources": [
            {"name": name, "licence": LICENCES.get(name, "Apache-2.0"), "rows": n} for name, n in sorted(count.items())
        ],
        "bits": model.bits,
        "allergens": ALLERGENS,
        "bias": [round(float(value), 4) for value in model.bias],
        "steps": [float(f"{step:.6g}") for step in steps],
    }
    lines = [json.dumps(key) + ": " + json.dumps(value, ensure_ascii=False) for key, value in head.items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{language}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    (folder / f"{language}.weights").write_bytes(quantised.tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("food", type=Path)
    parser.add_argument("--program", required=True, help="the program tablesight-stage")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--leave-out", metavar="OPERATOR")
    options = parser.parse_args()
    rows = taught(load(options.food), options.leave_out)
    source = english(rows)
    for language in options.languages.split(","):
        model, used = learn(language, rows_for(language, rows, source), options.program)
        write(model, language, used, options.out)
        print(f"{language}: {len(used)} rows, {sum(row.kind == 'menu' for row in used)} of kitchens", flush=True)


if __name__ == "__main__":
    main()
