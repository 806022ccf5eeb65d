"""Faces of pieces as flat pictures: pips, letters, coloured shapes."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tablesight_tools.rendering.types import Colour

FONTS = "/usr/share/fonts/truetype/liberation/"
PIPS = {
    0: [],
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    5: [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
PAINTS = dict(
    red=(206, 30, 44),
    orange=(242, 118, 22),
    yellow=(250, 212, 30),
    green=(52, 160, 62),
    blue=(40, 110, 206),
    purple=(120, 48, 150),
)


def disc(image: np.ndarray, x: float, y: float, r: float, colour: Colour) -> None:
    cv2.circle(image, (round(x * 16), round(y * 16)), round(r * 16), colour, -1, cv2.LINE_AA, 4)


def pip_face(
    number: int, ground: Colour, ink: Colour, side: int = 96, share: float = 0.095, gap: float = 0.26
) -> np.ndarray:
    face = np.full((side, side, 3), ground, np.float32)
    for u, v in PIPS[number]:
        disc(face, (0.5 + gap * u) * side - 0.5, (0.5 + gap * v) * side - 0.5, share * side, ink)
    return face


def lettered(text: str, font: str, ground: Colour, ink: Colour, share: float) -> np.ndarray:
    side = 180
    image = Image.new("RGB", (side, side), ground)
    draw = ImageDraw.Draw(image)
    type_face = ImageFont.truetype(font, int(side * share))
    left, top, right, bottom = draw.textbbox((0, 0), text, font=type_face)
    draw.text(((side - right - left) / 2, (side - bottom - top) / 2), text, ink, font=type_face)
    return np.array(image).astype(np.float32)


def symbol_face(name: str, colour: Colour) -> np.ndarray:
    side = 180
    face = np.full((side, side, 3), (30, 29, 31), np.float32)
    middle, r = side / 2, side * 0.33

    def fill(points: Sequence[tuple[float, float]]) -> None:
        cv2.fillPoly(face, [np.round((np.array(points) + middle) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    def turn(count: int, *radii: float, start: float = 0.0) -> None:
        n = count * len(radii)
        corners = [(radii[k % len(radii)], start + 2 * math.pi * k / n) for k in range(n)]
        fill([(radius * math.cos(angle), radius * math.sin(angle)) for radius, angle in corners])

    if name == "circle":
        disc(face, middle, middle, r, colour)
    elif name == "square":
        turn(4, r * 1.2, start=math.pi / 4)
    elif name == "diamond":
        turn(4, r * 1.2)
    elif name == "clover":
        for k in range(4):
            across, down = (r * 0.52 * part(k * math.pi / 2) for part in (math.cos, math.sin))
            disc(face, middle + across, middle + down, r * 0.5, colour)
    elif name == "cross":
        turn(4, r * 1.25, r * 0.58, start=math.pi / 4)
    else:
        turn(8, r * 1.12, r * 0.74)
    return face
