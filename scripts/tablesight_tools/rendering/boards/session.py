"""Renders a child's tangram as a camera sees it: hands, a wrong try, a piece taken away and brought back.

    scripts/tool rendering.boards.session OUT.mjpeg --puzzle boat [--seed 1] [--unfinished] [--rate 15]

OUT.json has the rate, and the frame from which on all pieces are in place.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tablesight_tools.paths import MODELS
from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples.boards import SCALE, TABLE_MM, draw_board, moved
from tablesight_tools.rendering.types import Generator, Piece

PHOTO = (960, 660)
TABLE = (226, 224, 220)
SKIN = (224, 178, 150)
# Seconds: a piece is carried, the hand leaves, everything lies still.
CARRIED, LEAVES, STILL = 0.9, 0.4, 0.9
# Places beside the figure, millimetres.
ASIDE = [(268, 48), (280, 108), (272, 172), (215, 186), (155, 186), (95, 186), (35, 186)]

Pose = tuple[float, float, float]


def pose(piece: Piece) -> Pose:
    return piece["x_mm"], piece["y_mm"], piece["angle_deg"]


def between(start: Pose, end: Pose, share: float) -> Pose:
    """The way of a carried piece: the shorter turn, slow at both ends."""
    eased = share * share * (3 - 2 * share)
    turn = (end[2] - start[2] + 180) % 360 - 180
    return (
        start[0] + (end[0] - start[0]) * eased,
        start[1] + (end[1] - start[1]) * eased,
        start[2] + turn * eased,
    )


class Session:
    """The frames of one play."""

    def __init__(self, puzzle: str, seed: int, is_finished: bool, rate: int) -> None:
        self.rng: Generator = np.random.default_rng(seed)
        self.rate, self.seed = rate, seed
        self.piece_set = json.loads((MODELS / "piece-sets/tangram.json").read_text(encoding="utf-8"))
        puzzles = json.loads((MODELS / "puzzles/tangram.json").read_text(encoding="utf-8"))["puzzles"]
        figure = next(known["pieces"] for known in puzzles if known["id"] == puzzle)
        self.templates = {piece["type"]: piece["shape"]["polygon"] for piece in self.piece_set["pieces"]}
        self.target = moved(figure, float(self.rng.uniform(-12, 12)), [120, 88], 1.012)
        places = [ASIDE[int(i)] for i in self.rng.permutation(len(ASIDE))]
        self.pieces = [
            {**piece, "x_mm": x, "y_mm": y, "angle_deg": float(self.rng.uniform(0, 360))}
            for piece, (x, y) in zip(self.target, places, strict=True)
        ]
        order = [int(i) for i in self.rng.permutation(7)]
        self.order = order if is_finished else order[: int(self.rng.integers(4, 7))]
        self.wrong, self.taken = int(self.rng.integers(1, 4)), int(self.rng.integers(2, 4))

    def is_whole(self) -> bool:
        """Whether every piece lies in its place, be there a hand over it or not."""

        def misses(piece: Piece, wanted: Piece) -> float:
            turn = (piece["angle_deg"] - wanted["angle_deg"] + 180) % 360 - 180
            return math.dist((piece["x_mm"], piece["y_mm"], turn), (wanted["x_mm"], wanted["y_mm"], 0))

        return all(misses(piece, wanted) < 1e-6 for piece, wanted in zip(self.pieces, self.target, strict=True))

    def steps(self) -> Iterator[tuple[float, float] | None]:
        """Where a hand is on each frame."""
        yield from self.rest(1.5)
        for number, index in enumerate(self.order):
            goal = pose(self.target[index])
            if number == self.wrong:
                off = (goal[0] + 16, goal[1] - 12, goal[2] + 28)
                yield from self.carry(index, off)
            yield from self.carry(index, goal)
            if number == self.taken:
                first = self.order[0]
                yield from self.carry(first, (250, 60, self.pieces[first]["angle_deg"] + 40))
                yield from self.carry(first, pose(self.target[first]))
        yield from self.rest(3)

    def rest(self, seconds: float) -> Iterator[None]:
        for _ in range(int(seconds * self.rate)):
            yield None

    def carry(self, index: int, end: Pose) -> Iterator[tuple[float, float] | None]:
        start = pose(self.pieces[index])
        for frame in range(count := int(CARRIED * self.rate)):
            x, y, angle = between(start, end, (frame + 1) / count)
            self.pieces[index] = {**self.pieces[index], "x_mm": x, "y_mm": y, "angle_deg": angle}
            yield x, y
        for frame in range(count := int(LEAVES * self.rate)):
            yield end[0], end[1] + 200 * (frame + 1) / count
        yield from self.rest(STILL)

    def frames(self) -> Iterator[tuple[np.ndarray, bool]]:
        case: dict[str, Any] = {"seed": self.seed, "table": TABLE}
        drawn: tuple[Pose, ...] = ()
        seen: tuple[tuple[Pose, ...], tuple[float, float] | None] | None = None
        for number, hand in enumerate(self.steps()):
            key = tuple(pose(piece) for piece in self.pieces)
            if key != drawn:
                drawn = key
                still = draw_board(case, [dict(p) for p in self.pieces], self.templates, self.piece_set, None)[0]
            if (key, hand) != seen:
                seen = (key, hand)
                flat = still.copy()
                if hand:
                    self.draw_hand(flat, hand)
                photo, _ = camera.photograph(
                    flat, PHOTO, self.seed, 5, colour=TABLE, fill=0.98, shadow=False, blur=0.7, noise=1.5
                )
            # Grain of a sensor differs from frame to frame; the light stays.
            grain = np.random.default_rng((self.seed, number)).normal(0, 1.5, photo.shape)
            yield np.clip(photo + grain, 0, 255).astype(np.uint8), self.is_whole()

    def draw_hand(self, flat: np.ndarray, hand: tuple[float, float]) -> None:
        """Fingers on the piece, and an arm from the lower edge."""
        x, y = hand
        shade = [float(part) for part in SKIN]

        def at(dx: float, dy: float) -> tuple[int, int]:
            return int((x + dx) * SCALE), int((y + dy) * SCALE)

        cv2.line(flat, at(12, 38), (at(30, 0)[0], int(TABLE_MM[1] * SCALE) + 200), shade, int(42 * SCALE))
        cv2.ellipse(flat, at(6, 26), (int(22 * SCALE), int(24 * SCALE)), 0, 0, 360, shade, -1)
        for side in (-11, 0, 11):
            cv2.line(flat, at(side, 2 + abs(side) * 0.3), at(side * 0.8 + 5, 24), shade, int(9 * SCALE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--puzzle", default="boat")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unfinished", action="store_true", help="some pieces are left aside")
    parser.add_argument("--rate", type=int, default=15, help="frames a second")
    parser.add_argument("--repeat", type=int, default=1, help="write each frame so often, for a player of another rate")
    options = parser.parse_args()
    whole: list[int] = []
    count = 0
    with options.out.open("wb") as out:
        for image, is_whole in Session(options.puzzle, options.seed, not options.unfinished, options.rate).frames():
            done, data = cv2.imencode(".jpg", image[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
            if not done:
                raise SystemExit(f"frame {count} cannot be encoded")
            for _ in range(options.repeat):
                out.write(data.tobytes())
            if is_whole:
                whole.append(count)
            count += 1
    truth = {"rate": options.rate, "frames": count, "wholeFrom": whole[0] if whole else None, "puzzle": options.puzzle}
    options.out.with_suffix(".json").write_text(json.dumps(truth) + "\n", encoding="utf-8")
    print(f"{options.out}: {count} frames, {math.ceil(count / options.rate)} s")


if __name__ == "__main__":
    main()
