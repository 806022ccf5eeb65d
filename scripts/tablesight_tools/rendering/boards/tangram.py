"""The pieces of a tangram and how they lie on the mat: scattered or side by side. Lengths are in mm, y points down."""

import math
from collections.abc import Iterable

import cv2
import numpy as np

from tablesight_tools.rendering.boards.mat import INSET, MARKER, MAT
from tablesight_tools.rendering.geometry import centroid, grown, turned
from tablesight_tools.rendering.types import Generator, Piece, Range

# The classic set is a square cut along its diagonal and four more lines; here the square has a side of 99 mm.
SIDE = 98.995
Q = SIDE / 4
CUTS = {
    "largeTriangle": [(0, 0), (4, 0), (2, 2)],
    "mediumTriangle": [(4, 2), (4, 4), (2, 4)],
    "smallTriangle": [(4, 0), (4, 2), (3, 1)],
    "square": [(2, 2), (3, 1), (4, 2), (3, 3)],
    "parallelogram": [(0, 4), (2, 4), (3, 3), (1, 3)],
}
# Clockwise angle of each cut to the pose that counts as 0°, measured on the drawing of the set.
ZERO = {"largeTriangle": -135.0, "mediumTriangle": 180.0, "smallTriangle": -45.0, "square": 45.0, "parallelogram": 0.0}
PIECES = [
    ("largeTriangle", (56, 150, 255)),
    ("largeTriangle", (255, 58, 65)),
    ("mediumTriangle", (43, 186, 53)),
    ("smallTriangle", (2, 183, 205)),
    ("smallTriangle", (196, 69, 164)),
    ("square", (255, 217, 53)),
    ("parallelogram", (255, 134, 37)),
]
NAMES = ["blue", "red", "green", "cyan", "magenta", "yellow", "orange"]
FOLD = {"square": 4, "parallelogram": 2}


def shape(kind: str, flipped: bool = False) -> np.ndarray:
    points = np.array(CUTS[kind], float) * Q
    points = turned(points - centroid(points), -ZERO[kind])
    return points * [-1, 1] if flipped else points


def outline(piece: Piece) -> np.ndarray:
    return turned(shape(piece["type"], piece["flipped"]), piece["angle"]) + [piece["x"], piece["y"]]


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    return cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0]


def fits(piece: Piece, others: Iterable[Piece], gap: float = 1.12, margin: float = 8.0) -> bool:
    points = outline(piece)
    low, high = points.min(axis=0), points.max(axis=0)
    if low.min() < margin or high[0] > MAT[0] - margin or high[1] > MAT[1] - margin:
        return False
    for x in (0, MAT[0] - MARKER - 2 * INSET):
        for y in (0, MAT[1] - MARKER - 2 * INSET):
            corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (MARKER + 2 * INSET) + [x, y]
            if overlap(points, corner) > 0:
                return False
    return all(overlap(grown(points, gap), outline(other)) <= 0 for other in others)


def free_place(index: int, others: list[Piece], rng: Generator, tries: int = 400) -> Piece | None:
    """A random pose on the mat, clear of other pieces and of the markers, or None if there is no room."""
    kind = PIECES[index][0]
    for _ in range(tries):
        piece = dict(
            index=index,
            type=kind,
            x=rng.uniform(30, MAT[0] - 30),
            y=rng.uniform(30, MAT[1] - 30),
            angle=rng.uniform(0, 360),
            flipped=bool(kind == "parallelogram" and rng.random() < 0.5),
        )
        if fits(piece, others):
            return piece
    return None


def scattered(rng: Generator, indices: Iterable[int] = range(7)) -> list[Piece]:
    while True:
        pieces = []
        for index in rng.permutation(list(indices)):
            piece = free_place(int(index), pieces, rng)
            if piece is None:
                break
            pieces.append(piece)
        else:
            return pieces


def touching(rng: Generator, seam: Range = (0.1, 0.8)) -> list[Piece]:
    """Seven pieces, each side to side with a piece that lies there already."""
    while True:
        pieces = []
        for index in (int(i) for i in rng.permutation(7)):
            kind = PIECES[index][0]
            flipped = bool(kind == "parallelogram" and rng.random() < 0.5)
            if not pieces:
                pieces.append(
                    dict(index=index, type=kind, x=MAT[0] / 2, y=MAT[1] / 2, angle=rng.uniform(0, 360), flipped=flipped)
                )
                continue
            for _ in range(300):
                other = outline(pieces[rng.integers(len(pieces))])
                i = rng.integers(len(other))
                a, b = other[i], other[(i + 1) % len(other)]
                own = shape(kind, flipped)
                j = rng.integers(len(own))
                c, d = own[j], own[(j + 1) % len(own)]
                turn = math.degrees(math.atan2(*(a - b)[::-1]) - math.atan2(*(d - c)[::-1]))
                own = turned(own, turn)
                shift = b - own[j] if rng.random() < 0.5 else a - own[(j + 1) % len(own)]
                away = own.mean(axis=0) + shift - (a + b) / 2
                shift = shift + away / np.linalg.norm(away) * rng.uniform(*seam)
                piece = dict(
                    index=index, type=kind, x=float(shift[0]), y=float(shift[1]), angle=turn % 360, flipped=flipped
                )
                if all(overlap(grown(outline(piece), 0.97), grown(outline(p), 0.97)) <= 1 for p in pieces):
                    pieces.append(piece)
                    break
            else:
                break
        if len(pieces) < 7:
            continue
        everything = np.vstack([outline(p) for p in pieces])
        shift = np.array(MAT) / 2 - (everything.min(axis=0) + everything.max(axis=0)) / 2
        for piece in pieces:
            piece["x"], piece["y"] = piece["x"] + float(shift[0]), piece["y"] + float(shift[1])
        if all(fits(piece, [], margin=6) for piece in pieces):
            return pieces
