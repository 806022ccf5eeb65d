"""Promises 1 to 3: files that arrive in many ways, many at once, or while the daemon is stopped."""

import base64
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tablesight_tools.measures import percentile
from tablesight_tools.pictures import picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import Bench, Skip
from tablesight_tools.promises.daemon import Daemon


def one_outcome_each(bench: Bench) -> str:
    daemon = bench.daemon(environment={"TABLESIGHT_INTAKE_RESCAN_SECONDS": "20"}).start()
    if bench.eval:
        return _droppers(bench, daemon, bench.eval)
    expected = _own_ways(bench, daemon)
    daemon.wait_announced(len(expected))
    time.sleep(2)
    _compare(bench, daemon, expected)
    return "%d files in 8 ways: %d outcomes" % (len(expected), daemon.announced_count())


def _own_ways(bench: Bench, daemon: Daemon) -> dict[str, str]:
    """Drops files in the ways of people and programs. Returns path → hash of the content that must be read there."""
    inbox, stage, expected = daemon.inbox, bench.inbox("stage"), dict[str, str]()

    def made(path: Path, data: bytes) -> None:
        expected[str(path.resolve())] = "sha256:" + hashlib.sha256(data).hexdigest()

    for i in range(bench.size(5, 40)):
        for way in ("plain", "slow", "moved", "linked", "tree", "again", "touched", "part"):
            (inbox / way).mkdir(exist_ok=True)
            path, data = inbox / way / ("%d.png" % i), picture("%s %d" % (way, i))
            if way == "slow":
                with open(path, "wb") as file:
                    file.write(data[:40])
                    file.flush()
                    time.sleep(0.7)
                    file.write(data[40:])
            elif way == "moved":
                (stage / path.name).write_bytes(data)
                os.rename(stage / path.name, path)
            elif way == "linked":
                (stage / ("l" + path.name)).write_bytes(data)
                os.link(stage / ("l" + path.name), path)
            elif way == "tree":
                tree = stage / ("tree%d" % i)
                (tree / "a/b").mkdir(parents=True)
                (tree / "a/b/c.png").write_bytes(data)
                os.rename(tree, inbox / tree.name)
                path = inbox / tree.name / "a/b/c.png"
            elif way == "again":
                folder = inbox / ("again%d" % i)
                folder.mkdir()
                shutil.rmtree(folder)
                folder.mkdir()
                path = folder / "x.png"
                path.write_bytes(data)
            elif way == "part":
                (inbox / way / (path.name + ".part")).write_bytes(data)
                os.rename(inbox / way / (path.name + ".part"), path)
            elif way == "touched":
                # It stays open until it was touched, so that it is not read before.
                with open(path, "wb") as file:
                    path.write_bytes(data)
                    os.utime(path)
                    file.flush()
            else:
                path.write_bytes(data)
            made(path, data)
    os.symlink("/etc/passwd", inbox / "link.png")
    return expected


def _compare(bench: Bench, daemon: Daemon, expected: dict[str, str]) -> None:
    seen = Counter((outcome["source"]["path"], outcome.get("id")) for outcome in daemon.announced())
    for path, content in expected.items():
        count = seen.pop((path, content), 0)
        bench.expect(count == 1, "%s has %d outcomes" % (path, count))
    bench.expect(not seen, "outcomes for what never was whole: %s" % list(seen)[:3])


