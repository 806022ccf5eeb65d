"""What one check works with: its folders, the program, its daemons, and the list of what did not hold."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.promises.daemon import Daemon

PRELOAD = Path(__file__).with_name("preload")
Number = TypeVar("Number", int, float)

# A photo is read 20 ms after its last change, not after seconds.
QUICK = {"TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "20"}


class Skip(Exception):  # noqa: N818
    """This machine cannot run a check. The message says why."""


class Bench:
    """The environment of one check."""

    def __init__(self, program: Path, folder: Path, full: bool = False, evaluation: Path | None = None) -> None:
        self.program, self.folder, self.root = program, folder, REPOSITORY
        self.full, self.eval = full, evaluation
        self.broken: list[str] = []
        self.daemons: list[Daemon] = []
        # Called at the end, the last one first.
        self.endings: list[Callable[[], object]] = []
        # The program may be a copy outside the repository.
        os.environ.setdefault("TABLESIGHT_MODELS", str(REPOSITORY / "models"))
        self.test_worker = program.parent / "tablesight-test-worker"
        if not self.test_worker.exists():
            self.test_worker = REPOSITORY / ".build/debug/tablesight-test-worker"

    def size(self, quick: Number, full: Number) -> Number:
        """A size for the quick form and one for the full form."""
        return full if self.full else quick

    def expect(self, truth: object, what: str) -> bool:
        """Records `what` if the expectation does not hold. The check continues."""
        if not truth:
            self.broken.append(what)
        return bool(truth)

    def measure(self, truth: object, what: str) -> bool:
        """Like `expect`, for times and sizes, which depend on the machine's load. Only the full form counts them."""
        return self.expect(truth or not self.full, what)

    def inbox(self, name: str = "inbox") -> Path:
        place = self.folder / name
        place.mkdir(exist_ok=True)
        return place

    def library(self, name: str) -> str | None:
        """Compiles preload/NAME.c for LD_PRELOAD. None if no C compiler is installed."""
        compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
        if not compiler:
            return None
        made, source = self.folder / (name + ".so"), PRELOAD / (name + ".c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(source), "-ldl"], check=True)
        return str(made)

    def daemon(self, inbox: Path | None = None, *, real: bool = False, **options: Any) -> Daemon:
        """A daemon that is not started yet. It uses the worker of the tests, or the real one."""
        worker = None if real else self.test_worker
        if worker and not worker.exists():
            raise Skip("no tablesight-test-worker: `swift build --build-tests`")
        one = Daemon(self.program, inbox or self.inbox(), self.folder, worker=worker, **options)
        self.daemons.append(one)
        return one

    def strace(self, calls: str, fault: str) -> list[str]:
        """A prefix of a daemon that injects a fault into these calls."""
        if not shutil.which("strace"):
            raise Skip("strace is not installed")
        return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls, "-e", "inject=%s:%s" % (calls, fault)]

    @contextmanager
    def small_disk(self) -> Iterator[Path]:
        """A file system of 8 MB. At the end all daemons are killed and it is unmounted."""
        place = self.inbox("disk")
        mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(place)]
        if os.geteuid() or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
            raise Skip("mounting a tmpfs needs root")
        try:
            yield place
        finally:
            self.clean_up()
            subprocess.run(["umount", "-l", str(place)])

    def clean_up(self) -> None:
        for one in self.daemons:
            one.kill()
        while self.endings:
            self.endings.pop()()
