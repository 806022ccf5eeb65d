"""Failures of storage (promise 12 and attacks): a full disk, a sync that fails, a database that is locked."""

import os
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

from tablesight_tools.pictures import fill, picture
from tablesight_tools.processes import LIMIT, listening_port, wait_for
from tablesight_tools.promises.bench import QUICK, Bench, Skip
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.scripted_worker import scripted, text_reading, wrapper


def one_eio(bench: Bench) -> str:
    """One sync fails. The daemon must end with exit code 74, or go on with all its parts."""
    library = bench.library("one-eio")
    if not library:
        raise Skip("no C compiler for the library that fails a sync")
    # Sidecars are synced with fsync, the database with fdatasync. An idle daemon writes only its heartbeat.
    cases = [("fsync", n, False) for n in range(1, 13)] + [
        ("fdatasync", n, idle) for idle in (False, True) for n in range(1, 13)
    ]
    ends: list[int] = []
    met = 0
    for call, number, idle in cases if bench.full else (("fsync", 5, False), ("fdatasync", 4, True)):
        what = "EIO at %s %d%s" % (call, number, ", idle" if idle else "")
        inbox, mark = (
            bench.inbox("eio-%s-%d-%d" % (call, number, idle)),
            bench.folder / ("mark-%s-%d-%d" % (call, number, idle)),
        )
        daemon = bench.daemon(
            inbox,
            environment={"LD_PRELOAD": library, "EIO_CALL": call, "EIO_NUMBER": str(number), "EIO_MARK": str(mark)},
        )
        # The first run makes the database: an error there could lose nothing.
        bench.daemon(inbox).finish()
        daemon.start(ready=False)
        end = time.monotonic() + LIMIT
        dropped = 0
        while daemon.is_alive() and not mark.exists() and time.monotonic() < end:
            if not idle:
                dropped += _drop(daemon, dropped, 1)
            time.sleep(0.1)
        met += mark.exists()
        # It ends, or reads these photos with all its runners.
        dropped, runners = dropped + _drop(daemon, dropped, 12), 0
        while daemon.is_alive() and len(daemon.outcomes()) < dropped and time.monotonic() < end:
            runners = max(runners, len(_photos_in_work(daemon)))
            time.sleep(0.02)
        if daemon.is_alive():
            done = len(daemon.outcomes()) == dropped
            bench.expect(
                done and runners == 3 and daemon.status("/readyz") == 200,
                f"{what}: goes on with {runners} of 3 runners, /readyz {daemon.status('/readyz')}, "
                f"{len(daemon.outcomes())} of {dropped} photos done",
            )
            bench.expect(not mark.exists(), "%s: what was not synced is taken for synced" % what)
            code = daemon.stop()[0]
        else:
            code = daemon.exit_code
        bench.expect(code in (0, 74), "%s: exit code %d" % (what, code))
        ends.append(code)
        del daemon.environment["LD_PRELOAD"]
        daemon.finish()
        lost = dropped - len(daemon.outcomes())
        bench.expect(
            lost == 0 and not daemon.compare_sidecars() and not daemon.faults(),
            "%s: %d lost after the next start" % (what, lost),
        )
    bench.expect(met == len(ends), "the error was met in %d of %d runs" % (met, len(ends)))
    return (
        f"{met} runs with one EIO each: {ends.count(74)} ended with 74, {ends.count(0)} went on, nothing lost after "
        "the next start"
    )


def _drop(daemon: Daemon, first: int, count: int) -> int:
    for i in range(first, first + count):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("tablesight-test: slow %s %d" % (daemon.inbox.name, i)))
    return count


def _photos_in_work(daemon: Daemon) -> set[str]:
    """Photos that the daemon has open, one for each runner: two are in workers, one waits for a worker."""
    found = set()
    try:
        files = os.listdir("/proc/%d/fd" % daemon.pid)
    except OSError:
        return found
    for file in files:
        try:
            path = os.readlink("/proc/%d/fd/%s" % (daemon.pid, file))
        except OSError:
            continue
        if path.startswith(str(daemon.inbox.resolve()) + "/"):
            found.add(path)
    return found


