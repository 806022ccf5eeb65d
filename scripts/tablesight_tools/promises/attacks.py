"""Attacks from outside: names of files, and processes that write to photos."""

import os
import subprocess
import sys
import time

from tablesight_tools.pictures import fill, picture
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon


def _pairs() -> list[tuple[str, str]]:
    """Pairs of names: the second needs a folder where the first has its sidecar or the other name of its folder."""
    return [("x", "x.json/y.png"), ("a.png", "a.png.json/b.png"), ("d/e.json/f.png", "d/e.json.folder/f.png")]


def _places(daemon: Daemon) -> dict[str, tuple[str, str, bool]]:
    """Path below the inbox → (status, place of the sidecar, whether that holds this photo's outcome)."""
    found = {}
    for path, sidecar, text in daemon.query(
        "SELECT path, sidecar, json FROM photo JOIN outcome ON outcome.photo = photo.id"
    ):
        try:
            with open(sidecar, "rb") as file:
                equal = file.read() == bytes(text) + b"\n"
        except OSError:
            equal = False
        name = os.path.relpath(os.fsdecode(path), daemon.inbox.resolve())
        found[name] = (daemon.outcomes()[os.fsdecode(path)]["status"], os.fsdecode(sidecar), equal)
    return found


def hostile_names(bench: Bench) -> str:
    """Drops three pairs in both orders and at once. Then restarts the daemon, with the photos and without them."""
    orders = {"first": (0, 1), "second": (1, 0), "together": ()}
    outcomes = 0
    for order, turns in orders.items():
        inbox = bench.inbox("names-" + order)
        names = [[pair[turn] for pair in _pairs()] for turn in turns] or [sum(map(list, _pairs()), [])]
        daemon = bench.daemon(inbox, environment=QUICK).start()
        wanted = 0
        for group in names:
            for name in group:
                (inbox / name).parent.mkdir(parents=True, exist_ok=True)
                (inbox / name).write_bytes(picture(name))
                wanted += 1
            daemon.wait_announced(wanted)
        bench.expect(daemon.is_alive(), "%s: the daemon ended with %s" % (order, daemon.exit_code))
        places = _places(daemon)
        bench.expect(len(places) == 6, "%s: %d of 6 outcomes" % (order, len(places)))
        wrong = [name for name, (status, _, equal) in places.items() if status == "failed" or not equal]
        bench.expect(not wrong, "%s: no outcome or sidecar of its own: %s" % (order, wrong))
        shared = len(places) - len({place for _, place, _ in places.values()})
        bench.expect(shared == 0, "%s: %d photos share a sidecar" % (order, shared))
        daemon.kill()
        (inbox / "later.png").write_bytes(picture("later " + order))
        daemon.start()
        later = daemon.wait_outcomes(7) and "later.png" in _places(daemon)
        bench.expect(
            later and len(_places(daemon)) == 7, "%s: %d of 7 outcomes after a restart" % (order, len(_places(daemon)))
        )
        for folder, _, files in os.walk(inbox):
            for file in files:
                os.unlink(os.path.join(folder, file))
        code, _ = daemon.stop()
        daemon.start()
        bench.expect(code == 0 and daemon.stop()[0] == 0, "%s: a start without the photos failed" % order)
        outcomes += len(places)
    return "3 pairs in 3 orders, each with 2 restarts: %d outcomes, no sidecar shared" % outcomes


# Opens photos for writing in a loop. At times it rewrites the first byte with itself, so that the daemon queues the
# photo again and takes another lease.
HAMMER = """
import os, random, sys, time
chance, paths = random.Random(int(sys.argv[1])), sys.argv[3:]
end, written, count = time.monotonic() + float(sys.argv[2]), 0, 0
while time.monotonic() < end or count < 1001:
    writes = time.monotonic() > written + 0.2
    for path in paths:
        try:
            file = os.open(path, os.O_RDWR)
            if writes:
                os.pwrite(file, os.pread(file, 1, 0), 0)
            os.close(file)
            count += 1
        except OSError:
            pass
    if writes:
        written = time.monotonic()
        time.sleep(chance.choice((0, 0.001, 0.03)))
print(count)
"""


def hammer(bench: Bench) -> str:
    """Other processes open the photos for writing in a loop. Each broken lease sends SIGIO to the daemon."""
    seconds, count = bench.size(8, 60), bench.size(30, 200)
    environment = dict(QUICK)
    library = bench.library("slow-lease")
    if library:
        environment["LD_PRELOAD"] = library
    daemon = bench.daemon(environment=environment)
    fill(daemon.inbox, "hammer", range(count))
    paths = [str(daemon.inbox / ("%d.png" % i)) for i in range(count)]
    daemon.start(ready=False)
    pid = daemon.pid
    # Two writers with three photos each.
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", HAMMER, str(i), str(seconds), *paths[3 * i : 3 * i + 3]], stdout=subprocess.PIPE
        )
        for i in range(2)
    ]
    start, added, health = time.monotonic(), 0, []
    while any(writer.poll() is None for writer in writers) and daemon.is_alive():
        (daemon.inbox / ("new%d.png" % added)).write_bytes(picture("new %d" % added))
        added += 1
        if daemon.address():
            health.append(daemon.status("/healthz"))
        time.sleep(0.2)
    opens = sum(int(writer.communicate()[0] or 0) for writer in writers)
    bench.expect(
        daemon.is_alive() and daemon.pid == pid,
        "the daemon ended with %s after %.1f s" % (daemon.exit_code, time.monotonic() - start),
    )
    done = daemon.wait_outcomes(count + added, pause=0.2) and daemon.is_alive()
    if daemon.is_alive():
        # On a busy machine the address comes after the writers have ended.
        health.append(daemon.status("/healthz"))
    failed = [o for o in daemon.outcomes().values() if o["status"] == "failed"]
    bench.expect(
        done and not failed,
        "%d of %d photos done, %d of them failed" % (len(daemon.outcomes()), count + added, len(failed)),
    )
    bench.expect(opens > 1000, "only %d opens" % opens)
    bench.expect(set(health) == {200}, "/healthz answered %s" % sorted(set(health)))
    return (
        f"{opens} opens for writing in {seconds} s{', each lease kept 5 ms' if library else ''}: same process, "
        f"{len(daemon.outcomes())} of {count + added} photos done, /healthz 200 each of {len(health)} times"
    )
