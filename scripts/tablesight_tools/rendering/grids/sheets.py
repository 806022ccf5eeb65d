"""Tic-tac-toe printed on a sheet of paper, photographed by phone."""

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw, ImageFont

from tablesight_tools.rendering.boards.faces import FONTS
from tablesight_tools.rendering.grids.marks import filling
from tablesight_tools.rendering.grids.paper import Paper, brush, lit, smooth_noise
from tablesight_tools.rendering.types import Drawn, Generator, Range

HEADINGS = ["TIC TAC TOE", "XO GAME", "BOARD 1", "OXO BOX", "PLAYER X AND O", "ROUND TWO", "NOUGHTS", "COXO"]


def printed_sheet(rng: Generator, number: int, tilt: Range, by_hand: bool = False) -> Drawn:
    """A white sheet with a heading, a framed grid and marks, on a coloured table, photographed by phone."""
    width, height = 1488, 2104  # A4, 180 dots an inch
    sheet = Image.new("L", (width, height), int(rng.uniform(238, 255)))
    draw = ImageDraw.Draw(sheet)
    across = rng.uniform(0.17, 0.29) * width
    down = across / rng.uniform(1.4, 2.5)
    left = (width - 3 * across) / 2 + rng.uniform(-0.05, 0.05) * width
    top = rng.uniform(0.2, 0.5) * height
    pen = int(rng.integers(3, 8))
    ink = int(rng.uniform(0, 60))
    for k in range(4):
        draw.line([left + k * across, top, left + k * across, top + 3 * down], ink, pen)
        draw.line([left - pen / 2 + 1, top + k * down, left + 3 * across + pen / 2 - 1, top + k * down], ink, pen)
    font = ImageFont.truetype(
        FONTS
        + ["LiberationSans-Bold.ttf", "LiberationSans-Regular.ttf", "LiberationSerif-Regular.ttf"][rng.integers(3)],
        int(rng.uniform(40, 120)),
    )
    words = HEADINGS[rng.integers(len(HEADINGS))]
    _, _, r, b = draw.textbbox((0, 0), words, font=font)
    draw.text((left + rng.uniform(0, max(1, 3 * across - r)), top - b - rng.uniform(6, 60)), words, ink, font=font)
    if rng.random() < 0.4:
        draw.text((left, top + 3 * down + rng.uniform(10, 60)), HEADINGS[rng.integers(len(HEADINGS))], ink, font=font)
    face = np.array(sheet).astype(np.float32)
    marks, truth = filling(rng, number), []
    size_of = rng.uniform(0.3, 0.43) * down
    thin = int(rng.integers(3, 9))
    inked = np.zeros((height * 2, width * 2), np.uint8)
    for (row, column), kind in marks.items():
        x, y = left + (column + 0.5) * across, top + (row + 0.5) * down
        if by_hand:
            x, y = x + rng.uniform(-0.1, 0.1) * across, y + rng.uniform(-0.06, 0.06) * down
        r = size_of * (rng.uniform(0.75, 1.05) if by_hand else 1)
        rx = r * (rng.uniform(0.85, 1.3) if by_hand else 0.95)
        wobble = 0.05 if by_hand else 0
        if kind == "cross":
            for way in (1, -1):
                brush(
                    inked,
                    [(x - rx, y - way * r), (x + rx, y + way * r)],
                    thin,
                    rng,
                    wobble=wobble,
                    fray=0,
                    uneven=0.1 if by_hand else 0,
                )
        else:
            turn = np.linspace(0, 2 * math.pi + (rng.uniform(-0.3, 0.4) if by_hand else 0), 50) + rng.uniform(0, 6)
            swell = 1 + (0.07 * smooth_noise(rng, 50, 8) if by_hand else 0)
            brush(
                inked,
                np.c_[x + rx * np.cos(turn) * swell, y + r * np.sin(turn) * swell],
                thin,
                rng,
                wobble=0,
                fray=0,
                uneven=0.1 if by_hand else 0,
            )
        truth.append((kind, row, column, [[x - rx, y - r], [x + rx, y - r], [x + rx, y + r], [x - rx, y + r]]))
    alpha = cv2.resize(inked, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    face = face * (1 - alpha) + (ink + 20) * alpha
    size = (2240, 3984)
    # A pinhole over the sheet.
    angle, roll = (
        math.radians(rng.uniform(*tilt)),
        math.radians(rng.uniform(-6, 6) if rng.random() < 0.7 else rng.uniform(-20, 20)),
    )
    about_x = np.array([[1, 0, 0], [0, math.cos(angle), -math.sin(angle)], [0, math.sin(angle), math.cos(angle)]])
    about_y = math.radians(rng.uniform(-0.5, 0.5) * tilt[1])
    about_y = np.array(
        [[math.cos(about_y), 0, math.sin(about_y)], [0, 1, 0], [-math.sin(about_y), 0, math.cos(about_y)]]
    )
    about_z = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
    f = 0.75 * size[1]
    distance = f * width / size[0] * rng.uniform(1.0, 1.35)

    def see(points: ArrayLike) -> np.ndarray:
        q = np.c_[np.asarray(points, float) - [width / 2, height * 0.45], np.zeros(len(points))] @ (
            about_z @ about_y @ about_x
        ).T + [0, 0, distance]
        return q[:, :2] / q[:, 2:] * f + [size[0] / 2, size[1] / 2]

    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), see(corners).astype(np.float32))
    table = np.array(
        [(150, 40, 44), (60, 90, 150), (170, 120, 80), (60, 120, 80), (90, 70, 60), (200, 180, 150)][rng.integers(6)],
        np.float32,
    )
    paper = Paper(rng, size, 1.0, table)
    grain = cv2.resize(rng.normal(0, 1, (160, 14)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    paper.image += 6 * grain[..., None]
    alpha = (
        cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size, flags=cv2.INTER_AREA).astype(
            np.float32
        )[..., None]
        / 255
    )
    warped = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR)
    paper.image = paper.image * (1 - alpha) + warped[..., None] * np.array([1, 0.985, 0.95], np.float32) * alpha
    found = [
        dict(
            type=k,
            cell=dict(r=r, c=c),
            polygon_px=cv2.perspectiveTransform(np.array([box], np.float32), matrix)[0].tolist(),
        )
        for k, r, c, box in truth
    ]
    return (
        lit(
            paper, rng, rng.uniform(0.6, 1.0), rng.uniform(1, 5), rng.uniform(0.8, 2.2), shadows=int(rng.integers(0, 3))
        ),
        found,
        True,
    )
