"""Runs the built tests one after the other and prints what each costs: seconds, processor time and waiting.

The processor time is that of the tests and of the programs that they start.

    scripts/time-tests --filter DaemonTests --json /tmp/times.json
"""

import argparse
import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import family_seconds

STARTED = re.compile(r"^◇ Test (?!run|case)(.+?) started\.")
ENDED = re.compile(r"^[✔✘] Test (?!run|case)(.+?)(?: with \d+ test cases?)? (?:passed|failed) after ([\d.]+) seconds")
SUITE = re.compile(r"^◇ Suite (.+?) started\.")


def lines_of(terminal: int) -> Iterator[str]:
    """The lines of a program that writes into a terminal, until it ends."""
    with open(terminal, encoding="utf-8", errors="replace") as lines:
        try:
            yield from lines
        except OSError:
            # So the kernel says that nobody has the other end any more.
            return


def times(arguments: list[str]) -> tuple[list[dict[str, object]], int]:
    """The tests in the order in which they ran, and the status of the run."""
    command = ["swift", "test", "--skip-build", "--disable-xctest", "--no-parallel", *arguments]
    rows: list[dict[str, object]] = []
    (suite, worked, began) = ("", 0.0, time.monotonic())
    # Into a terminal, lines come as they are written; into a pipe, in blocks.
    (terminal, end) = pty.openpty()
    environment = os.environ | {"NO_COLOR": "1"}
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=end, stderr=end, env=environment) as run:
        os.close(end)
        for line in lines_of(terminal):
            if found := SUITE.match(line):
                suite = found[1]
            if STARTED.match(line):
                (worked, began) = (family_seconds(run.pid), time.monotonic())
            if found := ENDED.match(line):
                row = {"suite": suite, "test": found[1], "seconds": time.monotonic() - began}
                rows.append(row | {"processor": family_seconds(run.pid) - worked})
            if line.startswith(("✘", "↳")):
                print(line, end="", file=sys.stderr)
        return rows, run.wait()


def table(rows: list[dict[str, object]], key: str, count: int) -> str:
    """The dearest tests or suites."""
    sums: dict[str, list[float]] = {}
    for row in rows:
        own = sums.setdefault(str(row[key]), [0, 0, 0])
        own[0] += float(str(row["seconds"]))
        own[1] += float(str(row["processor"]))
        own[2] += 1
    lines = [f"| {key} | tests | seconds | processor | waiting |", "| --- | --- | --- | --- | --- |"]
    for name, (seconds, processor, tests) in sorted(sums.items(), key=lambda item: -item[1][0])[:count]:
        lines.append(f"| {name} | {tests:.0f} | {seconds:.1f} | {processor:.1f} | {max(0, seconds - processor):.1f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", action="append", default=[], help="as of `swift test`")
    parser.add_argument("--skip", action="append", default=[], help="as of `swift test`")
    parser.add_argument("--count", type=int, default=20, help="how many of the dearest are printed (default: 20)")
    parser.add_argument("--json", type=Path, help="write the rows there")
    options = parser.parse_args()
    chosen = [word for name in ("filter", "skip") for value in getattr(options, name) for word in (f"--{name}", value)]
    rows, status = times(chosen)
    if options.json:
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    seconds, processor = (sum(float(str(row[key])) for row in rows) for key in ("seconds", "processor"))
    print(f"{len(rows)} tests, {seconds:.0f} s, {processor:.0f} s of processor time\n")
    print(table(rows, "suite", options.count), table(rows, "test", options.count), sep="\n\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
