"""What /proc shows of processes, and waiting for a condition."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")


def wait_for(condition: Callable[[], Value], seconds: float, pause: float = 0.05) -> Value:
    """The first true value of `condition`, or its value when the time is over."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(pause)


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
