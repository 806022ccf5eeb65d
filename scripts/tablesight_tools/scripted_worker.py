"""A worker that sends what the photo contains: for measurements, and as a worker could that an attacker controls.

The photo contains `scripted: {…}` (see `scripted` below). The keys, all optional:
  answer       the JSON of the answer; image, timings and models may be left out
  file         a file with the answer's bytes, in place of `answer`
  raw          the answer's bytes as text, in place of both
  seconds      how long the worker waits before it answers
  processor    seconds of processor time that it uses in addition
  packets      whole packets in hexadecimal, without the message's length before them, in place of all these
  descriptors  how many descriptors travel with each message
  times        how often the answer is sent
  then         a signal that is sent to the daemon after the answer
"""

import functools
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tablesight_tools.paths import SCRIPTS
from tablesight_tools.pictures import picture

PLAIN = {
    "image": {"format": "png", "width": 1000, "height": 1000, "orientation": 1},
    "readings": {"barcodes": []},
    "timingsMs": {},
    "models": {},
}
PACKET = 64 << 10


def wrapper(folder: Path) -> str:
    """A program for TABLESIGHT_WORKER that runs `main`."""
    code = "import sys; sys.path[0] = sys.argv[1]; from %s import main; main()" % __name__
    return _program(folder / "scripted-worker", "exec '%s' -S -B -c '%s' '%s'" % (sys.executable, code, SCRIPTS))


def confined(folder: Path, worker: Path) -> str:
    """A program for TABLESIGHT_WORKER: the worker of the tests, confined like the real one."""
    return _program(folder / "confined-worker", "exec '%s' confined" % worker)


def _program(path: Path, line: str) -> str:
    path.write_text("#!/bin/sh\n%s\n" % line)
    path.chmod(0o755)
    return str(path)


def scripted(**script: object) -> bytes:
    """A photo with this script."""
    return picture("scripted: " + json.dumps(script))


def recorded(program: Path, photo: Path) -> dict[str, Any]:
    """What the real worker reads on a photo, as its answer."""
    command = [str(program), "scan", str(photo), "--format", "json"]
    outcome = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    source = {"orientation": 1} | outcome["source"]
    return {
        "image": {key: source[key] for key in ("format", "width", "height", "orientation")},
        "readings": outcome["readings"],
        "timingsMs": outcome["processing"]["timingsMs"],
        "models": outcome["versions"]["models"],
    }


def text_reading(*texts: str) -> dict[str, Any]:
    """An answer with lines of text, one below the other."""

    def box(y: int) -> list[list[int]]:
        return [[50, y], [900, y], [900, y + 30], [50, y + 30]]

    lines = [
        {
            "text": text,
            "confidence": 0.99,
            "box": box(50 + 40 * i),
            "words": [{"text": word, "confidence": 0.99, "box": box(50 + 40 * i)} for word in text.split()],
        }
        for i, text in enumerate(texts)
    ]
    return {"readings": {"text": {"languages": ["en"], "lines": lines}}}


def barcode_reading(code: str) -> dict[str, Any]:
    """An answer with one EAN-13."""
    return {
        "readings": {
            "barcodes": [
                {
                    "format": "EAN-13",
                    "text": code,
                    "gtin": code.zfill(14),
                    "confidence": 0.99,
                    "corners": [[10, 10], [90, 10], [90, 50], [10, 50]],
                    "rescue": "none",
                }
            ]
        }
    }


def _send(channel: socket.socket, frame: bytes, descriptors: int = 0) -> None:
    null = os.open("/dev/null", os.O_RDONLY)
    for start in range(0, len(frame), PACKET):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, (null).to_bytes(4, sys.byteorder) * descriptors)]
        channel.sendmsg([frame[start : start + PACKET]], rights if descriptors and not start else [])
    os.close(null)


@functools.cache
def _contents(file: str) -> bytes:
    return Path(file).read_bytes()


def _framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def main() -> None:
    channel = socket.socket(fileno=os.dup(0))
    _send(channel, _framed(json.dumps({"refused": []}).encode()))
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
        photo = os.pread(files[0], 8 << 20, 0) if files else b""
        for file in files:
            os.close(file)
        at = photo.find(b"scripted: ")
        script = {}
        if at >= 0:
            script = json.JSONDecoder().raw_decode(photo[at + 10 :].decode("latin-1"))[0]
        if "packets" in script:
            frames = [bytes.fromhex(packet) for packet in script["packets"]]
        elif "raw" in script:
            frames = [_framed(script["raw"].encode())]
        elif "file" in script:
            frames = [_framed(_contents(script["file"]))]
        else:
            frames = [_framed(json.dumps(PLAIN | script.get("answer", {})).encode())]
        time.sleep(script.get("seconds", 0))
        end = time.process_time() + script.get("processor", 0)
        while time.process_time() < end:
            sum(range(10_000))
        for _ in range(script.get("times", 1)):
            for frame in frames:
                _send(channel, frame, script.get("descriptors", 0))
        if "then" in script:
            os.kill(os.getppid(), script["then"])
