"""What all checks share: the program, and a list of the figures that they measure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tablesight_tools.paths import REPOSITORY


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.addoption("--homes", type=Path, help="folder for the homes that the run prepares")
    parser.addoption("--examples", type=int, default=40, help="generated requests an operation of the API")
    parser.addoption("--film", type=Path, help="a boat that is laid, of rendering.boards.session, as a phone's camera")
    parser.addoption("--receipts", type=Path, help="folder with photos of receipts to check too, such as eval's")
    parser.addoption("--each", type=int, help="at most so many receipts of each folder")


@pytest.fixture(scope="session")
def program(pytestconfig: pytest.Config) -> Path:
    found: Path = pytestconfig.getoption("program")
    return found.resolve()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The figures that checks recorded."""
    for report in terminalreporter.getreports("passed"):
        for name, figure in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(f"{report.nodeid.split('::')[-1]}: {figure}")


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[object], None]:
    """Records what the check measured."""
    return partial(record_property, "figure")
