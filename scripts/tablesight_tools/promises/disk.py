"""Promise 12: the disk is full, or returns errors."""

import shutil
import time

from tablesight_tools.pictures import fill
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import Bench


def full_and_broken(bench: Bench) -> str:
    return "; ".join([_full(bench), _broken(bench)])


def _full(bench: Bench) -> str:
    with bench.small_disk() as place:
        daemon = bench.daemon(output=place / "out", environment={"TABLESIGHT_DISK_MINIMUM_FREE_MI_B": "1"}).start()
        pid, count = daemon.pid, bench.size(60, 400)  # 8 MB hold the results of about 600 photos
        fill(daemon.inbox, "full", range(count // 2))
        wait_for(lambda: daemon.announced_count() > 5)
        with open(place / "ballast", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                pass
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
        return (
            f"full: unready after {seconds:.1f} s, {daemon.announced_count()} of {count} done after room came, no "
            "restart"
        )


def _broken(bench: Bench) -> str:
    if not shutil.which("strace"):
        return "EIO: skipped, strace is not installed"
    codes = []
    for number in range(1, 31) if bench.full else (3,):
        inbox = bench.inbox("eio-%d" % number)
        fill(inbox, "eio", range(20))
        daemon = bench.daemon(inbox, prefix=bench.strace("fsync,fdatasync", "error=EIO:when=%d" % number))
        daemon.start(once=True)
        codes.append(daemon.wait())
        daemon.prefix = []
        daemon.finish()
        lost = 20 - len(daemon.outcomes())
        bench.expect(
            lost == 0 and not daemon.compare_sidecars() and not daemon.faults(), "EIO at %d: %d lost" % (number, lost)
        )
    bench.expect(74 in codes, "exit codes %s" % codes)
    return "EIO on %d syncs: exit 74 %d times, nothing lost after the next start" % (len(codes), codes.count(74))
