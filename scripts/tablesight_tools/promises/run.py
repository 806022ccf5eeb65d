"""Checks the daemon's promises on the real program and prints a table.

scripts/promises runs this. Exit codes: 0 every promise that could be checked is kept · 1 a promise is broken, or every
check of a group was skipped · 64 usage · 69 no program.
"""

import argparse
import datetime
import json
import re
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.promises import (
    arrivals,
    attacks,
    borders,
    changing,
    counted,
    events,
    failing,
    forged,
    generated,
    hostile,
    inputs,
    kills,
    mqtt,
    queue_faults,
    queue_machines,
    queue_rates,
    slow_clients,
    steady,
    workers,
)
from tablesight_tools.promises.bench import Bench, Skip

Check = tuple[str, Callable[[Bench], str]]
QUEUE = {**queue_rates.CHECKS, **queue_faults.CHECKS, **queue_machines.CHECKS}

ATTACKS: dict[str, Check] = {
    "hostile-names": ("two photos never share a path", attacks.hostile_names),
    "rewrite": ("a photo rewritten while it is read gets no other content's reading", changing.rewrite),
    "growing": ("files that grow while they are hashed stop nothing", changing.growing),
    "hammer": ("another process that opens photos for writing does not end it", attacks.hammer),
    "slow-clients": ("slow bodies, slow readers and idle connections keep nobody out", slow_clients.slow_clients),
    "generated": ("no request, with whatever values, ends the daemon or makes others wait", generated.generated),
    "daemon-signal": ("content that crashes only the daemon is contained", hostile.daemon_signal),
    "one-eio": ("one failed sync ends the daemon, or nothing of it", failing.one_eio),
    "full-at-start": ("a disk that is full at the start is reported, and heals", failing.full_at_start),
    "hostile-worker": ("a worker that was taken over reaches nothing", hostile.hostile_worker),
    "locked": ("a held database fails no command and no photo", failing.locked),
    "catalogue-fuzz": ("forged catalogue records crash nothing", forged.catalogue),
}

CHECKS: dict[str, Check] = {
    "1": ("every finished file gets exactly one outcome", arrivals.one_outcome_each),
    "2": ("a lost event loses nothing", arrivals.lost_events),
    "3": ("memory and latency stay bounded", arrivals.bounded),
    "4": ("safe at any instant", kills.any_instant),
    "5": ("safe at every write", kills.every_write),
    "6": ("no input stops the daemon", inputs.bad_inputs),
    "7": ("a crash, abort, exit or hang costs one job", workers.signals),
    "8": ("poison is contained, across restarts", hostile.poison),
    "9": ("ceilings hold", inputs.ceilings),
    "10": ("damaged is never passed off as good", inputs.damaged),
    "11": ("never leaves its tree", borders.own_tree),
    "12": ("a full disk is safe and heals", failing.full),
    "13": ("no acknowledged result is lost", kills.acknowledged),
    "14": ("events reach their receivers", events.delivered),
    "15": ("private by default", borders.closed),
    "counted": ("one photo counts once, however its file is written", counted.counted),
    "stop": ("graceful stop", steady.stop),
    "clock": ("clock changes decide nothing", steady.clock),
    "steady": ("memory and open files stay level", steady.level),
    **ATTACKS,
    **mqtt.CHECKS,
    **QUEUE,
}

# Names of groups of checks. A run in which every check of a group was skipped shows nothing, so it fails.
GROUPS = {
    "attacks": list(ATTACKS),
    "queue": list(QUEUE),
    "broker": list(mqtt.CHECKS),
}


class Result(NamedTuple):
    """What one check showed."""

    name: str
    title: str
    state: str
    """kept, BROKEN or skipped"""
    figure: str
    """what was measured, or why the check was skipped"""
    seconds: float

    def json(self) -> str:
        return json.dumps({"promise": self.name, "title": self.title, "state": self.state, "figure": self.figure})

    def row(self) -> str:
        return "| %s | %s | %s | %s | %.0f s |" % self

    def dated(self, day: str) -> str:
        """A row of the page that keeps the newest full run of each check."""
        return f"| {self.name} | {self.state}: {self.figure} | {day} |"


def chosen(text: str) -> list[str]:
    """The names of the checks that `--only` asks for, without repetition. All checks for an empty text."""
    names: list[str] = []
    for name in text.split(",") if text else CHECKS:
        names += [one for one in GROUPS.get(name, [name]) if one not in names]
    return names


