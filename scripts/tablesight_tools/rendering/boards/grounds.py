"""What dice are thrown on: felt, carpet, wood, print, cloth."""

import math

import cv2
import numpy as np

from tablesight_tools.rendering.boards.mat import SIZE
from tablesight_tools.rendering.boards.table import TABLES, Table


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
