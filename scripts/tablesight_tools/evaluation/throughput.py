"""Measures the throughput of `batch` and `watch` against the processor time of their workers.

    scripts/bench throughput DIR... [--count 500] [--program FILE] [--modes batch,watch] [--workers 2]

Copies the JPEG and PNG photos below DIR until there are COUNT of them. Each copy gets its own comment, so that its
bytes and its identity differ. `watch` runs with --once over the same folder and includes the time in which files
settle. With `drop` the daemon already runs, and the clock starts when the first photo is renamed into the folder.
Worker times are read from /proc every 100 ms, over all workers that were started. `at work` is the mean number of
workers with a job; other load on the machine makes the elapsed time longer, but does not change this number.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.pictures import JPEG, PNG, with_comment
from tablesight_tools.processes import children, has_job, processor_seconds


def sample(folders: list[Path], count: int, place: Path) -> int:
    """Writes `count` photos and returns how many different pictures they show."""
    found = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    found = [photo for photo in found if photo.read_bytes().startswith((JPEG, PNG))]
    if not found:
        sys.exit("throughput: no JPEG or PNG below {}".format(", ".join(map(str, folders))))
    place.mkdir()
    for number in range(count):
        path = found[number % len(found)]
        copy = with_comment(path.read_bytes(), "copy %d" % number)
        (place / ("%04d%s" % (number, path.suffix))).write_bytes(copy)
    return min(count, len(found))


class Watcher:
    """Samples the processor time of a process and of its children, ended ones included."""

    def __init__(self, pid: int) -> None:
        self.pid, self.own, self.children = pid, 0, {}
        self.looks = self.working = 0

    def look(self) -> None:
        self.looks += 1
        self.own = processor_seconds(self.pid) or self.own
        for child in children(self.pid):
            if seconds := processor_seconds(child):
                self.children[child] = seconds
                with suppress(PermissionError):
                    self.working += has_job(child)


def run(mode: str, options: argparse.Namespace, photos: Path, scratch: Path) -> float:
    output, rows = scratch / (mode + ".out"), scratch / (mode + ".ndjson")
    inbox = photos
    command = [options.program, "watch", str(photos), "--output", str(output), "--format", "json", "--port", "0"]
    command += ["--workers", str(options.workers)]
    if mode == "batch":
        rows.unlink(missing_ok=True)  # batch does not overwrite files
        command = [options.program, "batch", str(photos), "--out", str(rows), "--jobs", str(options.workers)]
    elif mode == "watch":
        command += ["--once"]
    else:
        inbox = scratch / "drop"
        inbox.mkdir()
        command[2] = str(inbox)
    start = time.monotonic()
    with open(os.devnull, "w") as nothing, open(rows if mode != "batch" else os.devnull, "w") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=nothing)
    watcher, lines = Watcher(process.pid), 0
    if mode == "drop":
        while not (output / "api-address").exists() and process.poll() is None:
            time.sleep(0.05)
        time.sleep(3)
        watcher.look()
        idle = dict(watcher.children), watcher.own
        watcher.looks = watcher.working = 0
        start = time.monotonic()
        for name in sorted(os.listdir(photos)):
            os.link(photos / name, scratch / "link")
            os.rename(scratch / "link", inbox / name)
    while process.poll() is None:
        watcher.look()
        if mode == "drop":
            lines = rows.read_bytes().count(b"\n")
            if lines >= options.count:
                break
        time.sleep(0.1)
    wall = time.monotonic() - start
    watcher.look()
    if mode == "drop":
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        watcher.own -= idle[1]
        watcher.children = {c: s - idle[0].get(c, 0) for c, s in watcher.children.items()}
    outcomes = [json.loads(line) for line in rows.read_bytes().splitlines()] if rows.exists() else []
    workers = sum(watcher.children.values())
    if not outcomes or workers <= 0:
        sys.exit(
            "throughput: {} read nothing, exit code {}: run it by itself and see what it says".format(
                " ".join(map(str, command)), process.returncode
            )
        )
    ends = {}
    for outcome in outcomes:
        ends[outcome["status"]] = ends.get(outcome["status"], 0) + 1
    cores = options.workers
    print(
        f"{mode:<6} {len(outcomes):4} photos {ends}: wall {wall:.1f} s; workers' processor time {workers:.1f} s, "
        f"/ {cores} = {workers / cores:.1f} s, ratio {wall / (workers / cores):.3f}; at work "
        f"{watcher.working / max(1, watcher.looks):.2f} of {cores}; the "
        f"{'batch' if mode == 'batch' else 'daemon'}'s own processor time {watcher.own:.1f} s; load "
        f"{os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return wall / (workers / cores) if len(outcomes) == options.count else float("inf")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--modes", default="batch,watch,drop")
    parser.add_argument("--program", default=str(REPOSITORY / ".build/release/tablesight"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="throughput-") as folder:
        scratch = Path(folder)
        different = sample(options.folders, options.count, scratch / "photos")
        print("%d copies of %d photos, %d workers" % (options.count, different, options.workers), flush=True)
        ratios = [run(mode, options, scratch / "photos", scratch) for mode in options.modes.split(",")]
    return 0 if all(ratio <= 1.1 for ratio in ratios) else 1


if __name__ == "__main__":
    sys.exit(main())