def _droppers(bench: Bench, daemon: Daemon, evaluation: Path) -> str:
    """Runs the droppers of the evaluation set and compares the outcomes with their ledger."""
    ledger = bench.folder / "ledger.jsonl"
    command = [sys.executable, str(evaluation / "badinputs/droppers.py"), str(daemon.inbox), "--ledger", str(ledger)]
    command += ["--each", str(bench.size(2, 20)), "--burst", str(bench.size(300, 10000))]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    last = [0, time.monotonic()]

    def still() -> bool:
        if daemon.announced_count() != last[0]:
            last[:] = [daemon.announced_count(), time.monotonic()]
        return time.monotonic() - last[1] > 12 and daemon.count("SELECT count(*) FROM photo WHERE state <> 'done'") == 0

    wait_for(still, 3600, 0.5)
    seen: Counter[tuple[bytes, str]] = Counter()
    paths: dict[bytes, set[str]] = {}
    for outcome in daemon.announced():
        source = outcome["source"]
        path = base64.b64decode(source["pathBase64"]) if "pathBase64" in source else os.fsencode(source["path"])
        seen[path, outcome.get("id")] += 1
        paths.setdefault(path, set()).add(outcome.get("id"))
    missed = duplicate = partial = 0
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    for line in lines:
        path = os.fsencode(str(daemon.inbox.resolve())) + b"/" + base64.b64decode(line["path_b64"])
        content = "sha256:" + line["sha256"]
        count = seen[path, content]
        if line["must"] in ("once", "last"):
            missed += count == 0
            duplicate += count > 1
            partial += line["must"] == "once" and bool(paths.get(path, set()) - {content})
        elif line["must"] == "gone":
            duplicate += sum(n for (p, _), n in seen.items() if p == path) > 1
    bench.expect(
        missed + duplicate + partial == 0, "%d missed, %d duplicate, %d partial" % (missed, duplicate, partial)
    )
    return "%d drops: %d missed, %d duplicate, %d partial contents" % (len(lines), missed, duplicate, partial)


def _fill(folder: Path, count: int, prefix: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        (folder / ("%d.png" % i)).write_bytes(b"%s %d" % (prefix, i))


def _drop_while_stopped(bench: Bench, count: int) -> Daemon:
    """Renames files into a watched folder while the daemon is stopped. One more is there before."""
    daemon, stage = bench.daemon().start(), bench.inbox("stage")
    _fill(stage, count, b"burst")
    _fill(daemon.inbox / "burst", 1, b"first")
    os.rename(daemon.inbox / "burst/0.png", daemon.inbox / "burst/first.png")
    daemon.wait_announced(1)
    os.kill(daemon.pid, signal.SIGSTOP)
    for name in os.listdir(stage):
        os.rename(stage / name, daemon.inbox / "burst" / name)
    os.kill(daemon.pid, signal.SIGCONT)
    return daemon


def lost_events(bench: Bench) -> str:
    # More than the kernel's queue of events holds.
    held = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    count = max(held + 1_600, bench.size(18_000, 100_000))
    if count > 200_000:
        raise Skip("the kernel's queue holds %d events, too many to overflow it" % held)
    daemon = _drop_while_stopped(bench, count)
    start = time.monotonic()
    rows = "SELECT count(*) FROM photo"
    wait_for(lambda: daemon.count(rows) > count, pause=0.2)
    seconds = time.monotonic() - start
    found, overflows = daemon.count(rows), daemon.metric("tablesight_inotify_overflows_total")
    bench.expect(found == count + 1, "%d of %d rows" % (found, count + 1))
    bench.measure(seconds <= 60, "%.0f s" % seconds)
    bench.expect(overflows >= 1, "no overflow was counted")
    return "%d of %d rows after %.1f s, overflows %d" % (found, count + 1, seconds, overflows)


def bounded(bench: Bench) -> str:
    count = bench.size(5_000, 100_000)
    daemon = _drop_while_stopped(bench, count)
    times: list[float] = []
    peak, other, done = 0.0, None, None
    end = time.monotonic() + bench.size(6, 60)
    while time.monotonic() < end:
        start = time.monotonic()
        status = daemon.status("/healthz")
        times.append(time.monotonic() - start)
        bench.expect(status == 200, "healthz %d" % status)
        peak = max(peak, daemon.resident_mb())
        if other is None and daemon.count("SELECT count(*) FROM photo") > count // 2:
            (daemon.inbox / "other").mkdir()
            (daemon.inbox / "other/x.png").write_bytes(picture("other"))
            other = time.monotonic()
        if other and done is None and b"/other/x.png" in daemon.out.read_bytes():
            done = time.monotonic() - other
        time.sleep(0.05)
    late = percentile(times, 0.99) * 1000
    bench.expect(peak < 300, "%.0f MB resident" % peak)
    bench.measure(late < 200, "p99 of /healthz %.0f ms" % late)
    bench.measure(done is not None and done <= 10, "the other folder's file took %s s" % done)
    return "peak %.0f MB, /healthz p99 %.0f ms of %d, other folder %.1f s" % (peak, late, len(times), done or -1)
