"""Promise 8 and attacks from inside: photos that crash the daemon, and workers that an attacker controls."""

import os
import resource
import signal
import subprocess
import time
from typing import Any

from tablesight_tools.pictures import picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import QUICK, Bench, Skip
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.scripted_worker import barcode_reading, confined, scripted, text_reading, wrapper

QUARANTINED = "SELECT attempts, code, path FROM quarantine"


def poison(bench: Bench) -> str:
    """A photo whose worker kills the daemon and itself, and leaves no word of that."""
    figure = _crashes_together(bench, "poison", 1, signal.SIGKILL)
    command = ["quarantine", "explain", "bad0.png", "--output", str(bench.daemons[-1].output)]
    said = subprocess.run([str(bench.program), *command], capture_output=True, text=True)
    bench.expect(said.returncode == 0 and "ended the daemon" in said.stdout, "explain: " + said.stderr)
    return figure


def daemon_signal(bench: Bench) -> str:
    crashes = _crashes_together(bench, "segv", bench.size(1, 10), signal.SIGSEGV)
    return "; ".join([crashes, _crashes_after_answers(bench), _kills_from_outside(bench)])


def _restart(daemon: Daemon, count: int, most: int) -> list[int | None]:
    """Starts the daemon again until this many outcomes are stored. Returns the exit codes of the runs before."""
    codes: list[int | None] = []
    while len(codes) <= most:
        if not daemon.is_alive():
            daemon.start(ready=False)
        wait_for(lambda: not daemon.is_alive() or daemon.count("SELECT count(*) FROM outcome") == count, pause=0.02)
        if daemon.is_alive():
            break
        codes.append(daemon.exit_code)
    return codes


def _crashes_together(bench: Bench, verb: str, count: int, end: signal.Signals) -> str:
    """Photos that end the daemon, with good ones beside them. Each is quarantined after two tries."""
    daemon = bench.daemon(bench.inbox("crashes"), environment=QUICK)
    bad = {"bad%d.png" % i: picture("tablesight-test: %s %d" % (verb, i)) for i in range(count)}
    good = {"good%d.png" % i: picture("good %d" % i) for i in range(bench.size(6, 20))}
    for name, data in {**bad, **good}.items():
        (daemon.inbox / name).write_bytes(data)
    count = len(bad) + len(good)
    codes = _restart(daemon, count, 2 * len(bad))
    failed = {os.path.basename(p) for p, o in daemon.outcomes().items() if o["status"] == "failed"}
    bench.expect(
        daemon.is_alive() and len(daemon.outcomes()) == count,
        "%d of %d outcomes after %d ends of the daemon" % (len(daemon.outcomes()), count, len(codes)),
    )
    bench.expect(set(codes) == {-end}, "it ended with %s" % codes)
    bench.expect(failed == set(bad), "failed: %s" % sorted(failed))
    rows = daemon.query(QUARANTINED)
    bench.expect(len(rows) == len(bad) and all(row[0] == 2 for row in rows), "quarantine: %s" % rows)
    if daemon.is_alive():
        for name, data in bad.items():
            (daemon.inbox / ("again-" + name)).write_bytes(data)
        daemon.wait_outcomes(count + len(bad))
        again = [(o.get("reason") or {}).get("code") for p, o in daemon.outcomes().items() if "again-" in p]
        bench.expect(daemon.is_alive() and again == ["workerCrashed"] * len(bad), "the same bytes again: %s" % again)
        daemon.stop()
    return (
        f"{len(bad)} photos that crash the daemon: {len(codes)} ends, {len(rows)} quarantined after 2 tries each, "
        f"{len(good)} good ones read"
    )


def _crashes_after_answers(bench: Bench) -> str:
    """SIGSEGV right after a worker's answer. The photo is stored, or quarantined after two tries."""
    daemon, rounds, ends, stored = bench.daemon(bench.inbox("answers"), environment=QUICK), bench.size(3, 15), 0, 0
    for turn in range(rounds):
        name = "%d.png" % turn
        (daemon.inbox / name).write_bytes(picture("tablesight-test: segv-after %d" % turn))
        if not daemon.is_alive():
            daemon.start(ready=False)
        # The daemon may have stored the answer before the signal.
        daemon.wait_ended(pause=0.02)
        codes = [] if daemon.is_alive() else [daemon.exit_code]
        codes += _restart(daemon, turn + 1, 2)
        outcome = daemon.outcome(name)
        if outcome.get("status") != "failed":
            stored += 1
            # Each try has its signal. In the second one too, it may come after the answer was stored.
            if len(codes) < outcome.get("processing", {}).get("attempt", 1) and daemon.wait_ended():
                codes.append(daemon.exit_code)
        bench.expect(
            outcome and len(codes) <= 2, "answer %d: %d ends, then %s" % (turn, len(codes), outcome.get("status"))
        )
        ends += len(codes)
    rows = daemon.query(QUARANTINED)
    bench.expect(ends >= rounds, "only %d ends" % ends)
    bench.expect(len(rows) == rounds - stored and all(row[0] == 2 for row in rows), "quarantine: %s" % rows)
    daemon.stop()
    return (
        f"{rounds} times SIGSEGV right after an answer: {ends} ends, {stored} answers stored, {len(rows)} "
        "quarantined after 2 tries"
    )


