"""Photographs a flat page by simulation: table, perspective, light, shadow, blur, noise."""

import functools

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.rendering.types import Colour, Generator, Size


def table(width: int, height: int, colour: Colour, generator: Generator) -> np.ndarray:
    """A plain table with a faint grain."""
    ground = np.full((height, width, 3), colour, np.float32)
    grain = generator.normal(0, 1, (height // 8 + 1, 6)).astype(np.float32)
    grain = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    return ground + 3.0 * grain[:, :, None]


def light(width: int, height: int, generator: Generator) -> np.ndarray:
    """A gradient of light with one soft shadow, as a factor for each pixel."""
    angle = generator.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    slope = ((x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)) * generator.uniform(0.12, 0.22)
    cx, cy = generator.uniform(0, width), generator.uniform(0, height)
    spot = np.exp(-(((x - cx) / (0.35 * width)) ** 2 + ((y - cy) / (0.35 * height)) ** 2))
    return 0.97 + slope - 0.14 * spot


def corners(page_size: Size, photo_size: Size, tilt: float, generator: Generator, fill: float = 0.88) -> np.ndarray:
    """The page's four corners in the photo: `tilt` degrees away from the vertical, turned a little."""
    (page_width, page_height), (width, height) = page_size, photo_size
    scale = fill * min(width / page_width, height / page_height)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * [
        page_width * scale / 2,
        page_height * scale / 2,
    ]
    turn = np.radians(generator.uniform(-2.0, 2.0))
    half = half @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    distance = 2.2 * max(width, height)
    axis = generator.uniform(0, 2 * np.pi)
    depth = np.tan(np.radians(tilt)) * (half @ [np.cos(axis), np.sin(axis)])
    return half * (distance / (distance + depth))[:, None] + [width / 2, height / 2]


def photograph(
    page: np.ndarray,
    photo_size: Size,
    seed: int,
    tilt: float = 6,
    colour: Colour = (150, 120, 92),
    blur: float = 0.7,
    noise: float = 2.5,
    fill: float = 0.88,
    shadow: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """(photo, homography page → photo) of an RGB page, as 8-bit RGB."""
    matrix, mask, ground, brightness, grain = scene(page.shape[:2], photo_size, seed, tilt, tuple(colour), noise, fill)
    warped = through_lens(page.astype(np.float32), matrix, photo_size)
    photo = ground
    if shadow:
        soft = cv2.GaussianBlur(np.roll(mask, (10, 8), (0, 1)), (0, 0), 9)
        photo = photo * (1 - 0.35 * soft)[:, :, None]
    photo = photo * (1 - mask[:, :, None]) + warped
    photo *= brightness[:, :, None]
    photo = cv2.GaussianBlur(photo, (0, 0), blur)
    photo += grain
    return np.clip(photo, 0, 255).astype(np.uint8), matrix


@functools.lru_cache(maxsize=1)
def scene(
    page_size: Size, photo_size: Size, seed: int, tilt: float, colour: Colour, noise: float, fill: float
) -> tuple[np.ndarray, ...]:
    """What all pages of one size before one camera share: homography, mask of the page, table, light, noise."""
    generator = np.random.default_rng(seed)
    (page_height, page_width), (width, height) = page_size, photo_size
    target = corners((page_width, page_height), photo_size, tilt, generator, fill)
    source = np.array([[0, 0], [page_width, 0], [page_width, page_height], [0, page_height]], np.float64)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    mask = through_lens(np.ones(page_size, np.float32), matrix, photo_size)
    ground = table(width, height, colour, generator)
    brightness = light(width, height, generator)
    return matrix, mask, ground, brightness, generator.normal(0, noise, ground.shape)


def through_lens(page: np.ndarray, matrix: np.ndarray, photo_size: Size) -> np.ndarray:
    """The page in the photo: rendered twice as large, then averaged, as a lens and a sensor average fine print."""
    double = np.diag([2.0, 2.0, 1.0]) @ matrix
    size = (2 * photo_size[0], 2 * photo_size[1])
    warped = cv2.warpPerspective(page, double, size, flags=cv2.INTER_LINEAR)
    return cv2.resize(warped, photo_size, interpolation=cv2.INTER_AREA)


def through(matrix: np.ndarray, points: ArrayLike) -> list[list[float]]:
    """Points of the page in pixels of the photo."""
    points = np.array(points, np.float64)
    mapped = np.c_[points, np.ones(len(points))] @ matrix.T
    return (mapped[:, :2] / mapped[:, 2:]).tolist()


def bend(page: np.ndarray, depth: float) -> np.ndarray:
    """Bends a page as around a can: lines sink towards the middle by `depth` of the height."""
    height, width = page.shape[:2]
    x = np.linspace(-1, 1, width, dtype=np.float32)
    sink = depth * height * 0.25 * (1 - x**2)
    map_y = np.arange(height, dtype=np.float32)[:, None] - sink[None, :]
    map_x = np.repeat(np.arange(width, dtype=np.float32)[None, :], height, 0)
    ground = tuple(float(v) for v in page[2, 2])
    return cv2.remap(page, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=ground)
