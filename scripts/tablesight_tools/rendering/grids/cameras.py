"""Tic-tac-toe as cameras see it: drawn with broad pens, laid out with cards and caps, drawn carelessly, cut off.

Shares no code or data with the recogniser.
"""

import math

import cv2
import numpy as np

from tablesight_tools.rendering.grids.marks import cap, card, drawn_mark, filling, hand_lines, truth_of
from tablesight_tools.rendering.grids.paper import Paper, Placing, brush, lit, smooth_noise
from tablesight_tools.rendering.types import Drawn, Generator, Range, Size


def fixed_camera(
    rng: Generator,
    number: int,
    marks: str = "drawn",
    size: Size = (640, 480),
    part: Range = (0.24, 0.31),
    broad: Range = (0.09, 0.2),
    shift: float = 0.1,
    shadows: int = 0,
    exposure: Range = (0.6, 1.0),
    noise: Range = (1, 4),
    tone: Range = (170, 240),
    overhang: Range = (0.55, 1.05),
    keystone: float = 0.05,
    pens: Range = (0.55, 1.0),
) -> Drawn:
    """A photo by a camera above a table.

    `part` is the side of a square as a share of the picture's height, `broad` the width of strokes in squares.
    """
    side = rng.uniform(*part) * size[1]
    placing = Placing(rng, size, side, turn=rng.choice([3, 12, 25]), keystone=keystone, shift=shift)
    paper = Paper(rng, size, rng.uniform(*tone), (1, rng.uniform(0.97, 1.01), rng.uniform(0.9, 1.02)))
    tone = float(np.median(paper.image))
    ink = tone * rng.uniform(0.08, 0.35)
    wide = rng.uniform(*broad)
    mask = paper.mask()
    for line in hand_lines(rng, overhang):
        pen, wobble, fray = wide * side * rng.uniform(0.88, 1.12), rng.uniform(0, 0.022), rng.uniform(0, 0.8)
        brush(mask, placing.see(line), pen, rng, wobble=wobble, fray=fray)
    paper.put(mask, [ink] * 3, rng.uniform(0.9, 1))
    truth = []
    style = marks
    for (row, column), kind in filling(rng, number).items():
        x, y = column + 0.5 + rng.uniform(-0.07, 0.07), row + 0.5 + rng.uniform(-0.07, 0.07)
        pen = wide * side * rng.uniform(*pens)
        free = (1 - wide) / 2
        if style == "objects" and kind == "nought":
            box = cap(paper, placing, x, y, free * rng.uniform(0.55, 0.8), rng, tone)
        else:
            r = free * rng.uniform(0.55, 0.85)
            if style in ("cards", "objects") and (style == "objects" or rng.random() < 0.85):
                card(paper, placing, x, y, rng, tone, rng.uniform(-0.45, 0.45))
                r = min(r, rng.uniform(0.2, 0.28))
                pen = side * rng.uniform(0.03, 0.09)
            pen = min(pen, side * r * (0.55 if kind == "nought" else 0.6))
            mask = paper.mask()
            box = drawn_mark(paper, mask, placing, kind, x, y, r, pen, rng)
            paper.put(mask, [ink * rng.uniform(0.8, 1.3)] * 3, rng.uniform(0.9, 1))
        truth.append(truth_of(kind, row, column, ((x, y), box), placing))
    return lit(paper, rng, rng.uniform(*exposure), rng.uniform(*noise), rng.uniform(0.4, 1.3), shadows), truth, True


