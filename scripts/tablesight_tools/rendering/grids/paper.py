"""Paper, brush strokes and light: what all pictures of drawn grids are made of."""

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.rendering.types import Colour, Generator, Range, Size


def smooth_noise(rng: Generator, count: int, sigma: float) -> np.ndarray:
    noise = cv2.GaussianBlur(
        rng.normal(0, 1, (count, 1)).astype(np.float32),
        (1, 0 * 2 + 2 * int(3 * sigma) + 1),
        sigma,
        borderType=cv2.BORDER_REFLECT,
    )[:, 0]
    return noise / max(1e-6, float(np.abs(noise).max()))


class Paper:
    """A sheet in linear light. Masks are drawn FINE times larger than the photo and then averaged."""

    FINE = 2

    def __init__(self, rng: Generator, size: Size, tone: float, tint: Colour = (1, 1, 1)) -> None:
        self.rng, self.size = rng, size
        width, height = size
        coarse = cv2.resize(
            rng.normal(0, 1, (height // 40 + 2, width // 40 + 2)).astype(np.float32),
            size,
            interpolation=cv2.INTER_CUBIC,
        )
        self.image = np.clip((tone * (1 + 0.012 * coarse))[..., None] * np.array(tint, np.float32), 0, 255).astype(
            np.float32
        )

    def mask(self) -> np.ndarray:
        return np.zeros((self.size[1] * self.FINE, self.size[0] * self.FINE), np.uint8)

    def filled(self, points: np.ndarray) -> np.ndarray:
        """A mask of a polygon."""
        mask = self.mask()
        cv2.fillPoly(mask, [np.round(points * 16 * self.FINE).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask

    def put(self, mask: np.ndarray, colour: Colour, opacity: float = 1.0) -> None:
        alpha = cv2.resize(mask, self.size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255 * opacity
        self.image = self.image * (1 - alpha) + np.array(colour, np.float32) * alpha

    def darken(self, mask: np.ndarray, share: float, blur: float) -> None:
        alpha = cv2.resize(mask, self.size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        if blur > 0:
            alpha = cv2.GaussianBlur(alpha, (0, 0), blur)
        self.image *= (1 - share * alpha)[..., None]


def brush(
    mask: np.ndarray,
    points: ArrayLike,
    width: float,
    rng: Generator,
    wobble: float = 0.03,
    fray: float = 0.5,
    fine: int = Paper.FINE,
    uneven: float = 0.12,
) -> None:
    """Draws a brush stroke through points (pixels).

    `wobble` is its deviation from a straight line as a share of its length, `fray` the bristles at its ends.
    """
    points = np.asarray(points, float) * fine
    width = width * fine
    steps = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    length = max(1.0, steps[-1])
    t = np.linspace(0, length, 48)
    path = np.c_[np.interp(t, steps, points[:, 0]), np.interp(t, steps, points[:, 1])]
    along = np.gradient(path, axis=0)
    along /= np.maximum(1e-6, np.linalg.norm(along, axis=1))[:, None]
    across = np.c_[-along[:, 1], along[:, 0]]
    path = path + across * (smooth_noise(rng, len(path), 9) * wobble * length * rng.uniform(0.3, 1))[:, None]
    widths = width * (1 + uneven * smooth_noise(rng, len(path), 5))
    for i in range(len(path) - 1):
        dash(mask, path[i], path[i + 1], int(round(widths[i])))
    if fray > 0 and width > 5:
        for end, way in ((0, -1), (len(path) - 1, 1)):
            for _ in range(int(rng.integers(3, 8))):
                off = rng.uniform(-0.45, 0.45) * width
                a = path[end] + across[end] * off - along[end] * way * width * 0.3
                b = path[end] + across[end] * off + along[end] * way * width * rng.uniform(0.1, 0.3 + fray)
                dash(mask, a, b, int(width * rng.uniform(0.08, 0.2)))


def dash(mask: np.ndarray, a: np.ndarray, b: np.ndarray, width: int) -> None:
    """A straight line between two points, at least a pixel wide."""
    ends = (tuple(np.round(point * 16).astype(int).tolist()) for point in (a, b))
    cv2.line(mask, *ends, 255, max(1, width), cv2.LINE_AA, 4)


class Placing:
    """The homography from grid squares to pixels."""

    def __init__(
        self,
        rng: Generator,
        size: Size,
        side: float,
        turn: float = 14,
        keystone: float = 0.05,
        shift: float = 0.0,
        aspect: float = 1.0,
        middle: Range | None = None,
    ) -> None:
        width, height = size
        angle = math.radians(rng.uniform(-turn, turn))
        middle = np.array([width / 2, height / 2]) if middle is None else np.array(middle, float)
        middle = middle + rng.uniform(-shift, shift, 2) * side
        corners = (np.array([[0, 0], [3, 0], [3, 3], [0, 3]], float) - 1.5) * [side * aspect, side]
        turned = corners @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        turned += rng.uniform(-keystone, keystone, (4, 2)) * side * 1.5
        self.side = side
        self.matrix = cv2.getPerspectiveTransform(
            np.array([[0, 0], [3, 0], [3, 3], [0, 3]], np.float32), (turned + middle).astype(np.float32)
        )

    def see(self, points: ArrayLike) -> np.ndarray:
        return cv2.perspectiveTransform(np.asarray(points, np.float32).reshape(1, -1, 2), self.matrix)[0].astype(float)


def lit(
    paper: Paper, rng: Generator, exposure: float, noise: float, blur: float, shadows: int = 0, fall: float = 0.35
) -> np.ndarray:
    """Turns a sheet into a photo: uneven light, soft shadows, blur, grain."""
    width, height = paper.size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * math.pi)
    ramp = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle)
    light = 1 - rng.uniform(0.05, fall) * (0.5 - ramp)
    light *= 1 - rng.uniform(0, 0.25) * ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2
    for _ in range(shadows):
        one = np.zeros((height, width), np.float32)
        at = rng.uniform(0, 1, 2) * [width, height]
        size = rng.uniform(0.25, 0.6) * max(width, height)
        turn = np.sort(rng.uniform(0, 2 * math.pi, 6))
        shape = np.c_[np.cos(turn), np.sin(turn)] * size * rng.uniform(0.6, 1, (6, 1)) + at
        cv2.fillPoly(one, [shape.astype(np.int32)], 1.0)
        light *= 1 - rng.uniform(0.15, 0.5) * cv2.GaussianBlur(one, (0, 0), rng.uniform(0.006, 0.05) * width)
    picture = (
        paper.image
        * (light * exposure)[..., None]
        * np.array([1, rng.uniform(0.94, 1.02), rng.uniform(0.84, 1.04)], np.float32)
    )
    if blur > 0:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if noise > 0:
        picture = picture + noise * (
            rng.standard_normal(picture.shape[:2], dtype=np.float32)[..., None]
            + 0.5 * rng.standard_normal(picture.shape, dtype=np.float32)
        )
    return np.clip(picture, 0, 255).astype(np.uint8)
