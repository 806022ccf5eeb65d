"""Teaches silhouettes from one photo each, and counts how often `tablesight pieces` names them on other photos.

    scripts/tool evaluation.figures EVAL/boards/tangram-photos --tablesight .build/release/tablesight

The folder holds silhouettes/NAME.jpg with one figure each, images/*.jpg, and gt.json. For each image, gt.json names
the figure (target_shape_fr) and the side of the picture's middle on which it lies (target_side: left or right). On
some images two players each lay a figure.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any


def run(*words: object) -> str:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tablesight", default="tablesight")
    parser.add_argument("--set", default="tangram-mono")
    parser.add_argument("--difficulty", default="normal")
    options = parser.parse_args()
    truth = json.loads((options.folder / "gt.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        book = f"{folder}/figures.json"
        silhouettes = sorted((options.folder / "silhouettes").iterdir())
        command = [options.tablesight, "pieces", "teach-puzzles", *silhouettes, "--set", options.set, "--book", book]
        taught = run(*command).split()
        print(f"taught: {', '.join(taught)}")
        right = wrong = boards = 0
        for name, image in sorted(truth.items()):
            if not image.get("target_side"):
                continue
            boards += 1
            began = time.monotonic()
            command = [options.tablesight, "pieces", options.folder / "images" / name, "--set", options.set]
            command += ["--game", f"tangram:{book}", "--difficulty", options.difficulty]
            lines = run(*command).splitlines()
            took = time.monotonic() - began
            frame, game = (json.loads(line) for line in lines)
            figure = on_side(frame, game["report"], image["target_side"], image["width"])
            named = figure["puzzle"]
            right += named == image["target_shape_fr"]
            wrong += named not in (None, image["target_shape_fr"])
            print(
                f"{name}: {image['target_shape_fr']} as {named} {figure['placed']} {figure['confidence']} "
                f"{figure['reason']}, {took:.2f} s with start and decoding, {frame['timing_ms']}"
            )
        print(f"{right} of {boards} named, {wrong} wrong")
    return 0 if wrong == 0 else 1


def on_side(frame: dict[str, Any], report: dict[str, Any], side: str, width: float) -> dict[str, Any]:
    """The figure on that side of the picture, or the report's only figure if the table holds one set."""
    nothing = {"puzzle": None, "placed": None, "confidence": 0, "reason": "nothingThere"}
    figures = report.get("figures") or [
        {
            "puzzle": report.get("puzzle"),
            "placed": report.get("placed"),
            "confidence": report["outcome"]["confidence"],
            "reason": report["outcome"]["reason"],
            "pieces": [piece["id"] for piece in frame["pieces"]],
        }
    ]
    place = {
        piece["id"]: sum(x for x, _ in piece["polygon_px"]) / len(piece["polygon_px"]) for piece in frame["pieces"]
    }
    there = []
    for figure in figures:
        middle = sum(place[piece] for piece in figure["pieces"]) / len(figure["pieces"])
        if (middle < width / 2) == (side == "left"):
            there.append(figure)
    return max(there, key=lambda figure: (figure["placed"] or 0, figure["confidence"]), default=nothing)


if __name__ == "__main__":
    sys.exit(main())
