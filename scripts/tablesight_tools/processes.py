"""Programs in the background, what /proc shows of processes, free ports, and waiting for a condition."""

import os
import random
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")

TICK = os.sysconf("SC_CLK_TCK")
# Seconds to wait for what must happen. They only end a check that hangs: a busy machine may take 50 times longer than
# an idle one, so no check may need fewer.
LIMIT = 600.0


def wait_for(condition: Callable[[], Value], seconds: float = LIMIT, pause: float = 0.05) -> Value:
    """The first true value of `condition`, or its value when the time is over."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(pause)


class Program:
    """A command in the background, whose output goes to a log. It can be started again after it has ended."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None) -> None:
        """`environment` has what is added to that of this process."""
        self.command, self.log = list(command), log
        self.environment = dict(environment or {})
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | self.environment
            )

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def kill(self) -> None:
        if self.process and self.is_alive():
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    """A port of the loopback that nobody uses at the moment. It is below those that connections get by themselves."""
    chance = random.SystemRandom()
    while True:
        port = chance.randrange(20_000, 32_000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def takes_connections(port: int) -> bool:
    """Whether somebody listens at this port of the loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def listening_port(pid: int) -> int | None:
    """The port of the loopback at which a process takes connections. None if it has none, or has ended."""
    try:
        links = [os.readlink("/proc/%d/fd/%s" % (pid, file)) for file in os.listdir("/proc/%d/fd" % pid)]
        rows = [line.split() for line in Path("/proc/%d/net/tcp" % pid).read_text().splitlines()[1:]]
    except OSError:
        return None
    # A listening socket has state 0A; field 9 is its inode.
    found = [row[1] for row in rows if row[3] == "0A" and "socket:[%s]" % row[9] in links]
    return int(found[0].split(":")[1], 16) if found else None


def children(pid: int) -> list[int]:
    """Process ids of the children of a process. Empty if the process has ended, or ends meanwhile."""
    found = []
    try:
        tasks = os.listdir("/proc/%d/task" % pid)
    except OSError:
        return []
    for task in tasks:
        try:
            found += [int(p) for p in Path("/proc/%d/task/%s/children" % (pid, task)).read_text().split()]
        except OSError:
            pass
    return found


def has_job(pid: int) -> bool:
    """False for a worker that waits for a job in recvmsg(2). Raises PermissionError where /proc does not say."""
    try:
        return not Path("/proc/%d/syscall" % pid).read_text().startswith("47 ")
    except PermissionError:
        raise
    except OSError:
        return False


def descendants(pid: int) -> list[int]:
    """Process ids of the children of a process, of their children, and so on."""
    return [one for child in children(pid) for one in (child, *descendants(child))]


def processor_seconds(pid: int) -> float:
    """User and system time of a process, or 0 if it has ended."""
    try:
        fields = Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    except (OSError, IndexError):
        return 0


def family_seconds(pid: int) -> float:
    """User and system time of a process and its descendants, also of those that have ended and were waited for."""
    total = 0
    for one in (pid, *descendants(pid)):
        try:
            total += sum(map(int, Path("/proc/%d/stat" % one).read_text().rsplit(")", 1)[1].split()[11:15]))
        except (OSError, IndexError):
            pass
    return total / TICK


def memory(pid: int, field: str) -> float:
    """A field of /proc/PID/status, in megabytes, or 0 if the process has ended."""
    try:
        for line in Path("/proc/%d/status" % pid).read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0
