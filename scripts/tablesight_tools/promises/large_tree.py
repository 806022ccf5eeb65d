"""Watches a tree of very many files: queueing, answers, memory and the latency of /healthz.

    python3 scripts/tablesight_tools promises.large_tree COUNT FOLDER --program FILE [--minutes N]

FOLDER, which must not exist, gets COUNT files of a few bytes that are named as pictures, 1,000 a subfolder. The daemon
starts when they are there. It is followed until every file has an outcome, at most N minutes, and prints one line of
JSON. Resident memory is that of the daemon's own process.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from tablesight_tools.measures import percentile
from tablesight_tools.promises.daemon import Daemon


def fill(folder: Path, count: int) -> None:
    for number in range(count):
        if number % 1000 == 0:
            part = folder / f"{number // 1000:06}"
            part.mkdir(parents=True)
        (part / f"{number}.png").write_bytes(b"no picture %d" % number)


def follow(daemon: Daemon, count: int, seconds: float) -> dict[str, Any]:
    latencies: list[float] = []
    peak, queued, start = 0.0, None, time.monotonic()
    answered = 0
    while (elapsed := time.monotonic() - start) < seconds and answered < count:
        before = time.monotonic()
        status = daemon.status("/healthz")
        latencies.append(time.monotonic() - before)
        if status != 200:
            raise SystemExit(f"large_tree: /healthz answered {status} after {elapsed:.0f} s")
        peak = max(peak, daemon.resident_mb())
        if len(latencies) % 50 == 0:
            if queued is None and daemon.count("SELECT count(*) FROM photo") >= count:
                queued = elapsed
            answered = daemon.count("SELECT count(*) FROM outcome")
        time.sleep(0.1)
    return {
        "files": count,
        "queuedAfterSeconds": queued and round(queued, 1),
        "answered": answered,
        "seconds": round(time.monotonic() - start, 1),
        "peakResidentMB": round(peak, 1),
        "healthP99Ms": round(1000 * percentile(latencies, 0.99), 1),
        "healthRequests": len(latencies),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    inbox = options.folder / "inbox"
    fill(inbox, options.count)
    daemon = Daemon(options.program.resolve(), inbox, options.folder).start(ready=False)
    try:
        while daemon.status("/healthz") != 200:
            time.sleep(0.1)
        print(json.dumps(follow(daemon, options.count, 60 * options.minutes)))
    finally:
        daemon.kill()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
