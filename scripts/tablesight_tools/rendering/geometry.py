"""Plane geometry of polygons: arrays of points, one row each, y down."""

import math

import numpy as np


def centroid(points: np.ndarray) -> np.ndarray:
    x, y = points[:, 0], points[:, 1]
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    return np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (6 * area)


def turned(points: np.ndarray, degrees: float) -> np.ndarray:
    a = math.radians(degrees)
    return points @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])


def grown(points: np.ndarray, by: float) -> np.ndarray:
    middle = points.mean(axis=0)
    return middle + (points - middle) * by
