"""The conditions of tic-tac-toe photos by name, and photos of each with the truth."""

import json
from pathlib import Path

import cv2
import numpy as np

from tablesight_tools.rendering.grids.cameras import cut_off, fixed_camera, rough, small_board
from tablesight_tools.rendering.grids.clutter import nothing
from tablesight_tools.rendering.grids.screens import screen_drawing, thick_screen
from tablesight_tools.rendering.grids.sheets import printed_sheet

CONDITIONS = {
    "camera": lambda r, n: fixed_camera(r, n),
    "camera-fine": lambda r, n: fixed_camera(r, n, broad=(0.02, 0.08), part=(0.17, 0.3), overhang=(0.5, 1.1)),
    "camera-cards": lambda r, n: fixed_camera(r, n, marks="cards", broad=(0.06, 0.16)),
    "camera-objects": lambda r, n: fixed_camera(r, n, marks="objects", broad=(0.06, 0.17)),
    "camera-dim": lambda r, n: fixed_camera(
        r, n, marks=["drawn", "objects"][n % 2], exposure=(0.2, 0.45), noise=(3, 7), shadows=2, broad=(0.06, 0.18)
    ),
    "camera-small": small_board,
    "camera-cut": cut_off,
    "camera-rough": rough,
    "screen": screen_drawing,
    "sheet": lambda r, n: printed_sheet(r, n, (0, 8)),
    "sheet-slanted": lambda r, n: printed_sheet(r, n, (18, 38)),
    "sheet-by-hand": lambda r, n: printed_sheet(r, n, (0, 25), by_hand=True),
    "none": nothing,
    # Seeds depend on the sorted position: a new name must come last, or other conditions change their photos.
    "thick-screen": thick_screen,
}


def render(out: Path, condition: str, count: int, first: int) -> None:
    """Writes `count` photos of a condition with their truth."""
    out.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        rng = np.random.default_rng([first + number, sorted(CONDITIONS).index(condition)])
        picture, pieces, has_board = CONDITIONS[condition](rng, number)
        cv2.imwrite(
            str(out / f"{number:03}.jpg"), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 94))]
        )
        (out / f"{number:03}.json").write_text(json.dumps(dict(set="tic-tac-toe", board=has_board, pieces=pieces)))
