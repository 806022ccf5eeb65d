"""The printed mat and the camera above it. Lengths are in mm, y points down."""

import math

import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.rendering.types import Generator, Range

SIZE = (1280, 720)
MAT = (320.0, 220.0)  # the printed board
MARKER, INSET = 24.0, 4.0  # printed in its corners
# The first four words of ArUco's dictionary of 4×4 bits, row by row, as printed sheets carry them.
WORDS = ("1011010100110010", "0000111110011010", "0011001100101101", "1001100101000110")


class Camera:
    """A pinhole camera above the mat, `tilt` degrees away from the vertical."""

    def __init__(self, rng: Generator, tilt: Range) -> None:
        self.f = rng.uniform(0.72, 0.9) * SIZE[0]
        self.tilt = rng.uniform(*tilt)
        yaw, roll = math.radians(rng.uniform(-12, 12)), math.radians(rng.uniform(-5, 5))
        a = math.radians(-self.tilt)

        def about_z(angle: float) -> np.ndarray:
            c, s = math.cos(angle), math.sin(angle)
            return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])

        about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
        self.rotation = about_z(roll) @ about_x @ about_z(yaw)
        distance = self.f * rng.uniform(0.39, 0.45) * (1 + 0.25 * math.sin(math.radians(self.tilt)))
        self.shift = -self.rotation @ np.array([MAT[0] / 2, MAT[1] / 2, 0]) + [0, 0, distance]
        self.inner = np.array([[self.f, 0, SIZE[0] / 2 - 0.5], [0, self.f, SIZE[1] / 2 - 0.5], [0, 0, 1]])

    def see(self, points: ArrayLike, height: float = 0.0) -> np.ndarray:
        """Pixels of points on the table, or `height` mm above it."""
        points = np.asarray(points, float)
        q = (self.inner @ (self.rotation @ np.c_[points, np.full(len(points), -height)].T + self.shift[:, None])).T
        return q[:, :2] / q[:, 2:]

    def matrix(self) -> np.ndarray:
        return self.inner @ np.c_[self.rotation[:, 0], self.rotation[:, 1], self.shift]
