"""Checks of the API from outside: schemathesis against the OpenAPI document, and clients that attack the server."""

from __future__ import annotations

import select
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tablesight_tools.browser.app import Figure
from tablesight_tools.browser.checks.homes import MENU
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.paths import REPOSITORY

SCHEMATHESIS = "4.32.5"
TOOLS = REPOSITORY / ".build-tools/schemathesis"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Event streams do not end.
STREAMS = "(Events|Stream)$"
DELETIONS = "^deleteV1(People|Profiles)Name$"
UPLOAD = 2 << 30
HEALTH_SECONDS = 1.0


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


def drip(daemon: Daemon, head: bytes, one: bytes, seconds: float) -> bytes:
    """Sends a head, then one byte a second until the daemon answers or ends the connection; gives the answer."""
    end = time.monotonic() + seconds
    with socket.create_connection(daemon.listens) as client:
        client.sendall(head)
        client.settimeout(1)
        while time.monotonic() < end:
            try:
                client.sendall(one)
                return client.recv(200)
            except TimeoutError:
                continue
            except OSError:
                return b""
    raise AssertionError(f"the connection is open after {seconds:.0f} s")


def health(daemon: Daemon) -> float:
    """Seconds until the health route answers."""
    began = time.monotonic()
    with urllib.request.urlopen(daemon.address + "/healthz", timeout=20) as answer:
        assert answer.status == 200
    return time.monotonic() - began


def test_slow_heads_are_cut(daemon: Daemon, figure: Figure) -> None:
    """A client that sends one byte of its head a second is disconnected after the head's time."""
    began = time.monotonic()
    drip(daemon, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"a", 60)
    figure(f"a slow head is cut after {time.monotonic() - began:.0f} s")


def test_slow_bodies_are_refused(daemon: Daemon, figure: Figure) -> None:
    """An upload of a few bytes a second gets 408."""
    began = time.monotonic()
    head = f"POST /v1/images HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {daemon.token}\r\n"
    head += "Content-Type: image/jpeg\r\nContent-Length: 1000000\r\n\r\n"
    answer = drip(daemon, head.encode(), b"\xff", 90)
    seconds = time.monotonic() - began
    figure(f"a slow upload ends after {seconds:.0f} s: {answer[:12]!r}")
    assert b"408" in answer[:12] or not answer


def test_a_large_upload_is_refused_early(daemon: Daemon, figure: Figure) -> None:
    """2 GiB without an announced length: refused after the limit. test_proxy.py announces one."""
    head = f"POST /v1/images HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {daemon.token}\r\n"
    head += "Content-Type: image/jpeg\r\nTransfer-Encoding: chunked\r\n\r\n"
    part = f"{1 << 20:x}\r\n".encode() + bytes(1 << 20) + b"\r\n"
    sent, answer = 0, b""
    with socket.create_connection(daemon.listens, timeout=60) as client:
        client.sendall(head.encode())
        # The daemon may end the connection before its answer is read.
        with suppress(OSError):
            while sent < UPLOAD and not select.select([client], [], [], 0)[0]:
                client.sendall(part)
                sent += 1 << 20
        with suppress(OSError):
            answer = client.recv(2000)
    figure(f"2 GiB: {answer[9:12].decode() or 'closed'} after {sent >> 20} MiB")
    assert sent < UPLOAD, "2 GiB were accepted"
    assert answer[9:12] in (b"413", b""), answer[:80]
    assert health(daemon) <= HEALTH_SECONDS
    left = [file for file in daemon.inbox.rglob("*") if file.is_file() and file.stat().st_size > (64 << 20)]
    assert not left, f"parts of a refused upload stay: {left}"
