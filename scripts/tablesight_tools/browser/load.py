"""The app under load while a backlog of photos is read: pages, event streams, and how much they slow the backlog down.

The photos are read by a stand-in for the worker: it waits as long as reading takes, or uses as much processor time, and
sends what the real worker read on a sample. Everything after it is the real daemon: judging, storing, sidecars, events.

Windows with and without load alternate while one backlog is read, each first in turn, so that both meet the same queue
and the same noise of the machine. Streams and pages are asked for by processes of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import time
from dataclasses import dataclass, field
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path

from tablesight_tools import scripted_worker
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.measures import percentile
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import processor_seconds

SOURCES = ("menus/pub-english.jpg", "labels/fish-pie.jpg", "labels/oat-cookies.jpg")
PAGES = ("/history", "/health", "/people", "/", "/v1/history", "/review", "/games")
NUMBER = re.compile(rb"^id: (\d+)$", re.MULTILINE)
COMPLETED = re.compile(rb"^event: completed$", re.MULTILINE)
CATCH_UP_SECONDS = 20
COST_REQUESTS = 20


@dataclass
class Window:
    """What one window measured."""

    is_loaded: bool
    seconds: float = 0
    photos: int = 0
    daemon: float = 0
    clients: float = 0
    events: int = 0
    lost: int = 0
    errors: int = 0
    times: dict[str, list[float]] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        return self.photos / self.seconds


class Server:
    """Where the daemon listens; the clients' processes need no more."""

    def __init__(self, daemon: Daemon) -> None:
        self.place = daemon.listens
        self.token = daemon.token

    def head(self, path: str, *more: str) -> bytes:
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {self.token}", *more]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Stream:
    """One event stream: the numbers of its events, and how many photos they completed."""

    def __init__(self, server: Server, since: int) -> None:
        self.server = server
        self.since = since
        self.numbers: list[int] = []
        self.completed = 0

    async def run(self) -> None:
        reader, writer = await asyncio.open_connection(*self.server.place)
        writer.write(self.server.head(f"/v1/events?since={self.since}", "Accept: text/event-stream"))
        rest = b""
        try:
            while chunk := await reader.read(1 << 16):
                # Chunks of HTTP may end within a line; a line is looked at when it is complete.
                whole, _, rest = (rest + chunk).rpartition(b"\n")
                self.numbers += [int(number) for number in NUMBER.findall(whole)]
                self.completed += len(COMPLETED.findall(whole))
        finally:
            writer.close()

    def lost(self, last: int) -> int:
        """Events up to a number that did not come, or came twice."""
        seen = [number for number in self.numbers if number <= last]
        return abs(last - self.since - len(set(seen))) + len(seen) - len(set(seen))


def follow(server: Server, count: int, since: int, pipe: Connection) -> None:
    """Process of the streams: runs until it is told the last number, and answers how many events were lost."""

    async def all_streams() -> tuple[int, int, float]:
        streams = [Stream(server, since) for _ in range(count)]
        tasks = [asyncio.create_task(stream.run()) for stream in streams]
        while not pipe.poll():
            await asyncio.sleep(0.05)
        last = int(pipe.recv())
        end = time.monotonic() + CATCH_UP_SECONDS
        while any(not s.numbers or s.numbers[-1] < last for s in streams) and time.monotonic() < end:
            await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return sum(len(s.numbers) for s in streams), sum(s.lost(last) for s in streams), time.process_time()

    pipe.send(asyncio.run(all_streams()))


async def ask(server: Server, path: str) -> float | None:
    """One page over a connection of its own; seconds to its last byte, or None without a page."""
    began = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection(*server.place)
        writer.write(server.head(path, "Connection: close", "Accept: text/html"))
        answer = await asyncio.wait_for(reader.read(), 30)
        writer.close()
    except (OSError, TimeoutError):
        return None
    return time.monotonic() - began if answer[9:12] == b"200" else None


def load(server: Server, rate: int, pipe: Connection) -> None:
    """Process of the pages: `rate` a second; slow answers do not slow the arrivals."""
    times: dict[str, list[float]] = {path: [] for path in PAGES}
    errors = 0

    async def one(path: str) -> None:
        nonlocal errors
        seconds = await ask(server, path)
        if seconds is None:
            errors += 1
        else:
            times[path].append(seconds)

    async def all_pages() -> None:
        tasks: set[asyncio.Task[None]] = set()
        began, number = time.monotonic(), 0
        while not pipe.poll():
            task = asyncio.create_task(one(PAGES[number % len(PAGES)]))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            number += 1
            await asyncio.sleep(max(0, began + number / rate - time.monotonic()))
        await asyncio.gather(*tasks)

    asyncio.run(all_pages())
    pipe.send((times, errors, time.process_time()))


