"""What the checks of the queue share: servers, daemons and workers that belong together."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablesight_tools.processes import free_port
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.promises.nats import NatsServer, Worker


class Queued:
    """A daemon with a queue, and its workers, on this machine."""

    def __init__(
        self,
        bench: Bench,
        *,
        slots: int = 8,
        wall_clock: int = 45,
        real: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`wall_clock` is the limit of a job in seconds; jobs are delivered again 10 s later. The daemon reads nothing
        itself."""
        self.bench, self.real = bench, real
        self.server = NatsServer(Path(tempfile.mkdtemp(prefix="nats-", dir=bench.folder)))
        bench.endings.append(self.server.kill)
        # Workers know the daemon's address, so that it must be the same after a restart.
        self.port = free_port()
        settings = {
            "TABLESIGHT_QUEUE_ADDRESS": self.server.address,
            "TABLESIGHT_QUEUE_SLOTS": str(slots),
            "TABLESIGHT_WORKERS_COUNT": "0",
            "TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS": str(wall_clock),
        }
        self.daemon: Daemon = bench.daemon(
            real=real, arguments=["--port", str(self.port)], environment={**QUICK, **settings, **(environment or {})}
        )
        self.workers: list[Worker] = []

    def worker(self, name: str, slots: int = 2, *, arguments: list[str] | None = None, **options: Any) -> Worker:
        """A worker that is not started yet."""
        if arguments is None:
            token = self.daemon.output / "worker-token"
            arguments = ["--daemon", "http://127.0.0.1:%d" % self.port, "--token-file", str(token)]
        one = Worker.of(
            self.bench, self.server.address, name, real=self.real, arguments=arguments, slots=slots, **options
        )
        self.workers.append(one)
        return one

    def start(self, workers: int = 1, slots: int = 2) -> "Queued":
        """Starts the server, the daemon and its workers."""
        self.server.start()
        self.daemon.start()
        for number in range(workers):
            self.worker("worker-%d" % number, slots).start()
        return self

    def drop(self, name: str, data: bytes) -> Path:
        """Puts a photo into the inbox at once."""
        part = self.bench.folder / "part"
        part.write_bytes(data)
        return part.rename(self.daemon.inbox / name)

    def check_all(self, count: int) -> tuple[int, int, int]:
        """Expects one good outcome for each photo. Returns how many are lost, double and failed."""
        outcomes = self.daemon.outcomes()
        completed = self.daemon.count("SELECT count(*) FROM event WHERE kind = 'completed'")
        failed = [(path, one.get("reason")) for path, one in outcomes.items() if one["status"] == "failed"]
        lost, double = count - len(outcomes), completed + len(failed) - len(outcomes)
        self.bench.expect(lost == 0, "%d lost" % lost)
        self.bench.expect(double == 0, "%d double" % double)
        self.bench.expect(not failed, "%d failed: %s" % (len(failed), failed[:2]))
        self.bench.expect(not self.daemon.faults(), "integrity_check: %s" % self.daemon.faults()[:2])
        return lost, double, len(failed)
