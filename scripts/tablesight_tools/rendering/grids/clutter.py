"""Pictures that hold lines and squares, but no tic-tac-toe grid."""

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tablesight_tools.rendering.boards.faces import FONTS
from tablesight_tools.rendering.grids.marks import drawn_mark, filling, hand_lines
from tablesight_tools.rendering.grids.paper import Paper, Placing, brush, lit
from tablesight_tools.rendering.types import Drawn, Generator, Range


def nothing(rng: Generator, number: int) -> Drawn:
    """A picture without a grid: windows, tables, chessboards, tiles, barcodes, print, half grids, loose marks."""
    kind = number % 10
    size = [(640, 480), (1280, 960)][int(rng.integers(2))]
    width, height = size
    paper = Paper(rng, size, rng.uniform(160, 245))
    tone = float(np.median(paper.image))
    mask = paper.mask()
    fine = paper.FINE
    unit = height / 480

    def bar(a: Range, b: Range, w: float) -> None:
        cv2.line(
            mask,
            tuple(int(v * fine) for v in a),
            tuple(int(v * fine) for v in b),
            255,
            max(1, int(w * fine)),
            cv2.LINE_AA,
        )

    def writing(x: float, y: float, words: str, high: float, canvas: np.ndarray | None = None) -> np.ndarray:
        image = Image.fromarray(mask if canvas is None else canvas)
        ImageDraw.Draw(image).text(
            (x * fine, y * fine),
            words,
            255,
            font=ImageFont.truetype(FONTS + "LiberationSans-Regular.ttf", max(6, int(high * fine))),
        )
        return np.array(image)

    if kind == 0:  # a window before a bright sky
        rows, columns = [(2, 2), (2, 3), (4, 3), (5, 4)][int(rng.integers(4))]
        x0, y0, w, h = (
            width * rng.uniform(0.05, 0.2),
            height * rng.uniform(0.05, 0.2),
            width * rng.uniform(0.5, 0.7),
            height * rng.uniform(0.6, 0.75),
        )
        for k in range(columns + 1):
            bar((x0 + w * k / columns, y0), (x0 + w * k / columns, y0 + h), 9 * unit)
        for k in range(rows + 1):
            bar((x0, y0 + h * k / rows), (x0 + w, y0 + h * k / rows), 9 * unit)
    elif kind in (1, 2):  # a table of print
        rows, columns = int(rng.integers(5, 12)), int(rng.integers(3, 6))
        x0, y0, w, h = width * 0.1, height * 0.08, width * 0.8, height * 0.84
        for k in range(columns + 1):
            bar((x0 + w * k / columns, y0), (x0 + w * k / columns, y0 + h), 1.5 * unit)
        for k in range(rows + 1):
            bar((x0, y0 + h * k / rows), (x0 + w, y0 + h * k / rows), 1.5 * unit)
        for r in range(rows):
            for c in range(columns):
                words = "".join(rng.choice(list("ABCDEOXxo0123456789"), int(rng.integers(2, 8))))
                mask = writing(x0 + w * c / columns + 6, y0 + h * r / rows + 3, words, 0.5 * h / rows)
    elif kind == 3:  # a chessboard
        n, s = 8, height * rng.uniform(0.08, 0.11)
        for r in range(n):
            for c in range(n):
                if (r + c) % 2:
                    cv2.rectangle(
                        mask,
                        (int((20 + c * s) * fine), int((10 + r * s) * fine)),
                        (int((20 + (c + 1) * s) * fine), int((10 + (r + 1) * s) * fine)),
                        255,
                        -1,
                    )
    elif kind in (4, 5):  # tiles with dark or light seams
        s = height * rng.uniform(0.12, 0.3)
        x0, y0 = rng.uniform(0, s, 2)
        for k in range(-1, 14):
            bar((x0 + k * s, 0), (x0 + k * s, height), 4 * unit)
            bar((0, y0 + k * s), (width, y0 + k * s), 4 * unit)
    elif kind == 6:  # a barcode
        x = width * 0.2
        while x < width * 0.8:
            w = float(rng.integers(1, 5)) * 2.2 * unit
            bar((x + w / 2, height * 0.25), (x + w / 2, height * 0.7), w)
            x += w + float(rng.integers(1, 5)) * 2.2 * unit
        mask = writing(width * 0.25, height * 0.74, "4 006381 333931", 26 * unit)
    elif kind == 7:  # print
        for k in range(14):
            words = " ".join(
                "".join(rng.choice(list("abcdefghiklmnoprstuvwxz"), int(rng.integers(2, 9)))) for _ in range(8)
            )
            mask = writing(width * 0.08, height * (0.06 + 0.063 * k), words, height * 0.04)
    elif kind == 8:  # half a grid: two lines one way, one the other
        placing = Placing(rng, size, height * 0.25)
        for line in hand_lines(rng, (0.6, 1))[: int(rng.integers(2, 4))]:
            brush(mask, placing.see(line), rng.uniform(0.05, 0.15) * placing.side, rng)
    else:  # marks without a grid
        placing = Placing(rng, size, height * 0.25)
        for (row, column), what in filling(rng, 7).items():
            drawn_mark(paper, mask, placing, what, column + 0.5, row + 0.5, 0.3, 0.1 * placing.side, rng)
    paper.put(mask, [tone * rng.uniform(0.1, 0.35)] * 3)
    if rng.random() < 0.5:
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-20, 20), 1)
        paper.image = cv2.warpAffine(paper.image, turn, size, borderMode=cv2.BORDER_REFLECT)
    return (
        lit(
            paper, rng, rng.uniform(0.6, 1.0), rng.uniform(1, 5), rng.uniform(0.5, 1.4), shadows=int(rng.integers(0, 2))
        ),
        [],
        False,
    )