def full(bench: Bench) -> str:
    """The disk fills while photos are read, and later has room again."""
    with bench.small_disk() as place:
        daemon = bench.daemon(output=place / "out", environment={"TABLESIGHT_DISK_MINIMUM_FREE_MI_B": "1"}).start()
        pid, count = daemon.pid, bench.size(60, 400)  # 8 MB hold the results of about 600 photos
        fill(daemon.inbox, "full", range(count // 2))
        wait_for(lambda: daemon.announced_count() > 5)
        _fill_up(place)
        start = time.monotonic()
        fill(daemon.inbox, "full", range(count // 2, count))
        unready = wait_for(lambda: daemon.status("/readyz") == 503)
        seconds = time.monotonic() - start
        bench.expect(unready, "never unready")
        bench.measure(seconds <= 5, "unready after %.1f s" % seconds)
        time.sleep(3)
        bench.expect(daemon.is_alive(), "the daemon ended")
        wrong = daemon.compare_sidecars()
        bench.expect(not wrong, "sidecars: %s" % wrong[:3])
        (place / "ballast").unlink()
        done = daemon.wait_announced(count, pause=0.2)
        bench.expect(
            done and daemon.is_alive() and daemon.pid == pid, "%d of %d done" % (daemon.announced_count(), count)
        )
        bench.expect(wait_for(lambda: daemon.status("/readyz") == 200), "not ready again")
        wrong = daemon.compare_sidecars()
        bench.expect(not wrong, "sidecars: %s" % wrong[:3])
        daemon.stop()
        return f"unready after {seconds:.1f} s, {daemon.announced_count()} of {count} done after room came, no restart"


def _fill_up(place: Path) -> None:
    """Writes a file that leaves no byte of the disk free."""
    with open(place / "ballast", "wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                pass


def full_at_start(bench: Bench) -> str:
    with bench.small_disk() as place:
        return "; ".join([_full_at_start(bench, place, "new"), _full_at_start(bench, place, "used")])


def _full_at_start(bench: Bench, place: Path, kind: str) -> str:
    """The disk is full before the daemon starts, with a new output folder or a used one."""
    daemon = bench.daemon(
        bench.inbox("inbox-" + kind),
        output=place / kind,
        environment={"TABLESIGHT_DISK_MINIMUM_FREE_MI_B": "1"},
    )
    count = 5
    for i in range(count):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("%s %d" % (kind, i)))
    daemon.output.mkdir()
    if kind == "used":
        daemon.finish()
        for i in range(count):
            (daemon.inbox / ("more%d.png" % i)).write_bytes(picture("more %d" % i))
        count *= 2
    _fill_up(place)
    said = ""
    ends: list[int | None] = []
    for _ in range(bench.size(2, 20)):
        daemon.log.unlink(missing_ok=True)
        daemon.start(ready=False)
        # The daemon cannot write its file `api-address`.
        port = wait_for(lambda: listening_port(daemon.pid) or (not daemon.is_alive() and -1))
        daemon.known_address = "http://127.0.0.1:%s" % port
        unready = wait_for(lambda: not daemon.is_alive() or daemon.status("/readyz") == 503)
        # A daemon that waits for room must not end a moment later.
        if unready and daemon.is_alive():
            time.sleep(bench.size(2, 20))
        if daemon.is_alive():
            break
        ends.append(daemon.exit_code)
        said = daemon.log.read_text(errors="replace").lower()
        bench.expect(
            ends[-1] == 74 and ("full" in said or "space" in said),
            "%s: exit code %d: %s" % (kind, ends[-1], said[-200:]),
        )
    alive, pid = daemon.is_alive(), daemon.pid
    if alive:
        status, body = daemon.request("/readyz")
        bench.expect(status == 503 and b"disk" in body, "%s: /readyz %d %s" % (kind, status, body[:100]))
        bench.expect(daemon.status("/healthz") == 200, "%s: /healthz %d" % (kind, daemon.status("/healthz")))
    (place / "ballast").unlink()
    if not alive:
        daemon.known_address = None
        daemon.start(ready=False)
    ready = wait_for(lambda: daemon.status("/readyz") == 200)
    done = daemon.wait_outcomes(count, pause=0.2)
    bench.expect(
        ready and done,
        "%s: after room came: ready %s, %d of %d done" % (kind, bool(ready), len(daemon.outcomes()), count),
    )
    bench.expect(not alive or (daemon.is_alive() and daemon.pid == pid), "%s: the daemon ended later" % kind)
    listed = wait_for(lambda: (daemon.output / "api-address").exists())
    bench.expect(listed, "%s: no api-address after room came" % kind)
    bench.expect(not daemon.compare_sidecars() and not daemon.faults(), "%s: sidecars or database are damaged" % kind)
    daemon.stop()
    return "%s output folder: %s, then %d of %d done" % (
        kind,
        "waits unready" if alive else "exit codes %s and the reason" % ends,
        len(daemon.outcomes()),
        count,
    )


def locked(bench: Bench) -> str:
    """Another program holds the write lock of the database. No command and no photo may fail."""
    # Longer than two writes, which the daemon gives up after two seconds each.
    hold, rounds = 5, bench.size(2, 12)
    daemon = bench.daemon(
        real=True,
        environment={"TABLESIGHT_WORKER": wrapper(bench.folder), **QUICK},
    ).start()
    (daemon.inbox / "label.png").write_bytes(
        scripted(answer=text_reading("Ingredients: wheat flour, milk, sugar, salt."))
    )
    (daemon.inbox / "bad.png").write_bytes(scripted(raw="null"))
    daemon.wait_outcomes(2)
    content, database = daemon.outcome("label.png").get("id", "?"), str(daemon.output / "tablesight.sqlite")
    failures: list[str] = []
    runs: dict[str, int] = {}
    health: list[int] = []
    over = threading.Event()
    commands = [
        ["review", "add", content, "--action", "accept", "--by", "anna", "--database", database],
        ["review", "list", "--database", database],
        ["profile", "add", "p%d", "--allergen", "milk", "--database", database],
        ["profile", "list", "--database", database],
        ["quarantine", "list", "--output", str(daemon.output)],
        ["quarantine", "retry", "--all", "--output", str(daemon.output)],
        ["rejudge", "--database", database],
    ]

    def loop(first: int) -> None:
        at = first
        while not over.is_set():
            command = [word.replace("%d", "%d-%d" % (first, at)) for word in commands[at % len(commands)]]
            result = subprocess.run(
                [str(bench.program), *command], capture_output=True, text=True, stdin=subprocess.DEVNULL
            )
            runs[" ".join(command[:2])] = runs.get(" ".join(command[:2]), 0) + 1
            if result.returncode:
                failures.append("%s: %d %s" % (" ".join(command[:2]), result.returncode, result.stderr.strip()[-120:]))
            at += 1

    def watch() -> None:
        while not over.is_set():
            health.append(daemon.status("/healthz"))
            over.wait(0.1)

    threads = [threading.Thread(target=loop, args=(first,)) for first in (0, 3)] + [threading.Thread(target=watch)]
    for thread in threads:
        thread.start()
    pid, dropped = daemon.pid, 0
    for number in range(rounds):
        if number % 2 == 0:
            # After a review the daemon writes a sidecar. So an otherwise idle daemon meets the lock.
            # Its standard output is not the report's.
            command = [str(bench.program), *commands[0]]
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        base = sqlite3.connect(database, timeout=LIMIT, isolation_level=None)
        base.execute("BEGIN IMMEDIATE")
        end = time.monotonic() + hold
        while time.monotonic() < end:
            if number % 2:
                dropped += _drop(daemon, dropped, 1)
            time.sleep(0.2)
        base.execute("COMMIT")
        base.close()
        time.sleep(1)
    # On a busy machine the last kinds of commands run after the last lock.
    wait_for(lambda: len(runs) == len(commands))
    over.set()
    for thread in threads:
        thread.join()
    done = daemon.wait_outcomes(dropped + 2, pause=0.2)
    bench.expect(
        daemon.is_alive() and daemon.pid == pid,
        "the daemon ended with %s: %s" % (daemon.exit_code, daemon.log.read_text(errors="replace")[-200:]),
    )
    bench.expect(done, "%d of %d photos done" % (len(daemon.outcomes()), dropped + 2))
    bench.expect(not failures, "%d of %d commands failed: %s" % (len(failures), sum(runs.values()), failures[:3]))
    bench.expect(len(runs) == len(commands), "only %s ran" % sorted(runs))
    bench.expect(set(health) == {200}, "/healthz answered %s" % sorted(set(health)))
    bench.expect(wait_for(lambda: daemon.status("/readyz") == 200), "not ready afterwards")
    bench.expect(not daemon.faults(), "integrity_check: %s" % daemon.faults()[:2])
    # The daemon writes the sidecar of a command's review when it next looks for changes.
    bench.expect(
        wait_for(lambda: not daemon.compare_sidecars()), "sidecars that differ: %s" % daemon.compare_sidecars()[:3]
    )
    return (
        f"lock held {rounds} times for {hold} s: {sum(runs.values())} commands of {len(runs)} kinds and {dropped} "
        "photos, 0 failed"
    )
