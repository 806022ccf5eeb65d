"""Time from a dropped photo to its outcome on disk in an idle daemon, beside what the worker took for the photo.

    python3 scripts/tablesight_tools promises.drops PHOTO FOLDER --program FILE [--count N] [--pause SECONDS]

Renames copies of PHOTO, a JPEG, each with a comment of its own, into the watched folder one by one, and waits for the
sidecar.
The worker's own time is the sum of its stages (`processing.timingsMs` of the outcome). That is processor time, so only
a quiet machine gives a true difference. Prints one line of JSON with medians and the 95th percentile in milliseconds.
"""

import argparse
import json
import os
import time
from pathlib import Path

from tablesight_tools.measures import shares
from tablesight_tools.pictures import with_comment
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.daemon import Daemon


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--pause", type=float, default=1.0)
    options = parser.parse_args()
    inbox = options.folder / "inbox"
    inbox.mkdir(parents=True)
    daemon = Daemon(options.program.resolve(), inbox, options.folder).start()
    data, rows = options.photo.read_bytes(), []
    try:
        for number in range(options.count + 2):
            copy = with_comment(data, f"copy {number}")
            name = f"{number:04}{options.photo.suffix}"
            (options.folder / name).write_bytes(copy)
            time.sleep(options.pause)
            start = time.monotonic()
            os.rename(options.folder / name, inbox / name)
            sidecar = daemon.output / "outcomes" / inbox.name / f"{name}.json"
            if not wait_for(sidecar.exists, 60, 0.001):
                raise SystemExit(f"drops: no outcome for {name} after 60 s")
            total = 1000 * (time.monotonic() - start)
            stages = json.loads(sidecar.read_text())["processing"]["timingsMs"]
            worker = sum(value for name, value in stages.items() if "." not in name)
            if number >= 2:  # the first two load the networks
                rows.append((total, worker))
    finally:
        daemon.kill()
    beside = [total - worker for total, worker in rows]
    print(
        json.dumps(
            {
                "photos": len(rows),
                "totalMs": shares([row[0] for row in rows], 0.5),
                "workerMs": shares([row[1] for row in rows], 0.5),
                "besideMs": shares(beside, 0.5, 0.95),
            }
        )
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
