"""Runs checks in pytest: those of the app in Chromium, of its API from outside, or of both behind nginx.

    scripts/tool browser.check app [arguments of pytest]          app, api, proxy or trust

Exit codes: 0 all hold · 1 a check failed · 69 Chromium or a package is missing · others of pytest
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from tablesight_tools.browser.app import launching
from tablesight_tools.paths import REPOSITORY

BROWSER = Path(__file__).parent


def main() -> int:
    part, *arguments = sys.argv[1:]
    if part == "app":
        launching()
    # The homes of all workers of pytest-xdist. Nothing of a run is left in it.
    with tempfile.TemporaryDirectory(prefix="tablesight-homes.") as homes:
        failures = REPOSITORY / f".build-browser/check-{part}"
        settings = ["-c", BROWSER / "pytest.ini", f"--rootdir={BROWSER}", f"--homes={homes}", f"--output={failures}"]
        if part != "app":
            # Times and network namespaces do not bear another check beside them.
            settings.append("--numprocesses=0")
        checks = BROWSER / ("checks" if part == "app" else f"test_{part}.py")
        return int(pytest.main([str(word) for word in (*settings, checks, *arguments)]))


if __name__ == "__main__":
    sys.exit(main())
