"""Tic-tac-toe drawn in a paint program, with fine and with thick brushes."""

import math

import cv2
import numpy as np

from tablesight_tools.rendering.grids.marks import drawn_mark, filling, hand_lines, truth_of
from tablesight_tools.rendering.grids.paper import Paper, Placing, brush, smooth_noise
from tablesight_tools.rendering.types import Drawn, Generator, Size


def painted_grid(
    rng: Generator, size: Size, turn: float, keystone: float, narrowest: float
) -> tuple[float, Placing, Paper, float, np.ndarray]:
    """A grid in a paint program: side of a square in pixels, placing, sheet, width of strokes in squares, mask."""
    side = rng.uniform(0.2, 0.3) * min(size)
    placing = Placing(rng, size, side, turn=turn, keystone=keystone, shift=0.2)
    paper = Paper(rng, size, 255)
    paper.image[:] = 255
    wide = rng.uniform(narrowest, 0.16)
    mask = paper.mask()
    for line in hand_lines(rng, (0.6, 1.1)):
        brush(mask, placing.see(line), wide * side, rng, wobble=0.03, fray=0, uneven=0)
    return side, placing, paper, wide, mask


def screen_drawing(rng: Generator, number: int) -> Drawn:
    """Drawn in a paint program with a round brush."""
    size = [(640, 480), (800, 600), (500, 500)][number % 3]
    side, placing, paper, wide, mask = painted_grid(rng, size, turn=2, keystone=0.02, narrowest=0.03)
    truth = []
    for (row, column), kind in filling(rng, number).items():
        x, y, r = (
            column + 0.5 + rng.uniform(-0.08, 0.08),
            row + 0.5 + rng.uniform(-0.08, 0.08),
            (0.5 - wide / 2) * rng.uniform(0.5, 0.85),
        )
        box = drawn_mark(paper, mask, placing, kind, x, y, r, min(wide * side, 0.5 * r * side), rng)
        truth.append(truth_of(kind, row, column, ((x, y), box), placing))
    paper.put(mask, [(0, 0, 0), (40, 40, 200), (200, 30, 30)][number % 3 if number % 4 else 0])
    return np.clip(paper.image, 0, 255).astype(np.uint8), truth, True


def bays_of(shape: np.ndarray) -> np.ndarray:
    """Depths of the four deepest concavities of a shape, as shares of its size. A cross has four."""
    contours, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return [0] * 4
    contour = max(contours, key=cv2.contourArea)
    defects = cv2.convexityDefects(contour, cv2.convexHull(contour, returnPoints=False))
    depths = sorted((d[0][3] / 256 for d in defects), reverse=True) if defects is not None else []
    return [d / max(cv2.boundingRect(contour)[2:]) for d in (depths + [0] * 4)[:4]]


def fat_cross(rng: Generator, size: float, broad: float) -> tuple[list[np.ndarray], float]:
    """Two bent strokes that cross near (0, 0): `size` long with their round ends, `broad` of that wide, unequal."""
    for _ in range(60):
        lengths = np.array([1, rng.uniform(0.5, 1)])[rng.permutation(2)] * size
        width = broad * lengths.mean()
        first, turn = rng.uniform(0, math.pi), math.radians(rng.uniform(50, 130))
        strokes = []
        for k in range(2):
            way = np.array([math.cos(first + k * turn), math.sin(first + k * turn)])
            along = max(0.05 * size, lengths[k] - width)
            share, bend = rng.uniform(0.3, 0.7), rng.uniform(-0.12, 0.12) * along
            t = np.linspace(0, 1, 12)
            strokes.append(
                np.outer((t - share) * along, way)
                + np.outer(bend * (4 * t * (1 - t) - 4 * share * (1 - share)), [-way[1], way[0]])
            )
        trial, scale = np.zeros((300, 300), np.uint8), 200 / size
        for stroke in strokes:
            cv2.polylines(
                trial,
                [np.round((stroke * scale + 150) * 16).astype(np.int32)],
                False,
                255,
                max(1, int(width * scale)),
                cv2.LINE_8,
                4,
            )
        if bays_of(trial)[3] > 0.055:
            return strokes, width
    return fat_cross(rng, size, broad * 0.9)


