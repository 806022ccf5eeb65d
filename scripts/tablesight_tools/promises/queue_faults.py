"""Promises of the queue: nothing is lost when a part is killed, and nothing false is believed."""

import hashlib
import json
import os
import random
import time
import zlib
from collections.abc import Callable
from typing import Any

from tablesight_tools.pictures import picture
from tablesight_tools.processes import LIMIT, wait_for
from tablesight_tools.promises.bench import Bench
from tablesight_tools.promises.nats import NatsClient, NatsServer, Worker
from tablesight_tools.promises.queued import Queued


def kills(bench: Bench) -> str:
    """Workers, server and daemon are killed at random while photos are read; each is started again, as by systemd."""
    count, times = bench.size(80, 2000), bench.size(6, 50)
    # Jobs take 300 ms. Without a word of its worker a job is delivered again after 20 s.
    queued = Queued(bench, slots=8, wall_clock=10).start(workers=3, slots=3)
    daemon, chance, killed = queued.daemon, random.Random(44), {"worker": 0, "server": 0, "daemon": 0}
    for number in range(count):
        queued.drop("%d.png" % number, picture("tablesight-test: slow %d" % number))
    done_before = -1
    for number in range(times):
        # Spread over the whole run: each kill waits until its part of the photos is read.
        wait_for(lambda n=number: len(daemon.outcomes()) >= count * n // (times + 1), pause=0.1)  # type: ignore[misc]
        time.sleep(chance.uniform(0, 0.5))
        part = ("worker", "server", "daemon")[number % 3] if number < 3 else chance.choice(list(killed))
        killed[part] += 1
        if part == "worker":
            one = chance.choice(queued.workers)
            one.kill()
            one.start()
        elif part == "server":
            queued.server.kill()
            time.sleep(chance.uniform(0, 1))
            queued.server.start()
        else:
            daemon.kill()
            daemon.start(ready=False)
        done_before = len(daemon.outcomes())
    bench.measure(done_before < count, "the last kill came when everything was read")
    daemon.wait_outcomes(count)
    lost, double, failed = queued.check_all(count)
    late = daemon.metric("tablesight_queue_late_results_total")
    return (
        f"{count} photos, kill -9 of workers {killed['worker']}×, nats-server {killed['server']}×, daemon "
        f"{killed['daemon']}×: {lost} lost, {double} double, {failed} failed, {late:.0f} late"
    )


def frozen(bench: Bench) -> str:
    """A worker gives no sign of life in mid-job; its late result is ignored."""
    queued, gate = Queued(bench, slots=2, wall_clock=10).start(workers=0), bench.folder / "gate"
    first = queued.worker("first", 1).start()
    first.wait_said("reading photos of the queue")
    queued.drop("1.png", picture("tablesight-test: gate %s 1" % gate))
    # Its bytes have arrived: the job is being read.
    wait_for(lambda: [name for name in os.listdir(first.cache) if len(name) == 64], pause=0.01)
    pids = [first.process.pid] if first.process else []
    for pid in pids:
        os.kill(pid, 19)
    gate.touch()
    queued.worker("second", 1).start()
    start = time.monotonic()
    done = queued.daemon.wait_outcomes(1)
    seconds = time.monotonic() - start
    bench.expect(done, "the job was not done elsewhere")
    outcome = queued.daemon.outcome("1.png")
    by = outcome.get("processing", {}).get("worker")
    bench.expect(by == "second", "read by %s" % by)
    for pid in pids:
        os.kill(pid, 18)
    # If the job's limit of time ends at the moment of waking, the late result is a fault, and the daemon counts it.
    late = "tablesight_queue_late_results_total"
    noticed = wait_for(lambda: "another worker was faster" in first.said() or queued.daemon.metric(late) > 0)
    bench.expect(noticed, "the late result was not noticed: %s" % first.said()[-600:])
    bench.expect(queued.daemon.outcome("1.png") == outcome, "the late result changed the outcome")
    queued.check_all(1)
    return "a worker stopped in mid-job: read elsewhere after %.0f s, its late result ignored" % seconds


def refused(bench: Bench) -> str:
    """Wrong credentials, hash, versions and results: refused, reported and counted."""
    parts: list[str] = []
    for part in (_credentials, _results, _hash):
        parts.append(part(bench))
        # The next part has servers and a daemon of its own, with the same folders.
        bench.clean_up()
    return "; ".join(parts)


def _credentials(bench: Bench) -> str:
    users = (
        'authorization {users: [{user: "daemon", password: "one"}, {user: "kitchen", password: "two", '
        'permissions: {publish: ["other.>"], subscribe: ["other.>"]}}]}'
    )
    server = NatsServer(bench.folder / "closed", settings=users)
    bench.endings.append(server.kill)
    server.start()
    token = bench.folder / "token"
    token.write_text("x" * 20 + "\n")
    token.chmod(0o600)

    def worker(name: str, lines: str | None, mode: int = 0o600, address: str = "") -> Worker:
        arguments = ["--daemon", "http://127.0.0.1:9", "--token-file", str(token)]
        if lines is not None:
            file = bench.folder / (name + ".credentials")
            file.write_text(lines)
            file.chmod(mode)
            arguments += ["--queue-credentials", str(file)]
        return Worker.of(bench, address or server.address, name, arguments=arguments).start()

    expected = [
        (worker("wrong", "daemon\nthree\n"), "refuses these credentials"),
        (worker("none", None), "refuses these credentials"),
        (worker("open", "daemon\none\n", 0o644), "can be read by others"),
        (worker("secret-in-address", None, address="nats://daemon:one@127.0.0.1"), "must not hold a user name"),
        (worker("no-tls", "daemon\none\n", address=server.address.replace("nats:", "tls:")), "no TLS with the queue"),
        (worker("elsewhere", None, address="nats://192.0.2.1"), "is on another machine: name a file with credentials"),
    ]
    for one, text in expected:
        code = one.wait()
        bench.expect(code == 78, "%s ended with %s: %s" % (one.name, code, one.said()[-200:]))
        bench.expect(text in one.said(), "%s said %s" % (one.name, one.said()[-300:]))
    file = bench.folder / "wrong.credentials"
    access = ["--queue", server.address, "--queue-credentials", str(file)]
    daemon = bench.daemon(bench.inbox("closed-inbox"), arguments=access).start(ready=False)
    code = daemon.wait()
    bench.expect(code == 78, "the daemon ended with %s: %s" % (code, daemon.log.read_text()[-300:]))
    bench.expect("refuses these credentials" in daemon.log.read_text(), "the daemon said nothing of credentials")
    return "%d workers and a daemon with wrong credentials ended with 78 and the reason" % len(expected)


def _results(bench: Bench) -> str:
    """A worker with valid credentials that sends hostile results."""
    queued = Queued(bench, slots=2, wall_clock=10, environment={"TABLESIGHT_OUTPUT": str(bench.folder / "hostile")})
    queued.daemon.output = bench.folder / "hostile"
    queued.start(workers=0)
    daemon, seen = queued.daemon, {}
    queued.drop("1.png", picture("tablesight-test: read hostile"))
    consumer = _consumer(queued.server)
    client = NatsClient(queued.server)
    client.publish("tablesight.results", os.urandom(4 << 20))
    client.publish("tablesight.results", (3 << 20).to_bytes(4, "big") + zlib.compress(b"\0" * (64 << 20)))
    taken = client.job("tablesight", consumer)
    if not bench.expect(taken, "no job came"):
        return ""
    _, job = taken or ("", {})
    for change in _forgeries(job):
        client.publish("tablesight.results", _packed(change))

    def refusals() -> dict[str, float]:
        body = daemon.request("/metrics", daemon.authorization())[1].decode()
        for line in body.splitlines():
            if line.startswith("tablesight_queue_refused_total{"):
                seen[line.split('"')[1]] = float(line.rsplit(" ", 1)[1])
        return seen

    wanted = {"size", "compression", "schema", "versions", "job"}
    bench.expect(wait_for(lambda: wanted <= set(refusals())), "refused were %s" % seen)
    said = daemon.log.read_text(errors="replace").count("refused a result from the queue")
    bench.expect(said >= len(wanted), "reported %d times" % said)
    # Impossible values cost one attempt, as those of a worker of this machine. An honest worker gets the second.
    client.publish("tablesight.results", _packed(dict(_answer(job), answer=_impossible())))
    bench.expect(wait_for(lambda: "values" in refusals()), "impossible values were not refused: %s" % seen)
    queued.worker("honest", 1).start()
    bench.expect(daemon.wait_outcomes(1), "no outcome after hostile results")
    outcome = daemon.outcome("1.png")
    bench.expect(outcome.get("processing", {}).get("worker") == "honest", "read by %s" % outcome.get("processing"))
    client.close()
    return "%d hostile results refused, 4 MiB of noise among them" % sum(seen.values())


def _consumer(server: NatsServer) -> str:
    """The name of the daemon's consumer of jobs."""
    client = NatsClient(server)
    client.publish("$JS.API.CONSUMER.NAMES.tablesight_jobs", b"", client.inbox)
    found = client.receive()
    client.close()
    names = json.loads(found[1]).get("consumers", []) if found else []
    return str(names[0]) if names else ""


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    """An honest answer."""
    work = {name: value for name, value in job.items() if name != "shared"} | {"dispatch": 0, "patienceMs": 0}
    text = json.dumps(work, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {
        "schema": "tablesight.queueResult/1",
        "dispatch": job["dispatch"],
        "key": hashlib.sha256(text.encode()).hexdigest(),
        "content": job["content"],
        "versions": job["versions"],
        "worker": "hostile",
        "answer": {"readings": {}, "timingsMs": {}, "models": {}},
        "deliveries": 1,
    }


def _impossible() -> dict[str, Any]:
    return {
        "image": {"format": "png", "width": -1, "height": 1, "orientation": 1},
        "readings": {},
        "timingsMs": {},
        "models": {},
    }


def _forgeries(job: dict[str, Any]) -> list[dict[str, Any]]:
    honest = _answer(job)
    return [
        dict(honest, schema="other/1"),
        dict(honest, versions=dict(job["versions"], readers="others")),
        dict(honest, content="sha256:" + "b" * 64),
    ]


def _packed(result: dict[str, Any]) -> bytes:
    body = json.dumps(result).encode()
    return len(body).to_bytes(4, "big") + zlib.compress(body)


def _hash(bench: Bench) -> str:
    """A worker whose copy of the shared folder has other bytes; then a worker with other versions."""
    copy = bench.folder / "copy"
    copy.mkdir()
    queued = Queued(bench, slots=2, environment={"TABLESIGHT_OUTPUT": str(bench.folder / "hashes")})
    queued.daemon.output = bench.folder / "hashes"
    queued.daemon.environment["TABLESIGHT_QUEUE_SHARE"] = str(queued.daemon.inbox)
    for old in queued.daemon.inbox.iterdir():
        old.unlink()
    queued.start(workers=0)
    data = picture("tablesight-test: read shared")
    (copy / "shared.png").write_bytes(data[:-1] + b"\0")
    wrong = queued.worker("wrong-copy", 1, arguments=["--share", str(copy)]).start()
    queued.drop("shared.png", data)
    daemon = queued.daemon
    counted = wait_for(lambda: daemon.metric("tablesight_queue_refused_total") > 0)
    bench.expect(counted, "the wrong hash was not counted: %s" % daemon.log.read_text(errors="replace")[-600:])
    bench.expect(wrong.wait_said("has other bytes"), "the worker said %s" % wrong.said()[-300:])
    bench.expect(not daemon.outcomes(), "other bytes were read")
    wrong.kill()
    queued.worker("right-copy", 1, arguments=["--share", str(daemon.inbox)]).start()
    bench.expect(daemon.wait_outcomes(1), "no outcome from the right copy")
    return "a photo with another hash is not read, and read elsewhere"


def versions(bench: Bench) -> str:
    """A worker with other versions says so at its start, and leaves the jobs to others."""
    queued = Queued(bench, slots=2).start(workers=0)
    other = _worker_with(bench, "other")
    outdated = queued.worker("outdated", 1, environment={"TABLESIGHT_WORKER": other})
    outdated.environment["TABLESIGHT_WORKER"] = other
    outdated.start()
    said = outdated.wait_said("it takes no jobs, and leaves them to other workers")
    bench.expect(said, "the worker said %s" % outdated.said()[-300:])
    queued.drop("1.png", picture("tablesight-test: read versions"))
    time.sleep(bench.size(2, 10))
    bench.expect(not queued.daemon.outcomes(), "a worker with other versions read a photo")
    queued.worker("current", 1).start()
    bench.expect(queued.daemon.wait_outcomes(1), "no outcome from the worker with the same versions")
    by = queued.daemon.outcome("1.png").get("processing", {}).get("worker")
    bench.expect(by == "current", "read by %s" % by)
    return "a worker with other versions says so and takes no job; another one reads it"


def _worker_with(bench: Bench, readers: str) -> str:
    """A worker process of the tests that reports these versions."""
    place = bench.folder / "other-worker"
    place.write_text("#!/bin/sh\nTABLESIGHT_TEST_READERS=%s exec '%s' \"$@\"\n" % (readers, bench.test_worker))
    place.chmod(0o755)
    return str(place)


def idle(bench: Bench) -> str:
    """Published jobs that no other machine takes are read by the daemon's own idle worker."""
    queued = Queued(bench, slots=2, environment={"TABLESIGHT_WORKERS_COUNT": "1"}).start(workers=0)
    count = 8
    for number in range(count):
        queued.drop("%d.png" % number, picture("tablesight-test: half idle %d" % number))
    bench.expect(queued.daemon.wait_outcomes(count), "%d of %d outcomes" % (len(queued.daemon.outcomes()), count))
    # A machine that joins takes its part.
    queued.worker("joined", 1).start().wait_said("reading photos of the queue")
    by, dropped, end = list[str](), count, time.monotonic() + LIMIT
    while "joined" not in by and time.monotonic() < end:
        for number in range(dropped, dropped + count):
            queued.drop("%d.png" % number, picture("tablesight-test: half idle %d" % number))
        dropped += count
        queued.daemon.wait_outcomes(dropped)
        by = [str(one.get("processing", {}).get("worker")) for one in queued.daemon.outcomes().values()]
    queued.check_all(dropped)
    bench.expect(by.count("local") >= count and "joined" in by, "read by %s" % sorted(by))
    return (
        f"{count} photos without another machine, {dropped - count} with one: read here {by.count('local')}, there "
        f"{by.count('joined')}"
    )


CHECKS: dict[str, tuple[str, Callable[[Bench], str]]] = {
    "queue-idle": ("idle workers of the daemon's machine take back published jobs", idle),
    "queue-kills": ("killed workers, servers and daemons lose nothing", kills),
    "queue-frozen": ("a worker without a sign of life costs time, not the photo", frozen),
    "queue-versions": ("workers with other versions leave jobs to the rest", versions),
    "queue-refused": ("wrong credentials, hashes and results are refused, reported and counted", refused),
}
