"""Pictures in which a reader must find no retail code, drawn so that they resemble one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from tablesight_tools import gtin

Picture = np.ndarray
Random = np.random.Generator

# Wide elements of a character, five bars and four spaces in turn (ISO/IEC 16388).
CODE_39 = {
    "0": "000110100", "1": "100100001", "2": "001100001", "3": "101100000", "4": "000110001",
    "5": "100110000", "6": "001110000", "7": "000100101", "8": "100100100", "9": "001100100", "*": "010010100",
}  # fmt: skip
# Wide elements of a digit (ISO/IEC 16390): five bars of the first of a pair, five spaces of the second.
ITF = ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"]
PRINT = "INGREDIENTI HAZELNUTS 13% Zucker, Milchpulver E322 Best before 12.07 l|I1 |||| 400 g ===="


def widths_of(modules: str) -> list[float]:
    """The widths of bars and spaces in turn, from the first bar."""
    runs = [1]
    for before, after in zip(modules, modules[1:]):
        if before == after:
            runs[-1] += 1
        else:
            runs.append(1)
    return [float(run) for run in runs]


def stripes(rng: Random) -> list[float]:
    """Equal stripes with a little disorder."""
    even = rng.uniform(1, 3)
    count, disorder = 2 * int(rng.integers(15, 50)) + 1, rng.uniform(0, 0.4)
    return [even * (1 + disorder * rng.uniform(-1, 1)) for _ in range(count)]


def bars(rng: Random) -> list[float]:
    """Bars and spaces of one to four modules, as many as codes have or others."""
    count = 59 if rng.random() < 0.5 else 2 * int(rng.integers(13, 45)) + 1
    is_whole = rng.random() < 0.5
    return [float(rng.integers(1, 5)) if is_whole else rng.uniform(1, 4) for _ in range(count)]


def guards(rng: Random) -> list[float]:
    """The guards of an EAN-13, and between them digits of two bars and two spaces of any width."""
    is_whole, is_even = rng.random() < 0.5, rng.random() < 0.5
    digits = []
    for _ in range(12):
        four = rng.integers(1, 5, 4).astype(float) if is_whole else rng.uniform(0.8, 4, 4)
        # Where the digits are equally wide, only the bars within them are wrong; whole ones would be digits.
        digits.append(four / four.sum() * 7 if is_even else four)
    left, right = ([float(width) for four in half for width in four] for half in (digits[:6], digits[6:]))
    return [1.0] * 3 + left + [1.0] * 5 + right + [1.0] * 3


def unchecked(rng: Random) -> list[float]:
    """The bars of an EAN-13 or EAN-8 whose check digit is wrong."""
    body = "".join(str(digit) for digit in rng.integers(0, 10, 12 if rng.random() < 0.7 else 7))
    wrong = (int(gtin.check_digit(body)) + int(rng.integers(1, 10))) % 10
    return widths_of(gtin.modules(body + str(wrong)))


def other(rng: Random) -> list[float]:
    """Code 39 or interleaved two of five."""
    wide = rng.uniform(2, 3)
    if rng.random() < 0.5:
        text = "*" + "".join(str(digit) for digit in rng.integers(0, 10, int(rng.integers(3, 9)))) + "*"
        all_widths = []
        for letter in text:
            all_widths += [wide if bit == "1" else 1.0 for bit in CODE_39[letter]] + [1.0]
        return all_widths[:-1]
    digits = rng.integers(0, 10, 2 * int(rng.integers(3, 8)))
    pairs = [bit for a, b in zip(digits[::2], digits[1::2]) for both in zip(ITF[a], ITF[b]) for bit in both]
    return [1.0] * 4 + [wide if bit == "1" else 1.0 for bit in pairs] + [wide, 1.0, 1.0]


def drawn(widths: Sequence[float], rng: Random) -> Picture:
    """Upright bars on paper, eight samples a module."""
    ends = np.cumsum([0.0, *widths]) * 8
    height, room = int(ends[-1] * rng.uniform(0.25, 0.8)), int(8 * rng.uniform(5, 14))
    paper = np.full((height + 2 * room, int(ends[-1]) + 2 * room), 255, np.float32)
    for start, end in zip(ends[::2], ends[1::2]):
        paper[room : room + height, room + round(start) : room + round(end)] = 0
    return paper


def printed(rng: Random) -> Picture:
    """Lines of letters, some of them hardly more than strokes."""
    paper = np.full((900, 1400), 255, np.float32)
    scale, letters = rng.uniform(0.7, 2.5), list(PRINT)
    for y in range(60, 880, int(40 * scale)):
        text = "".join(letters[at] for at in rng.integers(0, len(letters), 60))
        text = "l|I1" * 20 if rng.random() < 0.3 else text
        cv2.putText(paper, text, (20, y), int(rng.integers(0, 5)), scale, 0, int(rng.integers(1, 4)))
    return paper


def texture(rng: Random) -> Picture:
    """Waves, fences, bricks and noise that was blurred along one direction."""
    y, x = np.mgrid[:700, :1000].astype(np.float32)
    kind = rng.integers(0, 4)
    if kind == 0:
        pitch, sway = rng.uniform(6, 30), rng.uniform(0, 30)
        return 127 + 127 * np.sin(2 * np.pi * (x + sway * np.sin(y / 90)) / pitch)
    if kind == 1:
        strands = rng.normal(0, 1, (1, 1000)).astype(np.float32)
        fence = cv2.GaussianBlur(np.repeat(strands, 700, 0), (0, 0), rng.uniform(1, 4))
        return np.where(fence > rng.uniform(-0.1, 0.1), 255, 0).astype(np.float32)
    if kind == 2:
        tall, long = rng.integers(20, 70), rng.integers(30, 160)
        joint = (y % tall < 5) | ((x + y // tall % 2 * long / 2) % long < 5)
        return np.where(joint, 230, 90 + rng.normal(0, 20, x.shape)).astype(np.float32)
    noise = rng.normal(0, 1, x.shape).astype(np.float32)
    smooth = cv2.blur(cv2.GaussianBlur(noise, (0, 0), rng.uniform(1, 3)), (1, int(rng.integers(20, 200))))
    return np.where(smooth > 0, 240, 20).astype(np.float32)


FAMILIES: dict[str, Callable[[Random], Picture]] = {
    **{
        one.__name__: lambda rng, one=one: drawn(one(rng), rng)  # type: ignore[misc]
        for one in (stripes, bars, guards, unchecked, other)
    },
    "print": printed,
    "texture": texture,
}


def photographed(paper: Picture, rng: Random) -> Picture:
    """The paper on a background, turned, tilted, blurred and noisy, one to five pixels for its eight samples."""
    pixels = rng.uniform(1, 5)
    height, width = paper.shape
    scale = min(pixels / 8, 1100 / math.hypot(height, width))
    size = (int(width * scale * 1.5) + 60, int(height * scale * 1.5) + 60)
    angle = np.radians(rng.choice([0, 90, 180, 270]) + rng.normal(0, 8))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if abs(turn[0, 1]) > 0.7:
        size = size[::-1]
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width, height]) / 2 * scale
    corners = corners * (1 + rng.normal(0, 0.015, (4, 2)))
    target = (corners @ turn.T + np.array(size) / 2).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), target
    )
    # Without this blur fine bars alias when they are reduced.
    soft = cv2.GaussianBlur(paper, (0, 0), max(0.3, (0.35 + rng.exponential(0.25)) / scale))
    black, white = rng.uniform(10, 70), rng.uniform(160, 250)
    photo = cv2.warpPerspective(
        black + soft / 255 * (white - black), matrix, size, borderValue=float(rng.uniform(60, 250))
    )
    return np.clip(photo + rng.normal(0, rng.uniform(0.5, 5), photo.shape), 0, 255).astype(np.uint8)