def fat_blot(rng: Generator, size: float, broad: float) -> tuple[list[np.ndarray], float]:
    """A shape that is no mark: a dab, a short thick dash, a T, an L, a Y, a bow."""

    def line(*points: tuple[float, float]) -> np.ndarray:
        return np.array(points, float) * size

    width, kind = broad * size, int(rng.integers(6))
    if kind == 0:
        strokes, width = [line((0, 0), (rng.uniform(0, 0.2), rng.uniform(0, 0.2)))], size * rng.uniform(0.4, 0.9)
    elif kind == 1:
        strokes = [line((-0.4, 0), (0.4, rng.uniform(-0.1, 0.1)))]
    elif kind == 2:
        strokes = [line((-0.45, 0), (0.45, 0)), line((rng.uniform(-0.15, 0.15), 0), (rng.uniform(-0.15, 0.15), 0.8))]
    elif kind == 3:
        strokes = [line((-0.4, -0.4), (-0.4, 0.4), (rng.uniform(0.2, 0.4), 0.4))]
    elif kind == 4:
        strokes = [line((-0.35, -0.4), (0, 0), (0.35, -0.4)), line((0, 0), (rng.uniform(-0.1, 0.1), 0.5))]
    else:
        strokes = [line(*[(0.45 * math.cos(a), 0.45 * math.sin(a)) for a in np.linspace(0, rng.uniform(1.8, 3), 12)])]
    turn = rng.uniform(0, 2 * math.pi)
    turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return [stroke @ turned for stroke in strokes], width


def thick_screen(rng: Generator, number: int) -> Drawn:
    """Hasty drawings with a thick brush, about a third of the strokes' length: crosses, noughts and blots."""
    size = [(1000, 900), (640, 480), (500, 500), (250, 250), (800, 600)][number % 5]
    side, placing, paper, wide, mask = painted_grid(rng, size, turn=3, keystone=0.03, narrowest=0.05)
    truth, marks = [], filling(rng, number)
    for row in range(3):
        for column in range(3):
            kind = marks.get((row, column)) or ("blot" if rng.random() < 0.3 else None)
            if not kind:
                continue
            large = rng.uniform(0.25, 0.7) * (1 - wide)
            broad = rng.uniform(0.22, 0.45)
            if kind == "nought":
                large, broad = max(large, 0.3), min(broad, 0.38)
                begun, gap = rng.uniform(0, 2 * math.pi), rng.uniform(-1, 0.25)
                turn = np.linspace(begun, begun + 2 * math.pi - gap, 50)
                swell = (1 + 0.08 * smooth_noise(rng, 50, 6)) * np.linspace(1, rng.uniform(0.88, 1), 50)
                outer = large / 2 * np.array([1, rng.uniform(0.75, 1)])[rng.permutation(2)]
                width = 2 * outer.min() * broad
                strokes = [
                    np.c_[(outer[0] - width / 2) * np.cos(turn) * swell, (outer[1] - width / 2) * np.sin(turn) * swell]
                ]
            else:
                strokes, width = fat_cross(rng, large, broad) if kind == "cross" else fat_blot(rng, large, broad)
            points = np.vstack(strokes)
            low, high = points.min(axis=0) - width / 2, points.max(axis=0) + width / 2
            spare = np.maximum(0, (1 - wide - 0.06 - (high - low)) / 2)
            middle = (
                np.array([column + 0.5, row + 0.5]) + rng.uniform(-1, 1, 2) * np.minimum(spare, 0.2) - (low + high) / 2
            )
            for stroke in strokes:
                brush(
                    mask, placing.see(stroke + middle), width * side, rng, wobble=0, fray=0, uneven=rng.choice([0, 0.1])
                )
            if kind != "blot":
                truth.append(truth_of(kind, row, column, ((low + high) / 2 + middle, (high - low) / 2), placing))
    paper.put(mask, [(0, 0, 0), (40, 40, 200), (200, 30, 30)][number % 3 if number % 4 == 3 else 0])
    return np.clip(paper.image, 0, 255).astype(np.uint8), truth, True
