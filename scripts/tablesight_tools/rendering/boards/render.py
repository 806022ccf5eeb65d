"""Renders photos of boards with their truth.

    scripts/render-boards stills OUT --condition touch --count 40 [--no-markers]
    scripts/render-boards play OUT --frames 5000 [--no-markers]
    scripts/render-boards tiles OUT --set dice --count 40
    scripts/render-boards grids OUT --condition camera --count 40

stills: OUT/CONDITION/NNN.jpg with NNN.json: the board's pose in mm, corners in pixels, visible share of each piece.
play: OUT/SEQ/NNNNN.jpg at 30 frames a second, and OUT/SEQ.json with the pieces and events of every frame. tiles:
OUT/SET with tables of dice, dominoes, number and letter tiles, shapes, boards and drawn grids. The last photos hold
no piece. The dominoes of `dominoes-laid` form chains. grids: OUT/CONDITION with tic-tac-toe as fixed cameras and
phones see it, and with pictures that hold no grid.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from tablesight_tools.rendering.boards import sets
from tablesight_tools.rendering.boards.mat import MAT
from tablesight_tools.rendering.boards.scene import Scene
from tablesight_tools.rendering.boards.table import LIGHTS
from tablesight_tools.rendering.boards.tangram import free_place, scattered, touching
from tablesight_tools.rendering.grids import conditions
from tablesight_tools.rendering.types import Piece

WARM = (1.0, 0.86, 0.66)
WOOD, BLACK = (214, 166, 112), (46, 44, 48)
CONDITIONS = {
    "scatter": (scattered, dict()),
    "clean": (scattered, dict(noise=(1, 2), gradient=(0, 0.15), tilt=(0, 20))),
    "touch": (touching, dict()),
    "tilt": (touching, dict(tilt=(40, 55))),
    "warm": (touching, dict(cast=WARM)),
    "dim": (touching, dict(exposure=(0.25, 0.4), noise=(5, 9))),
    "blur": (touching, dict(blur=1.8)),
    "thick": (touching, dict(thickness=(4, 6), tilt=(15, 45))),
    "thick-scatter": (scattered, dict(thickness=(4, 6), tilt=(15, 45))),
    "hand": (touching, dict()),
    "mono-scatter": (scattered, dict(mono=WOOD)),
    "mono-touch": (touching, dict(mono=WOOD)),
}


def save(picture: np.ndarray, file: Path) -> None:
    cv2.imwrite(str(file), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])


def stills(out: Path, condition: str, count: int, first: int, markers: bool) -> None:
    lay, options = CONDITIONS[condition]
    out.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        view = Scene(first + number, markers=markers, **options)
        pieces = lay(view.rng)
        hand = None
        if condition == "hand":
            target = pieces[view.rng.integers(7)]
            hand = np.array([target["x"], target["y"]]) + view.rng.normal(0, 12, 2)
        picture, truth = view.picture(pieces, hand)
        save(picture, out / f"{number:03}.jpg")
        known = dict(condition=condition, tilt=view.camera.tilt, thickness=view.thickness)
        known |= dict(H=view.camera.matrix().tolist(), pieces=truth)
        (out / f"{number:03}.json").write_text(json.dumps(known))


def smooth(share: float) -> float:
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


class Play:
    """A simulated player who moves, flips, removes and adds pieces, and sometimes rests a hand over them."""

    def __init__(self, seed: int, markers: bool) -> None:
        self.view = Scene(seed, markers=markers)
        self.rng = np.random.default_rng(seed + 100_000)
        self.pieces = {p["index"]: p for p in scattered(self.rng, range(7))}
        self.frames, self.events = [], []

    def frame(self, out: Path, hand: np.ndarray | None = None, moving: int | None = None) -> None:
        number = len(self.frames)
        picture, truth = self.view.picture(list(self.pieces.values()), hand, number)
        save(picture, out / f"{number:05}.jpg")
        self.frames.append(dict(pieces=truth, hand=hand is not None, moving=moving))

    def happened(self, kind: str, key: int) -> None:
        self.events.append(dict(frame=len(self.frames), kind=kind, key=key))

    def run(self, out: Path, count: int) -> None:
        out.mkdir(parents=True, exist_ok=True)
        for _ in range(20):
            self.frame(out)
        while len(self.frames) < count:
            self.act(out)
            for _ in range(int(self.rng.integers(12, 40))):
                self.frame(out)
        out.with_suffix(".json").write_text(json.dumps(dict(fps=30, frames=self.frames, events=self.events)))

    def act(self, out: Path) -> None:
        away = [index for index in range(7) if index not in self.pieces]
        choice = self.rng.random()
        if away and choice < 0.35:
            index = int(self.rng.choice(away))
            target = free_place(index, list(self.pieces.values()), self.rng)
            if target is not None:
                start = dict(target, y=MAT[1] + 90.0)
                return self.carry(out, index, start, target, "appeared")
        index = int(self.rng.choice(list(self.pieces)))
        here = self.pieces[index]
        if len(self.pieces) > 4 and choice > 0.85:
            return self.carry(out, index, here, dict(here, y=MAT[1] + 90.0), "removed")
        if choice > 0.75:
            return self.rest(out, here)
        others = [p for k, p in self.pieces.items() if k != index]
        target = free_place(index, others, self.rng)
        if target is None:
            return self.rest(out, here)
        self.carry(out, index, here, target, "moved")

    def carry(self, out: Path, index: int, here: Piece, target: Piece, kind: str) -> None:
        """A hand moves a piece from `here` to `target`."""
        frames_in, frames_on, frames_out = (int(self.rng.integers(a, b)) for a, b in ((8, 14), (15, 32), (8, 14)))
        outside = np.array([here["x"] + 20, MAT[1] + 120.0])
        at = np.array([here["x"], here["y"]])
        if kind != "appeared":
            for step in range(frames_in):
                self.frame(out, outside + (at - outside) * smooth((step + 1) / frames_in))
            self.happened("lifted", index)
        turn = (target["angle"] - here["angle"] + 180) % 360 - 180
        for step in range(frames_on):
            share = smooth((step + 1) / frames_on)
            piece = dict(
                target,
                flipped=here["flipped"] if share < 0.5 else target["flipped"],
                angle=here["angle"] + turn * share,
                x=here["x"] + (target["x"] - here["x"]) * share,
                y=here["y"] + (target["y"] - here["y"]) * share,
            )
            self.pieces[index] = piece
            self.frame(out, np.array([piece["x"], piece["y"]]), moving=index)
        if kind == "removed":
            del self.pieces[index]
            self.happened("removed", index)
            return
        self.pieces[index] = target
        self.happened("appeared" if kind == "appeared" else "placed", index)
        at = np.array([target["x"], target["y"]])
        for step in range(frames_out):
            self.frame(out, at + (np.array([at[0] + 20, MAT[1] + 120.0]) - at) * smooth((step + 1) / frames_out))

    def rest(self, out: Path, piece: Piece) -> None:
        """A hand occludes a piece for a while without moving it."""
        outside, at = np.array([piece["x"] - 30, MAT[1] + 120.0]), np.array([piece["x"], piece["y"]])
        wait = int(self.rng.integers(10, 75))
        for step in range(10 + wait + 10):
            share = (
                smooth((step + 1) / 10) if step < 10 else 1 if step < 10 + wait else 1 - smooth((step - 9 - wait) / 10)
            )
            self.frame(out, outside + (at - outside) * share)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["stills", "play", "tiles", "grids"])
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--condition",
        choices=sorted({**CONDITIONS, **conditions.CONDITIONS}),
        action="append",
        help="of stills or grids; repeat it; all without it",
    )
    parser.add_argument(
        "--set",
        choices=sorted([*sets.SETS, *sets.OTHER_NAMES]),
        action="append",
        help="of tiles; repeat it; all without it",
    )
    parser.add_argument("--empty", type=int, default=2, help="how many of the tables hold no piece (2)")
    parser.add_argument("--light", choices=sorted(LIGHTS), default="even", help="of tiles (even)")
    parser.add_argument(
        "--tilt", type=float, nargs=2, metavar=("FROM", "TO"), help="camera of tiles, degrees off the vertical (0 14)"
    )
    parser.add_argument("--count", type=int, default=40, help="stills, tables or grids of each condition (40)")
    parser.add_argument("--frames", type=int, default=5000, help="frames of play (5000)")
    parser.add_argument("--sequence", type=int, default=500, help="frames of one sequence (500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-markers", action="store_true", help="a plain table instead of a printed board")
    options = parser.parse_args()
    if options.what == "stills":
        for condition in options.condition or sorted(CONDITIONS):
            stills(options.out / condition, condition, options.count, 1000 * options.seed, not options.no_markers)
            print(condition, flush=True)
        return
    if options.what == "tiles":
        for name in options.set or sorted([*sets.SETS, *sets.OTHER_NAMES]):
            sets.render(
                options.out / name, name, options.count, 1000 * options.seed, options.empty, options.light, options.tilt
            )
            print(name, flush=True)
        return
    if options.what == "grids":
        for condition in options.condition or sorted(conditions.CONDITIONS):
            conditions.render(options.out / condition, condition, options.count, 1000 * options.seed)
            print(condition, flush=True)
        return
    for number in range((options.frames + options.sequence - 1) // options.sequence):
        Play(1000 * options.seed + number, not options.no_markers).run(
            options.out / str(number), min(options.sequence, options.frames - number * options.sequence)
        )
        print(number, flush=True)


if __name__ == "__main__":
    main()
