"""Promises of the queue between machines: the recipe of the documentation works, and a cut cable costs time only."""

import os
import time
from collections.abc import Callable

from tablesight_tools.pictures import fill, picture
from tablesight_tools.processes import LIMIT, wait_for
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.promises.machines import copied, plug, recipe, two_machines
from tablesight_tools.promises.nats import NatsServer, Worker


def documented(bench: Bench) -> str:
    """The recipe of docs/operations.md, typed on two machines: TLS, NKeys, photos over HTTP."""
    one, two = two_machines(bench)
    count = bench.size(8, 40)
    environment = {
        **QUICK,
        "PATH": "%s:/usr/sbin:%s" % (bench.program.parent, os.environ["PATH"]),
        "TABLESIGHT_WORKER": str(bench.test_worker),
        "TABLESIGHT_PEOPLE": "/mnt/people.sqlite",
    }
    one.run(recipe("daemon"), environment, folder=str(bench.root))
    output = one.folder / "queue/inbox.tablesight"
    ready = wait_for(lambda: (output / "worker-token").exists() and (output / "api-address").exists())
    if not bench.expect(ready, "the daemon does not start: %s" % one.said()[-400:]):
        return ""
    two.run(copied(recipe("worker"), one.folder, two.folder), environment)
    reads = wait_for(lambda: "reading photos of the queue" in two.said())
    bench.expect(reads, "the worker does not start: %s" % two.said()[-400:])
    daemon = Daemon(bench.program, one.folder / "queue/inbox", bench.folder, output=output)
    dropped, far, end = 0, 0, time.monotonic() + LIMIT
    while far == 0 and time.monotonic() < end:
        fill(daemon.inbox, "tablesight-test: half", range(dropped, dropped + count))
        dropped += count
        all_done = wait_for(lambda: daemon.count("SELECT count(*) FROM outcome") == dropped)  # noqa: B023
        bench.expect(all_done, "outcomes: %d of %d: %s" % (len(daemon.outcomes()), dropped, two.said()[-400:]))
        by = [outcome["processing"]["worker"] for outcome in daemon.outcomes().values()]
        far = len(by) - by.count("local")
    bench.expect(far > 0, "the other machine read nothing")
    return "%d photos: %d read on the other machine, %d on the daemon's" % (dropped, far, dropped - far)


def cut(bench: Bench) -> str:
    """The cable of a worker's machine is out in mid-job; the job is done once elsewhere."""
    one, two = two_machines(bench)
    # Jobs are delivered again 10 s after the limit of a job.
    wall_clock, seconds, gate = bench.size(10, 45), bench.size(20, 60), bench.folder / "gate"
    credentials = bench.folder / "credentials"
    credentials.write_text("tablesight\nsecret-of-the-test\n")
    credentials.chmod(0o600)
    server = NatsServer(
        bench.folder / "nats",
        host=one.address,
        port=4222,
        settings='authorization {user: "tablesight", password: "secret-of-the-test"}',
        prefix=one.prefix,
    )
    bench.endings.append(server.kill)
    server.start()
    access = ["--queue", server.address, "--queue-credentials", str(credentials)]
    daemon = bench.daemon(
        prefix=one.prefix,
        arguments=[*access, "--port", "8765", "--workers", "0"],
        environment={
            **QUICK,
            "TABLESIGHT_API_HOST": "0.0.0.0",
            "TABLESIGHT_API_ALLOWED_HOSTS": one.address,
            "TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS": str(wall_clock),
        },
    )
    daemon.start(ready=False)
    daemon.prefix = []  # ip runs the daemon in its own place
    token = daemon.output / "worker-token"
    ready = wait_for(lambda: token.exists() and daemon.address())
    bench.expect(ready, "the daemon does not start: %s" % daemon.log.read_text()[-400:])
    arguments = ["--daemon", "http://%s:8765" % one.address, "--token-file", str(token)]
    arguments += ["--queue-credentials", str(credentials)]

    def worker(name: str, prefix: list[str]) -> Worker:
        return Worker.of(bench, server.address, name, arguments=arguments, slots=1, prefix=prefix).start()

    far = worker("far", two.prefix)
    bench.expect(far.wait_said("reading photos of the queue"), "the worker says %s" % far.said()[-300:])
    (daemon.inbox / "1.png").write_bytes(picture("tablesight-test: gate %s cut" % gate))
    wait_for(lambda: [name for name in os.listdir(far.cache) if len(name) == 64], pause=0.01)
    plug(two, False)
    gate.touch()
    start = time.monotonic()
    worker("near", one.prefix)
    done = daemon.wait_outcomes(1)
    elsewhere = time.monotonic() - start
    outcome = daemon.outcome("1.png")
    by = outcome.get("processing", {}).get("worker")
    bench.expect(done and by == "near", "read by %s after %.0f s" % (by, elsewhere))
    time.sleep(max(0, seconds - (time.monotonic() - start)))
    length = time.monotonic() - start
    plug(two, True)
    bench.expect(far.wait_said("another worker was faster"), "the cut worker says %s" % far.said()[-300:])
    bench.expect(daemon.outcome("1.png") == outcome, "the late result changed the outcome")
    completed = daemon.count("SELECT count(*) FROM event WHERE kind = 'completed'")
    bench.expect(completed == 1, "%d events" % completed)
    # The worker that was cut off works again.
    (daemon.inbox / "2.png").write_bytes(picture("tablesight-test: read after"))
    bench.expect(daemon.wait_outcomes(2), "no outcome after the cut")
    return f"cut off for {length:.0f} s in mid-job: read elsewhere after {elsewhere:.0f} s, the late result ignored"


CHECKS: dict[str, tuple[str, Callable[[Bench], str]]] = {
    "queue-machines": ("the recipe for two machines works", documented),
    "queue-cut": ("a worker that is cut off costs time, not the photo", cut),
}
