"""Scores the search of foods by typed words: is what was meant among the first three?

    scripts/tool foods.score_words LIST [--products FILE] [--program PROGRAM] [--misses]

LIST has a JSON object on each line: {"typed": "Äpfel", "language": "de", "right": ["apple"]}. A result is right if its
name, or what USDA calls it in English, has all words of one of `right`, in any order, also in the plural; "fdc:171287"
names one generic food. --products imports products first (Open Food Facts JSONL), as a household has them. Standard
library only.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import defaultdict
from pathlib import Path

from tablesight_tools.foods.build import FOODS, name_rows
from tablesight_tools.paths import REPOSITORY

SHOWN = 3


def stems(text: str) -> set[str]:
    """Folded words without an ending of the plural."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    words = re.findall(r"[a-z0-9]+", "".join(c for c in folded if not unicodedata.combining(c)).replace("ł", "l"))
    return {
        re.sub(r"ies$", "y", word) if word.endswith("ies") else re.sub(r"(?<=..)(es|s)$", "", word) for word in words
    }


def meanings() -> dict[str, list[set[str]]]:
    """The English texts of each generic food, as stems."""
    found: dict[str, list[set[str]]] = {}
    for row in json.loads((FOODS / "usda.json").read_text(encoding="utf-8"))["foods"]:
        number, description, *_ = row.split("|")
        found[f"fdc:{number}"] = [stems(description)]
    for number, (_, english, *_rest) in name_rows(FOODS / "names.json").items():
        found[f"fdc:{number}"] += [stems(name) for name in english.split("/")]
    return found


def is_right(result: dict[str, str], right: list[str], known: dict[str, list[set[str]]]) -> bool:
    texts = [stems(f"{result['name']} {result.get('brand') or ''}"), *known.get(result["id"], [])]
    return any(one == result["id"] or any(stems(one) <= text for text in texts) for one in right)


def results(typed: str, program: Path, environment: dict[str, str]) -> list[dict[str, str]]:
    command = [program, "lookup", "--search", typed, "--limit", str(SHOWN)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("--products", type=Path)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument("--misses", action="store_true", help="print each word that was not found, with what was")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.list.read_text(encoding="utf-8").splitlines() if line.strip()]
    known, counts = meanings(), defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TABLESIGHT_CATALOGUE": folder}
        if options.products:
            subprocess.run(
                [options.program, "catalogue", "import", options.products],
                env=environment,
                check=True,
                capture_output=True,
            )
        for row in rows:
            found = results(row["typed"], options.program, environment)
            right = any(is_right(one, row["right"], known) for one in found)
            for key in (row["language"], "all"):
                counts[key][0] += right
                counts[key][1] += 1
            if options.misses and not right:
                names = [one["name"] for one in found]
                print(f"{row['language']} {row['typed']}: {', '.join(row['right'])} is not {names}")
    for key, (right, count) in counts.items():
        print(f"{key}: {right} of {count}, {right / count:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
