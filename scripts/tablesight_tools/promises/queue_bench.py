"""Measures the queue and the single daemon behind it, and draws throughput against workers.

    scripts/bench queue [--program FILE] [--seconds 12] [--workers 1,2,4,8,16,32,64] [--picture FILE]

Simulated workers take 500 ms for a photo of a few hundred bytes. `batch` shows the queue, `watch` the daemon with its
database and sidecars. `daemon alone` is the daemon with workers that answer at once, with recorded readings: what it
can interpret and store. The processor time is the daemon's own.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

from tablesight_tools import scripted_worker
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.pictures import picture
from tablesight_tools.processes import processor_seconds, wait_for
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.promises.queue_rates import Runs, measured_rate
from tablesight_tools.promises.queued import Queued

# Jobs that one machine's `tablesight work` runs at the same time.
SLOTS = 16


def batch_rate(program: Path, workers: int, seconds: int) -> float:
    """Photos a second that `batch` gets from this number of simulated workers."""
    with tempfile.TemporaryDirectory(prefix="bench-queue-") as folder:
        bench = Bench(program, Path(folder))
        try:
            runs = Runs(bench, real=False)
            for number in range(0, workers, SLOTS):
                runs.worker("machine-%d" % (number // SLOTS), min(SLOTS, workers - number))
            return measured_rate(runs, workers, max(20, 2 * workers * seconds))
        finally:
            bench.clean_up()


def watch_rate(program: Path, workers: int, seconds: int) -> float:
    """The same for `watch`."""
    count = max(20, 2 * workers * seconds)
    with tempfile.TemporaryDirectory(prefix="bench-queue-") as folder:
        bench = Bench(program, Path(folder))
        try:
            queued = Queued(bench, slots=workers)
            for number in range(count):
                queued.drop("%05d.png" % number, picture("tablesight-test: half watch %d" % number))
            queued.start(workers=0)
            for number in range(0, workers, SLOTS):
                queued.worker("machine-%d" % (number // SLOTS), min(SLOTS, workers - number)).start()
            return _rate(queued.daemon, count)
        finally:
            bench.clean_up()


def _rate(daemon: Daemon, count: int) -> float:
    """Outcomes a second between the first and the last tenth."""
    seen: list[tuple[float, int]] = []
    while not seen or seen[-1][1] < count:
        number = daemon.count("SELECT count(*) FROM outcome")
        if not seen or number > seen[-1][1]:
            seen.append((time.monotonic(), number))
        elif time.monotonic() - seen[-1][0] > 60:
            raise RuntimeError("%d of %d outcomes: %s" % (number, count, daemon.log.read_text()[-300:]))
        time.sleep(0.05)
    inner = [(at, number) for at, number in seen if count // 10 <= number <= count - count // 10]
    return (inner[-1][1] - inner[0][1]) / (inner[-1][0] - inner[0][0])


def daemon_alone(program: Path, sample: str | None, count: int) -> tuple[float, float]:
    """Photos a second, and milliseconds of the daemon's processor time a photo, with recorded readings of a sample."""
    answer = _recorded(program, sample) if sample else {}
    with tempfile.TemporaryDirectory(prefix="bench-queue-") as folder:
        bench = Bench(program, Path(folder))
        try:
            environment = {**QUICK, "TABLESIGHT_WORKER": scripted_worker.wrapper(bench.folder)}
            daemon = Daemon(program, bench.inbox(), bench.folder, environment=environment, arguments=["--workers", "4"])
            bench.daemons.append(daemon)
            daemon.start()
            before = processor_seconds(daemon.pid)
            for number in range(count):
                part = bench.folder / "part"
                part.write_bytes(scripted_worker.scripted(number=number, answer=answer))
                part.rename(daemon.inbox / ("%05d.png" % number))
            rate = _rate(daemon, count)
            wait_for(lambda: len(daemon.sidecars()) == count, 20)
            return rate, 1000 * (processor_seconds(daemon.pid) - before) / count
        finally:
            bench.clean_up()


def _recorded(program: Path, sample: str) -> dict[str, object]:
    """The readings of a sample, as a worker answers them."""
    photo = REPOSITORY / "samples" / sample
    text = subprocess.run([str(program), "scan", "--format", "json", str(photo)], capture_output=True).stdout
    outcome = json.loads(text)
    source = outcome["source"]
    image = {name: source[name] for name in ("format", "width", "height")} | {"orientation": 1}
    # The interpreter adds to readings only what an answer may hold, too.
    return {"image": image, "readings": outcome["readings"], "models": outcome["versions"]["models"]}


def picture_of(series: dict[str, list[tuple[int, float]]], title: str) -> str:
    """Throughput against workers as SVG, both on logarithmic scales; the same figures give the same bytes."""
    width, height, left, top, right, bottom = 720, 400, 60, 50, 700, 350
    colours = ["#2f6f4f", "#b0622f", "#5a6fa8"]
    workers = sorted({x for points in series.values() for x, _ in points})
    most = 2 * workers[-1]

    def place(x: float, y: float) -> str:
        across = _log(x, workers[0], workers[-1])
        return "%.1f,%.1f" % (left + (right - left) * across, bottom - (bottom - top) * _log(y, 1, most))

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" '
        'font-size="12" fill="#26302b">' % (width, height),
        "<title>%s</title>" % escape(title),
        '<rect width="%d" height="%d" fill="#ffffff"/>' % (width, height),
        '<text x="12" y="22" font-size="15" font-weight="bold">%s</text>' % escape(title),
        '<text x="%d" y="%d" text-anchor="middle">simulated workers of 500 ms</text>'
        % ((left + right) // 2, height - 8),
        '<text x="12" y="42">photos/s</text>',
    ]
    for x in workers:
        at = place(x, 1).split(",")[0]
        out.append('<text x="%s" y="%d" text-anchor="middle">%d</text>' % (at, bottom + 18, x))
        y = place(x, 2 * x).split(",")[1]
        out.append('<line x1="%d" y1="%s" x2="%d" y2="%s" stroke="#d5dcd8"/>' % (left, y, right, y))
        out.append('<text x="%d" y="%s" text-anchor="end">%d</text>' % (left - 6, y, 2 * x))
    lines = [("ideal: 2 a worker", [(x, 2.0 * x) for x in workers]), *series.items()]
    for number, (name, points) in enumerate(lines):
        colour = "#a9b4ad" if number == 0 else colours[number - 1]
        dash = ' stroke-dasharray="4 4"' if number == 0 else ""
        path = " ".join(place(x, max(1, y)) for x, y in points)
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"%s/>' % (path, colour, dash))
        out.append('<rect x="80" y="%d" width="14" height="4" fill="%s"/>' % (62 + 20 * number, colour))
        out.append('<text x="100" y="%d">%s</text>' % (68 + 20 * number, escape(name)))
    return "\n".join([*out, "</svg>", ""])


def _log(value: float, least: float, most: float) -> float:
    """0 for `least`, 1 for `most`, on a logarithmic scale."""
    return math.log(value / least) / math.log(most / least)


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
        options.picture.write_text(picture_of(series, "Throughput by the queue"))
    return 0


def _a_menu() -> str:
    """The first menu of the samples."""
    return str(min((REPOSITORY / "samples/menus").glob("*.jpg")).relative_to(REPOSITORY / "samples"))


if __name__ == "__main__":
    sys.exit(main())
