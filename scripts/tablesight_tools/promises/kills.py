"""Promises 4, 5 and 13: the daemon is killed at any moment and at every write."""

import random
import shutil
import signal
import time

from tablesight_tools.pictures import picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import Bench
from tablesight_tools.promises.daemon import Daemon


def _whole(bench: Bench, daemon: Daemon, count: int) -> tuple[int, int, int]:
    """Expects a good outcome and an equal sidecar for each photo. Returns how many are lost, duplicate and failed."""
    outcomes = daemon.outcomes()
    lost = count - len(outcomes)
    failed = [p for p, o in outcomes.items() if o["status"] == "failed"]
    rows = daemon.count("SELECT count(*) FROM outcome")
    wrong, sidecars = daemon.compare_sidecars(), len(daemon.sidecars())
    bench.expect(lost == 0, "%d lost" % lost)
    bench.expect(rows == count, "%d outcome rows" % rows)
    why = [(p, outcomes[p].get("reason"), outcomes[p].get("processing")) for p in failed[:2]]
    bench.expect(not failed, "%d quarantined that did nothing: %s" % (len(failed), why))
    bench.expect(not wrong and sidecars == count, "sidecars: %d, wrong %s" % (sidecars, wrong[:3]))
    bench.expect(not daemon.faults(), "integrity_check: %s" % daemon.faults()[:2])
    return lost, rows - len(outcomes), len(failed)


def any_instant(bench: Bench) -> str:
    kills, count = bench.size(10, 1000), bench.size(150, 2000)
    # A daemon that is killed after 20 ms must have begun to read a photo.
    daemon = bench.daemon(environment={"TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "10"})
    chance, dropped, idle = random.Random(1), 0, 0
    for i in range(kills):
        # Each kill gets a part of the photos, so that there is work until the last kill.
        idle += i > 0 and daemon.count("SELECT count(*) FROM outcome") == dropped
        while dropped < count * (i + 1) // kills:
            (daemon.inbox / ("%d.png" % dropped)).write_bytes(picture("kill %d" % dropped))
            dropped += 1
        # Half of the kills happen during the start, half during work.
        daemon.start(ready=False)
        if i % 2:
            wait_for(lambda: daemon.address() or not daemon.is_alive(), pause=0.005)
        time.sleep(chance.uniform(0.02, 0.4))
        bench.expect(daemon.is_alive(), "ended by itself with %s" % daemon.exit_code)
        daemon.kill()
    done = len(daemon.outcomes())
    daemon.finish()
    lost, duplicate, failed = _whole(bench, daemon, count)
    return (
        f"{kills} kills ({idle} when all was done), {done} of {count} done meanwhile: {lost} lost, {duplicate} "
        f"duplicate, {failed} wrongly quarantined"
    )


def every_write(bench: Bench) -> str:
    steps = range(1, 151) if bench.full else (2, 7)
    runs = killed = 0
    # Enough photos for N calls. strace counts the calls of each thread, and two threads write the sidecars of one
    # worker's photos.
    for call, photos in (("rename", 3), ("fsync", 1.5), ("pwrite64", 0.5)):
        for number in steps:
            inbox, count = bench.inbox("%s-%d" % (call, number)), int(number * photos) + 3
            for i in range(count):
                (inbox / ("%d.png" % i)).write_bytes(picture("%s %d %d" % (call, number, i)))
            trace = bench.strace(call, "signal=KILL:when=%d" % number)
            daemon = bench.daemon(inbox, prefix=trace, environment={"TABLESIGHT_WORKERS_COUNT": "1"})
            daemon.start(once=True)
            code = daemon.wait()
            runs += 1
            killed += code != 0
            wrong = daemon.compare_sidecars()
            bench.expect(not wrong, "%s %d: sidecars %s" % (call, number, wrong))
            daemon.prefix = []
            daemon.finish()
            _whole(bench, daemon, count)
            shutil.rmtree(inbox)
            shutil.rmtree(daemon.output)
    bench.expect(killed > 0, "no run was killed: strace cannot inject here")
    return "%d runs, %d killed at a write: 0 torn or differing sidecars" % (runs, killed)


def acknowledged(bench: Bench) -> str:
    rounds = bench.size(5, 200)
    daemon, lost = bench.daemon(), 0
    for i in range(rounds):
        before = daemon.announced_count()
        for k in range(3):
            (daemon.inbox / ("%d-%d.png" % (i, k))).write_bytes(picture("said %d %d" % (i, k)))
        daemon.start(ready=False)
        said = daemon.wait_announced(before + 1, pause=0.001)
        daemon.kill(signal.SIGKILL)
        bench.expect(said, "round %d: nothing was said" % i)
        known = daemon.outcomes()
        for outcome in daemon.announced()[before:]:
            lost += known.get(outcome["source"]["path"]) != outcome
    bench.expect(lost == 0, "%d lost" % lost)
    return "%d kills right after the word: %d lost" % (rounds, lost)
