"""Dice, dominoes and tiles on a table. Lengths are in mm, y points down. Shares no code or data with the recogniser."""

import math
from collections.abc import Callable

import cv2
import numpy as np

from tablesight_tools.rendering.boards.faces import FONTS, PAINTS, lettered, pip_face, symbol_face
from tablesight_tools.rendering.boards.mat import MAT
from tablesight_tools.rendering.boards.table import Table, places, square
from tablesight_tools.rendering.boards.tangram import overlap
from tablesight_tools.rendering.geometry import turned

OPPOSITE = 7


def dice(table: Table, count: int) -> None:
    rng, edge = table.rng, float(table.rng.uniform(18, 34))  # larger than a real die, as if the camera were nearer
    styles = [
        ((238, 236, 230), (24, 24, 26)),
        ((200, 32, 36), (245, 245, 240)),
        ((30, 60, 170), (245, 245, 240)),
        ((30, 30, 32), (240, 240, 236)),
        ((236, 190, 40), (30, 28, 26)),
        ((40, 130, 70), (244, 244, 240)),
    ]
    ground, ink = styles[rng.integers(len(styles))]
    share, gap = rng.uniform(0.085, 0.11), rng.uniform(0.24, 0.28)
    for p in sorted(places(rng, count, edge * 1.55), key=lambda p: table.camera.see([p])[0][1]):
        top, angle = int(rng.integers(1, 7)), rng.uniform(0, 90)
        corners = square(*p, edge, edge, angle)
        table.shadow(corners, edge)
        sides = [n for n in range(1, 7) if n not in (top, OPPOSITE - top)]
        for i in range(4):
            a, b = corners[i], corners[(i + 1) % 4]
            quad = [*table.camera.see([a, b], edge), *table.camera.see([b, a], 0)]
            facing = np.cross(quad[1] - quad[0], quad[2] - quad[1])
            if facing < 0:
                continue
            shade = rng.uniform(0.55, 0.85)
            table.paste(pip_face(sides[i], ground, ink, share=share, gap=gap) * shade, None, seen=quad)
        pixels = table.paste(pip_face(top, ground, ink, share=share, gap=gap), corners, edge)
        table.truth.append(dict(type="die", value=top, polygon_px=pixels.tolist()))


def dominoes(table: Table, count: int) -> None:
    rng = table.rng
    ground, ink = [((240, 238, 228), (22, 22, 24)), ((28, 28, 30), (244, 244, 240))][rng.integers(2)]
    for p in places(rng, count, 56):
        values = [int(v) for v in rng.integers(0, 7, 2)]
        face = np.hstack([pip_face(v, ground, ink, share=0.085) for v in values])
        cv2.line(face, (96, 10), (96, 86), ink, 3)
        table.shadow(square(*p, 48, 24, angle := rng.uniform(0, 360)), 8)
        pixels = table.paste(face, square(*p, 48, 24, angle))
        table.truth.append(dict(type="domino", values=values, polygon_px=pixels.tolist()))


def laid(table: Table, count: int) -> None:
    """Lays a domino chain: equal numbers meet, doubles lie across, and the chain turns at the table's edge."""
    rng = table.rng
    ground, ink = [((240, 238, 228), (22, 22, 24)), ((28, 28, 30), (244, 244, 240)), ((226, 214, 176), (30, 26, 22))][
        rng.integers(3)
    ]
    share, bar, rim = rng.uniform(0.075, 0.1), int(rng.integers(6, 24)), rng.uniform(0.72, 0.94)
    way, middle = rng.uniform(-25, 25), np.array(MAT) / 2
    at, ahead, open_end, turns, placed = (
        np.array([-120.0, rng.uniform(-60, 20)]),
        np.array([1.0, 0.0]),
        int(rng.integers(0, 7)),
        0,
        [],
    )
    for _ in range(count):
        other = open_end if rng.random() < 0.3 else int(rng.integers(0, 7))
        across, gap = other == open_end, rng.uniform(0.1, 0.7)
        length = 24 if across else 48
        if abs((at + ahead * (length + gap))[0]) > 128 or abs((at + ahead * (length + gap))[1]) > 80:
            if turns == 2:
                break
            # The next domino starts at the side of the last half.
            side = np.array([0.0, 1.0]) if turns == 0 else np.array([-ahead[1], ahead[0]])
            last = placed[-1]
            at = at - ahead * 12 + side * (24 if last["across"] else 12)
            ahead, turns = side, turns + 1
        p = at + ahead * (length / 2 + gap)
        angle = math.degrees(math.atan2(ahead[1], ahead[0])) + (90 if across else 0)
        if any(overlap(square(*p, 47, 23, angle), square(*q["p"], 47, 23, q["angle"])) > 1 for q in placed):
            break
        placed.append(dict(p=p, angle=angle, values=[open_end, other], across=across))
        at, open_end = p + ahead * length / 2, other
    for one in placed:
        one["p"] = turned(one["p"][None], way)[0] + middle
        one["corners"] = square(*one["p"], 48, 24, one["angle"] + way + rng.normal(0, 0.7))
        table.shadow(one["corners"], 8)
    for one in placed:
        face = np.hstack([pip_face(v, ground, ink, share=share) for v in one["values"]])
        cv2.line(face, (96, bar), (96, 96 - bar), ink, int(rng.integers(3, 6)))
        cv2.rectangle(face, (0, 0), (191, 95), [c * rim for c in ground], 2)
        pixels = table.paste(face, one["corners"])
        table.truth.append(dict(type="domino", values=one["values"], polygon_px=pixels.tolist()))


