"""Checks of the API from outside: schemathesis against the OpenAPI document."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablesight_tools.browser.checks.homes import MENU
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.paths import REPOSITORY

SCHEMATHESIS = "4.32.5"
TOOLS = REPOSITORY / ".build-tools/schemathesis"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Event streams do not end.
STREAMS = "(Events|Stream)$"
DELETIONS = "^deleteV1(People|Profiles)Name$"


@pytest.fixture
def daemon(program: Path) -> Iterator[Daemon]:
    with Daemon(program) as found:
        found.store_people()
        yield found


@pytest.fixture(scope="session")
def schemathesis() -> Path:
    """schemathesis, installed on the first use."""
    found = TOOLS / "bin/schemathesis"
    if not found.exists():
        print("check-api: installing schemathesis into .build-tools/schemathesis", file=sys.stderr)
        try:
            subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
            install = [TOOLS / "bin/python", "-m", "pip", "install", "--quiet", f"schemathesis=={SCHEMATHESIS}"]
            subprocess.run(install, check=True)
        except subprocess.CalledProcessError as error:
            shutil.rmtree(TOOLS, ignore_errors=True)
            raise RuntimeError("schemathesis cannot be installed: pip needs PyPI") from error
    return found


def test_schema(daemon: Daemon, schemathesis: Path, pytestconfig: pytest.Config) -> None:
    """Every operation with generated requests: no server error, and no answer that the document does not name.

    The daemon's key acts for Ada. People are deleted last, for nobody: no request could act for Ada after that.
    """
    daemon.upload(MENU)
    command = [schemathesis, "--max-examples", str(pytestconfig.getoption("examples"))]
    ada = ["--header", "Tablesight-Member: Ada"]
    request(daemon, command, *ada, "--exclude-operation-id-regex", f"{STREAMS}|{DELETIONS}")
    request(daemon, command, "--include-operation-id-regex", DELETIONS)


def request(daemon: Daemon, command: list[Any], *choice: str) -> None:
    """Generated requests of the operations that schemathesis chooses by `choice`."""
    command = [
        command[0], "run", f"{daemon.address}/v1/openapi.json", "--url", daemon.address, *choice,
        "--header", f"Authorization: Bearer {daemon.token}", "--checks", CHECKS, *command[1:],
        "--phases", "examples,coverage,fuzzing", "--seed", "18", "--request-timeout", "20", "--continue-on-failure",
        "--no-color", "--suppress-health-check", "all",
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, cwd=daemon.place)
    (daemon.place / "schemathesis.txt").write_text(result.stdout + result.stderr)
    lines = result.stdout.splitlines()
    summary = lines[next((at for at, line in enumerate(lines) if "SUMMARY" in line), max(0, len(lines) - 40)) :]
    print("\n".join(summary[-40:]), file=sys.stderr)
    if result.returncode:
        print("\n".join(lines[:400]), file=sys.stderr)
    assert result.returncode == 0, f"schemathesis ended with {result.returncode}"
    assert daemon.process.poll() is None, "the daemon has ended"
