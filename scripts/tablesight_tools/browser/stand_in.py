"""A stand-in for the worker: waits as long as reading takes, and answers what its picture names.

The picture has a comment with JSON: `file` has the answer, `seconds` to wait, `processor` seconds of processor time.
"""

from __future__ import annotations

import functools
import json
import os
import socket
import sys
import time
import zlib
from pathlib import Path

from tablesight_tools.paths import SCRIPTS

PACKET = 64 << 10
MARK = b"stand-in: "


def program(folder: Path) -> str:
    """A program for TABLESIGHT_WORKER that runs `main`."""
    code = "import sys; sys.path[0] = sys.argv[1]; from %s import main; main()" % __name__
    path = folder / "stand-in"
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S -B -c '{code}' '{SCRIPTS}'\n")
    path.chmod(0o755)
    return str(path)


def picture(**order: object) -> bytes:
    """A white PNG with the order in a comment."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    head = (8).to_bytes(4, "big") * 2 + b"\x08\0\0\0\0"
    text = b"Comment\0" + MARK + json.dumps(order).encode() + b" "
    rows = zlib.compress((b"\0" + b"\xff" * 8) * 8)
    parts = chunk(b"IHDR", head) + chunk(b"tEXt", text) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@functools.cache
def _answer(file: str) -> bytes:
    return Path(file).read_bytes()


def _send(channel: socket.socket, body: bytes) -> None:
    frame = len(body).to_bytes(4, "big") + body
    for start in range(0, len(frame), PACKET):
        channel.sendmsg([frame[start : start + PACKET]])


def main() -> None:
    channel = socket.socket(fileno=os.dup(0))
    _send(channel, json.dumps({"refused": []}).encode())
    while True:
        first, rights, _, _ = channel.recvmsg(PACKET, socket.CMSG_SPACE(4 * 8))
        if not first:
            return
        length, body = int.from_bytes(first[:4], "big"), first[4:]
        while len(body) < length:
            body += channel.recv(PACKET)
        files = [
            int.from_bytes(data[i : i + 4], sys.byteorder) for _, _, data in rights for i in range(0, len(data), 4)
        ]
        photo = os.pread(files[0], PACKET, 0)
        for file in files:
            os.close(file)
        order = json.JSONDecoder().raw_decode(photo[photo.find(MARK) + len(MARK) :].decode("latin-1"))[0]
        time.sleep(order["seconds"])
        end = time.process_time() + order["processor"]
        while time.process_time() < end:
            sum(range(10_000))
        _send(channel, _answer(order["file"]))
