"""Writes the piece sets whose faces have templates: letter tiles, number tiles with numerals, coloured shapes.

    scripts/tool rendering.boards.make_sets OUT      OUT is models/piece-sets

Needs Pillow and numpy, and these Debian packages below /usr/share/fonts or FONT_ROOT: fonts-dejavu-core,
fonts-roboto-unhinted, fonts-lato, fonts-open-sans, fonts-noto-core, fonts-linuxlibertine, fonts-crosextra-caladea,
fonts-ebgaramond, fonts-quicksand and fonts-cantarell.

A template has 24 rows of 24 cells. The bounding box of the face is centred, and its longer side fills the cells. Each
row is written as six hexadecimal digits.
"""

import json
import math
import os
import string
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

# Fonts of different designs. None resembles Helvetica, Arial or Times, which the renderer of test photos uses.
FONTS = (
    "DejaVuSans-Bold DejaVuSans DejaVuSerif-Bold Roboto-Regular Roboto-Bold Lato-Regular Lato-Bold OpenSans-Regular "
    "OpenSans-Bold NotoSerif-Bold LinLibertine_RB Caladea-Bold EBGaramond12-Bold Quicksand-Bold Cantarell-Bold"
).split()
ROOT = Path(os.environ.get("FONT_ROOT", "/usr/share/fonts"))
FINE = 480


def cells(picture: np.ndarray) -> str:
    """A black and white picture as a template: 24 rows of six hexadecimal digits."""
    rows, columns = np.where(picture)
    box = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    side = max(box.shape)
    square = np.zeros((side, side))
    top, left = (side - box.shape[0]) // 2, (side - box.shape[1]) // 2
    square[top : top + box.shape[0], left : left + box.shape[1]] = box
    # Half or more of a cell is covered.
    edges = np.linspace(0, side, 25).round().astype(int)
    rows_of_bits = (
        sum((square[edges[r] : edges[r + 1], edges[c] : edges[c + 1]].mean() >= 0.5) << (23 - c) for c in range(24))
        for r in range(24)
    )
    return "".join(f"{bits:06x}" for bits in rows_of_bits)


def glyph(text: str, font: str | Path) -> str:
    image = Image.new("L", (FINE * 2, FINE * 2))
    ImageDraw.Draw(image).text((FINE / 2, FINE / 4), text, 255, ImageFont.truetype(str(font), FINE))
    return cells(np.array(image) > 127)


def fonts() -> Iterator[Path]:
    for name in FONTS:
        found = sorted(file for ending in ("ttf", "otf") for file in ROOT.rglob(f"{name}.{ending}"))
        if not found:
            sys.exit(f"no font {name} under {ROOT}: install the packages that --help names, or set FONT_ROOT")
        yield found[0]


def glyphs(names: Iterable[str], value: bool = False) -> list[dict[str, Any]]:
    known = [dict(name=name, **({"value": int(name)} if value else {})) for name in names]
    return [one | {"bits": glyph(one["name"], font)} for one in known for font in fonts()]


def polygon(radius: Callable[[float], float], count: int = 2000) -> np.ndarray:
    """The shape inside radius(angle), the angle clockwise from the right in radians."""
    points = [
        (FINE / 2 + FINE / 2 * 0.95 * radius(a) * math.cos(a), FINE / 2 + FINE / 2 * 0.95 * radius(a) * math.sin(a))
        for a in (2 * math.pi * k / count for k in range(count))
    ]
    image = Image.new("L", (FINE, FINE))
    ImageDraw.Draw(image).polygon(points, 255)
    return np.array(image) > 127


def star(points: int, inner: float, turn: float = 0.0) -> np.ndarray:
    def radius(a: float) -> float:
        step = math.pi / points
        part = (a - turn) % (2 * step)
        part = min(part, 2 * step - part)
        # A straight line from the tip to the dent.
        return inner * math.sin(step) / (inner * math.sin(step - part) + math.sin(part))

    return polygon(radius)