def answers(program: Path, folder: Path) -> list[Path]:
    """Files with what the real worker reads on the samples."""
    files = []
    for number, name in enumerate(SOURCES):
        files.append(folder / f"answer-{number}.json")
        files[-1].write_text(json.dumps(scripted_worker.recorded(program, REPOSITORY / "samples" / name)))
    return files


def drop(daemon: Daemon, count: int, readings: list[Path], seconds: float, processor: float) -> None:
    """The backlog: small pictures that tell the stand-in what to answer. Each has other bytes."""
    place = daemon.place / "backlog"
    place.mkdir()
    for number in range(count):
        file = str(readings[number % len(readings)])
        photo = scripted_worker.scripted(file=file, seconds=seconds, processor=processor, number=number)
        (place / f"{number:05}.png").write_bytes(photo)
    for file in sorted(place.iterdir()):
        file.rename(daemon.inbox / file.name)


async def settle(watcher: Stream, photos: int, seconds: float) -> None:
    """Waits until so many photos have an answer."""
    end = time.monotonic() + seconds
    while watcher.completed < photos:
        if time.monotonic() > end:
            raise SystemExit(f"bench-app: {watcher.completed} of {photos} photos were read after {seconds:.0f} s")
        await asyncio.sleep(0.05)


async def window(daemon: Daemon, watcher: Stream, options: argparse.Namespace, is_loaded: bool) -> Window:
    server, pid = Server(daemon), daemon.process.pid
    found = Window(is_loaded)
    parts: list[tuple[Process, Connection]] = []
    if is_loaded:
        last = watcher.numbers[-1]
        for target, arguments in ((follow, (server, options.streams, last)), (load, (server, options.rate))):
            here, there = Pipe()
            process = Process(target=target, args=(*arguments, there))
            process.start()
            parts.append((process, here))
        # The streams connect before the clock starts; pages are asked for meanwhile and count too.
        await asyncio.sleep(2)
    began, photos, used = time.monotonic(), watcher.completed, processor_seconds(pid)
    await asyncio.sleep(options.window)
    found.seconds = time.monotonic() - began
    found.photos, found.daemon = watcher.completed - photos, processor_seconds(pid) - used
    if is_loaded:
        for _, pipe in parts:
            pipe.send(watcher.numbers[-1])
        results = [await asyncio.to_thread(pipe.recv) for _, pipe in parts]
        for process, _ in parts:
            process.join()
        (found.events, found.lost, one), (found.times, found.errors, other) = results
        found.clients = one + other
    return found


async def measure(daemon: Daemon, options: argparse.Namespace, folder: Path) -> list[Window]:
    drop(daemon, options.photos, answers(options.program, folder), options.reading, options.processor)
    watcher = Stream(Server(daemon), 0)
    task = asyncio.create_task(watcher.run())
    # Intake has queued all photos, and the workers are warm.
    await settle(watcher, 30, 120)
    while len(watcher.numbers) < options.photos:
        await asyncio.sleep(0.1)
    windows: list[Window] = []
    while watcher.completed < options.photos - options.reserve and (
        not options.windows or len(windows) < options.windows
    ):
        # Without, with, with, without: a drift of the machine meets both in the same way.
        found = await window(daemon, watcher, options, len(windows) % 4 in (1, 2))
        windows.append(found)
        report(found, os.getloadavg()[0])
    if not options.windows:
        await settle(watcher, options.photos, 600)
    task.cancel()
    return windows


async def cost(daemon: Daemon, options: argparse.Namespace, folder: Path) -> None:
    """The daemon's processor time of each page and of open streams; other work on the machine does not change it."""
    drop(daemon, options.photos, answers(options.program, folder), 0, 0)
    server, pid = Server(daemon), daemon.process.pid
    watcher = Stream(server, 0)
    task = asyncio.create_task(watcher.run())
    await settle(watcher, options.photos, 900)
    task.cancel()
    for path in PAGES:
        await ask(server, path)
        before = processor_seconds(pid)
        for _ in range(COST_REQUESTS):
            await ask(server, path)
        print(
            f"  {path:12} {(processor_seconds(pid) - before) / COST_REQUESTS * 1000:6.1f} ms of processor time",
            flush=True,
        )
    for count in (0, options.streams):
        streams = [asyncio.create_task(Stream(server, watcher.numbers[-1]).run()) for _ in range(count)]
        await asyncio.sleep(3)
        before = processor_seconds(pid)
        await asyncio.sleep(10)
        print(f"  {count} quiet streams: {(processor_seconds(pid) - before) * 10:.1f} % of a core", flush=True)
        for stream in streams:
            stream.cancel()


