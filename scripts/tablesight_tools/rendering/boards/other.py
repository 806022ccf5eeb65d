"""Renders boards with a third-party renderer, but with our markers and our form of truth, for evaluation.score.

    scripts/tool rendering.boards.other RENDERER OUT [--count 40] [--seed 1000] [CONDITION...]

RENDERER is a Python file with a function render(seed, mode, condition) that returns a JPEG and its truth, CONDS
(settings by name) and MK (the pictures of the four markers). An independent renderer shows errors that our renderer
and our recogniser have in common.
"""

import argparse
import importlib.util
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tablesight_tools.paths import MODELS


def marker(word: str) -> np.ndarray:
    """Six cells a side, the outer ones black, 40 pixels each."""
    cells = np.zeros((6, 6), np.uint8)
    cells[1:5, 1:5] = np.array([int(bit) for bit in word]).reshape(4, 4) * 255
    return cv2.resize(cells, (240, 240), interpolation=cv2.INTER_NEAREST)


def ours(truth: dict[str, Any], condition: str, is_coloured: bool) -> dict[str, Any]:
    pieces = [
        dict(
            key=piece["i"],
            type=piece["type"],
            colour=piece["color"] if is_coloured else None,
            x=piece["x"],
            y=piece["y"],
            angle=piece["angle"],
            flipped=piece["flip"],
            visible=piece["visible"],
        )
        for piece in truth["pieces"]
    ]
    return dict(condition=condition, tilt=truth["tilt"], thickness=truth["th"], H=truth["H"], pieces=pieces)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("renderer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("conditions", nargs="*")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1000)
    options = parser.parse_args()
    spec = importlib.util.spec_from_file_location("renderer", options.renderer)
    renderer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(renderer)
    board = json.loads((MODELS / "piece-sets/tangram.json").read_text())["board"]
    renderer.MK = [marker(square["word"]) for square in board["markers"]["squares"]]
    for condition in options.conditions or renderer.CONDS:
        mode, settings = renderer.CONDS[condition]
        folder = options.out / condition
        folder.mkdir(parents=True, exist_ok=True)
        for index in range(options.count):
            picture, truth = renderer.render(options.seed + index, mode, settings)
            (folder / f"{index:03}.jpg").write_bytes(picture.tobytes())
            (folder / f"{index:03}.json").write_text(json.dumps(ours(truth, condition, "wood" not in settings)))
        print(folder, flush=True)


if __name__ == "__main__":
    main()
