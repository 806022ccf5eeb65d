"""Plays rendered sessions of a child's tangram through the API, and counts false and missed celebrations. Then compares
the parent's report of the week with what happened.

    scripts/tool rendering.boards.session OUT/01.mjpeg --seed 1      for each session
    scripts/tool browser.play_sessions OUT [--program PROGRAM]

Pictures are sent one after the other, as the page sends them; the time of each counts. The n-th session asks for n
modulo 3 hints. Exit codes: 0 no figure was celebrated before it was whole, and the report is right · 1 else.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.measures import percentile
from tablesight_tools.paths import REPOSITORY

PLAYER = "Leo"
# The report may leave out this many seconds of a session: the time before the first picture and the last seconds that
# are not written yet.
UNWRITTEN = 4.0


@dataclasses.dataclass
class Happened:
    """What the renderer and the sender know about one play, which may have several sessions."""

    puzzle: str
    seconds: float = 0
    sessions: int = 0
    hints: int = 0
    is_whole: bool = False


def differences(report: dict[str, Any], plays: dict[int, Happened]) -> list[str]:
    """Each figure of the report that is not what happened."""
    rows = {row["play"]: row for row in report["rows"]}
    wrong = [f"play {play} is not in one of them" for play in rows.keys() ^ plays.keys()]
    for play, row in rows.items():
        known = plays.get(play, Happened(""))
        for name, reported, happened in (
            ("figure", row["puzzle"], known.puzzle),
            ("hints", row["hints"], known.hints),
            ("done", row["isSolved"], known.is_whole),
            ("all pieces placed", row.get("placed") == row.get("needed"), known.is_whole),
        ):
            if reported != happened:
                wrong.append(f"play {play}: {name} {reported}, but {happened}")
        if not -UNWRITTEN * known.sessions <= row["seconds"] - known.seconds <= 1:
            wrong.append(f"play {play}: {row['seconds']} s, but {known.seconds:.0f}")
    said = {sentence["kind"]: sentence["values"] for sentence in report["sentences"]}
    whole = [play for play in plays.values() if play.is_whole]
    for kind, key, number in (
        ("solved", "n", len(whole)),
        ("solved", "alone", sum(not play.hints for play in whole)),
        ("hints", "n", sum(play.hints for play in plays.values())),
        ("minutes", "days", 1),
    ):
        if said[kind][key] != str(number):
            wrong.append(f"sentence {kind}, {key}: {said[kind][key]}, but {number}")
    minutes = sum(play.seconds for play in plays.values()) / 60
    if abs(int(said["minutes"]["n"]) - minutes) > 1 or sum(report["minutes"]) != int(said["minutes"]["n"]):
        wrong.append(f"sentence minutes: {said['minutes']['n']} and {report['minutes']}, but {minutes:.1f}")
    return wrong


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
    plays: dict[int, Happened] = {}
    with Daemon(options.program.resolve()) as daemon:
        daemon.call("PUT", f"/v1/people/{PLAYER}", {"allergens": {}, "role": "child"})
        for session, file in enumerate(sorted(options.folder.glob("*.mjpeg"))):
            truth = json.loads(file.with_suffix(".json").read_text("utf-8"))
            play = daemon.call("POST", "/v1/plays", {"game": "tangram", "puzzle": truth["puzzle"]}, member=PLAYER)
            address = f"/v1/plays/{play['play']}"
            known = plays.setdefault(play["play"], Happened(truth["puzzle"]))
            known.sessions += 1
            solved: int | None = None
            begun = time.monotonic()
            all_pictures = pictures(file)
            # Before the figure can be whole, and apart by more than the pause between two hints.
            asked = {len(all_pictures) * (hint + 1) // 6 for hint in range(session % 3)}
            for number, picture in enumerate(all_pictures):
                # The child's time: a picture is not sent before it is taken.
                time.sleep(max(0.0, begun + number / truth["rate"] - time.monotonic()))
                sent = time.monotonic()
                body = daemon.bytes(f"{address}/frames", method="POST", body=picture, kind="image/jpeg", member=PLAYER)
                times.append(time.monotonic() - sent)
                last = json.loads(body).get("last") or {}
                if solved is None and last.get("report", {}).get("outcome", {}).get("kind") == "levelComplete":
                    solved = number
                if number in asked:
                    daemon.call("POST", f"{address}/hint", member=PLAYER)
                    known.hints += 1
            known.seconds += time.monotonic() - begun
            expected = truth["wholeFrom"]
            known.is_whole |= expected is not None
            play = daemon.call("GET", address, member=PLAYER)
            misses += play["misses"]
            whole += expected is not None
            is_false = solved is not None and (expected is None or solved < expected)
            false += is_false
            missed += expected is not None and solved is None
            if solved is not None and expected is not None and not is_false:
                waits.append((solved - expected) / truth["rate"])
            print(f"{file.name}: whole from {expected}, celebrated at {solved}, wrong tries {play['misses']}")
            # Another session of the same figure begins anew. What is laid of a solved one is in the report.
            if not play["isSolved"]:
                daemon.call("POST", f"{address}/reset", member=PLAYER)
        year, week, _ = daemon.today().isocalendar()
        report = daemon.call("GET", f"/v1/people/{PLAYER}/plays/{year}-W{week:02}")
    wrong = differences(report, plays)
    print(*wrong, f"report of {len(plays)} plays: {len(wrong)} figures are not what happened", sep="\n")
    milliseconds = [1000 * value for value in times]
    print(
        f"{false} false and {missed} missed celebrations, {whole} whole figures; a picture takes "
        f"{statistics.median(milliseconds):.0f} ms (p95 {percentile(milliseconds, 0.95):.0f}); celebrated "
        + (f"{statistics.median(waits):.1f} s after the figure is whole (worst {max(waits):.1f})" if waits else "never")
        + f"; {misses} wrong tries noticed"
    )
    return 1 if false or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