def clover(lobe: float = 0.26, apart: float = 0.24) -> np.ndarray:
    image = Image.new("L", (FINE, FINE))
    draw = ImageDraw.Draw(image)
    r, d = lobe * FINE, apart * FINE
    for k in range(4):
        x, y = FINE / 2 + d * math.cos(k * math.pi / 2), FINE / 2 + d * math.sin(k * math.pi / 2)
        draw.ellipse([x - r, y - r, x + r, y + r], fill=255)
    return np.array(image) > 127


def square(turn: float) -> np.ndarray:
    return polygon(lambda a: 0.7 / max(abs(math.cos(a - turn)), abs(math.sin(a - turn))))


SYMBOLS = [
    ("circle", polygon(lambda a: 1.0)),
    ("square", square(0)),
    ("diamond", square(math.pi / 4)),
    ("clover", clover()),
    ("clover", clover(0.22, 0.27)),
    ("cross", star(4, 0.42, math.pi / 4)),
    ("cross", star(4, 0.48, math.pi / 4)),
    ("star", star(8, 0.6)),
    ("star", star(8, 0.72)),
    ("star", star(8, 0.6, math.pi / 8)),
]
COLOURS = [
    ("red", "#D0283A"),
    ("orange", "#EC6024"),
    ("yellow", "#FCCF03"),
    ("green", "#2A9D3A"),
    ("blue", "#1D6FD1"),
    ("purple", "#7B2D9B"),
    ("white", "#EFEFEB"),
]


def write(
    folder: Path, name: str, title: str, source: str, thickness: float, pieces: list[dict[str, Any]], **more: object
) -> None:
    head = dict(
        schema="tablesight.piece-set/1",
        name=name,
        version="1",
        title=title,
        source=source,
        licence="Apache-2.0",
        units="mm",
        thickness_mm=thickness,
        background="plain",
        **more,
    )
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    rows = []
    for piece in pieces:
        face = piece.pop("face")
        ((kind, inner),) = face.items()
        listed = ",\n        ".join(json.dumps(t, ensure_ascii=False) for t in inner["templates"])
        rows.append(
            "    "
            + json.dumps(piece, ensure_ascii=False)[:-1]
            + f', "face": {{"{kind}": {{"templates": [\n        {listed}\n      ]}}}}}}'
        )
    (folder / f"{name}.json").write_text(
        "{\n" + ",\n".join(lines) + ',\n  "pieces": [\n' + ",\n".join(rows) + "\n  ]\n}\n", encoding="utf-8"
    )


def main() -> None:
    folder = Path(sys.argv[1])
    source = (
        "Own work; templates drawn with DejaVu (Bitstream Vera licence), Roboto, Open Sans and Caladea "
        "(Apache-2.0), Lato, Noto "
        "Serif, Linux Libertine, EB Garamond, Quicksand and Cantarell (OFL-1.1)"
    )
    tile = dict(slot=None, type="tile", shape=dict(rect=dict(w=30, h=30)), fold=1, chiral=False)
    write(
        folder,
        "letter-tiles",
        "Letter tiles",
        source,
        4,
        [dict(tile, count=100, colour="any", face=dict(glyph=dict(templates=glyphs(string.ascii_uppercase + "ÄÖÜ"))))],
    )
    write(
        folder,
        "number-tiles",
        "Number tiles, numerals",
        source,
        4,
        [dict(tile, count=40, colour="any", face=dict(glyph=dict(templates=glyphs(string.digits, value=True))))],
    )
    symbols = [dict(name=name, bits=cells(picture)) for name, picture in SYMBOLS]
    write(
        folder,
        "colour-shapes",
        "Six shapes in six colours: purple in some editions, white in others",
        "Own work; shapes drawn by their geometry",
        10,
        [
            dict(
                slot=None,
                type="tile",
                count=18,
                shape=dict(rect=dict(w=30, h=30)),
                fold=4,
                chiral=False,
                colour=dict(name=name, srgb=srgb),
                face=dict(symbol=dict(templates=symbols)),
            )
            for name, srgb in COLOURS
        ],
    )


if __name__ == "__main__":
    main()