def rough(rng: Generator, number: int) -> Drawn:
    """Careless drawings: uneven lines with gaps and gloss, loops, shifted marks, creases, a visible paper edge."""
    size = [(640, 480), (800, 600), (1000, 900)][number % 3]
    side = rng.uniform(0.17, 0.29) * size[1]
    placing = Placing(
        rng, size, side, turn=rng.choice([5, 20, 40]), keystone=0.12, shift=0.25, aspect=rng.uniform(0.8, 1.3)
    )
    paper = Paper(rng, size, rng.uniform(150, 240), (1, rng.uniform(0.97, 1.01), rng.uniform(0.9, 1.02)))
    tone = float(np.median(paper.image))
    if number % 2:  # the paper ends in the picture
        corners = placing.see(
            np.array([[-0.9, -0.9], [3.9, -0.9], [3.9, 3.9], [-0.9, 3.9]]) + rng.uniform(-0.25, 0.25, (4, 2))
        )
        colour = [tone * rng.uniform(0.2, 0.7) * c for c in (1, rng.uniform(0.7, 1), rng.uniform(0.5, 1))]
        paper.put(255 - paper.filled(corners), colour)
    for _ in range(int(rng.integers(0, 3))):  # creases
        crease = paper.mask()
        brush(crease, rng.uniform(0, 1, (2, 2)) * size, rng.uniform(1, 3), rng, wobble=0.02, fray=0)
        paper.darken(crease, rng.uniform(0.05, 0.2), 1.5)
    ink = tone * np.array(
        [(0.15, 0.15, 0.16), (0.2, 0.25, 0.6), (0.65, 0.2, 0.2), (0.25, 0.45, 0.3), (0.4, 0.4, 0.4)][rng.integers(5)]
    )
    wide = rng.uniform(0.03, 0.17)
    mask = paper.mask()
    for line in hand_lines(rng, (0.45, 1.25), sway=0.12):
        pen, wobble, fray = wide * side * rng.uniform(0.65, 1.4), rng.uniform(0, 0.04), rng.uniform(0, 0.8)
        brush(mask, placing.see(line), pen, rng, wobble=wobble, fray=fray, uneven=0.25)
        if rng.random() < 0.2:  # where the pen ran dry
            a, b = np.array(line)
            at = placing.see([a + (b - a) * rng.uniform(0.1, 0.9)])[0] * paper.FINE
            gap = int(side * rng.uniform(0.05, 0.1) * paper.FINE)
            cv2.circle(mask, tuple(np.round(at).astype(int).tolist()), gap, 0, -1)
    truth = []
    for (row, column), kind in filling(rng, number).items():
        x, y = column + 0.5 + rng.uniform(-0.13, 0.13), row + 0.5 + rng.uniform(-0.13, 0.13)
        r = (1 - wide) / 2 * rng.uniform(0.5, 0.95)
        pen = min(wide * side * rng.uniform(0.5, 1.1), side * r * 0.5)
        if kind == "cross":
            turn, lengths = rng.uniform(-0.3, 0.3), rng.uniform(0.7, 1.1, 2)
            for k in range(2):
                angle = turn + math.pi / 4 + k * math.pi / 2
                d = np.array([math.cos(angle), math.sin(angle)]) * 1.3 * r * lengths[k]
                middle = np.array([x, y]) + rng.uniform(-0.1, 0.1, 2) * r
                brush(mask, placing.see([middle - d, middle + d]), pen, rng, wobble=0.06)
            box = (r, r)
        else:
            begun, gap = rng.uniform(0, 2 * math.pi), rng.uniform(-1.2, 0.6)
            turn = np.linspace(begun, begun + 2 * math.pi - gap, 50)
            swell = (1 + 0.09 * smooth_noise(rng, 50, 6)) * np.linspace(1, rng.uniform(0.85, 1), 50)
            rx, ry = r * rng.uniform(0.75, 1), r * rng.uniform(0.75, 1)
            loop = np.c_[x + rx * np.cos(turn) * swell, y + ry * np.sin(turn) * swell]
            brush(mask, placing.see(loop), pen, rng, wobble=0, fray=0.2)
            box = (rx, ry)
        truth.append(truth_of(kind, row, column, ((x, y), box), placing))
    paper.put(mask, ink, rng.uniform(0.8, 1))
    if rng.random() < 0.4:  # a lamp mirrored in the ink
        gloss = np.zeros(mask.shape, np.float32)
        at = placing.see([rng.uniform(0.3, 2.7, 2)])[0] * paper.FINE
        reach = int(side * paper.FINE * rng.uniform(0.2, 0.5))
        cv2.circle(gloss, tuple(np.round(at).astype(int).tolist()), reach, 1.0, -1)
        gloss = cv2.GaussianBlur(gloss, (0, 0), side * paper.FINE * 0.12)
        paper.put((mask * gloss).astype(np.uint8), [tone] * 3, rng.uniform(0.2, 0.6))
    exposure, noise, blur = rng.uniform(0.4, 1.0), rng.uniform(1, 5), rng.uniform(0.4, 1.6)
    return lit(paper, rng, exposure, noise, blur, int(rng.integers(0, 2))), truth, True


def small_board(rng: Generator, number: int) -> Drawn:
    size = [(1000, 900), (1920, 1080)][number % 2]
    frame = dict(size=size, part=(0.08, 0.16), broad=(0.05, 0.16), shift=1.2, keystone=0.08)
    marks = ["drawn", "objects", "cards"][number % 3]
    return fixed_camera(rng, number, marks=marks, shadows=number % 3, **frame)


def cut_off(rng: Generator, number: int) -> Drawn:
    """A grid that the picture cuts off on one side; most of each mark stays visible."""
    frame = dict(part=(0.33, 0.37), shift=0.02, broad=(0.08, 0.17), overhang=(0.9, 1.2))
    return fixed_camera(rng, number, marks=["drawn", "drawn", "objects"][number % 3], **frame)