def _kills_from_outside(bench: Bench) -> str:
    """SIGKILL from outside while photos are read. No photo is charged with an attempt."""
    kills = bench.size(2, 30)
    daemon = bench.daemon(bench.inbox("kills"), environment=QUICK)
    count, gate, running = kills * 4, bench.folder / "gate", "SELECT count(*) FROM photo WHERE state = 'running'"
    daemon.environment["TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS"] = "3600"
    for i in range(count):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("tablesight-test: gate %s %d" % (gate, i)))
    interrupted = 0
    for _ in range(kills):
        daemon.start(ready=False)
        wait_for(lambda: daemon.count(running) >= 2)
        time.sleep(0.1)
        daemon.kill()
        interrupted += daemon.count(running)
    gate.touch()
    daemon.start()
    daemon.wait_outcomes(count, pause=0.2)
    tries = [outcome["processing"]["attempt"] for outcome in daemon.outcomes().values()]
    charged = sum(number > 1 for number in tries)
    bench.expect(interrupted >= kills, "only %d photos were being read at the kills" % interrupted)
    bench.expect(
        len(tries) == count and charged == 0, "%d of %d outcomes, %d of them charged" % (len(tries), count, charged)
    )
    bench.expect(not daemon.query(QUARANTINED), "quarantine: %s" % daemon.query(QUARANTINED))
    return "%d kills from outside with %d photos in work: 0 charged" % (kills, interrupted)


def _lies() -> dict[str, dict[str, Any]]:
    """Forged answers of a worker, by name."""

    def raw(barcodes: str = "[]", more: str = "") -> str:
        return (
            '{"image":{"format":"png","width":9,"height":9,"orientation":1},"readings":{"barcodes":%s},"timingsMs":{},'
            '"models":{}%s}' % (barcodes, more)
        )

    code = '[{"format":"EAN-13","text":"1","confidence":%s,"corners":[[%s,0],[1,1]],"rescue":"none"}]'
    whole = raw().encode()
    cut = (len(whole).to_bytes(4, "big") + whole[:20]).hex()
    return {
        "nan": {"raw": raw(code % ("NaN", 0))},
        "infinite": {"raw": raw(code % ("1e999", 0))},
        "sure": {"raw": raw(code % ("1e300", 0))},
        "far": {"raw": raw(code % (0.5, "-1e300"))},
        "deep": {"raw": raw(more=',"more":' + "[" * 500 + "]" * 500)},
        "deeper": {"raw": raw(more=',"more":' + "[" * 100_000 + "]" * 100_000)},
        "unclosed": {"raw": "[" * 1_000_000},
        "wide": {"raw": raw().replace('"width":9', '"width":9223372036854775807')},
        "null": {"raw": "null"},
        "empty": {"packets": ["00000000"]},
        "long": {"packets": ["ffffffff", "00" * 100]},
        "lengthless": {"packets": ["00"]},
        "cut": {"packets": [cut, "7d" * 60_000]},
        "twice": {"times": 5},
        "files": {"descriptors": 8, "times": 100},
        "parentheses": {"answer": text_reading("Ingredients: " + "(" * 20_000 + "milk")},
    }


def hostile_worker(bench: Bench) -> str:
    return "; ".join([_confined(bench), _lying(bench)])


def _facts(daemon: Daemon) -> tuple[Any, ...]:
    """Limits, priority, processors and token file of the daemon, which a worker might try to change."""
    limits = [
        resource.prlimit(daemon.pid, number)
        for number in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_CORE)
    ]
    token = (daemon.output / "api-token").stat()
    scheduling = os.getpriority(os.PRIO_PROCESS, daemon.pid), os.sched_getaffinity(daemon.pid)
    return limits, scheduling, oct(token.st_mode), token.st_ino


DENIED = (
    "socket, unix socket, connect, kill, spawn, chmod, chmod by path, priority, limits of the parent, shared memory, "
    "memory file, processors of the parent, signals to the parent, process group"
).split(", ")
DENIED_PATHS = ("read /etc/passwd", "write /tmp")


