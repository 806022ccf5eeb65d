"""Plays rendered sessions of a child's tangram through the API, and counts false and missed celebrations.

    scripts/tool rendering.boards.session OUT/01.mjpeg --seed 1      for each session
    scripts/tool browser.play_sessions OUT [--program PROGRAM]

Pictures are sent one after the other, as the page sends them; the time of each counts. Exit codes: 0 no figure was
celebrated before it was whole · 1 one was.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.measures import percentile
from tablesight_tools.paths import REPOSITORY

PLAYER = "Leo"


def pictures(file: Path) -> list[bytes]:
    start = b"\xff\xd8"
    return [start + part for part in file.read_bytes().split(start)[1:]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    options = parser.parse_args()
    times: list[float] = []
    false, missed, whole, misses = 0, 0, 0, 0
    waits: list[float] = []
    with Daemon(options.program.resolve()) as daemon:
        daemon.call("PUT", f"/v1/people/{PLAYER}", {"allergens": {}, "role": "child"})
        for file in sorted(options.folder.glob("*.mjpeg")):
            truth = json.loads(file.with_suffix(".json").read_text("utf-8"))
            play = daemon.call("POST", "/v1/plays", {"game": "tangram", "puzzle": truth["puzzle"]}, member=PLAYER)
            address = f"/v1/plays/{play['play']}"
            solved: int | None = None
            begun = time.monotonic()
            for number, picture in enumerate(pictures(file)):
                # The child's time: a picture is not sent before it is taken.
                time.sleep(max(0.0, begun + number / truth["rate"] - time.monotonic()))
                sent = time.monotonic()
                body = daemon.bytes(f"{address}/frames", method="POST", body=picture, kind="image/jpeg", member=PLAYER)
                times.append(time.monotonic() - sent)
                last = json.loads(body).get("last") or {}
                if solved is None and last.get("report", {}).get("outcome", {}).get("kind") == "levelComplete":
                    solved = number
            expected = truth["wholeFrom"]
            play = daemon.call("GET", address, member=PLAYER)
            misses += play["misses"]
            whole += expected is not None
            is_false = solved is not None and (expected is None or solved < expected)
            false += is_false
            missed += expected is not None and solved is None
            if solved is not None and expected is not None and not is_false:
                waits.append((solved - expected) / truth["rate"])
            print(f"{file.name}: whole from {expected}, celebrated at {solved}, wrong tries {play['misses']}")
            # Another session of the same figure begins anew.
            daemon.call("POST", f"{address}/reset", member=PLAYER)
    milliseconds = [1000 * value for value in times]
    print(
        f"{false} false and {missed} missed celebrations, {whole} whole figures; a picture takes "
        f"{statistics.median(milliseconds):.0f} ms (p95 {percentile(milliseconds, 0.95):.0f}); celebrated "
        + (f"{statistics.median(waits):.1f} s after the figure is whole (worst {max(waits):.1f})" if waits else "never")
        + f"; {misses} wrong tries noticed"
    )
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
