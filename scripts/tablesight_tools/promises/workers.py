"""Promise 7: workers that end or hang."""

import os
import random
import signal
import time

from tablesight_tools.pictures import picture
from tablesight_tools.processes import has_job, wait_for
from tablesight_tools.promises.bench import Bench, Skip
from tablesight_tools.promises.daemon import Daemon


def _busy(daemon: Daemon) -> list[int]:
    """Workers that have a job. A worker has none if it ended, was stopped, or waits for a job in recvmsg(2)."""
    running = []
    for pid in daemon.children():
        try:
            with open("/proc/%d/stat" % pid) as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
            if state not in "ZXT" and has_job(pid):
                running.append(pid)
        except PermissionError as error:
            raise Skip("what a worker does cannot be seen: /proc/PID/syscall is closed to this user") from error
        except OSError:
            pass
    return running


def _wait_gone(daemon: Daemon, worker: int) -> None:
    wait_for(lambda: worker not in daemon.children(), pause=0.005)


def signals(bench: Bench) -> str:
    rounds = bench.size(8, 200)
    daemon = bench.daemon(environment={"TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS": "1"}).start()
    pid, slowest, hit, count = daemon.pid, 0.0, 0, 0

    def two_busy() -> bool:
        """True while two workers have a job. There are always photos that wait."""
        nonlocal count
        while count < daemon.announced_count() + 8:
            (daemon.inbox / ("%d.png" % count)).write_bytes(picture("tablesight-test: slow %d" % count))
            count += 1
        return len(_busy(daemon)) >= 2

    chance = random.Random(2)
    while hit < rounds:
        if not wait_for(two_busy, pause=0.005):
            bench.expect(False, "workers did not come back")
            break
        victim = chance.choice(_busy(daemon) or [0])
        number = (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL, signal.SIGSTOP)[hit % 4]
        try:
            if not victim:
                continue
            os.kill(victim, number)
        except ProcessLookupError:
            continue
        hit += 1
        start = time.monotonic()
        # The daemon notices a stopped worker after its limit of one second.
        _wait_gone(daemon, victim)
        back = wait_for(two_busy, 5, 0.005)
        seconds = time.monotonic() - start - (1 if number == signal.SIGSTOP else 0)
        bench.measure(back, "a slot stayed empty after %s" % number)
        slowest = max(slowest, seconds)
        time.sleep(0.1)
    daemon.wait_announced(count, pause=0.2)
    failed = sum(o["status"] == "failed" for o in daemon.announced())
    bench.expect(daemon.is_alive() and daemon.pid == pid, "the daemon ended")
    bench.expect(daemon.announced_count() == count, "%d of %d outcomes" % (daemon.announced_count(), count))
    bench.measure(slowest <= 2, "a slot took %.1f s" % slowest)
    return (
        f"{hit} signals: 0 restarts, slot back after at most {slowest:.2f} s, {daemon.announced_count()} of {count} "
        f"photos ended, {failed} of them hit twice"
    )
