"""Scores letter tiles that are taught from photos: renders a set, teaches it, reads other photos of it.

    scripts/tool evaluation.teach OUT --tablesight CMD --models FOLDER --font FILE … [--photos 10] [--seed 1]

For each font, OUT/NAME holds empty.jpg and laid-out.jpg (26 letters in reading order, the same camera and light), and
photos of tiles of that set with their truth. These show other tables, in other light, tilted and less sharp. The set
is taught into a copy of FOLDER and the photos are read with that copy. Needs numpy, Pillow and OpenCV.
"""

import argparse
import json
import math
import os
import shlex
import shutil
import string
import subprocess
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from tablesight_tools.evaluation.score import frames_of
from tablesight_tools.rendering.boards.faces import lettered
from tablesight_tools.rendering.boards.table import Table, places, square
from tablesight_tools.rendering.types import Colour

STYLES = [
    ((236, 214, 168), (28, 24, 20)),
    ((246, 246, 242), (30, 40, 120)),
    ((60, 66, 74), (240, 240, 236)),
    ((120, 30, 34), (240, 226, 190)),
]


def lay(
    table: Table,
    letters: Iterable[str],
    font: str,
    ground: Colour,
    ink: Colour,
    spots: Iterable[tuple[float, float]],
    turn: float,
    share: float,
) -> None:
    for text, (x, y) in zip(letters, spots):
        angle = turn + table.rng.uniform(-5, 5)
        corners = square(x, y, 30, 30, angle)
        table.shadow(corners, 4)
        pixels = table.paste(lettered(text, font, ground, ink, share), corners)
        table.truth.append(dict(type="tile", symbol=text, polygon_px=pixels.tolist()))


def save(picture: np.ndarray, file: Path) -> None:
    cv2.imwrite(str(file), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])


def render(folder: Path, font: str, style: int, seed: int, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ground, ink = STYLES[style]
    spots = [(35 + 41 * (k % 7), 38 + 48 * (k // 7)) for k in range(26)]
    for name, letters in (("empty", ""), ("laid-out", string.ascii_uppercase)):
        table = Table(seed, tilt=(0, 6))
        lay(table, letters, font, ground, ink, spots, 0, 0.66)
        table.rng = np.random.default_rng(seed)  # the same light for both
        save(table.photo(), folder / f"{name}.jpg")
    photos = folder / "photos"
    photos.mkdir(exist_ok=True)
    for number in range(count):
        table = Table(seed + 1 + number, tilt=(0, 20))
        rng = table.rng
        letters = [string.ascii_uppercase[k] for k in rng.permutation(26)[:12]]
        lay(table, letters, font, ground, ink, places(rng, 12, 44), rng.uniform(-180, 180), 0.66)
        picture = cv2.GaussianBlur(table.photo(), (0, 0), rng.uniform(0.3, 1.0))
        save(picture, photos / f"{number:03}.jpg")
        (photos / f"{number:03}.json").write_text(json.dumps(dict(set=folder.name, pieces=table.truth)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tablesight", required=True, metavar="CMD")
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--font", action="append", required=True)
    parser.add_argument("--photos", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="photos that are there already are not rendered again")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    models = options.out / "models"
    shutil.rmtree(models, ignore_errors=True)
    shutil.copytree(options.models, models)
    os.environ["TABLESIGHT_MODELS"] = str(models.resolve())
    total = dict(true=0, right=0, wrong=0)
    for index, font in enumerate(options.font):
        name = "taught-" + Path(font).stem.lower().replace("_", "-")
        folder = options.out / name
        if not (options.keep and (folder / "photos").exists()):
            render(folder, font, index % len(STYLES), 1000 * options.seed + 100 * index, options.photos)
        photos = ["--empty", str(folder / "empty.jpg"), "--laid-out", str(folder / "laid-out.jpg")]
        command = [*shlex.split(options.tablesight), "pieces", "teach", "--set", name, "--longest-mm", "30"]
        command += ["--names", ",".join(string.ascii_uppercase), *photos]
        taught = subprocess.run(command, capture_output=True, text=True)
        if taught.returncode:
            print(f"{name}: not taught: {taught.stderr.strip()}", flush=True)
        here = dict(true=0, right=0, wrong=0)
        for photo in sorted((folder / "photos").glob("*.jpg")):
            pieces = json.loads(photo.with_suffix(".json").read_text())["pieces"]
            here["true"] += len(pieces)
            frames = frames_of(options.tablesight, photo, "--set", name)
            for found in frames[-1]["pieces"] if frames else []:
                at = np.mean(found["polygon_px"], axis=0)
                near = [
                    p
                    for p in pieces
                    if math.dist(np.mean(p["polygon_px"], axis=0), at) < 0.4 * math.dist(*p["polygon_px"][:2])
                ]
                good = bool(near) and near[0]["symbol"] == found.get("symbol")
                here["right" if good else "wrong"] += 1
                if not good and options.verbose:
                    print("wrong", photo, near[0]["symbol"] if near else None, found.get("symbol"), found["confidence"])
        print(f"{name}: {here['right']} of {here['true']} right, {here['wrong']} wrong", flush=True)
        for key in total:
            total[key] += here[key]
    print(
        f"all: {total['right']} of {total['true']} right "
        f"({100 * total['right'] / max(1, total['true']):.1f} %), {total['wrong']} wrong"
    )


if __name__ == "__main__":
    main()
