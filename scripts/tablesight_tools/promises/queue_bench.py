"""Measures the queue and the single daemon behind it, and draws throughput against workers.

    scripts/bench queue [--program FILE] [--seconds 12] [--workers 1,2,4,8,16,32,64] [--picture FILE]

Simulated workers take 500 ms for a photo of a few hundred bytes. `batch` shows the queue, `watch` the daemon with its
database and sidecars. `daemon alone` is the daemon with workers that answer at once, with recorded readings: what it
can interpret and store. The processor time is the daemon's own.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tablesight_tools import scripted_worker
from tablesight_tools.charts import Bar, Group, bar_chart
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.pictures import picture
from tablesight_tools.processes import processor_seconds, wait_for
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.promises.queue_rates import Runs, inner_rate, measured_rate
from tablesight_tools.promises.queued import Queued

# Jobs that one machine's `tablesight work` runs at the same time.
SLOTS = 16


@contextmanager
def bench_for(program: Path) -> Iterator[Bench]:
    """A bench in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-queue-") as folder:
        bench = Bench(program, Path(folder))
        try:
            yield bench
        finally:
            bench.clean_up()


def machines(workers: int) -> list[tuple[str, int]]:
    """Name and slots of the machines that have this number of workers together."""
    return [("machine-%d" % (n // SLOTS), min(SLOTS, workers - n)) for n in range(0, workers, SLOTS)]


def batch_rate(program: Path, workers: int, seconds: int) -> float:
    """Photos a second that `batch` gets from this number of simulated workers."""
    with bench_for(program) as bench:
        runs = Runs(bench, real=False)
        for name, slots in machines(workers):
            runs.worker(name, slots)
        return measured_rate(runs, workers, max(20, 2 * workers * seconds))


def watch_rate(program: Path, workers: int, seconds: int) -> float:
    """The same for `watch`."""
    count = max(20, 2 * workers * seconds)
    with bench_for(program) as bench:
        queued = Queued(bench, slots=workers)
        for number in range(count):
            queued.drop("%05d.png" % number, picture("tablesight-test: half watch %d" % number))
        queued.start(workers=0)
        for name, slots in machines(workers):
            queued.worker(name, slots).start()
        return _rate(queued.daemon, count)


def _rate(daemon: Daemon, count: int) -> float:
    """Outcomes a second."""
    seen: list[tuple[float, int]] = []
    while not seen or seen[-1][1] < count:
        number = daemon.count("SELECT count(*) FROM outcome")
        if not seen or number > seen[-1][1]:
            seen.append((time.monotonic(), number))
        elif time.monotonic() - seen[-1][0] > 60:
            raise RuntimeError("%d of %d outcomes: %s" % (number, count, daemon.log.read_text()[-300:]))
        time.sleep(0.05)
    return inner_rate(seen, count)


def daemon_alone(program: Path, sample: str | None, count: int) -> tuple[float, float]:
    """Photos a second, and milliseconds of the daemon's processor time a photo, with recorded readings of a sample."""
    answer = scripted_worker.recorded(program, REPOSITORY / "samples" / sample) if sample else {}
    with bench_for(program) as bench:
        environment = {**QUICK, "TABLESIGHT_WORKER": scripted_worker.wrapper(bench.folder)}
        daemon = bench.daemon(real=True, environment=environment, arguments=["--workers", "4"]).start()
        before = processor_seconds(daemon.pid)
        for number in range(count):
            part = bench.folder / "part"
            part.write_bytes(scripted_worker.scripted(number=number, answer=answer))
            part.rename(daemon.inbox / ("%05d.png" % number))
        rate = _rate(daemon, count)
        wait_for(lambda: len(daemon.sidecars()) == count, 20)
        return rate, 1000 * (processor_seconds(daemon.pid) - before) / count


def plot(series: dict[str, list[tuple[int, float]]]) -> str:
    """Of each series what share of its workers' photos a second it reads."""
    groups = [
        Group(name, [Bar("%d workers, %.1f/s" % (one, rate), rate / (2 * one), True) for one, rate in points])
        for name, points in series.items()
    ]
    return bar_chart("Throughput by the queue", "share of what the workers can read", groups)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench queue", description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    parser.add_argument("--seconds", type=int, default=12, help="time of each point if nothing waits")
    parser.add_argument("--workers", default="1,2,4,8,16,32,64")
    parser.add_argument("--only", default="batch,watch,daemon", help="parts to measure")
    parser.add_argument("--picture", type=Path, help="writes the plot to this file")
    options = parser.parse_args(words)
    if not options.program.exists():
        print("bench: no %s: build it" % options.program, file=sys.stderr)
        return 69
    program, numbers = options.program.resolve(), [int(word) for word in options.workers.split(",")]
    series: dict[str, list[tuple[int, float]]] = {}
    for name, measure in (("batch", batch_rate), ("watch", watch_rate)):
        for workers in numbers if name in options.only.split(",") else []:
            rate = measure(program, workers, options.seconds)
            series.setdefault("%s --queue" % name, []).append((workers, rate))
            share = 100 * rate / (2 * workers)
            row = (name, workers, rate, share, os.getloadavg()[0])
            print("| %s | %d | %.1f | %.1f %% | load %.1f |" % row, flush=True)
    if "daemon" in options.only.split(","):
        samples = {"nothing on the photo": None, "a label": "labels/oat-cookies.jpg", "a menu": _a_menu()}
        for name, sample in samples.items():
            rate, milliseconds = daemon_alone(program, sample, 400)
            row = (name, rate, milliseconds, os.getloadavg()[0])
            print("| daemon alone, %s | %.0f photos/s | %.1f ms | load %.1f |" % row, flush=True)
    if options.picture and series:
        options.picture.write_text(plot(series))
    return 0


def _a_menu() -> str:
    """The first menu of the samples."""
    return str(min((REPOSITORY / "samples/menus").glob("*.jpg")).relative_to(REPOSITORY / "samples"))


if __name__ == "__main__":
    sys.exit(main())
