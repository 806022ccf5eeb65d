"""The ways to see spots as the face of a die, as the recogniser proposes them."""

import math
from collections.abc import Iterator

import numpy as np

from tablesight_tools.training.die_faces.parameters import STEP
from tablesight_tools.training.die_faces.patches import Spot

VALUES = {
    frozenset([0, 8]): 2,
    frozenset([0, 4, 8]): 3,
    frozenset([0, 2, 6, 8]): 4,
    frozenset([0, 2, 4, 6, 8]): 5,
    frozenset([0, 2, 3, 5, 6, 8]): 6,
    frozenset([0, 1, 2, 6, 7, 8]): 6,
}


def root(matrix: np.ndarray) -> np.ndarray:
    """The symmetric square root of M Mᵀ, scaled to determinant 1: the foreshortening of a plane."""
    m = matrix.T @ matrix
    m = m / math.sqrt(max(1e-9, np.linalg.det(m)))
    return (m + np.eye(2)) / math.sqrt(np.trace(m) + 2)


def proposals(
    spots: list[Spot], rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, list[Spot], int]]:
    """All ways to see some of the spots as a face: middle, both steps between places, its spots, its value."""
    for i, a in enumerate(spots):
        near = [b for b in spots if b is not a and np.linalg.norm(b.at - a.at) < 20 * a.radius and a.like(b)]
        for b in near:
            if spots.index(b) < i:
                continue
            centre, half = (a.at + b.at) / 2, (b.at - a.at) / 2
            reach = np.linalg.norm(half)
            if not 1.1 < reach / math.sqrt(2) / a.radius < 6.8:
                continue
            ways = []
            for c in near:
                off = c.at - centre
                if (
                    c is b
                    or not 0.45 < np.linalg.norm(off) / reach < 2.2
                    or half[0] * off[1] - half[1] * off[0] > -0.5 * reach * np.linalg.norm(off)
                ):
                    continue
                d = min(
                    (d for d in near if d is not b and d is not c),
                    key=lambda d: np.linalg.norm(2 * centre - c.at - d.at),
                    default=None,
                )
                if d is None or np.linalg.norm(2 * centre - c.at - d.at) > 0.32 * min(reach, np.linalg.norm(off)):
                    continue
                corners = [a.at, c.at, b.at, d.at]
                ways.append(
                    (
                        (sum(corners)) / 4,
                        (corners[1] + corners[2] - corners[0] - corners[3]) / 4,
                        (corners[2] + corners[3] - corners[0] - corners[1]) / 4,
                    )
                )
            for squeeze in (root(a.axes @ (np.eye(2) + rng.normal(0, 0.1, (2, 2)))), np.eye(2)):
                flat = np.linalg.solve(squeeze, half)
                ways.append(
                    (
                        centre,
                        squeeze @ [flat[0] + flat[1], flat[1] - flat[0]] / 2,
                        squeeze @ [flat[0] - flat[1], flat[0] + flat[1]] / 2,
                    )
                )
            for middle, across, down in ways:
                matrix = np.stack([across, down], 1)
                step = math.sqrt(abs(np.linalg.det(matrix)))
                if step / STEP < 13 or not 1.65 < step / a.radius < 4.8:
                    continue
                places, good = {}, True
                for spot in [a, *near]:
                    at = np.linalg.solve(matrix, spot.at - middle)
                    if np.abs(at).max() >= 1.6:
                        continue
                    cell = np.round(at)
                    if np.linalg.norm(at - cell) >= 0.4 or np.abs(cell).max() > 1.5:
                        good = good and not np.abs(at).max() < 1.45
                        continue
                    number = int((cell[1] + 1) * 3 + cell[0] + 1)
                    good, places[number] = good and number not in places, spot
                value = VALUES.get(frozenset(places))
                if good and value:
                    yield middle, across, down, list(places.values()), value


def singles(spots: list[Spot], rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, Spot]]:
    """Random ways to see a spot as a face with one pip."""
    for spot in spots:
        for _ in range(2):
            squeeze = root(spot.axes) if rng.random() < 0.5 else np.eye(2)
            step, turn = spot.radius * rng.uniform(4.3, 13.5) * STEP, rng.uniform(0, math.pi / 2)
            if step / STEP < 13:
                continue
            yield (
                spot.at,
                squeeze @ [math.cos(turn) * step, math.sin(turn) * step],
                squeeze @ [-math.sin(turn) * step, math.cos(turn) * step],
                spot,
            )
