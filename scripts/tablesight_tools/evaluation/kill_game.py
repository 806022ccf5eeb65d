"""Kills an external game at random moments while it plays, and compares its outcomes with an undisturbed run.

    scripts/tool evaluation.kill_game --tablesight CMD [--kills 100]

Sends frames at 30 a second to `CMD pieces - --game samples/games/corner.py` and kills the game's process with
SIGKILL. No outcome may be lost or doubled, each frame must have one line, and the stream must not stall. Prints the
longest time that a frame waited for its line, with kills and without.
"""

import argparse
import json
import os
import random
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import children

GAME = REPOSITORY / "samples/games/corner.py"
STEP = 1 / 30


def frames(count: int, pieces: int) -> Iterator[str]:
    """Frames in which piece k reaches its target in frame 40·k, so that the game scores all the time."""
    for seq in range(1, count + 1):
        yield json.dumps(
            dict(
                v=1,
                kind="frame",
                session="kill",
                seq=seq,
                t_ns=int(seq * STEP * 1e9),
                set="tangram@1",
                events=[],
                timing_ms={},
                board=dict(w_mm=300, h_mm=200, located="fixed", H=[1, 0, 0, 0, 1, 0, 0, 0, 1], reproj_px=0),
                pieces=[
                    dict(
                        id=k,
                        type="square",
                        x_mm=40 if seq >= 40 * k else 250,
                        y_mm=50,
                        angle_deg=0,
                        fold=4,
                        flipped=False,
                        vx=0,
                        vy=0,
                        va=0,
                        state="placed",
                        stable_ms=900,
                        visible=1,
                        confidence=0.9,
                        residual_mm=0,
                        polygon_mm=[],
                        polygon_px=[],
                    )
                    for k in range(1, pieces + 1)
                ],
            )
        )


def game_process(parent: int) -> int | None:
    for child in children(parent):
        try:
            if "corner.py" in Path("/proc/%d/cmdline" % child).read_text():
                return child
        except OSError:
            pass
    return None


def play(command: str, count: int, pieces: int, kills: int) -> tuple[list[tuple[float, float, dict[str, Any]]], int]:
    run = subprocess.Popen(
        [*shlex.split(command), "pieces", "-", "--set", "tangram", "--game", str(GAME)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines, killed, written = [], 0, []

    def read() -> None:
        for line in run.stdout:
            row = json.loads(line)
            if row["kind"] == "game":
                lines.append((time.monotonic(), row))

    reader = threading.Thread(target=read)
    reader.start()
    rng = random.Random(4)
    moments = sorted(rng.sample(range(20, count - 60), kills)) if kills else []
    begun = time.monotonic()
    for seq, frame in enumerate(frames(count, pieces), 1):
        time.sleep(max(0, begun + seq * STEP - time.monotonic()))
        written.append(time.monotonic())
        run.stdin.write(frame + "\n")
        run.stdin.flush()
        if moments and seq >= moments[0]:
            process = game_process(run.pid)
            if process:
                moments.pop(0)
                time.sleep(rng.random() * STEP / 2)
                os.kill(process, signal.SIGKILL)
                killed += 1
    run.stdin.close()
    run.wait()
    reader.join()
    return [(at, at - given, row) for (at, row), given in zip(lines, written)], killed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tablesight", required=True, metavar="CMD")
    parser.add_argument("--kills", type=int, default=100)
    options = parser.parse_args()
    count, pieces = 16 * options.kills + 200, 2 * options.kills // 5
    calm, _ = play(options.tablesight, count, pieces, 0)
    wild, killed = play(options.tablesight, count, pieces, options.kills)
    scored = [
        [
            (r["report"]["outcome"]["kind"], r["report"]["outcome"].get("points"))
            for _, _, r in run
            if r["report"]["outcome"]["kind"] != "noAction"
        ]
        for run in (calm, wild)
    ]
    waits = [[wait for _, wait, _ in run] for run in (calm, wild)]
    print(
        f"killed {killed} times over {count} frames · lines {len(wild)} · "
        f"outcomes {len(scored[1])} of {len(scored[0])}, "
        f"{'the same' if scored[0] == scored[1] else 'DIFFERENT'} · "
        f"score {wild[-1][2]['score']} of {calm[-1][2]['score']} · "
        f"longest wait of a frame for its line {1000 * max(waits[1]):.0f} ms "
        f"({1000 * max(waits[0]):.0f} ms without kills)"
    )


if __name__ == "__main__":
    main()
