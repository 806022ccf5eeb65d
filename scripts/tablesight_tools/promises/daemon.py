"""One `tablesight watch` under test: starts it, stops it, and reads its output, database, sidecars and API."""

import json
import os
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tablesight_tools.processes import LIMIT, children, memory, wait_for

OUTCOMES = "SELECT path, json FROM outcome JOIN photo ON photo.id = outcome.photo"


class Daemon:
    """`tablesight watch` on one inbox. It can be started again after it was stopped or killed."""

    def __init__(
        self,
        program: Path,
        inbox: Path,
        folder: Path,
        *,
        worker: Path | None = None,
        output: Path | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        prefix: Sequence[str] = (),
    ) -> None:
        """Standard output and log go to `folder`. `prefix` is a command that runs the daemon, such as strace."""
        self.program, self.inbox = program, inbox
        self.output = output or Path(str(inbox) + ".tablesight")
        self.arguments, self.prefix = list(arguments), list(prefix)
        self.environment = dict(os.environ, **{"TABLESIGHT_LOG_FORMAT": "json", **(environment or {})})
        if worker:
            self.environment["TABLESIGHT_WORKER"] = str(worker)
        self.out, self.log = folder / (inbox.name + ".out"), folder / (inbox.name + ".log")
        # For a daemon that cannot write its file `api-address`.
        self.known_address: str | None = None
        self.process: subprocess.Popen[bytes] | None = None

    # --- start and stop

    def start(self, once: bool = False, ready: bool = True) -> "Daemon":
        """Starts the daemon. With `ready` it returns when /readyz answers 200."""
        (self.output / "api-address").unlink(missing_ok=True)
        command = [*self.prefix, str(self.program), "watch", str(self.inbox), "--output", str(self.output)]
        command += ["--format", "json", "--port", "0", *self.arguments, *(["--once"] if once else [])]
        self._drop_torn_line()
        with open(self.out, "ab") as out, open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=log, env=self.environment
            )
        if ready and not once and not wait_for(lambda: self.status("/readyz") == 200 or not self.is_alive()):
            raise RuntimeError("not ready: %s" % self.log.read_text(errors="replace")[-400:])
        return self

    def _drop_torn_line(self) -> None:
        """A kill can end a write between two pages of the file; no later line may join what is left."""
        if self.out.exists():
            written = self.out.read_bytes()
            os.truncate(self.out, written.rfind(b"\n") + 1)

    @property
    def pid(self) -> int:
        """Process id of the daemon itself, also if `prefix` runs it."""
        process = self._started()
        if self.prefix and self.is_alive():
            inner = wait_for(lambda: children(process.pid))
            return inner[0] if inner else process.pid
        return process.pid

    @property
    def exit_code(self) -> int | None:
        """None while the daemon runs."""
        return self._started().poll()

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            raise RuntimeError("the daemon of %s was not started" % self.inbox.name)
        return self.process

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait(self, limit: float = LIMIT) -> int:
        """Waits at most this many seconds for the end, and returns the exit code."""
        return self._started().wait(limit)

    def kill(self, number: int = signal.SIGKILL) -> None:
        if self.is_alive():
            os.kill(self.pid, number)
            self._started().wait()

    def stop(self, limit: float = LIMIT) -> tuple[int, float]:
        """Sends SIGTERM. Returns the exit code and the seconds until the end: 0 if the daemon had ended before."""
        code = self.exit_code
        if code is not None:
            return code, 0
        start = time.monotonic()
        os.kill(self.pid, signal.SIGTERM)
        return self.wait(limit), time.monotonic() - start

    def finish(self, limit: float = LIMIT) -> int:
        """Runs the daemon with --once, and returns the exit code."""
        self.start(once=True)
        return self.wait(limit)

    # --- wait

    def wait_announced(self, count: int, seconds: float = LIMIT, pause: float = 0.05) -> bool:
        """Waits until at least this many outcomes are printed. False if the time is over or the daemon ends before."""
        return self._wait(lambda: self.announced_count() >= count, seconds, pause)

    def wait_outcomes(self, count: int, seconds: float = LIMIT, pause: float = 0.05) -> bool:
        """Waits until the database has exactly this many outcomes. False if time is over or the daemon ends before."""
        return self._wait(lambda: len(self.outcomes()) == count, seconds, pause)

    def wait_count(self, sql: str, count: int, seconds: float = LIMIT, pause: float = 0.05) -> bool:
        """Waits until the query gives at least this number. False if the time is over or the daemon ends before."""
        return self._wait(lambda: self.count(sql) >= count, seconds, pause)

    def wait_ended(self, seconds: float = LIMIT, pause: float = 0.05) -> bool:
        return wait_for(lambda: not self.is_alive(), seconds, pause)

    def _wait(self, condition: Callable[[], bool], seconds: float, pause: float) -> bool:
        reached = wait_for(lambda: condition() or not self.is_alive(), seconds, pause)
        return reached and (self.is_alive() or condition())

    # --- API

    def address(self) -> str | None:
        if self.known_address:
            return self.known_address
        try:
            return (self.output / "api-address").read_text().strip()
        except OSError:
            return None

    def token(self) -> str:
        return (self.output / "api-token").read_text().strip()

    def authorization(self) -> dict[str, str]:
        """The header with the token."""
        return {"Authorization": "Bearer " + self.token()}

    def request(self, path: str, headers: Mapping[str, str] | None = None, timeout: float = LIMIT) -> tuple[int, bytes]:
        """Status and body, or (0, b"") if nobody answers."""
        address = self.address()
        if not address:
            return 0, b""
        request = urllib.request.Request(address + path, headers=dict(headers or {}))
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def status(self, path: str, headers: Mapping[str, str] | None = None) -> int:
        return self.request(path, headers)[0]

    def metric(self, name: str) -> float:
        """The sum of a metric over its labels."""
        return metric_sum(self.request("/metrics", self.authorization())[1].decode(), name)

    # --- standard output

    def announced(self) -> list[dict[str, Any]]:
        """The outcomes that were printed, in order, without a last line that is not complete."""
        if not self.out.exists():
            return []
        lines = self.out.read_bytes().split(b"\n")[:-1]
        return [json.loads(line) for line in lines if line]

    def announced_count(self) -> int:
        return self.out.read_bytes().count(b"\n") if self.out.exists() else 0

    # --- database and sidecars

    def query(self, sql: str, *arguments: object) -> list[tuple[Any, ...]]:
        """Rows of the database, which the daemon may write to at the same time. Empty if there is no such table yet."""
        file = self.output / "tablesight.sqlite"
        if not file.exists():
            return []
        base = sqlite3.connect("file:%s?mode=ro" % file, uri=True, timeout=LIMIT)
        try:
            return base.execute(sql, arguments).fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            base.close()

    def count(self, sql: str) -> int:
        """The first value of the first row, or 0."""
        rows = self.query(sql)
        return rows[0][0] if rows else 0

    def outcomes(self) -> dict[str, dict[str, Any]]:
        """Path → outcome, from the database."""
        return {os.fsdecode(path): json.loads(text) for path, text in self.query(OUTCOMES)}

    def outcome(self, name: str) -> dict[str, Any]:
        """The outcome of the photo with this path below the inbox. Empty if there is none."""
        return self.outcomes().get(str(self.inbox.resolve() / name), {})

    def faults(self) -> list[str]:
        """What SQLite's integrity check finds."""
        return [row[0] for row in self.query("PRAGMA integrity_check") if row[0] != "ok"]

    def sidecars(self) -> dict[str, bytes]:
        """Path below the inbox → bytes of the sidecar file. Temporary files are left out."""
        root = self.output / "outcomes" / self.inbox.name
        return {str(p.relative_to(root))[:-5]: p.read_bytes() for p in root.rglob("*.json")}

    def compare_sidecars(self) -> list[str]:
        """Sidecars that are torn, or differ from the database."""
        rows = {os.fsdecode(path): text for path, text in self.query(OUTCOMES)}
        wrong = []
        for name, data in self.sidecars().items():
            row = rows.get(str(self.inbox.resolve() / name))
            if row is None or data != bytes(row) + b"\n":
                wrong.append(name)
        return wrong

    # --- process

    def children(self) -> list[int]:
        """Process ids of the workers."""
        return children(self.pid)

    def resident_mb(self) -> float:
        return memory(self.pid, "VmRSS")

    def open_files(self) -> int:
        return len(os.listdir("/proc/%d/fd" % self.pid))


def metric_sum(body: str, name: str) -> float:
    """The sum of a metric over its labels, from a page in the format of Prometheus."""
    return sum(
        float(line.rsplit(" ", 1)[1])
        for line in body.splitlines()
        if line.startswith(name) and line[len(name) : len(name) + 1] in (" ", "{")
    )
