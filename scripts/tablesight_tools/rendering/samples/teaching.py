"""Photos to teach a piece set from: an empty table, four blocks, four tiles with letters. samples/teaching/*.png.

Drawn without libraries: plain shapes are enough, and the files are small.
"""

from pathlib import Path

from tablesight_tools import paths
from tablesight_tools.rendering.samples.png import picture

WIDTH, HEIGHT = 800, 600
# Samples per pixel and axis, so that edges are smooth.
FINE = 3
TABLE = (196, 190, 180)

Colour = tuple[int, int, int]
Point = tuple[float, float]

BLOCKS: list[tuple[list[Point], Colour]] = [
    ([(120, 110), (330, 110), (330, 215), (120, 215)], (176, 44, 40)),
    ([(480, 100), (585, 100), (585, 205), (480, 205)], (36, 82, 160)),
    ([(140, 330), (300, 330), (220, 469)], (30, 120, 62)),
    ([(470, 330), (680, 330), (620, 430), (530, 430)], (212, 150, 24)),
]
TILE, INK = (238, 232, 214), (28, 26, 30)
# Letters of five by seven cells.
LETTERS = {
    "A": [".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"],
    "B": ["####.", "#...#", "#...#", "####.", "#...#", "#...#", "####."],
    "C": [".####", "#....", "#....", "#....", "#....", "#....", ".####"],
    "D": ["####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."],
}


def rectangle(left: float, top: float, width: float, height: float) -> list[Point]:
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


def tiles() -> list[tuple[list[Point], Colour]]:
    """A row of tiles with a letter each."""
    shapes: list[tuple[list[Point], Colour]] = []
    for number, rows in enumerate(LETTERS.values()):
        left, top, cell = 70 + 180 * number, 220, 14
        shapes.append((rectangle(left, top, 130, 150), (120, 84, 52)))
        shapes.append((rectangle(left + 5, top + 5, 120, 140), TILE))
        for line, cells in enumerate(rows):
            for column, mark in enumerate(cells):
                if mark == "#":
                    shapes.append((rectangle(left + 30 + column * cell, top + 26 + line * cell, cell, cell), INK))
    return shapes


def inside(shape: list[Point], x: float, y: float) -> bool:
    """Whether a convex shape, clockwise on the picture, holds the point."""
    return all(
        (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
        for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1], strict=True)
    )


def drawn(shapes: list[tuple[list[Point], Colour]]) -> bytearray:
    """RGB rows of the table with the shapes on it, lit a little from the left."""
    pixels = bytearray(
        min(255, value + 8 - 16 * x // WIDTH) for _ in range(HEIGHT) for x in range(WIDTH) for value in TABLE
    )
    offsets = [(index + 0.5) / FINE for index in range(FINE)]
    for shape, colour in shapes:
        (left, right), (top, bottom) = ((min(values), max(values)) for values in zip(*shape, strict=True))
        for y in range(int(top), int(bottom) + 1):
            for x in range(int(left), int(right) + 1):
                share = sum(inside(shape, x + dx, y + dy) for dx in offsets for dy in offsets) / FINE**2
                place = (y * WIDTH + x) * 3
                for channel in range(3):
                    under = pixels[place + channel]
                    pixels[place + channel] = round(under + share * (colour[channel] - under))
    return pixels


def make(folder: Path) -> None:
    """Writes the photos below samples/; two runs write the same pixels."""
    place = folder / "teaching"
    place.mkdir(exist_ok=True)
    for name, shapes in (("table", []), ("blocks", BLOCKS), ("letters", tiles())):
        (place / f"{name}.png").write_bytes(picture(WIDTH, HEIGHT, drawn(shapes)))


def main() -> None:
    make(paths.REPOSITORY / "samples")


if __name__ == "__main__":
    main()
