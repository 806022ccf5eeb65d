"""Measures a camera's board: frames a second, delay, and ids that hold, over recorded play in the camera's place.

    scripts/render-boards play OUT --frames 1500 --seed 61
    scripts/tool evaluation.live OUT --tablesight PROGRAM [--core 0]

Each sequence of OUT becomes a video of its pictures, 25 frames a second, which the daemon plays at its own speed in a
camera's place (setting `cameras`). The frames come over the API's event stream, as a page gets them. An id switch is a
piece that rests, is visible, and has another id than before without having been removed. The delay is the time between
a picture's turn and the arrival of its frame, over the least that was seen. Needs libopencv-videoio406.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.evaluation.score import SEEN
from tablesight_tools.measures import percentile

Row = dict[str, Any]
FPS = 25  # what OpenCV assumes of a stream of JPEG pictures without times
NEAR_MM = 8.0


def video(folder: Path, file: Path) -> None:
    with file.open("wb") as out:
        for picture in sorted(folder.glob("*.jpg")):
            out.write(picture.read_bytes())


def watch(program: Path, bind: list[str], pictures: Path, seconds: float) -> list[tuple[float, Row]]:
    """The frames of one playing of a folder's pictures, with their times of arrival in seconds."""
    daemon = Daemon(program, prefix=bind)
    file = daemon.place / "play.mjpeg"
    video(pictures, file)
    daemon.environment = {"TABLESIGHT_CAMERAS": f"{file}=tangram:tangram"}
    found: list[tuple[float, Row]] = []
    with daemon:
        session = daemon.call("GET", "/v1/games/tangram/sessions")[0]["id"]
        end = time.monotonic() + seconds
        with daemon.open(f"/v1/games/tangram/sessions/{session}/stream?since=0", 60) as stream:
            for line in stream:
                if time.monotonic() > end:
                    break
                if line.startswith(b"data: "):
                    frame = json.loads(line[6:])
                    if frame["kind"] == "frame":
                        found.append((time.monotonic(), frame))
                        if frame["t_ns"] / 1e9 > seconds - 1.5:
                            break
    return found


def switches(frames: list[Row], truth: list[Row], events: list[Row]) -> tuple[int, int, int]:
    """Id switches, pieces that were followed, and pieces that could be."""
    start = frames[0]["t_ns"]
    ids: dict[int, int] = {}
    wrong = followed = seen = 0
    last = -1
    for frame in frames:
        number = round(frame["t_ns"] / 1e9 * FPS - start / 1e9 * FPS + round(start / 1e9 * FPS))
        if number >= len(truth):
            break
        for event in events:
            if last < event["frame"] <= number and event["kind"] == "removed":
                ids.pop(event["key"], None)
        last = number
        for piece in truth[number]["pieces"]:
            if piece["visible"] < SEEN or piece["key"] == truth[number]["moving"]:
                continue
            seen += 1
            alike = [
                (math.hypot(p["x_mm"] - piece["x"], p["y_mm"] - piece["y"]), p["id"])
                for p in frame["pieces"]
                if p["type"] == piece["type"] and p["state"] != "tentative"
            ]
            distance, id = min(alike, default=(math.inf, 0))
            if distance >= NEAR_MM:
                continue
            followed += 1
            wrong += ids.get(piece["key"], id) != id
            ids[piece["key"]] = id
    return wrong, followed, seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, help="folder of `render-boards play`")
    parser.add_argument("--tablesight", type=Path, required=True)
    parser.add_argument("--core", type=int, help="binds daemon, worker and video to this core")
    options = parser.parse_args()
    bind = [] if options.core is None else ["taskset", "-c", str(options.core)]
    for folder in sorted((f for f in options.dir.iterdir() if f.is_dir()), key=lambda f: f.name):
        truth = json.loads(folder.with_suffix(".json").read_text())
        found = watch(options.tablesight.resolve(), bind, folder, len(truth["frames"]) / FPS)
        if len(found) < 2:
            print(f"{folder.name}: {len(found)} frames", flush=True)
            continue
        frames = [frame for _, frame in found]
        late = [arrived - frame["t_ns"] / 1e9 for arrived, frame in found]
        delays = [1000 * (one - min(late)) for one in late]
        p50, p95 = percentile(delays, 0.5), percentile(delays, 0.95)
        span = (frames[-1]["t_ns"] - frames[0]["t_ns"]) / 1e9
        wrong, followed, seen = switches(frames, truth["frames"], truth["events"])
        print(
            f"{folder.name}: {(len(frames) - 1) / span:.1f} frames/s over {span:.0f} s ({len(frames)} of "
            f"{round(span * FPS) + 1} pictures) · delay p50 {p50:.0f} p95 {p95:.0f} ms "
            f"· id switches {wrong} · pieces followed {followed}/{seen}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
