"""Runs the checks and prints the table. Standard library only."""
import argparse
import json
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import arrivals
import attacks
import borders
import disk
import events
import failing
import forged
import hostile
import kills
import steady
import workers
from daemon import Skip, Bench

CHECKS = {
    "1": ("every finished file gets exactly one outcome", arrivals.one_outcome_each),
    "2": ("a lost event loses nothing", arrivals.lost_events),
    "3": ("memory and latency stay bounded", arrivals.bounded),
    "4": ("safe at any instant", kills.any_instant),
    "5": ("safe at every write", kills.every_write),
    "6": ("no input stops the daemon", workers.bad_inputs),
    "7": ("a crash, abort, exit or hang costs one job", workers.signals),
    "8": ("poison is contained, across restarts", workers.poison),
    "9": ("ceilings hold", workers.ceilings),
    "10": ("damaged is never passed off as good", workers.damaged),
    "11": ("never leaves its tree", borders.own_tree),
    "12": ("disk full or I/O error is safe and heals", disk.full_and_broken),
    "13": ("no acknowledged result is lost", kills.acknowledged),
    "14": ("events reach their receivers", events.delivered),
    "15": ("closed and private by default", borders.closed),
    "stop": ("graceful stop", steady.stop),
    "clock": ("clock changes decide nothing", steady.clock),
    "steady": ("memory and open files stay level", steady.level),
    "hostile-names": ("two photos never share a path", attacks.hostile_names),
    "rewrite": ("a photo rewritten while it is read gets no other content's reading", attacks.rewrite),
    "growing": ("files that grow while they are hashed stop nothing", attacks.growing),
    "hammer": ("another process that opens photos for writing does not end it", attacks.hammer),
    "connections": ("idle connections keep nobody out", attacks.connections),
    "daemon-signal": ("content that crashes only the daemon is contained", hostile.daemon_signal),
    "one-eio": ("one failed sync ends the daemon, or nothing of it", failing.one_eio),
    "full-at-start": ("a disk that is full at the start is reported, and heals", failing.full_at_start),
    "hostile-worker": ("a worker that was taken over reaches nothing", hostile.hostile_worker),
    "locked": ("a held database fails no command and no photo", failing.locked),
    "catalogue-fuzz": ("forged catalogue records crash nothing", forged.catalogue),
}

# Names that stand for several checks. Where every check of a group that ran was skipped, nothing was shown, and the run fails.
GROUPS = {
    "attacks": ["hostile-names", "rewrite", "growing", "hammer", "connections", "daemon-signal", "one-eio", "full-at-start",
                "hostile-worker", "locked", "catalogue-fuzz"],
}


def chosen(text):
    """The names of the checks that `--only` asks for."""
    names = []
    for name in text.split(",") if text else CHECKS:
        names += [one for one in GROUPS.get(name, [name]) if one not in names]
    return names


def main():
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Checks the daemon's promises on the real program.")
    parser.add_argument("--full", action="store_true", help="the full figures; takes an hour or two")
    parser.add_argument("--only", default="", help="names of promises or groups (attacks), with commas")
    parser.add_argument("--program", default="", help="default: .build/release/tablesight, else .build/debug/tablesight")
    parser.add_argument("--eval", type=Path, help="a folder with badinputs/ and its scorer, for promises 1, 6, 9 and 10")
    parser.add_argument("--json", action="store_true", help="one JSON object a promise instead of the table")
    options = parser.parse_args()
    builds = [root / ".build" / kind / "tablesight" for kind in ("release", "debug")]
    program = Path(options.program) if options.program else next((b for b in builds if b.exists()), builds[1])
    if not program.exists():
        print("promises: no %s: build it with `swift build --build-tests`" % program, file=sys.stderr)
        return 69
    names = chosen(options.only)
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print("promises: no %s: there are %s" % (", ".join(unknown), ", ".join([*CHECKS, *GROUPS])), file=sys.stderr)
        return 64
    failed, skipped = False, set()
    for name in names:
        title, check = CHECKS[name]
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="promise-%s-" % name) as folder:
            bench = Bench(program.resolve(), Path(folder), root, options.full, options.eval)
            try:
                figure, kept = check(bench), not bench.broken
                state = "kept" if kept else "BROKEN"
                figure += "".join("; " + what for what in bench.broken[:6])
            except Skip as reason:
                state, figure, kept = "skipped", str(reason), True
                skipped.add(name)
            except Exception as error:  # a check that fails to run has not shown anything
                state, figure, kept = "BROKEN", "%s: %s" % (type(error).__name__, error), False
                traceback.print_exc()
            finally:
                bench.clean_up()
        failed = failed or not kept
        seconds = time.monotonic() - start
        if options.json:
            print(json.dumps({"promise": name, "title": title, "state": state, "figure": figure}), flush=True)
        else:
            print("| %s | %s | %s | %s | %.0f s |" % (name, title, state, figure, seconds), flush=True)
    for group, members in GROUPS.items():
        ran = set(members) & set(names)
        if ran and ran <= skipped:
            print("promises: every check of the group %s that ran was skipped: nothing was shown" % group, file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
