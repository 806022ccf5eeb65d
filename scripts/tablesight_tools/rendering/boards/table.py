"""A table that pieces are put on, and the camera and the light above it. Lengths are in mm, y points down."""

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.rendering.boards.mat import MAT, SIZE, Camera
from tablesight_tools.rendering.geometry import turned
from tablesight_tools.rendering.types import Colour, Generator, Piece, Range

TABLES = [(206, 168, 120), (120, 84, 58), (86, 110, 84), (70, 72, 78), (226, 224, 218), (52, 58, 92)]
# Lights: exposure, colour cast, noise, slope over the table, and the reach and depth of shadows.
LIGHTS = {
    "even": dict(exposure=(0.75, 1.05), noise=(1.5, 3.5), slope=(0.05, 0.35), reach=1.0, depth=0.4),
    "dim": dict(exposure=(0.25, 0.4), noise=(5, 9), slope=(0.05, 0.35), reach=1.0, depth=0.4),
    "warm": dict(
        exposure=(0.75, 1.05), noise=(1.5, 3.5), slope=(0.05, 0.35), reach=1.0, depth=0.4, cast=(1.0, 0.86, 0.66)
    ),
    "slanted": dict(exposure=(0.75, 1.05), noise=(1.5, 3.5), slope=(0.5, 0.9), reach=2.5, depth=0.55),
}


class Table:
    """A table that pieces are pasted on, and the camera above it."""

    def __init__(
        self, seed: int | list[int], tilt: Range = (0, 14), colours: Sequence[Colour] = TABLES, light: str = "even"
    ) -> None:
        rng = self.rng = np.random.default_rng(seed)
        self.light = LIGHTS[light]
        self.camera = Camera(rng, tilt)
        size = SIZE
        base = np.array(colours[rng.integers(len(colours))], float) + rng.normal(0, 6, 3)
        grain = cv2.resize(rng.normal(0, 1, (60, 9)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        fine = cv2.resize(rng.normal(0, 1, (size[1] // 2, size[0] // 2)).astype(np.float32), size)
        self.image = np.clip(base + (5 * grain + 2.5 * fine)[..., None], 0, 255).astype(np.float32)
        self.shade = np.zeros((size[1], size[0]), np.float32)
        self.way = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1)])
        self.truth: list[Piece] = []
        # For training.die_faces: the faces with their pips, and the outlines of the dice in pixels.
        self.marks: list[Piece] = []
        self.hulls: list[list[list[float]]] = []
        self.finish: Callable[[np.ndarray, Generator], np.ndarray] | None = None  # processing of the photo by the phone

    def shadow(self, points: np.ndarray, height: float) -> None:
        both = np.vstack([points, points + self.way * height * self.light["reach"]]).astype(np.float32)
        hull = cv2.convexHull(both)[:, 0]
        one = np.zeros(self.shade.shape, np.uint8)
        cv2.fillPoly(one, [np.round(self.camera.see(hull) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        self.shade = np.maximum(
            self.shade, cv2.GaussianBlur(one, (0, 0), 2.5).astype(np.float32) / 255 * self.light["depth"]
        )

    def paste(
        self, face: np.ndarray, corners: ArrayLike, height: float = 0.0, seen: ArrayLike | None = None
    ) -> np.ndarray:
        """Pastes a picture onto four corners at a height above the table, or onto the pixels in `seen`."""
        pixels = self.camera.see(corners, height) if seen is None else np.asarray(seen, float)
        h, w = face.shape[:2]
        matrix = cv2.getPerspectiveTransform(
            np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5, pixels.astype(np.float32)
        )
        warped = cv2.warpPerspective(face, matrix, SIZE, flags=cv2.INTER_AREA)
        # Drawn four times larger and averaged, for smooth edges.
        mask = np.zeros((SIZE[1] * 4, SIZE[0] * 4), np.uint8)
        cv2.fillPoly(mask, [np.round((pixels + 0.5) * 4 * 16 - 8).astype(np.int32)], 255, cv2.LINE_8, 4)
        alpha = (cv2.resize(mask, SIZE, interpolation=cv2.INTER_AREA) / 255.0)[..., None]
        self.image = self.image * (1 - alpha) + warped * alpha
        self.shade *= 1 - 0.9 * alpha[..., 0]
        return pixels

    def photo(self) -> np.ndarray:
        rng, (width, height) = self.rng, SIZE
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        light = self.light
        angle, slope = rng.uniform(0, 2 * math.pi), rng.uniform(*light["slope"])
        ramp = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle)
        cast = np.array([1, rng.uniform(0.93, 1), rng.uniform(0.84, 1)]) * light.get("cast", 1)
        picture = (
            self.image
            * (1 - self.shade[..., None])
            * ((1 - slope / 2 + slope * ramp)[..., None] * cast * rng.uniform(*light["exposure"]))
        )
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 0.9)) + rng.normal(
            0, rng.uniform(*light["noise"]), picture.shape
        )
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        return self.finish(picture, rng) if self.finish else picture


def square(x: float, y: float, w: float, h: float, angle: float) -> np.ndarray:
    return turned(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2, angle) + [x, y]


def places(rng: Generator, count: int, reach: float, size: Range = MAT, tries: int = 4000) -> list[np.ndarray]:
    """Random places at least `reach` apart."""
    found = []
    for _ in range(tries):
        if len(found) == count:
            break
        p = np.array([rng.uniform(reach, size[0] - reach), rng.uniform(reach, size[1] - reach)])
        if all(np.linalg.norm(p - q) > reach for q in found):
            found.append(p)
    return found
