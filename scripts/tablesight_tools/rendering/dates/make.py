"""Renders lines of dates as printed on packages, with their texts.

    scripts/tool rendering.dates.make OUT.npz --count 100000 --seed 1 [--pictures FOLDER]

OUT holds `pixels` (all pictures one after the other, 32 pixels high, column by column), `widths` and `texts`.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from tablesight_tools.rendering.dates import photo, texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path, help="also writes the first 60 pictures there")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    pictures, lines = [], []
    for number in range(options.count):
        draw = np.random.default_rng([options.seed, number])
        text = texts.line(draw)
        picture = photo.line(text, draw)
        if options.pictures and number < 60:
            options.pictures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(options.pictures / f"{number:02} {text.replace('/', '_')}.png"), picture)
        pictures.append(picture.T)
        lines.append(text)
    np.savez(
        options.out,
        pixels=np.concatenate(pictures),
        widths=np.array([p.shape[0] for p in pictures]),
        texts=np.array(lines),
    )


if __name__ == "__main__":
    main()
