"""What the network sees of a face, and spots with their colours, measured as the recogniser measures them."""

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.training.die_faces.parameters import FINER, REACH, SIZE, STEP

Levels = list[tuple[np.ndarray, float]]  # pictures, each with the number of photo pixels for one of its pixels


def levels_of(picture: np.ndarray, long_side: int = 1280) -> Levels:
    """The image pyramid that the recogniser uses."""
    scale = max(0.5, max(picture.shape[:2]) / long_side)
    size = (round(picture.shape[1] / scale), round(picture.shape[0] / scale))
    level = cv2.GaussianBlur(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR), (3, 3), 0
    )
    found = []
    while True:
        found.append((level, scale))
        if max(level.shape[:2]) < 240:
            return found
        level, scale = (
            cv2.resize(level, ((level.shape[1] + 1) // 2, (level.shape[0] + 1) // 2), interpolation=cv2.INTER_AREA),
            scale * 2,
        )


GRID = ((np.arange(SIZE * FINER) + 0.5) / (SIZE * FINER) * 2 - 1) * REACH


def patch(
    levels: Levels, centre: np.ndarray, across: np.ndarray, down: np.ndarray, face: np.ndarray, ink: np.ndarray
) -> np.ndarray:
    """Two planes: distance of each pixel to the face's colour, and its position between face and ink."""
    side = math.sqrt(abs(across[0] * down[1] - across[1] * down[0])) / STEP
    index = 0
    while index + 1 < len(levels) and side / levels[index + 1][1] > 40:
        index += 1
    image, scale = levels[index]
    u, v = np.meshgrid(GRID, GRID)
    x = (centre[0] + u * across[0] + v * down[0] + 0.5) / scale - 0.5
    y = (centre[1] + u * across[1] + v * down[1] + 0.5) / scale - 0.5
    seen = cv2.remap(
        image, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = seen.astype(np.float32).reshape(SIZE, FINER, SIZE, FINER, 3).mean((1, 3)) - face
    way = (ink - face).astype(np.float32)
    contrast = max(12.0, np.abs(way).max())
    apart = np.sqrt(np.minimum(np.abs(seen).max(-1) / contrast, 4)) / 2
    along = np.clip(seen @ way / max(1.0, way @ way), -1, 1.5)
    return np.stack([apart, along]).astype(np.float16)


class Spot:
    """A pip or another spot: its place, its axes, and the colours inside and around it."""

    def __init__(
        self,
        levels: Levels,
        at: ArrayLike,
        axes: ArrayLike,
        face: int | None = None,
        whole: int = 0,
        top: bool = False,
        value: int = 0,
    ) -> None:
        self.at, self.axes, self.face, self.whole, self.top, self.value = (
            np.array(at),
            np.array(axes),
            face,
            whole,
            top,
            value,
        )
        self.radius = math.sqrt(abs(np.linalg.det(self.axes)))
        index = 0
        while index + 1 < len(levels) and self.radius * 8 / levels[index + 1][1] > 40:
            index += 1
        image, scale = levels[index]
        turn = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        circle = np.stack([np.cos(turn), np.sin(turn)], 1) @ self.axes

        def median(part: float, more: float) -> np.ndarray:
            p = (self.at + circle * (part + more * scale / self.radius) + 0.5) / scale - 0.5
            p = np.clip(np.round(p).astype(int), 0, [image.shape[1] - 1, image.shape[0] - 1])
            return np.median(image[p[:, 1], p[:, 0]], axis=0)

        self.around, self.inside = median(1.22, 0.9), median(0.5, 0)
        self.contrast = np.abs(self.around - self.inside).max()

    def like(self, other: "Spot") -> bool:
        return (
            0.62 < self.radius / other.radius < 1.62
            and np.abs(self.around - other.around).max() < 60
            and np.abs(self.inside - other.inside).max() < 100
        )
