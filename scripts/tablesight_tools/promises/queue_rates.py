"""Promises of the queue: the same outcomes as in one process, and little time for the way."""

import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tablesight_tools.pictures import picture, with_comment
from tablesight_tools.processes import Program, free_port
from tablesight_tools.promises.bench import Bench
from tablesight_tools.promises.nats import NatsServer, Worker

# Folders of samples/ and the domain for which they are read: each recogniser has its part.
KINDS = {"barcodes": "barcode", "menus": "menu", "labels": "label", "documents": "auto", "boards": "board"}


class Runs:
    """`tablesight batch` with a queue and its workers, on this machine."""

    def __init__(self, bench: Bench, *, real: bool) -> None:
        self.bench, self.real, self.count = bench, real, 0
        self.server = NatsServer(bench.folder / "nats")
        bench.endings.append(self.server.kill)
        self.server.start()
        self.port, self.token = free_port(), bench.folder / "token"
        self.token.write_text("token-of-the-test-%d\n" % os.getpid())
        self.token.chmod(0o600)

    def worker(self, name: str, slots: int) -> Worker:
        arguments = ["--daemon", "http://127.0.0.1:%d" % self.port, "--token-file", str(self.token)]
        one = Worker.of(self.bench, self.server.address, name, real=self.real, arguments=arguments, slots=slots)
        return one.start()

    def command(self, photos: Path, rows: Path, *, slots: int = 0, jobs: int = 1, kind: str = "auto") -> list[str]:
        """`batch` with local workers, or, with `slots`, by the queue alone."""
        command = [str(self.bench.program), "batch", str(photos), "--out", str(rows), "--as", kind]
        if not slots:
            return [*command, "--jobs", str(jobs)]
        command += ["--jobs", "0", "--queue", self.server.address, "--queue-slots", str(slots)]
        return [*command, "--serve", "127.0.0.1:%d" % self.port, "--worker-token", str(self.token)]

    def start(self, command: list[str]) -> "subprocess.Popen[bytes]":
        own = {} if self.real else {"TABLESIGHT_WORKER": str(self.bench.test_worker)}
        batch = Program(command, self.bench.folder / "batch.log", own)
        batch.launch()
        assert batch.process
        self.bench.endings.append(batch.kill)
        return batch.process

    def rows(self, photos: Path, **options: object) -> tuple[dict[str, str], float]:
        """Reads a folder: path → outcome without `processing`, as text, and the elapsed seconds."""
        self.count += 1
        rows = self.bench.folder / ("%d.ndjson" % self.count)
        start = time.monotonic()
        code = self.start(self.command(photos, rows, **options)).wait()  # type: ignore[arg-type]
        seconds = time.monotonic() - start
        log = (self.bench.folder / "batch.log").read_text(errors="replace")
        self.bench.expect(code in (0, 1), "batch ended with %d: %s" % (code, log[-300:]))
        return dict(map(_bare, rows.read_text().splitlines())), seconds


def _bare(line: str) -> tuple[str, str]:
    """Path and text of a row without `processing`. The keys are sorted, so that others follow it."""
    bare, found = re.subn(r'"processing":\{"attempt":\d+,"timingsMs":\{[^}]*\},"worker":"[^"]*"\},', "", line)
    if found != 1:
        raise RuntimeError("a row without `processing`: " + line[:300])
    return json.loads(line)["source"]["path"], bare


def copies(bench: Bench, folder: str, count: int) -> Path:
    """Copies of a folder's samples, each with bytes of its own."""
    place = bench.folder / ("copies-%s-%d" % (folder, count))
    place.mkdir()
    samples = sorted((bench.root / "samples" / folder).glob("*.jpg"))
    for number in range(count):
        data = with_comment(samples[number % len(samples)].read_bytes(), "copy %d" % number)
        (place / ("%04d.jpg" % number)).write_bytes(data)
    return place


