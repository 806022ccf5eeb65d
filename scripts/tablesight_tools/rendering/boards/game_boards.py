"""Boards of games that lie on the table: connect four, draughts, a drawn tic-tac-toe grid."""

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from tablesight_tools.rendering.boards.faces import disc
from tablesight_tools.rendering.boards.mat import MAT
from tablesight_tools.rendering.boards.table import Table, square
from tablesight_tools.rendering.types import Colour, Generator, Range


def board(
    table: Table,
    rows: int,
    columns: int,
    draw: Callable[[int, int], np.ndarray],
    size: Range,
    fill: Callable[[int, int], tuple[str, Colour] | None],
) -> None:
    """Lays a board of squares on the table, with discs on some squares. `draw` returns the empty board."""
    rng = table.rng
    face = draw(rows, columns)
    step = face.shape[0] / rows
    for row in range(rows):
        for column in range(columns):
            if colour := fill(row, column):
                x, y = column + 0.5, row + 0.5
                disc(face, x * step, y * step, step * 0.4, [c * rng.uniform(0.94, 1.0) for c in colour[1]])
                table.truth.append(dict(colour=colour[0], cell=dict(r=row, c=column), u=x / columns, v=y / rows))
    corners = square(*(np.array(MAT) / 2), *size, rng.uniform(-8, 8))
    table.shadow(corners, 6)
    pixels = table.paste(face, corners)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), pixels.astype(np.float32)
    )
    for one in table.truth:
        u, v, d = one.pop("u"), one.pop("v"), 0.4
        box = [[u + a * d / columns, v + b * d / rows] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        one["polygon_px"] = cv2.perspectiveTransform(np.array([box], np.float32), matrix)[0].tolist()


def connect_four(table: Table, count: int) -> None:
    rng = table.rng
    heights = rng.integers(0, 7, 7) if count else np.zeros(7, int)

    def draw(rows: int, columns: int) -> np.ndarray:
        face = np.full((rows * 90, columns * 90, 3), (36, 84, 196), np.float32)
        hole = [(232, 230, 224), (60, 56, 52), (190, 160, 120)][rng.integers(3)]
        for row in range(rows):
            for column in range(columns):
                disc(face, (column + 0.5) * 90, (row + 0.5) * 90, 36, hole)
        return face

    def disc_on(row: int, column: int) -> tuple[str, Colour] | None:
        colours = [("yellow", (240, 200, 40)), ("red", (204, 40, 44))]
        return None if 6 - row > heights[column] else colours[rng.integers(2)]

    board(table, 6, 7, draw, (224, 192), disc_on)


def draughts(table: Table, count: int) -> None:
    rng = table.rng
    light, dark = [((226, 206, 164), (122, 78, 46)), ((236, 226, 204), (140, 92, 60))][rng.integers(2)]

    def draw(rows: int, columns: int) -> np.ndarray:
        face = np.zeros((rows * 80, columns * 80, 3), np.float32)
        for row in range(rows):
            for column in range(columns):
                face[row * 80 : (row + 1) * 80, column * 80 : (column + 1) * 80] = dark if (row + column) % 2 else light
        return face

    def man_on(row: int, column: int) -> tuple[str, Colour] | None:
        if not (row + column) % 2 or rng.random() > (0.4 if count else 0):
            return None
        return [("dark", (48, 36, 30)), ("light", (240, 230, 208))][rng.integers(2)]

    board(table, 8, 8, draw, (196, 196), man_on)


def stroke(face: np.ndarray, points: Sequence[tuple[float, float]], width: int, rng: Generator) -> None:
    """Draws a line with the wobble of a hand."""
    points = np.array(points, float)
    steps = np.linspace(0, 1, 12)[:, None]
    fine = np.vstack([a + (b - a) * t for a, b in zip(points, points[1:]) for t in steps])
    wobble = cv2.GaussianBlur(rng.normal(0, 4, (len(fine), 2)), (1, 9), 0)
    cv2.polylines(face, [np.round((fine + wobble) * 16).astype(np.int32)], False, (40, 40, 48), width, cv2.LINE_AA, 4)


def drawn(table: Table, count: int) -> None:
    rng = table.rng
    face = np.full((900, 900, 3), rng.uniform(225, 245), np.float32)
    width, step, start = int(rng.choice([6, 10, 14, 22, 32])), 200, 150
    boxed = rng.random() < 0.3
    for k in [0, 1, 2, 3] if boxed else [1, 2]:
        a, b = start, start + 3 * step
        if not boxed:
            a, b = a + rng.uniform(-60, 60), b + rng.uniform(-60, 60)
        stroke(face, [(start + k * step + rng.normal(0, 6), a), (start + k * step + rng.normal(0, 6), b)], width, rng)
        stroke(face, [(a, start + k * step + rng.normal(0, 6)), (b, start + k * step + rng.normal(0, 6))], width, rng)
    for row in range(3):
        for column in range(3):
            if not count or rng.random() > 0.6:
                continue
            x, y = (start + (at + 0.5) * step + rng.uniform(-15, 15) for at in (column, row))
            r, kind = rng.uniform(38, 66), ["cross", "nought"][rng.integers(2)]
            if kind == "cross":
                for way in (1, -1):
                    upper = (x - r * rng.uniform(0.85, 1), y - way * r * rng.uniform(0.85, 1))
                    lower = (x + r * rng.uniform(0.85, 1), y + way * r * rng.uniform(0.85, 1))
                    stroke(face, [upper, lower], width, rng)
            else:
                begun, gap = rng.uniform(0, 6), rng.uniform(-0.3, 0.35)
                turns = np.linspace(begun, begun + 2 * math.pi - gap, 16)
                stroke(face, [(x + r * math.cos(t), y + 1.1 * r * math.sin(t)) for t in turns], width, rng)
            table.truth.append(dict(type=kind, cell=dict(r=row, c=column), u=x, v=y, r=r))
    size = rng.uniform(120, 290)
    corners = square(*(np.array(MAT) / 2), size, size, rng.uniform(-25, 25))
    pixels = table.paste(face, corners)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float32), pixels.astype(np.float32)
    )
    for one in table.truth:
        x, y, r = one.pop("u"), one.pop("v"), one.pop("r")
        box = [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]]
        one["polygon_px"] = cv2.perspectiveTransform(np.array([box], np.float32), matrix)[0].tolist()