def _confined(bench: Bench) -> str:
    """A worker tries calls that its confinement forbids."""
    if not bench.test_worker.exists():
        raise Skip("no tablesight-test-worker: `swift build --build-tests`")
    daemon = bench.daemon(
        bench.inbox("confined"), real=True, environment={"TABLESIGHT_WORKER": confined(bench.folder, bench.test_worker)}
    ).start()
    before = _facts(daemon)
    photo = daemon.inbox / "try.png"
    photo.write_bytes(picture("tablesight-test: try"))
    photo.chmod(0o640)
    bench.expect(wait_for(lambda: daemon.outcome("try.png")), "no outcome")
    results = daemon.outcome("try.png").get("versions", {}).get("models", {})
    wanted = dict.fromkeys(DENIED, "Operation not permitted") | dict.fromkeys(DENIED_PATHS, "Permission denied")
    granted = {call: results.get(call) for call, refusal in wanted.items() if results.get(call) != refusal}
    if daemon.metric("tablesight_confinement_refused"):
        raise Skip("this kernel refuses a part of the confinement")
    bench.expect(not granted, "not refused: %s" % granted)
    after = _facts(daemon)
    bench.expect(before == after, "limits, priority, processors or token changed: %s, then %s" % (before, after))
    bench.expect(photo.stat().st_mode & 0o777 == 0o640, "the photo's rights were changed")
    daemon.stop()
    return "%d calls of a worker refused, chmod, setpriority and sched_setaffinity among them" % len(wanted)


def _lying(bench: Bench) -> str:
    daemon = bench.daemon(
        bench.inbox("lies"),
        real=True,
        environment={
            "TABLESIGHT_WORKER": wrapper(bench.folder),
            "TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS": "3",
            **QUICK,
        },
    ).start()
    (daemon.inbox / "first.png").write_bytes(picture("first"))
    wait_for(lambda: daemon.outcome("first.png"))
    bench.expect(daemon.outcome("first.png").get("status") == "unreadable", "an honest answer was lost")
    pid, files, rounds = daemon.pid, daemon.open_files(), bench.size(1, 10)
    before = _facts(daemon)
    for turn in range(rounds):
        for name, script in _lies().items():
            (daemon.inbox / ("%s-%d.png" % (name, turn))).write_bytes(scripted(turn=turn, **script))
            (daemon.inbox / ("good-%s-%d.png" % (name, turn))).write_bytes(
                scripted(answer=dict(barcode_reading("4006381333931"), models={"own": "%s-%d" % (name, turn)}))
            )
    count = 1 + 2 * rounds * len(_lies())
    daemon.wait_outcomes(count, pause=0.1)
    bench.expect(daemon.is_alive() and daemon.pid == pid, "the daemon ended with %s" % daemon.exit_code)
    outcomes = {os.path.basename(path): outcome for path, outcome in daemon.outcomes().items()}
    names = ["%s-%d.png" % (name, turn) for turn in range(rounds) for name in _lies()]
    without = sorted(name for name in names if name not in outcomes)[:5]
    bench.expect(len(outcomes) == count, "%d of %d outcomes: without one %s" % (len(outcomes), count, without))
    refused = tuple("nan- infinite- sure- far- deeper- unclosed- wide- null- empty- long- lengthless- cut-".split())
    believed = [n for n, o in outcomes.items() if n.startswith(refused) and o["status"] != "failed"]
    bench.expect(not believed, "believed: %s" % believed)
    good = {n: o for n, o in outcomes.items() if n.startswith("good-")}
    # On a busy machine an honest answer may come after the short limit of this check.
    late = [n for n, o in good.items() if (o.get("reason") or {}).get("code") == "workerTimeout"]
    bench.measure(not late, "honest answers that were too late: %s" % late[:5])
    strange = [
        n
        for n, o in good.items()
        if n not in late and (o["status"] != "completed" or o["versions"]["models"].get("own") != n[5:-4])
    ]
    bench.expect(len(late) < len(good), "all honest answers were too late")
    bench.expect(not strange, "honest answers that were lost or mixed up: %s" % strange[:5])
    time.sleep(1)
    more = daemon.open_files() - files
    bench.expect(more <= 8, "%d more descriptors are open" % more)
    bench.expect(before == _facts(daemon), "limits, priority or token changed")
    failed, lies = sum(o["status"] == "failed" for o in outcomes.values()), rounds * len(_lies())
    told = "%d lies: same process, %d refused, %d honest answers kept apart, %d more descriptors"
    return told % (lies, failed, lies, max(0, more))
