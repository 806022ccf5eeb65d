"""Counts how the roles of typed menus are printed and what follows what: the tables of models/menus/pattern.json.

The weights and strengths in the file stay as they are.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from tablesight_tools.training.menus import labels
from tablesight_tools.training.menus.stage import Stage
from tablesight_tools.training.menus.typed import load_typed

# The state of each role in the order of `labels.ROLES`: the first five, and all others. The last row is for texts at
# the top.
STATES = [0, 1, 2, 3, 4, 5, 5, 5, 5]
COUNT, TOP = 6, 6
NAME, HEADING, OTHER = 0, 3, 5
# Half a text for each value that was never met.
PSEUDO = 0.5


def relation(parent: int, child: int) -> int:
    """`ItemRelation` of two texts."""
    is_item = parent not in (HEADING, OTHER, TOP)
    if child == HEADING:
        return 2 if parent == HEADING else 3
    if child == OTHER:
        return 4
    if is_item:
        return 1 if child == NAME else 0
    return 2 if parent == HEADING else 4


def shares(table: np.ndarray) -> list[list[float]]:
    return [[float(f"{value:.4f}") for value in row] for row in table / table.sum(1, keepdims=True)]


def count(pages: list[tuple[dict, list[int]]], widths: list[int]) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Tables of the features, of gaps and of roles, from what the program sees and the true states (-1 for none)."""
    features = [np.full((COUNT, width), PSEUDO) for width in widths]
    gaps, roles = np.full((5, 10), PSEUDO), np.full((COUNT + 1, COUNT), PSEUDO)
    for seen, states in pages:
        for values, gap, parent, state in zip(seen["values"], seen["gaps"], seen["parents"], states):
            if state < 0:
                continue
            for table, value in zip(features, values):
                table[state, value] += 1
            above = TOP if parent is None else states[parent]
            if above >= 0:
                roles[above, state] += 1
                gaps[relation(above, state), gap] += 1
    return features, gaps, roles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--typed", nargs=2, action="append", metavar=("READINGS", "GT"), required=True)
    parser.add_argument("--stage", default=".build/release/tablesight-stage")
    parser.add_argument("--models", default="models")
    parser.add_argument("--out", default="models/menus/pattern.json", type=Path)
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    typed = load_typed(options.typed)
    command = ["rows", "--model", f"{options.models}/menus/roles.json"]
    rows = Stage(options.stage, options.models).run(command, [line for _, line, _ in typed])
    pages = []
    for (_, _, truth), row in zip(typed, map(json.loads, rows)):
        known = labels.of_typed(truth, row["texts"])
        states = [-1 if role is None else STATES[labels.ROLES.index(role)] for role in known]
        pages.append((row["pattern"], states))
    model = json.loads(options.out.read_text("utf-8"))
    widths = [len(feature["shares"][0]) for feature in model["features"]]
    features, gaps, roles = count(pages, widths)
    for feature, table in zip(model["features"], features):
        feature["shares"] = shares(table)
    model["gaps"]["shares"], model["roles"]["shares"] = shares(gaps), shares(roles)
    model["version"] = options.version
    options.out.write_text(json.dumps(model, separators=(",", ":")) + "\n", "utf-8")
    print(len(pages), "pages", file=sys.stderr)


if __name__ == "__main__":
    main()