def run(name: str, program: Path, full: bool, evaluation: Path | None) -> Result:
    """Runs one check in a temporary folder."""
    title, check = CHECKS[name]
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="promise-%s-" % name) as folder:
        bench = Bench(program, Path(folder), full, evaluation)
        try:
            figure = check(bench)
            state = "BROKEN" if bench.broken else "kept"
            figure += "".join("; " + what for what in bench.broken[:6])
        except Skip as reason:
            state, figure = "skipped", str(reason)
        except Exception as error:  # a check that fails to run has not shown anything
            state, figure = "BROKEN", "%s: %s" % (type(error).__name__, error)
            traceback.print_exc()
        finally:
            bench.clean_up()
    return Result(name, title, state, figure, time.monotonic() - start)


def skipped_groups(results: Iterable[Result]) -> list[str]:
    """Groups of which at least one check was asked for, and every one of those was skipped."""
    states = {result.name: result.state for result in results}
    found = []
    for group, members in GROUPS.items():
        ran = [states[name] for name in members if name in states]
        if ran and set(ran) == {"skipped"}:
            found.append(group)
    return found


def recorded(page: str, results: Iterable[Result], day: str) -> str:
    """The page with the rows of these checks replaced or added. Skipped checks keep their rows."""
    head = "| check | result of the full form | on |\n| --- | --- | --- |\n"
    before, found, after = page.partition(head)
    if not found:
        raise ValueError("the page has no table of full runs: " + head.splitlines()[0])
    body = re.match(r"(?:\|.*\n)*", after)
    lines = body[0].splitlines() if body else []
    rows = {line.split("|")[1].strip(): line for line in lines}
    rows |= {result.name: result.dated(day) for result in results if result.state != "skipped"}
    order = [*CHECKS, *rows]
    kept = sorted(rows.items(), key=lambda row: order.index(row[0]))
    return before + head + "".join(line + "\n" for _, line in kept) + after[body.end() if body else 0 :]


def main(words: list[str] | None = None) -> int:
    # A test that runs this blocks most signals. The programs that start here would inherit that, and SIGTERM end none.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    parser = argparse.ArgumentParser(
        prog="promises", description="Checks the daemon's promises on the real program and prints a table."
    )
    parser.add_argument("--all", action="store_true", help="the full figures; takes an hour or two")
    parser.add_argument("--record", type=Path, metavar="PAGE", help="with --all: write the rows with their date there")
    parser.add_argument("--only", default="", help="names of promises or groups (attacks, queue, broker), with commas")
    parser.add_argument("--share", default="1/1", help="every N-th check of --only from the I-th on, as in 2/3")
    parser.add_argument("--queue", action="store_true", help="the checks of the queue; as --only queue")
    parser.add_argument("--mqtt", action="store_true", help="the check of the broker; as --only broker")
    parser.add_argument("--program", type=Path, help="default: .build/release/tablesight, else .build/debug/tablesight")
    parser.add_argument("--eval", type=Path, help="a folder with badinputs/ and its scorer, for promises 1 and 6")
    parser.add_argument("--json", action="store_true", help="one JSON object a promise instead of the table")
    options = parser.parse_args(words)
    builds = [REPOSITORY / ".build" / kind / "tablesight" for kind in ("release", "debug")]
    program = options.program or next((build for build in builds if build.exists()), builds[1])
    if not program.exists():
        print("promises: no %s: build it with `swift build --build-tests`" % program, file=sys.stderr)
        return 69
    group = "queue" if options.queue else "broker" if options.mqtt else ""
    names = chosen(options.only or group)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print("promises: no %s: there are %s" % (", ".join(unknown), ", ".join([*CHECKS, *GROUPS])), file=sys.stderr)
        return 64
    first, step = (int(part) for part in options.share.split("/"))
    results = []
    for name in names[first - 1 :: step]:
        result = run(name, program.resolve(), options.all, options.eval)
        results.append(result)
        if options.all and options.record:
            # After each check: a run of hours may be stopped.
            page = options.record.read_text(encoding="utf-8")
            day = datetime.date.today().isoformat()
            options.record.write_text(recorded(page, [result], day), encoding="utf-8")
        print(result.json() if options.json else result.row(), flush=True)
    empty = skipped_groups(results)
    for group in empty:
        print("promises: every check of the group %s that ran was skipped: nothing was shown" % group, file=sys.stderr)
    return 1 if empty or any(result.state == "BROKEN" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
