"""What /proc shows of processes, and waiting for a condition."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")

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


def memory(pid: int, field: str) -> float:
    """A field of /proc/PID/status, in megabytes, or 0 if the process has ended."""
    try:
        for line in Path("/proc/%d/status" % pid).read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0
