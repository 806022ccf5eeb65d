"""Checks of the API from outside: schemathesis against the OpenAPI document, and clients that attack the server."""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tablesight_tools.browser.checks import Checks
from tablesight_tools.browser.daemon import SAMPLES, Daemon
from tablesight_tools.paths import REPOSITORY

SCHEMATHESIS = "4.32.5"
TOOLS = REPOSITORY / ".build-tools/schemathesis"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
# Event streams do not end.
STREAMS = "(Events|Stream)$"
DELETIONS = "^deleteV1(People|Profiles)Name$"
IDLE = 1_100
UPLOAD = 2 << 30
HEALTH_SECONDS = 1.0


class Missing(Exception):  # noqa: N818
    """A part that is not installed."""


def program() -> Path:
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
            raise Missing("schemathesis cannot be installed: pip needs PyPI") from error
    return found


def schema(daemon: Daemon, examples: int) -> None:
    """Every operation with generated requests: no server error, and no answer that the document does not name.

    The daemon's key acts for Ada. People are deleted last, for nobody: no request could act for Ada after that.
    """
    request(
        daemon, examples, "--header", "Tablesight-Member: Ada", "--exclude-operation-id-regex", f"{STREAMS}|{DELETIONS}"
    )
    request(daemon, examples, "--include-operation-id-regex", DELETIONS)


def request(daemon: Daemon, examples: int, *choice: str) -> None:
    """Generated requests of the operations that schemathesis chooses by `choice`."""
    command = [
        program(), "run", f"{daemon.address}/v1/openapi.json", "--url", daemon.address, *choice,
        "--header", f"Authorization: Bearer {daemon.token}", "--checks", CHECKS, "--max-examples", str(examples),
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


def slow_heads_are_cut(daemon: Daemon) -> None:
    """A client that sends one byte of its head a second is disconnected after the head's time."""
    began = time.monotonic()
    drip(daemon, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"a", 60)
    print(f"  a slow head is cut after {time.monotonic() - began:.0f} s", file=sys.stderr)


def slow_bodies_are_refused(daemon: Daemon) -> None:
    """An upload of a few bytes a second gets 408."""
    began = time.monotonic()
    head = f"POST /v1/images HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {daemon.token}\r\n"
    head += "Content-Type: image/jpeg\r\nContent-Length: 1000000\r\n\r\n"
    answer = drip(daemon, head.encode(), b"\xff", 90)
    seconds = time.monotonic() - began
    print(f"  a slow upload ends after {seconds:.0f} s: {answer[:12]!r}", file=sys.stderr)
    assert b"408" in answer[:12] or not answer


def idle_connections_block_nobody(daemon: Daemon) -> None:
    """1,100 connections that send nothing; health stays quick and an open stream stays open."""
    stream = daemon.open("/v1/events", 60)
    clients = []
    slowest = 0.0
    try:
        for number in range(IDLE):
            clients.append(socket.create_connection(daemon.listens, timeout=10))
            if number % 100 == 99:
                slowest = max(slowest, health(daemon))
        slowest = max(slowest, health(daemon))
        assert stream.readline().startswith(b":"), "the event stream is closed"
    finally:
        for client in clients:
            client.close()
        stream.close()
    print(f"  health within {slowest * 1000:.0f} ms beside {len(clients)} idle connections", file=sys.stderr)
    assert slowest <= HEALTH_SECONDS


def a_large_upload_is_refused_early(daemon: Daemon) -> None:
    """2 GiB: refused by the announced length, or after the limit where no length is announced."""
    for how in ("Content-Length: %d\r\n" % UPLOAD, "Transfer-Encoding: chunked\r\n"):
        sent = 0
        head = f"POST /v1/images HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {daemon.token}\r\n"
        head += f"Content-Type: image/jpeg\r\n{how}\r\n"
        answer = b""
        with socket.create_connection(daemon.listens, timeout=60) as client:
            client.sendall(head.encode())
            block = bytes(1 << 20)
            try:
                while sent < UPLOAD:
                    part = f"{len(block):x}\r\n".encode() + block + b"\r\n" if "chunked" in how else block
                    client.sendall(part)
                    sent += len(block)
                    client.settimeout(0.001)
                    try:
                        answer = client.recv(2000)
                        break
                    except TimeoutError:
                        client.settimeout(60)
            except OSError:
                pass
            try:
                answer = answer or client.recv(2000)
            except OSError:
                answer = b""
        kind = how.split(":")[0]
        print(f"  2 GiB by {kind}: {answer[9:12].decode() or 'closed'} after {sent >> 20} MiB", file=sys.stderr)
        assert sent < UPLOAD, "2 GiB were accepted"
        assert answer[9:12] in (b"413", b""), answer[:80]
        assert health(daemon) <= HEALTH_SECONDS
    left = [file for file in daemon.inbox.rglob("*") if file.is_file() and file.stat().st_size > (64 << 20)]
    assert not left, f"parts of a refused upload stay: {left}"


HOSTILE: list[Callable[[Daemon], None]] = [
    slow_heads_are_cut,
    slow_bodies_are_refused,
    idle_connections_block_nobody,
    a_large_upload_is_refused_early,
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument("--only", choices=["schema", "hostile"])
    parser.add_argument("--examples", type=int, default=40, help="generated requests an operation (default: 40)")
    options = parser.parse_args()
    checks = Checks("check-api")
    try:
        if options.only != "hostile":
            program()
        with Daemon(options.program.resolve()) as daemon:
            daemon.store_people()
            daemon.upload(SAMPLES / "menus/pub-english.jpg")
            if options.only != "hostile":
                checks.run(partial(schema, daemon, options.examples), "schema")
            for check in HOSTILE if options.only != "schema" else ():
                checks.run(partial(check, daemon), check.__name__)
    except Missing as error:
        print(f"check-api: {error}", file=sys.stderr)
        return 69
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