def milliseconds(times: list[float], share: float) -> float:
    return 1000 * percentile(times, share) if times else 0


def report(found: Window, machine: float) -> None:
    text = f"{found.rate:6.2f} photos/s, daemon {found.daemon / found.seconds * 100:5.1f} % of a core"
    if found.is_loaded:
        times = [seconds for all_of_page in found.times.values() for seconds in all_of_page]
        text += (
            f", {len(times)} pages p50 {milliseconds(times, 0.5):.0f} p99 {milliseconds(times, 0.99):.0f} ms, "
            f"{found.errors} errors; {found.events} events, {found.lost} lost; clients {found.clients:.1f} s"
        )
    print(f"{'with' if found.is_loaded else 'without':8}{text}; load {machine:.1f}", file=sys.stderr, flush=True)


def summary(windows: list[Window], options: argparse.Namespace) -> None:
    pairs = [sorted(pair, key=lambda one: one.is_loaded) for pair in zip(windows[::2], windows[1::2], strict=False)]
    slow = [(without.rate / with_load.rate - 1) * 100 for without, with_load in pairs]
    loaded = [one for one in windows if one.is_loaded]
    print(
        f"{options.photos} photos of {options.reading or options.processor} s "
        f"({'waiting' if options.reading else 'processor time'}), {options.streams} streams, {options.rate} pages/s, "
        f"windows of {options.window} s"
    )
    for path in PAGES:
        times = [seconds for one in loaded for seconds in one.times[path]]
        print(
            f"  {path:12} {len(times):5} times, p50 {milliseconds(times, 0.5):5.0f} ms, "
            f"p99 {milliseconds(times, 0.99):5.0f} ms, longest {milliseconds(times, 1):5.0f} ms"
        )
    times = [seconds for one in loaded for all_of_page in one.times.values() for seconds in all_of_page]
    print(f"pages: {len(times)}, p50 {milliseconds(times, 0.5):.0f} ms, p99 {milliseconds(times, 0.99):.0f} ms")
    print(f"errors: {sum(one.errors for one in loaded)}")
    print(f"events: {sum(one.events for one in loaded)} on all streams, {sum(one.lost for one in loaded)} lost")
    own = [
        statistics.mean(one.daemon / one.seconds for one in windows if one.is_loaded is kind) for kind in (False, True)
    ]
    print(f"the daemon's own processor time: {own[0] * 100:.1f} % of a core without, {own[1] * 100:.1f} % with load")
    spread = ", ".join(f"{value:.1f}" for value in slow)
    print(f"slowdown of the backlog, median of {len(slow)} pairs: {statistics.median(slow):.1f} % ({spread})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    parser.add_argument("--photos", type=int, default=5000)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--rate", type=int, default=50, help="requests a second")
    parser.add_argument("--reading", type=float, default=0.2, help="seconds that the stand-in waits for a photo")
    parser.add_argument("--processor", type=float, default=0, help="seconds of processor time that it uses in addition")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--window", type=float, default=20, help="seconds of one window")
    parser.add_argument("--windows", type=int, help="end after so many windows, before the backlog is read")
    parser.add_argument("--cost", action="store_true", help="only the processor time of each page, one after the other")
    options = parser.parse_args()
    options.program = options.program.resolve()
    # Photos that the next pair of windows may need.
    options.reserve = int(4 * options.window / max(0.01, options.reading + options.processor))
    environment = {"TABLESIGHT_WORKERS_COUNT": str(options.workers)}
    daemon = Daemon(options.program, environment)
    environment["TABLESIGHT_WORKER"] = scripted_worker.wrapper(daemon.place)
    daemon.environment = environment
    with daemon:
        daemon.store_people()
        if options.cost:
            return asyncio.run(cost(daemon, options, daemon.place))
        summary(asyncio.run(measure(daemon, options, daemon.place)), options)


if __name__ == "__main__":
    main()
