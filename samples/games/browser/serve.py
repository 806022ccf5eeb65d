#!/usr/bin/env python3
"""Serves a tangram game for the browser. An example of a game outside Tablesight that reads the stream of pieces.

    tablesight pieces /dev/video0 --set tangram | samples/games/browser/serve.py
    samples/games/browser/serve.py --daemon http://127.0.0.1:8765 --token-file inbox.tablesight/api-token

The first form reads frames from standard input, the second from the newest session of a daemon. Both pass each frame on to
the page as a server-sent event. Needs only Python's standard library; listens on the loopback.
"""

import argparse
import json
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = HERE.parents[2] / "models"
FILES = {
    "/": (HERE / "index.html", "text/html; charset=utf-8"),
    "/game.js": (HERE / "game.js", "text/javascript; charset=utf-8"),
    "/style.css": (HERE / "style.css", "text/css; charset=utf-8"),
    "/puzzles.json": (MODELS / "puzzles/tangram.json", "application/json"),
    "/set.json": (MODELS / "piece-sets/tangram.json", "application/json"),
}
POLICY = "default-src 'self'; frame-ancestors 'none'"


class Newest:
    """The newest frame. A page that is late gets the newest one, never an old one."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.number = 0
        self.line = ""

    def put(self, line: str) -> None:
        with self.changed:
            self.number += 1
            self.line = line
            self.changed.notify_all()

    def after(self, number: int, seconds: float) -> tuple[int, str]:
        with self.changed:
            self.changed.wait_for(lambda: self.number > number, seconds)
            return self.number, self.line


NEWEST = Newest()


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/stream":
            return self.stream()
        if path not in FILES:
            return self.send_error(404)
        file, kind = FILES[path]
        body = file.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        number = 0
        try:
            while True:
                newest, line = NEWEST.after(number, 15)
                text = f"id: {newest}\nevent: frame\ndata: {line}\n\n" if newest > number else ": still here\n\n"
                number = newest
                self.wfile.write(text.encode())
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def log_message(self, *_: object) -> None:
        pass


def read_lines() -> None:
    """Frames from standard input; lines of other kinds are skipped."""
    for line in sys.stdin:
        if json.loads(line)["kind"] == "frame":
            NEWEST.put(line.strip())


def ask(address: str, token: str, path: str):
    request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {token}"})
    return urllib.request.urlopen(request, timeout=60)


def read_daemon(address: str, token: str) -> None:
    """Frames of the daemon's newest session with the tangram set; it is opened again after an interruption."""
    while True:
        try:
            sessions = [
                (game, session)
                for game in ("tangram", "pieces")
                for session in json.load(ask(address, token, f"/v1/games/{game}/sessions"))
                if session["set"].startswith("tangram")
            ]
            if sessions:
                game, session = max(sessions, key=lambda found: found[1]["frames"])
                with ask(address, token, f"/v1/games/{game}/sessions/{session['id']}/stream") as stream:
                    kind = ""
                    for line in (raw.decode().rstrip("\n") for raw in stream):
                        if line.startswith("event: "):
                            kind = line[7:]
                        elif line.startswith("data: ") and kind == "frame":
                            NEWEST.put(line[6:])
        except (urllib.error.URLError, OSError) as error:
            print(f"serve.py: {address}: {error}; trying again", file=sys.stderr)
        time.sleep(2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", help="address of a running tablesight watch")
    parser.add_argument("--token-file", type=Path, help="file with its token, api-token in the output folder")
    parser.add_argument("--port", type=int, default=8790, help="0: any free port")
    options = parser.parse_args()
    if options.daemon and not options.token_file:
        parser.error("--daemon needs --token-file")
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Page)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    if options.daemon:
        reader = threading.Thread(
            target=read_daemon, args=(options.daemon.rstrip("/"), options.token_file.read_text().strip()), daemon=True
        )
    else:
        reader = threading.Thread(target=read_lines, daemon=True)
    reader.start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
