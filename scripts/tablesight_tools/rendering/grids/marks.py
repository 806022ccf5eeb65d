"""Lines and marks of tic-tac-toe.

The unit is a square of the grid; (0, 0) is the top-left corner of the grid, y points down.
"""

import math

import cv2
import numpy as np

from tablesight_tools.rendering.grids.paper import Paper, Placing, brush, smooth_noise
from tablesight_tools.rendering.types import Generator, Piece, Range


def hand_lines(rng: Generator, overhang: Range, sway: float = 0.07) -> list[list[tuple[float, float]]]:
    """The four lines of a grid drawn by hand."""
    lines = []
    for k in (1, 2):
        a, b = rng.normal(0, sway / 2, 2).clip(-sway, sway)
        lines.append([(k + a, 1 - rng.uniform(*overhang)), (k + b, 2 + rng.uniform(*overhang))])
        a, b = rng.normal(0, sway / 2, 2).clip(-sway, sway)
        lines.append([(1 - rng.uniform(*overhang), k + a), (2 + rng.uniform(*overhang), k + b)])
    return lines


def filling(rng: Generator, number: int) -> dict[tuple[int, int], str]:
    """The marks by square: none, all alike, or the state of a game."""
    squares = [(row, column) for row in range(3) for column in range(3)]
    choice = number % 10
    if choice == 0:
        return {}
    if choice == 1:
        return dict.fromkeys(squares, "nought")
    if choice == 2:
        return dict.fromkeys(squares, "cross")
    count = int(rng.integers(1, 10))
    order = rng.permutation(9)[:count]
    first = int(rng.integers(2))
    return {squares[s]: ("cross", "nought")[(i + first) % 2] for i, s in enumerate(order)}


def truth_of(kind: str, row: int, column: int, box: tuple[Range, Range], placing: Placing) -> Piece:
    (x, y), (rx, ry) = box
    corners = placing.see([[x - rx, y - ry], [x + rx, y - ry], [x + rx, y + ry], [x - rx, y + ry]])
    return dict(type=kind, cell=dict(r=row, c=column), polygon_px=corners.tolist())


def drawn_mark(
    paper: Paper,
    mask: np.ndarray,
    placing: Placing,
    kind: str,
    x: float,
    y: float,
    r: float,
    width: float,
    rng: Generator,
) -> Range:
    stretch = rng.uniform(0.82, 1.18)
    rx, ry = r * math.sqrt(stretch), r / math.sqrt(stretch)
    if kind == "cross":
        for way in (1, -1):
            a = (x - rx * rng.uniform(0.8, 1.05), y - way * ry * rng.uniform(0.8, 1.05))
            b = (x + rx * rng.uniform(0.8, 1.05), y + way * ry * rng.uniform(0.8, 1.05))
            brush(mask, placing.see([a, b]), width, rng, wobble=0.04)
    else:
        begun, gap = rng.uniform(0, 2 * math.pi), rng.uniform(-0.5, 0.3)
        turn = np.linspace(begun, begun + 2 * math.pi - gap, 40)
        swell = 1 + 0.06 * smooth_noise(rng, 40, 6)
        brush(
            mask,
            placing.see(np.c_[x + rx * np.cos(turn) * swell, y + ry * np.sin(turn) * swell]),
            width,
            rng,
            wobble=0,
            fray=0.2,
        )
    return rx, ry


def card(paper: Paper, placing: Placing, x: float, y: float, rng: Generator, tone: float, angle: float) -> None:
    """Draws a torn piece of paper with its shadow."""
    n = 22
    half = rng.uniform(0.33, 0.42)
    around = np.linspace(0, 1, n, endpoint=False)
    ring = []
    for t in around:
        side, u = int(t * 4), (t * 4) % 1
        a, b = [((-1, -1), (1, -1)), ((1, -1), (1, 1)), ((1, 1), (-1, 1)), ((-1, 1), (-1, -1))][side]
        p = np.array(a) + (np.array(b) - np.array(a)) * u
        ring.append(p * half * rng.uniform(0.93, 1.05, 2))
    ring = np.array(ring) @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) + [x, y]
    pixels = placing.see(ring)
    way = rng.uniform(-1, 1, 2) * rng.uniform(0.01, 0.03) * placing.side
    paper.darken(paper.filled(pixels + way), rng.uniform(0.15, 0.45), rng.uniform(0.6, 2.5))
    level = tone * rng.uniform(0.92, 1.08)
    paper.put(paper.filled(pixels), [min(255, level)] * 3)


def cap(paper: Paper, placing: Placing, x: float, y: float, r: float, rng: Generator, tone: float) -> Range:
    """Draws a bottle cap: a dark ring around a light middle, a crescent of its side, its shadow."""
    turn = np.linspace(0, 2 * math.pi, 60, endpoint=False)

    def oval(cx: float, cy: float, radius: float) -> np.ndarray:
        return placing.see(np.c_[cx + radius * np.cos(turn), cy + radius * 0.97 * np.sin(turn)])

    way = np.array([math.cos(a := rng.uniform(0, 2 * math.pi)), math.sin(a)]) * r * rng.uniform(0.05, 0.35)
    both = cv2.convexHull(np.vstack([oval(x, y, r), oval(x + way[0], y + way[1], r)]).astype(np.float32))[:, 0]
    paper.darken(
        paper.filled(both.astype(float) + rng.uniform(-1, 1, 2) * 0.05 * placing.side),
        rng.uniform(0.1, 0.4),
        rng.uniform(1.5, 4),
    )
    dark = rng.uniform(0.12, 0.4) * tone
    paper.put(paper.filled(both.astype(float)), [dark * rng.uniform(0.8, 1.2)] * 3)
    paper.put(paper.filled(oval(x, y, r)), np.array([rng.uniform(0.8, 1.2) for _ in range(3)]) * dark)
    light = tone * rng.uniform(0.62, 1.0)
    paper.put(
        paper.filled(
            oval(x + rng.uniform(-0.05, 0.05) * r, y + rng.uniform(-0.05, 0.05) * r, r * rng.uniform(0.5, 0.72))
        ),
        np.clip(light * np.array([rng.uniform(0.92, 1.08) for _ in range(3)]), 0, 255),
    )
    return r, r
