"""Runs checks one after the other, and writes what a person needs to understand each failure."""

from __future__ import annotations

import re
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from tablesight_tools.paths import REPOSITORY


class Window(Protocol):
    """What a report needs of an open window."""

    name: str
    errors: list[str]

    def address(self) -> str: ...
    def text(self) -> str: ...
    def screenshot(self, file: Path) -> None: ...


def no_windows() -> Sequence[Window]:
    return ()


class Checks:
    """The checks of one run.

    A check is a function. It fails by an exception; the text that it gives, if any, is its figure. After a failure the
    run goes on with the next check. A report of the failure goes to the folder `failures`: where the check failed, and
    of each window a picture, the address, the visible text and the errors of the console.
    """

    def __init__(self, tool: str, only: str = "", failures: Path | None = None) -> None:
        self.tool = tool
        self.only = only
        self.failures = failures or REPOSITORY / ".build-browser" / tool
        self.held = 0
        self.failed: list[str] = []
        self.figures: list[str] = []
        if failures is None:
            # The reports of the last run.
            shutil.rmtree(self.failures, ignore_errors=True)

    def run(
        self, check: Callable[[], str | None], name: str, windows: Callable[[], Sequence[Window]] = no_windows
    ) -> None:
        name = name.replace("_", " ")
        if not any(part in name for part in self.only.split(",")):
            return
        began = time.monotonic()
        try:
            figure = check()
        except Exception as error:
            self.failed.append(name)
            mark = f"FAILED: {reason(error)}"
            mark += "".join(f"\n  see {file}" for file in self.report(name, error, windows()))
        else:
            self.held += 1
            mark = "ok"
            if figure:
                self.figures.append(f"{name}: {figure}")
        print(f"{name}: {mark} ({time.monotonic() - began:.1f} s)", file=sys.stderr, flush=True)

    def report(self, name: str, error: Exception, windows: Sequence[Window]) -> list[Path]:
        """Writes the files about a failed check: a text, and a picture of each window."""
        self.failures.mkdir(parents=True, exist_ok=True)
        stem = re.sub(r"\W+", "-", name).strip("-")
        parts = [f"{name}: {reason(error)}"]
        pictures = []
        for number, window in enumerate(windows, 1):
            picture = self.failures / f"{stem}-{number}.png"
            # A page that hangs or has crashed must not end the run.
            try:
                parts.append(f"Window {number}, {window.name}, at {window.address()}:\n\n{window.text()}")
                window.screenshot(picture)
                pictures.append(picture)
            except Exception as trouble:
                parts.append(f"Window {number}, {window.name}, cannot be read: {reason(trouble)}")
            parts.append("Errors of its console: " + ("\n".join(window.errors) or "none"))
        text = self.failures / f"{stem}.txt"
        text.write_text("\n\n".join([*parts, *traceback.format_exception(error)]))
        return [text, *pictures]

    def finish(self) -> int:
        """Prints the figures and the failed checks; gives the exit status."""
        for line in self.figures:
            print(line, file=sys.stderr)
        print(f"{self.tool}: {self.held} checks hold, {len(self.failed)} failed", file=sys.stderr)
        for name in self.failed:
            print(f"  {name}", file=sys.stderr)
        return 1 if self.failed else 0


def reason(error: Exception) -> str:
    """What went wrong, in a few lines: of Playwright's log only what it looked for."""
    text, _, log = str(error).partition("\nCall log:")
    if not text.strip():
        frames = traceback.extract_tb(error.__traceback__)
        text = (frames[-1].line or "") if frames else ""
    lines = [*text.strip().splitlines(), *log.strip().splitlines()[:1]]
    return "\n  ".join(lines if isinstance(error, AssertionError) else [type(error).__name__, *lines])
