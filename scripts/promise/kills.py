"""Promises 4, 5 and 13: the daemon is killed, at any moment and at every write."""
import json
import random
import shutil
import signal
import subprocess
import time

from daemon import Skip, picture, wait_for


def _whole(bench, daemon, count):
    """Every photo has one good outcome and a sidecar that equals it."""
    outcomes = daemon.outcomes()
    lost = count - len(outcomes)
    failed = [p for p, o in outcomes.items() if o["status"] == "failed"]
    rows = daemon.count("SELECT count(*) FROM outcome")
    wrong, sidecars = daemon.compare_sidecars(), len(daemon.sidecars())
    bench.expect(lost == 0, "%d lost" % lost)
    bench.expect(rows == count, "%d outcome rows" % rows)
    bench.expect(not failed, "%d quarantined that did nothing: %s" % (len(failed), failed[:2]))
    bench.expect(not wrong and sidecars == count, "sidecars: %d, wrong %s" % (sidecars, wrong[:3]))
    bench.expect(not daemon.faults(), "integrity_check: %s" % daemon.faults()[:2])
    return lost, rows - len(outcomes), len(failed)


def any_instant(bench):
    kills, count = bench.size(10, 1000), bench.size(150, 2000)
    # What is killed after 20 ms must get to work at once to be killed at it.
    daemon = bench.daemon(environment={"TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "10"})
    chance, dropped, idle = random.Random(1), 0, 0
    for i in range(kills):
        # A part of the photos for each kill, so that there is work until the last.
        idle += i > 0 and daemon.count("SELECT count(*) FROM outcome") == dropped
        while dropped < count * (i + 1) // kills:
            (daemon.inbox / ("%d.png" % dropped)).write_bytes(picture("kill %d" % dropped))
            dropped += 1
        # Half the kills fall into the start, half into the work.
        daemon.start(ready=False)
        if i % 2:
            wait_for(lambda: daemon.address() or not daemon.is_alive(), 20, 0.005)
        time.sleep(chance.uniform(0.02, 0.4))
        bench.expect(daemon.is_alive(), "ended by itself with %s" % daemon.process.poll())
        daemon.kill()
    done = len(daemon.outcomes())
    daemon.finish(3600)
    lost, duplicate, failed = _whole(bench, daemon, count)
    return "%d kills (%d when all was done), %d of %d done meanwhile: %d lost, %d duplicate, %d wrongly quarantined" % (
        kills, idle, done, count, lost, duplicate, failed)


def every_write(bench):
    if not shutil.which("strace"):
        raise Skip("strace is not installed")
    steps = range(1, 151) if bench.full else (2, 7)
    runs = killed = 0
    # So many photos that the Nth call comes while they are worked on. strace counts each thread by itself, and the sidecars of one
    # worker's photos are written by two.
    for call, photos in (("rename", 3), ("fsync", 1.5), ("pwrite64", 0.5)):
        for number in steps:
            inbox, count = bench.inbox("%s-%d" % (call, number)), int(number * photos) + 3
            for i in range(count):
                (inbox / ("%d.png" % i)).write_bytes(picture("%s %d %d" % (call, number, i)))
            trace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e",
                     "inject=%s:signal=KILL:when=%d" % (call, number)]
            daemon = bench.daemon(inbox, prefix=trace, environment={"TABLESIGHT_WORKERS_COUNT": "1"})
            daemon.start(once=True)
            code = daemon.process.wait(120)
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


def acknowledged(bench):
    rounds = bench.size(5, 200)
    daemon, lost = bench.daemon(), 0
    for i in range(rounds):
        before = daemon.announced_count()
        for k in range(3):
            (daemon.inbox / ("%d-%d.png" % (i, k))).write_bytes(picture("said %d %d" % (i, k)))
        daemon.start(ready=False)
        said = wait_for(lambda: daemon.announced_count() > before, 60, 0.001)
        daemon.kill(signal.SIGKILL)
        bench.expect(said, "round %d: nothing was said" % i)
        known = daemon.outcomes()
        for outcome in daemon.announced()[before:]:
            lost += known.get(outcome["source"]["path"]) != outcome
    bench.expect(lost == 0, "%d lost" % lost)
    return "%d kills right after the word: %d lost" % (rounds, lost)
