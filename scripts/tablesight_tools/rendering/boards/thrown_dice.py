"""Throws of dice as phones see them.

Sizes are mixed, bodies are rounded and show their sides, pips are coloured, dice touch. They lie on felt, cloth, wood
or print, with hard shadows, and some photos are overexposed. Lengths are in mm, y points down. Shares no code or data
with the recogniser.
"""

import math
from typing import Any

import cv2
import numpy as np

from tablesight_tools.rendering.boards.faces import disc, pip_face
from tablesight_tools.rendering.boards.mat import MAT, SIZE
from tablesight_tools.rendering.boards.table import TABLES, Table, square
from tablesight_tools.rendering.types import Colour

WHITES = [((240, 238, 232), (26, 26, 28)), ((232, 222, 196), (34, 28, 24)), ((246, 246, 246), (20, 20, 20))]
COLOURS = [
    ((236, 236, 232), (36, 60, 150)),
    ((238, 234, 228), (176, 30, 34)),
    ((200, 32, 36), (245, 245, 240)),
    ((30, 30, 32), (240, 240, 236)),
    ((240, 196, 50), (30, 28, 26)),
    ((36, 120, 70), (244, 244, 240)),
    ((40, 70, 170), (245, 245, 240)),
]
GROUNDS = ["felt", "carpet", "wood", "print", "cloth", "plain"]


def ground(table: Table, kind: str) -> None:
    """Paints the table."""
    rng, (width, height) = table.rng, SIZE

    def noise(scale: float, tall: float = 1.0) -> np.ndarray:
        small = rng.normal(0, 1, (max(2, int(height / scale / tall)), max(2, int(width / scale))))
        return cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)[..., None]

    dark = np.array([(24, 60, 38), (40, 40, 44), (90, 30, 34), (60, 44, 36), (30, 44, 84)][rng.integers(5)], float)
    if kind == "felt":
        image = dark + 5 * noise(2.5) + 3 * noise(40)
    elif kind == "carpet":
        image = rng.uniform(60, 150) * np.array([1, rng.uniform(0.85, 1), rng.uniform(0.7, 0.95)]) + rng.uniform(
            12, 34
        ) * noise(rng.uniform(5, 11))
    elif kind == "wood":
        base = np.array([(196, 150, 96), (130, 84, 50), (84, 52, 36), (180, 120, 60)][rng.integers(4)], float)
        streak = noise(14, 0.06 if rng.random() < 0.5 else 1)
        image = base * (1 + 0.12 * noise(300, 0.04) + 0.08 * streak) + 3 * noise(3)
    elif kind == "cloth":
        period, way = rng.uniform(18, 60), rng.uniform(0, math.pi)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        stripe = (np.sin((x * math.cos(way) + y * math.sin(way)) * 2 * math.pi / period) > rng.uniform(-0.3, 0.6))[
            ..., None
        ]
        image = np.where(stripe, dark + 20, np.array([176, 168, 156.0])) + 4 * noise(2.5)
    elif kind == "print":
        image = np.clip(rng.uniform(215, 235) + 2 * noise(3) * np.ones(3), 0, 255).astype(np.uint8)
        for line in range(12, height, int(rng.uniform(20, 34))):
            text = "".join(rng.choice(list("abcdeiloprst .:,;0689 ")) for _ in range(90))
            cv2.putText(
                image,
                text,
                (int(rng.uniform(0, 60)), line),
                cv2.FONT_HERSHEY_SIMPLEX,
                rng.uniform(0.45, 0.7),
                (40, 40, 44),
                1,
                cv2.LINE_AA,
            )
    else:
        image = np.array(TABLES[rng.integers(len(TABLES))], float) + 2 * noise(2)
    table.image = np.clip(np.broadcast_to(image, (height, width, 3)), 0, 255).astype(np.float32).copy()


def rounded(corners: np.ndarray, part: float) -> np.ndarray:
    """The outline of a square with rounded corners; `part` is their share of an edge."""
    points = []
    for i in range(4):
        c, before, after = corners[i], corners[i - 1], corners[(i + 1) % 4]
        a, b = (before - c) * part, (after - c) * part
        for t in np.linspace(0, math.pi / 2, 7):
            points.append(c + a * (1 - math.sin(t)) + b * (1 - math.cos(t)))
    return np.array(points)


