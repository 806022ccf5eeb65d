"""A worker that answers what the photo tells it to: any bytes, as a worker that was taken over could.

A photo says `scripted: {…}` (see `scripted` below). The keys, all optional:
  answer       the JSON of the answer, without image, timings and models
  raw          the answer's bytes as text, in place of `answer`
  packets      whole packets in hexadecimal, without the message's length before them, in place of both
  descriptors  how many descriptors travel with each message
  times        how often the answer is sent
  then         a signal that is sent to the daemon after the answer
"""
import json
import os
import socket
import sys
from pathlib import Path

PLAIN = {"image": {"format": "png", "width": 1000, "height": 1000, "orientation": 1}, "readings": {"barcodes": []},
         "timingsMs": {}, "models": {}}
PACKET = 64 << 10


def wrapper(folder):
    """A program for TABLESIGHT_WORKER that runs this file."""
    return _program(folder / "scripted-worker", "exec '%s' -S '%s'" % (sys.executable, Path(__file__).resolve()))


def confined(folder, worker):
    """A program for TABLESIGHT_WORKER: the tests' own worker, confined as the real one is."""
    return _program(folder / "confined-worker", "exec '%s' confined" % worker)


def _program(path, line):
    path.write_text("#!/bin/sh\n%s\n" % line)
    path.chmod(0o755)
    return str(path)


def scripted(picture, **script):
    """A photo with this script; `picture` makes a PNG that says a text."""
    return picture("scripted: " + json.dumps(script))


def text_reading(*texts):
    """An answer of lines of print, one below the other."""
    def box(y):
        return [[50, y], [900, y], [900, y + 30], [50, y + 30]]

    lines = [{"text": text, "confidence": 0.99, "box": box(50 + 40 * i),
              "words": [{"text": word, "confidence": 0.99, "box": box(50 + 40 * i)} for word in text.split()]}
             for i, text in enumerate(texts)]
    return {"readings": {"text": {"languages": ["en"], "lines": lines}}}


def barcode_reading(code, confidence=0.99, corners=((10, 10), (90, 10), (90, 50), (10, 50))):
    """An answer with one EAN-13."""
    return {"readings": {"barcodes": [{"format": "EAN-13", "text": code, "gtin": code.zfill(14), "confidence": confidence,
                                       "corners": [list(corner) for corner in corners], "rescue": "none"}]}}


def _send(channel, frame, descriptors=0):
    null = os.open("/dev/null", os.O_RDONLY)
    for start in range(0, len(frame), PACKET):
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, (null).to_bytes(4, sys.byteorder) * descriptors)]
        channel.sendmsg([frame[start:start + PACKET]], rights if descriptors and not start else [])
    os.close(null)


def _framed(body):
    return len(body).to_bytes(4, "big") + body


def main():
    channel = socket.socket(fileno=os.dup(0))
    _send(channel, _framed(json.dumps({"refused": []}).encode()))
    while True:
        first, rights, _, _ = channel.recvmsg(PACKET, socket.CMSG_SPACE(4 * 8))
        if not first:
            return
        length, body = int.from_bytes(first[:4], "big"), first[4:]
        while len(body) < length:
            body += channel.recv(PACKET)
        files = [int.from_bytes(data[i:i + 4], sys.byteorder) for _, _, data in rights for i in range(0, len(data), 4)]
        photo = os.pread(files[0], 8 << 20, 0) if files else b""
        for file in files:
            os.close(file)
        at = photo.find(b"scripted: ")
        script = {}
        if at >= 0:
            script = json.JSONDecoder().raw_decode(photo[at + 10:].decode("latin-1"))[0]
        whole = json.dumps(dict(PLAIN, **script.get("answer", {}))).encode()
        frames = [_framed(script["raw"].encode() if "raw" in script else whole)]
        if "packets" in script:
            frames = [bytes.fromhex(packet) for packet in script["packets"]]
        for _ in range(script.get("times", 1)):
            for frame in frames:
                _send(channel, frame, script.get("descriptors", 0))
        if "then" in script:
            os.kill(os.getppid(), script["then"])


if __name__ == "__main__":
    main()
