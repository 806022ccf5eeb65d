"""Fits the probability of a piece: models/calibration/pieces.json.

    scripts/tool training.pieces FAMILY --worker PROGRAM --fit SET DIR [--fit …] [--none SET DIR …] [--test SET DIR …]
        [--write]

FAMILY is shapes, tiles or symbolTiles. Each DIR of --fit and --test holds photos with their truth: folders of
`render-boards`, or gt.json beside images/. The photos of --none hold no piece of the set: everything found is wrong.
The worker measures the evidence (`--piece-evidence`); nothing of the recogniser is repeated here.

The model is a logistic curve on the logarithms of the features, with weights of 0 or more. Few pieces are wrong, so
that the weights are drawn to 1, the product of the features, by PRIOR. The table is of photos that the fit did not
see: fifths of --fit and --none, then --test.
"""

import argparse
import json
import math
import random
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tablesight_tools.evaluation.score import like, middle
from tablesight_tools.measures import calibration_error
from tablesight_tools.paths import REPOSITORY

Row = dict[str, Any]
Polygon = list[list[float]]
Sample = tuple[str, dict[str, float], float, bool]  # photo, features, score, right
Model = tuple[dict[str, float], float]  # weights, bias
TABLE = REPOSITORY / "models/calibration/pieces.json"
FLOOR, PRIOR, LOWEST, HIGHEST = 0.01, 2.0, 0.005, 0.995  # the first and the last two as in PieceCalibration.swift


def truths(folder: Path) -> dict[Path, list[Row]]:
    if (folder / "gt.json").is_file():
        boards = json.loads((folder / "gt.json").read_text())
        images = boards.get("images", boards)
        return {folder / "images" / name: one["pieces"] for name, one in images.items() if "pieces" in one}
    return {
        photo: json.loads(photo.with_suffix(".json").read_text())["pieces"] for photo in sorted(folder.glob("*.jpg"))
    }


def is_right(piece: Row, truth: list[Row]) -> bool:
    """Takes the true piece at the place of the answer from the list."""
    at = middle(piece)
    size = math.dist(*piece["polygon_px"][:2])
    near = min(truth, key=lambda one: math.dist(place(one), at), default=None)
    if near is None or math.dist(place(near), at) > 0.25 * size:
        return False
    truth.remove(near)
    if "angle" in near:
        close = corners_apart(piece["polygon_px"], near["polygon_px"]) < 0.1 * size
        return bool(near["type"] == piece["type"] and piece["flipped"] == near["flipped"] and close)
    if "polygon" in near:
        return bool(near["type"].replace("_", "").casefold() == piece["type"].casefold())
    return like(near, piece)


def corners_apart(one: Polygon, other: Polygon) -> float:
    """The mean distance of corners, from the first corner that makes it smallest."""
    if len(one) != len(other):
        return math.inf
    turns = (other[i:] + other[:i] for i in range(len(other)))
    return min(sum(math.dist(a, b) for a, b in zip(one, turned)) / len(one) for turned in turns)


def place(true: Row) -> tuple[float, float]:
    points = true.get("polygon_px") or true.get("polygon") or true["corners"]
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def samples(worker: str, name: str, folder: Path, has_pieces: bool) -> list[Sample]:
    known = truths(folder) if has_pieces else {photo: [] for photo in sorted(folder.glob("*.jpg"))}
    if not known:
        return []
    run = subprocess.run(
        [worker, "--piece-evidence", name, *map(str, known)], capture_output=True, text=True, check=True
    )
    rows: list[Sample] = []
    for line in map(json.loads, run.stdout.splitlines()):
        truth = list(known[Path(line["photo"])])
        for piece, features in zip(line["pieces"], line["features"]):
            rows.append((line["photo"], features, piece["confidence"], is_right(piece, truth)))
    return rows


def fit(rows: Sequence[Sample]) -> Model:
    """Gradient descent on the weights (0 or more, drawn to 1) and the bias."""
    names = sorted({name for _, features, _, _ in rows for name in features})
    logs = [[math.log(max(FLOOR, features.get(name, 0))) for name in names] for _, features, _, _ in rows]
    weights, bias, step = [1.0] * len(names), 2.0, 2.0 / len(rows)
    for _ in range(4000):
        slopes, shift = [PRIOR * (weight - 1) for weight in weights], 0.0
        for log, (_, _, _, right) in zip(logs, rows):
            miss = 1 / (1 + math.exp(-max(-30.0, bias + sum(w * x for w, x in zip(weights, log))))) - right
            shift += miss
            slopes = [slope + miss * x for slope, x in zip(slopes, log)]
        weights = [max(0.0, weight - step * slope / 4) for weight, slope in zip(weights, slopes)]
        bias -= step * shift
    return {name: round(weight, 3) for name, weight in zip(names, weights)}, round(bias, 3)


def probability(model: Model, features: dict[str, float]) -> float:
    logit = model[1] + sum(w * math.log(max(FLOOR, features.get(name, 0))) for name, w in model[0].items())
    return min(HIGHEST, max(LOWEST, 1 / (1 + math.exp(-logit))))


def report(title: str, pairs: Iterable[tuple[float, float, bool]]) -> None:
    rows = list(pairs)
    before, now = (calibration_error([(row[column], row[2]) for row in rows]) for column in (0, 1))
    sure = [right for _, after, right in rows if after >= 0.85]
    print(
        f"{title:28} {len(rows):5} pieces, right {sum(r for *_, r in rows) / max(1, len(rows)):.3f}, "
        f"ECE {before:.3f} -> {now:.3f}, "
        f"wrong at .85 and above: {len(sure) - sum(sure)} of {len(sure)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=("shapes", "tiles", "symbolTiles"))
    parser.add_argument("--worker", default=str(REPOSITORY / ".build/release/tablesight-worker"))
    for name in ("fit", "none", "test"):
        parser.add_argument("--" + name, nargs=2, action="append", default=[], metavar=("SET", "DIR"))
    parser.add_argument("--source", default="")
    parser.add_argument("--write", action="store_true", help="put the model into models/calibration/pieces.json")
    options = parser.parse_args()
    rows = [row for name, folder in options.fit for row in samples(options.worker, name, Path(folder), True)]
    rows += [row for name, folder in options.none for row in samples(options.worker, name, Path(folder), False)]
    photos = sorted({row[0] for row in rows})
    random.Random(43).shuffle(photos)
    judged = []
    for part in range(5):
        unseen = set(photos[part::5])
        model = fit([row for row in rows if row[0] not in unseen])
        judged += [(score, probability(model, f), right) for photo, f, score, right in rows if photo in unseen]
    report("left out of the fit", judged)
    model = fit(rows)
    for name, folder in options.test:
        test = samples(options.worker, name, Path(folder), True)
        report(f"{name} {Path(folder).name}", [(s, probability(model, f), right) for _, f, s, right in test])
    print(json.dumps({"weights": model[0], "bias": model[1]}))
    if options.write:
        table = json.loads(TABLE.read_text())
        table["models"][options.family] = {"weights": model[0], "bias": model[1]}
        table["source"] = options.source or table["source"]
        TABLE.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