def fill(
    table: Table,
    outline: np.ndarray,
    colour: Colour | None = None,
    face: np.ndarray | None = None,
    quad: np.ndarray | None = None,
) -> None:
    """Paints an outline (pixels) in one colour, or with a picture warped onto `quad`."""
    mask = np.zeros((SIZE[1] * 4, SIZE[0] * 4), np.uint8)
    cv2.fillPoly(mask, [np.round((outline + 0.5) * 64 - 8).astype(np.int32)], 255, cv2.LINE_8, 4)
    alpha = (cv2.resize(mask, SIZE, interpolation=cv2.INTER_AREA) / 255.0)[..., None]
    paint = (
        np.array(colour, np.float32)
        if face is None
        else cv2.warpPerspective(
            face,
            cv2.getPerspectiveTransform(
                np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32) - 0.5, quad.astype(np.float32)
            ),
            SIZE,
            flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_REPLICATE,
        )
    )
    table.image = table.image * (1 - alpha) + paint * alpha
    table.shade *= 1 - 0.95 * alpha[..., 0]


def die(table: Table, middle: np.ndarray, edge: float, angle: float, style: tuple[Any, ...]) -> None:
    rng, see = table.rng, table.camera.see
    body, ink, share, gap, big_one, round_part = style
    top = int(rng.integers(1, 7))
    corners = square(*middle, edge, edge, angle)
    table.shadow(corners, edge)

    def face(number: int) -> np.ndarray:
        if number == 1 and big_one:
            picture = pip_face(0, body, ink)
            disc(picture, 47.5, 47.5, 96 * big_one[0], big_one[1])
            return picture
        return pip_face(number, body, ink, share=share, gap=gap)

    upper, lower = see(rounded(corners, round_part), edge), see(rounded(corners, round_part), edge * 0.06)
    fill(
        table,
        cv2.convexHull(np.vstack([upper, lower]).astype(np.float32))[:, 0],
        np.array(body, float) * rng.uniform(0.6, 0.78),
    )
    sides = [n for n in range(1, 7) if n not in (top, 7 - top)]
    for i in range(4):
        a, b = corners[i], corners[(i + 1) % 4]
        quad = np.array([*see([a, b], edge), *see([b, a], 0)])
        if np.cross(quad[1] - quad[0], quad[2] - quad[1]) >= 0:
            fill(table, rounded(quad, 0.16), face=face(sides[i]) * rng.uniform(0.6, 0.88), quad=quad)
    inner = middle + (corners - middle) * (1 - 0.12 * rng.random() * (round_part > 0.12))
    fill(table, upper, np.array(body, float) * 0.97)
    quad = see(corners, edge)
    fill(table, see(rounded(inner, round_part), edge), face=face(top), quad=quad)
    table.truth.append(dict(type="die", value=top, polygon_px=quad.tolist()))


def throw(table: Table, count: int) -> None:
    rng = table.rng
    ground(table, GROUNDS[rng.integers(len(GROUNDS))])
    base = rng.uniform(14, 34)
    placed = []
    for _ in range(2 + int(rng.integers(count - 1)) if count else 0):
        edge = base * (rng.uniform(0.55, 0.8) if rng.random() < 0.4 else 1.0)
        for _ in range(400):
            angle = rng.uniform(0, 90)
            p = np.array([rng.uniform(edge, MAT[0] - edge), rng.uniform(edge, MAT[1] - edge)])
            if placed and rng.random() < 0.3:  # beside another, side by side
                q, other, turn = placed[rng.integers(len(placed))]
                angle, way = turn, math.radians(turn + 90 * rng.integers(4))
                p = q + (edge + other) / 2 * rng.uniform(1.0, 1.05) * np.array([math.cos(way), math.sin(way)])
            inside = edge < p[0] < MAT[0] - edge and edge < p[1] < MAT[1] - edge
            near = [np.linalg.norm(p - q) for q, _, _ in placed]
            free = all(
                d > (edge + other) * (0.72 if turn != angle else 0.49) for d, (_, other, turn) in zip(near, placed)
            )
            if inside and free:
                placed.append((p, edge, angle))
                break
    for p, edge, angle in sorted(placed, key=lambda one: table.camera.see([one[0]])[0][1]):
        body, ink = WHITES[rng.integers(3)] if rng.random() < 0.6 else COLOURS[rng.integers(len(COLOURS))]
        red = sum(body) > 600 and rng.random() < 0.35
        style = (
            body,
            ink,
            rng.uniform(0.078, 0.11),
            rng.uniform(0.235, 0.285),
            (rng.uniform(0.13, 0.2), (190, 26, 34)) if red else None,
            rng.uniform(0.04, 0.24),
        )
        die(table, p, edge, angle, style)
    if rng.random() < 0.35:  # too much light
        table.image = np.clip(table.image * rng.uniform(1.1, 1.45), 0, 262)
