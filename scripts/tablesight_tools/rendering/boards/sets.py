"""Piece sets by name, and photos of each with the truth."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2

from tablesight_tools.rendering.boards import rounded_dice
from tablesight_tools.rendering.boards.game_boards import connect_four, draughts, drawn
from tablesight_tools.rendering.boards.table import Table
from tablesight_tools.rendering.boards.tiles import dice, dominoes, dots, glyphs, laid, printed, shapes
from tablesight_tools.rendering.types import Range

Maker = Callable[[Table, int], None]
SETS = {
    "dice": (dice, 6),
    "dominoes": (dominoes, 6),
    "number-dots": (dots, 10),
    "number-tiles": (lambda t, n: glyphs(t, n, "0123456789", "value", int), 12),
    "letter-tiles": (lambda t, n: glyphs(t, n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "symbol", str), 12),
    "colour-shapes": (shapes, 12),
    "connect-four": (connect_four, 1),
    "draughts": (draughts, 1),
    "tic-tac-toe": (drawn, 1),
}
# Conditions that have a folder name of their own, and the piece set that they show.
OTHER_NAMES = {"dice-small": "dice", "dominoes-laid": "dominoes", "dominoes-printed": "dominoes"}


def maker(name: str) -> tuple[Maker, int, Range]:
    if name == "dice-small":
        return rounded_dice.throw, 9, (0, 30)
    if name == "dominoes-laid":
        return laid, 9, (0, 14)
    if name == "dominoes-printed":
        return printed, 5, (0, 14)
    return (*SETS[name], (0, 14))


def render(
    out: Path, name: str, count: int, first: int, empty: int, light: str = "even", tilt: Range | None = None
) -> None:
    """Writes `count` photos of the set with their truth; the last `empty` photos hold no piece.

    `tilt`: degrees of the camera away from the vertical; None for those of the set.
    """
    out.mkdir(parents=True, exist_ok=True)
    make, pieces, usual = maker(name)
    for number in range(count):
        table = Table(first + number, tilt or usual, light=light)
        make(table, 0 if number >= count - empty else pieces)
        cv2.imwrite(str(out / f"{number:03}.jpg"), table.photo()[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
        (out / f"{number:03}.json").write_text(json.dumps(dict(set=OTHER_NAMES.get(name, name), pieces=table.truth)))
