"""What each check of the app gets: a daemon of its own on a copy of a prepared home, and a window."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from tablesight_tools.browser.app import DESK, App, Look, launching
from tablesight_tools.browser.checks.homes import HOMES
from tablesight_tools.browser.daemon import Daemon


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if marker := metafunc.definition.get_closest_marker("looks"):
        metafunc.parametrize("look", marker.args, ids=lambda look: look.name.replace(" ", "-"))


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return launching()


@pytest.fixture(scope="session")
def home(program: Path, pytestconfig: pytest.Config) -> Callable[[str], Path | None]:
    """Prepares a home once in a run."""
    place: Path = pytestconfig.getoption("homes")

    def prepared(name: str) -> Path | None:
        if name not in HOMES:
            return None
        known, base = place / name, prepared(HOMES[name].base)
        with open(place / f"{name}.lock", "w") as lock:
            # Another worker of pytest-xdist may prepare it.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not known.exists():
                HOMES[name].prepare(program, base, known.with_suffix(".part"))
                known.with_suffix(".part").rename(known)
        return known

    return prepared


@pytest.fixture
def daemon(program: Path, home: Callable[[str], Path | None], request: pytest.FixtureRequest) -> Iterator[Daemon]:
    marker = request.node.get_closest_marker("home")
    with Daemon(program, home=home(marker.args[0] if marker else "people")) as daemon:
        yield daemon


@pytest.fixture
def look() -> Look:
    return DESK


@pytest.fixture
def window(new_context: Callable[..., BrowserContext], daemon: Daemon, look: Look) -> App:
    """A window in which nobody has signed in."""
    return App(new_context, daemon, look)


@pytest.fixture
def app(window: App) -> App:
    """A window of Ada."""
    window.sign_in()
    return window