def printed(table: Table, count: int) -> None:
    """Lays dominoes on a board with a printed track of dominoes, which are no pieces."""
    rng, middle, way = table.rng, np.array(MAT) / 2, float(table.rng.uniform(-8, 8))
    length = rng.uniform(30, 40)
    ground, ink = [((240, 238, 228), (22, 22, 24)), ((28, 28, 30), (244, 244, 240))][rng.integers(2)]

    def face() -> tuple[np.ndarray, list[int]]:
        values = [int(v) for v in rng.integers(0, 7, 2)]
        picture = np.hstack([pip_face(v, ground, ink, share=0.085) for v in values])
        cv2.line(picture, (96, 10), (96, 86), ink, 3)
        return picture, values

    def place(x: float, y: float, w: float, h: float, angle: float) -> np.ndarray:
        return turned(square(x, y, w, h, angle), way) + middle

    board = [(150, 40, 44), (40, 90, 140), (236, 206, 120), (60, 120, 70)][rng.integers(4)]
    table.paste(np.full((8, 8, 3), board, np.float32), place(0, 0, 296, 196, 0))
    # End to end along the board's edges, or side by side across them.
    along, gap = bool(rng.integers(2)), rng.uniform(1.5, 8)
    step = (length if along else length / 2) + gap
    for down, reach, aside in ((0, 296, 98), (90, 196, 148)):
        inner = reach / 2 - (14 if down == 0 else 14 + length)
        number = int((2 * inner) // step)
        for sign in (-1, 1):
            for i in range(number):
                off = (i - (number - 1) / 2) * step
                p = (off, sign * (aside - 2 - length / 2)) if down == 0 else (sign * (aside - 2 - length / 2), off)
                table.paste(face()[0], place(*p, length, length / 2, down if along else down + 90))
    room = (2 * (140 - length), 2 * (90 - length))
    for p in places(rng, count, 40, room) if min(room) > 84 else []:
        picture, values = face()
        corners = place(*(p - np.array(room) / 2), 40, 20, rng.uniform(0, 360))
        table.shadow(corners, 8)
        table.truth.append(dict(type="domino", values=values, polygon_px=table.paste(picture, corners).tolist()))


def glyphs(table: Table, count: int, alphabet: str, key: str, value: Callable[[str], int | str]) -> None:
    rng = table.rng
    ground, ink = [((236, 214, 168), (28, 24, 20)), ((246, 246, 242), (30, 40, 120)), ((60, 66, 74), (240, 240, 236))][
        rng.integers(3)
    ]
    font = ["LiberationSans-Bold.ttf", "LiberationSans-Regular.ttf", "LiberationSerif-Bold.ttf"][rng.integers(3)]
    way = rng.uniform(-180, 180)
    for p in places(rng, count, 44):
        text = alphabet[rng.integers(len(alphabet))]
        angle = way + rng.uniform(-8, 8)
        table.shadow(square(*p, 30, 30, angle), 4)
        pixels = table.paste(
            lettered(text, FONTS + font, ground, ink, rng.uniform(0.6, 0.75)), square(*p, 30, 30, angle)
        )
        table.truth.append({"type": "tile", key: value(text), "polygon_px": pixels.tolist()})


def dots(table: Table, count: int) -> None:
    rng = table.rng
    ground, ink = [((244, 240, 230), (170, 30, 40)), ((70, 120, 190), (250, 250, 246)), ((250, 214, 70), (30, 30, 34))][
        rng.integers(3)
    ]
    for p in places(rng, count, 44):
        number, angle = int(rng.integers(1, 7)), rng.uniform(0, 360)
        table.shadow(square(*p, 30, 30, angle), 4)
        pixels = table.paste(pip_face(number, ground, ink, share=rng.uniform(0.07, 0.1)), square(*p, 30, 30, angle))
        table.truth.append(dict(type="tile", value=number, polygon_px=pixels.tolist()))


def shapes(table: Table, count: int) -> None:
    rng, names = table.rng, ["circle", "square", "diamond", "clover", "cross", "star"]
    way, step = rng.uniform(-180, 180), 30 * rng.uniform(1.005, 1.03)
    # Tiles touch and form lines, as in play.
    squares, at = {(0, 0)}, (0, 0)
    while len(squares) < count:
        at = list(squares)[rng.integers(len(squares))]
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][rng.integers(4)]
        if abs(at[0] + dx) <= 3 and abs(at[1] + dy) <= 2:
            squares.add((at[0] + dx, at[1] + dy))
    for column, row in sorted(squares):
        name, paint = names[rng.integers(6)], list(PAINTS)[rng.integers(6)]
        p = turned(np.array([[column * step, row * step]]), way)[0] + np.array(MAT) / 2
        if not (18 < p[0] < MAT[0] - 18 and 18 < p[1] < MAT[1] - 18):
            continue
        corners = square(*p, 30, 30, way)
        pixels = table.paste(symbol_face(name, PAINTS[paint]), corners)
        table.truth.append(dict(type="tile", symbol=name, colour=paint, polygon_px=pixels.tolist()))
