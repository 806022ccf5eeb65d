"""Scores games of coloured shapes on a mat of printed squares: the new tiles of every photo against written records.

    scripts/tool evaluation.qwirkle FOLDER --tablesight CMD [--game 1] [--verbose]

FOLDER holds a photo for each move, GAME_MOVE.jpg; 1_00.jpg shows the table before the first move. Beside each later
photo, GAME_MOVE.txt has a line for each new tile and then the points. A line has the tile's square (row from 1,
column from A: 12C) and its face (shape 1…6, initial of its colour: 6R). Each game is read as one stream. A tile is
new where the photo before showed no tile or a different one.
"""

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tablesight_tools.evaluation.score import frames_of, processor_times
from tablesight_tools.measures import percentile

SHAPES = dict(circle="1", clover="2", diamond="3", square="4", cross="5", star="6")


def face(piece: dict[str, Any]) -> str:
    return SHAPES[piece["symbol"]] + piece["colour"][0].upper()


def squares(frame: dict[str, Any]) -> dict[tuple[int, int], str]:
    return {(p["cell"]["r"], p["cell"]["c"]): face(p) for p in frame["pieces"] if p.get("cell")}


def truth(file: Path) -> dict[tuple[int, int], str]:
    laid = {}
    for line in file.read_text().split("\n"):
        words = line.split()
        if len(words) == 2:
            laid[int(words[0][:-1]) - 1, ord(words[0][-1]) - ord("A")] = words[1]
    return laid


def name(square: tuple[int, int]) -> str:
    return f"{square[0] + 1}{chr(ord('A') + square[1])}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tablesight", required=True, metavar="CMD")
    parser.add_argument("--game", action="append", help="only these; repeat it")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    games = {}
    for photo in sorted(options.folder.glob("*_*.jpg")):
        games.setdefault(photo.stem.split("_")[0], []).append(photo)
    total = dict(moves=0, moves_right=0, tiles=0, tiles_right=0)
    times = []
    for game, photos in sorted(games.items()):
        if options.game and game not in options.game:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for photo in photos:
                shutil.copy(photo, folder)
            frames = frames_of(options.tablesight, Path(folder), "--set", "colour-shapes")
        if len(frames) != len(photos):
            print(f"game {game}: {len(photos)} photos, {len(frames)} frames")
        here = dict.fromkeys(total, 0)
        before = None
        times += processor_times(frames)
        for photo, frame in zip(photos, frames):
            now = squares(frame)
            file = photo.with_suffix(".txt")
            if before is not None and file.exists():
                laid = truth(file)
                read = {square: text for square, text in now.items() if before.get(square) != text}
                here["moves"] += 1
                here["moves_right"] += read == laid
                here["tiles"] += len(laid)
                here["tiles_right"] += sum(read.get(square) == text for square, text in laid.items())
                if read != laid and options.verbose:
                    named = [{name(square): text for square, text in tiles.items()} for tiles in (laid, read)]
                    print("wrong", photo.name, "laid", named[0], "read", named[1])
            before = now
        print(
            f"game {game}: tiles {here['tiles_right']} of {here['tiles']}, "
            f"moves {here['moves_right']} of {here['moves']}",
            flush=True,
        )
        for key in total:
            total[key] += here[key]
    print(
        f"all: tiles {total['tiles_right']} of {total['tiles']}, moves {total['moves_right']} of {total['moves']}; "
        f"processor time a photo {percentile(times, 0.5):.0f} ms median, "
        f"{max(times, default=0):.0f} at most"
    )


if __name__ == "__main__":
    main()
