"""Attacks by photos that change while the daemon reads them."""

import ctypes
import hashlib
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

from tablesight_tools.pictures import picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import QUICK, Bench, Skip
from tablesight_tools.promises.daemon import Daemon


class Accesses:
    """Which files of one folder are read, from inotify."""

    ACCESS = 0x1

    def __init__(self, folder: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if libc.inotify_add_watch(self.descriptor, os.fsencode(str(folder)), self.ACCESS) < 0:
            raise Skip("inotify: %s" % os.strerror(ctypes.get_errno()))

    def names(self) -> list[str]:
        try:
            data, at, found = os.read(self.descriptor, 65536), 0, []
        except BlockingIOError:
            return []
        while at < len(data):
            length = int.from_bytes(data[at + 12 : at + 16], sys.byteorder)
            found.append(os.fsdecode(data[at + 16 : at + 16 + length].rstrip(b"\0")))
            at += 16 + length
        return found

    def close(self) -> None:
        os.close(self.descriptor)


def rewrite(bench: Bench) -> str:
    """Photos are rewritten while the daemon reads them. No outcome may have the reading of another content."""
    count, changes, rest = bench.size(6, 40), bench.size(4, 12), bench.size(1, 3)
    daemon, chance = bench.daemon(environment=QUICK), random.Random(5)
    known, variants = {}, {}
    # The worker reports the words at the beginning. The filler behind them makes the hash take long.
    filler = {which: which.encode() * (bench.size(8, 24) << 20) for which in "ab"}
    for i in range(count):
        for which in "ab":
            words = "tablesight-test: seen %03d-%s" % (i, which)
            data = words.encode().ljust(4096, b"\0") + filler[which]
            known["sha256:" + hashlib.sha256(data).hexdigest()] = words
            variants[i, which] = words.encode().ljust(4096, b"\0")
            # Copies with the same bytes, which are not rewritten; they are dropped at the end.
            (bench.inbox("stage") / ("%03d-%s.png" % (i, which))).write_bytes(data)
        (daemon.inbox / ("%03d.png" % i)).write_bytes((bench.inbox("stage") / ("%03d-a.png" % i)).read_bytes())
    accesses, written, done = Accesses(daemon.inbox), [0], threading.Event()
    left, now, later = dict.fromkeys(range(count), changes), dict.fromkeys(range(count), "a"), []

    def change(i: int, file: int) -> None:
        """Writes other bytes of the same length, and keeps the time of modification."""
        now[i] = "b" if now[i] == "a" else "a"
        before = os.fstat(file)
        os.pwrite(file, variants[i, now[i]], 0)
        os.pwrite(file, filler[now[i]], 4096)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        written[0] += 1

    def write() -> None:
        while not done.is_set():
            for i in {int(name[:3]) for name in accesses.names() if name[:3].isdigit()}:
                if left[i] > 0 and all(i != other for _, other, _ in later):
                    left[i] -= 1
                    # Odd photos change at once. Even ones change after the hash and before the worker reads, half a
                    # second later, and stay open for writing, so that they are not queued again.
                    pause = chance.choice((0, 0.001, 0.01, 0.3)) if i % 2 else chance.uniform(0.1, 0.4)
                    later.append((time.monotonic() + pause, i, None))
            for entry in [entry for entry in later if entry[0] <= time.monotonic()]:
                later.remove(entry)
                _, i, file = entry
                if file is None:
                    file = os.open(daemon.inbox / ("%03d.png" % i), os.O_RDWR)
                    change(i, file)
                    if i % 2 == 0:
                        later.append((time.monotonic() + 1.5, i, file))
                        continue
                elif chance.random() < 0.5:
                    change(i, file)
                os.close(file)
            done.wait(0.002)

    thread = threading.Thread(target=write)
    thread.start()
    daemon.start(ready=False)
    settled = "SELECT count(*) FROM photo WHERE state = 'done'"
    wait_for(lambda: (daemon.count(settled) >= count and written[0] >= count) or not daemon.is_alive(), pause=0.2)
    done.set()
    thread.join()
    accesses.close()
    bench.expect(daemon.is_alive(), "the daemon ended")
    while rest and wait_for(lambda: daemon.count(settled) >= count, pause=0.2):
        rest -= 1
        time.sleep(1)
    for i in range(count):
        for which in "ab":
            os.rename(
                bench.inbox("stage") / ("%03d-%s.png" % (i, which)), daemon.inbox / ("copy-%03d-%s.png" % (i, which))
            )
    bench.expect(
        wait_for(lambda: daemon.count(settled) >= count * 3, pause=0.2),
        "%d of %d photos done" % (daemon.count(settled), count * 3),
    )
    foreign = torn = own = 0
    for outcome in daemon.announced():
        words = known.get(outcome.get("id"))
        seen = outcome["versions"]["models"].get("test", "").split("\0")[0]
        torn += words is None
        foreign += words is not None and seen != words
        own += words is not None and seen == words
    bench.expect(written[0] >= count, "only %d rewrites happened" % written[0])
    bench.expect(foreign == 0, "%d outcomes with the reading of another content" % foreign)
    bench.expect(torn == 0, "%d outcomes of contents that no version of a file had" % torn)
    return (
        f"{written[0]} rewrites of {count} photos while they were read: {own} outcomes, all with their own "
        "reading, 0 of torn contents"
    )


def _opened(daemon: Daemon, names: set[str]) -> bool:
    """True while the daemon has all these files open."""
    found = set()
    try:
        for file in os.listdir("/proc/%d/fd" % daemon.pid):
            found.add(os.path.basename(os.readlink("/proc/%d/fd/%s" % (daemon.pid, file))))
    except OSError:
        pass
    return names <= found


def growing(bench: Bench) -> str:
    """Two files grow to 8 TiB while they are hashed. The daemon must answer requests and end on SIGTERM."""
    daemon = bench.daemon(environment={"TABLESIGHT_PHOTOS_FILE_MI_B": "4096"})
    names, slowest, answers = {"a.png", "b.png"}, 0, 0
    for name in names:
        (daemon.inbox / name).write_bytes(b"")
        os.truncate(daemon.inbox / name, (4 << 30) - 4096)
    (bench.folder / "large").write_bytes(b"")
    try:
        os.truncate(bench.folder / "large", 8 << 40)
    except OSError as error:
        raise Skip("this file system has no files of 8 TiB") from error
    (bench.folder / "large").unlink()
    daemon.start()
    bench.expect(wait_for(lambda: _opened(daemon, names), pause=0.005), "the files were not opened")
    os.kill(daemon.pid, signal.SIGSTOP)
    grown = _opened(daemon, names)
    for name in names:
        os.truncate(daemon.inbox / name, 8 << 40)
    os.kill(daemon.pid, signal.SIGCONT)
    end = time.monotonic() + bench.size(2, 20)
    while time.monotonic() < end:
        start = time.monotonic()
        status = daemon.status("/healthz")
        slowest, answers = max(slowest, time.monotonic() - start), answers + 1
        bench.expect(status == 200, "/healthz %d while files grow" % status)
        time.sleep(0.05)
    code, seconds = daemon.stop()
    bench.expect(grown, "the files were closed before they had grown: nothing was shown")
    bench.expect(code == 0, "exit code %d" % code)
    bench.measure(seconds <= 10, "SIGTERM took %.1f s" % seconds)
    # A stop must not wait for a hash that takes long.
    for name in names:
        os.truncate(daemon.inbox / name, (4 << 30) - 8192)
    daemon.start()
    bench.expect(wait_for(lambda: _opened(daemon, names), pause=0.005), "the files were not opened again")
    code, hashing = daemon.stop()
    bench.expect(code == 0, "SIGTERM while hashing: exit code %d" % code)
    bench.measure(hashing <= 10, "SIGTERM while hashing took %.1f s" % hashing)
    for name in names:
        os.truncate(daemon.inbox / name, 8 << 40)
    (daemon.inbox / "good.png").write_bytes(picture("good"))
    daemon.start()
    daemon.wait_outcomes(3)
    ends = {os.path.basename(path): (o.get("reason") or {}).get("code") for path, o in daemon.outcomes().items()}
    bench.expect(
        ends == {"a.png": "tooLarge", "b.png": "tooLarge", "good.png": "nothingRead"}, "after the restart: %s" % ends
    )
    return (
        f"2 files of 8 TiB: /healthz at most {slowest * 1000:.0f} ms of {answers}, SIGTERM ends it after "
        f"{seconds:.1f} s, {hashing:.1f} s while it hashes; both tooLarge"
    )
