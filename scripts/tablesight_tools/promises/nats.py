"""A NATS server under test, and a small client that sends what no worker of ours would send."""

import json
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tablesight_tools.processes import LIMIT, Program, free_port, wait_for
from tablesight_tools.promises.bench import Bench, Skip


class NatsServer(Program):
    """`nats-server` with JetStream. It keeps its port and its data when it is started again."""

    def __init__(
        self, folder: Path, *, host: str = "127.0.0.1", port: int = 0, settings: str = "", prefix: Sequence[str] = ()
    ) -> None:
        """`settings` are more lines of its configuration; `prefix` is a command that runs it, such as ip netns exec."""
        program = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
        if not program:
            raise Skip("nats-server is not installed: scripts/setup --with-queue")
        self.host, self.port = host, port or free_port()
        folder.mkdir(exist_ok=True)
        configuration = folder / "nats.conf"
        configuration.write_text(
            'listen: "%s:%d"\nmax_payload: 8MB\njetstream {store_dir: "%s"}\n%s\n'
            % (host, self.port, folder / "jetstream", settings)
        )
        super().__init__([*prefix, program, "-c", str(configuration)], folder / "nats.log")

    @property
    def address(self) -> str:
        return "nats://%s:%d" % (self.host, self.port)

    def start(self, wait: bool = True) -> "NatsServer":
        # Counted before the server starts: one that is quicker than this line would be waited for in vain.
        seen = self.said().count("Server is ready")
        self.launch()
        if wait and not wait_for(lambda: self.said().count("Server is ready") > seen):
            raise RuntimeError("nats-server does not start: %s" % self.said()[-400:])
        return self


class NatsClient:
    """The few commands of NATS' protocol that a hostile worker needs."""

    def __init__(self, server: NatsServer, user: str = "", password: str = "") -> None:
        self.socket = socket.create_connection((server.host, server.port), LIMIT)
        self.stream = self.socket.makefile("rb")
        self.stream.readline()
        hello: dict[str, Any] = {"verbose": False, "pedantic": False, "headers": True, "lang": "python"}
        if user:
            hello |= {"user": user, "pass": password}
        self.socket.sendall(b"CONNECT " + json.dumps(hello).encode() + b"\r\n")
        self.inbox = "_INBOX.hostile"
        self.socket.sendall(b"SUB _INBOX.hostile 1\r\n")

    def publish(self, subject: str, data: bytes, reply: str = "") -> None:
        head = "PUB %s %s %d\r\n" % (subject, reply, len(data))
        self.socket.sendall(head.encode() + data + b"\r\n")

    def receive(self, seconds: float = LIMIT) -> tuple[str, bytes] | None:
        """The next message as (subject for the answer, data), without messages of status. None if none comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.socket.settimeout(max(0.01, end - time.monotonic()))
            try:
                words = self.stream.readline().split()
                if words[:1] == [b"PING"]:
                    self.socket.sendall(b"PONG\r\n")
                elif words[:1] in ([b"MSG"], [b"HMSG"]):
                    data, head = self.stream.read(int(words[-1]) + 2)[:-2], 0
                    if words[0] == b"HMSG":
                        head = int(words.pop(-2))
                    if not data.startswith(b"NATS/1.0 "):
                        return (words[3].decode() if len(words) > 4 else "", data[head:])
            except (TimeoutError, OSError):
                return None
        return None

    def job(self, prefix: str, consumer: str, seconds: float = LIMIT) -> tuple[str, dict[str, Any]] | None:
        """Takes a job as a worker does: the subject of its acknowledgement, and the job."""
        request = json.dumps({"batch": 1, "expires": int(seconds * 1e9)}).encode()
        self.publish("$JS.API.CONSUMER.MSG.NEXT.%s_jobs.%s" % (prefix, consumer), request, self.inbox)
        found = self.receive(seconds + 1)
        return (found[0], json.loads(found[1])) if found else None

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


class Worker(Program):
    """One `tablesight work`. It can be started again after it was killed, as by systemd."""

    def __init__(
        self,
        program: Path,
        server: str,
        folder: Path,
        name: str,
        *,
        arguments: Sequence[str],
        slots: int = 2,
        worker: Path | None = None,
        environment: Mapping[str, str] | None = None,
        prefix: Sequence[str] = (),
    ) -> None:
        """`worker` replaces tablesight-worker; `arguments` say where the photos are."""
        self.name, self.cache = name, folder / (name + ".cache")
        command = [*prefix, str(program), "work", "--queue", server, "--slots", str(slots), "--name", name]
        command += ["--cache", str(self.cache), *arguments]
        own = {"TABLESIGHT_WORKER": str(worker)} if worker else {}
        super().__init__(command, folder / (name + ".log"), {**(environment or {}), **own})

    @staticmethod
    def of(bench: Bench, server: str, name: str, *, real: bool = False, **options: Any) -> "Worker":
        """A worker of a check, which is killed at its end. It reads with the worker of the tests, or the real one."""
        worker = None if real else bench.test_worker
        one = Worker(bench.program, server, bench.folder, name, worker=worker, **options)
        bench.endings.append(one.kill)
        return one

    def start(self) -> "Worker":
        self.launch()
        return self

    def wait_said(self, text: str, seconds: float = LIMIT) -> bool:
        return wait_for(lambda: text in self.said(), seconds)

    def wait(self, seconds: float = LIMIT) -> int:
        """Waits for the end and returns the exit code."""
        if self.process is None:
            raise RuntimeError("the worker %s was not started" % self.name)
        return self.process.wait(seconds)

    def stop(self, seconds: float = LIMIT) -> int:
        if self.process is None or self.process.poll() is not None:
            return -1
        self.process.terminate()
        return self.process.wait(seconds)