def same(bench: Bench) -> str:
    """The same photos by local workers and by the queue: the same bytes but for `processing`."""
    runs = Runs(bench, real=True)
    runs.worker("same", 2)
    compared = different = 0
    for folder, kind in KINDS.items():
        photos = copies(bench, folder, bench.size(2, 100))
        local, _ = runs.rows(photos, jobs=2, kind=kind)
        queue, _ = runs.rows(photos, slots=2, kind=kind)
        bench.expect(local.keys() == queue.keys(), "%s: %d and %d rows" % (folder, len(local), len(queue)))
        wrong = [path for path, text in local.items() if queue.get(path) != text]
        bench.expect(not wrong, "%s: %d differ, such as %s" % (folder, len(wrong), wrong[:2]))
        compared, different = compared + len(local), different + len(wrong)
    bench.expect(compared == bench.size(2, 100) * len(KINDS), "%d photos" % compared)
    return "%d photos of all kinds: %d differ" % (compared, different)


def overhead(bench: Bench) -> str:
    """One worker each way, in turns: seconds by the queue against seconds in one process."""
    runs, rounds = Runs(bench, real=True), bench.size(1, 6)
    runs.worker("paired", 1).wait_said("waiting for one")
    photos = copies(bench, "labels", bench.size(4, 30))
    seconds: dict[str, list[float]] = {"local": [], "queue": []}
    for number in range(rounds):
        order = ["local", "queue"] if number % 2 else ["queue", "local"]
        for way in order:
            _, taken = runs.rows(photos, slots=1 if way == "queue" else 0, kind="label")
            seconds[way].append(taken)
    ratio = sum(seconds["queue"]) / sum(seconds["local"])
    bench.measure(ratio <= 1.05, "%.1f %% more" % (100 * ratio - 100))
    return (
        f"{rounds} × {len(list(photos.iterdir()))} photos in turns: local {sum(seconds['local']):.1f} s, queue "
        f"{sum(seconds['queue']):.1f} s, ratio {ratio:.3f}; load {os.getloadavg()[0]:.1f}"
    )


def rate(bench: Bench) -> str:
    """64 simulated workers, each 500 ms a job."""
    runs = Runs(bench, real=False)
    slots, seconds = 64, bench.size(6, 30)
    for number in range(4):
        runs.worker("simulated-%d" % number, slots // 4)
    reached = measured_rate(runs, slots, 2 * slots * seconds)
    bench.measure(reached >= 0.95 * 128, "%.1f of 128 jobs/s" % reached)
    return "64 simulated workers of 500 ms: %.1f of 128 jobs/s; load %.1f" % (reached, os.getloadavg()[0])


def measured_rate(runs: Runs, slots: int, count: int) -> float:
    """Jobs a second between the first and the last tenth of `count` photos that take 500 ms each."""
    photos = runs.bench.folder / ("simulated-%d" % slots)
    photos.mkdir()
    for number in range(count):
        (photos / ("%05d.png" % number)).write_bytes(picture("tablesight-test: half %d-%d" % (slots, number)))
    rows = runs.bench.folder / ("simulated-%d.ndjson" % slots)
    process = runs.start(runs.command(photos, rows, slots=slots))
    # Times at which rows were seen; a look every 20 ms costs little.
    seen: list[tuple[float, int]] = []
    size = lines = 0
    while process.poll() is None or not seen:
        time.sleep(0.02)
        if rows.exists() and rows.stat().st_size > size:
            with open(rows, "rb") as file:
                file.seek(size)
                data = file.read()
            size, lines = size + len(data), lines + data.count(b"\n")
            seen.append((time.monotonic(), lines))
    runs.bench.expect(lines == count, "%d of %d rows" % (lines, count))
    return inner_rate(seen, count)


def inner_rate(seen: list[tuple[float, int]], count: int) -> float:
    """What a second brought between the first and the last tenth, from times and counts at these times."""
    inner = [(at, number) for at, number in seen if count // 10 <= number <= count - count // 10]
    if len(inner) < 2:
        return 0
    return (inner[-1][1] - inner[0][1]) / (inner[-1][0] - inner[0][0])


CHECKS: dict[str, tuple[str, Callable[[Bench], str]]] = {
    "queue-same": ("outcomes are the same by the queue as in one process", same),
    "queue-overhead": ("the queue costs little time", overhead),
    "queue-rate": ("64 workers are kept busy", rate),
}
