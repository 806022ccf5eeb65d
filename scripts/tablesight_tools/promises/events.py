"""Promise 14: every event reaches the webhook and the stream."""

import base64
import hashlib
import hmac
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tablesight_tools.pictures import picture
from tablesight_tools.processes import LIMIT, free_port, wait_for
from tablesight_tools.promises.bench import Bench
from tablesight_tools.promises.daemon import Daemon

KEY = b"0123456789abcdef0123456789abcdef"


class Receiver(ThreadingHTTPServer):
    """Receives webhooks. `mood`: `well` answers 200, `broken` answers 500, `hanging` answers too late."""

    def __init__(self, port: int) -> None:
        self.mood = "well"
        self.seen: dict[str, bytes] = {}
        self.wrong: list[str] = []
        super().__init__(("127.0.0.1", port), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(BaseHTTPRequestHandler):
    """Checks the signature of one webhook and answers it."""

    server: Receiver

    def do_POST(self) -> None:
        body, server = self.rfile.read(int(self.headers["content-length"])), self.server
        name, stamp = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        code = hmac.new(KEY, name.encode() + b"." + stamp.encode() + b"." + body, hashlib.sha256).digest()
        if self.headers["webhook-signature"] != "v1," + base64.b64encode(code).decode():
            server.wrong.append("signature of " + name)
        if server.mood == "hanging":
            time.sleep(12)
        if server.mood == "well":
            if server.seen.setdefault(name, body) != body:
                server.wrong.append("another body for " + name)
        self.send_response(200 if server.mood == "well" else 500)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def delivered(bench: Bench) -> str:
    # It is closed and opened again, so nobody else may get its port.
    receiver = Receiver(free_port())
    port = receiver.server_address[1]
    daemon = bench.daemon(
        environment={
            "TABLESIGHT_WEBHOOKS_URLS": "http://127.0.0.1:%d/hook" % port,
            "TABLESIGHT_WEBHOOKS_ALLOW_PRIVATE": "true",
            "TABLESIGHT_WEBHOOKS_SECRET": "whsec_" + base64.b64encode(KEY).decode(),
            "TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "50",
        }
    )
    kills, outage = bench.size(3, 20), bench.size(3, 600)
    streamed: list[int] = []
    ends: list[str] = []
    count, start = 0, time.monotonic()
    for i in range(kills):
        receiver.mood = ("broken", "hanging", "dead", "broken")[i % 4]
        if receiver.mood == "dead":
            receiver.shutdown()
            receiver.server_close()
        daemon.start()
        for _ in range(5):
            (daemon.inbox / ("%d.png" % count)).write_bytes(picture("event %d" % count))
            count += 1
        daemon.wait_count("SELECT count(*) FROM event WHERE kind <> 'queued'", count)
        streamed += _stream(daemon, (streamed or [0])[-1], 3)[0]
        time.sleep(max(0, outage / kills - 3))
        daemon.kill()
        if receiver.mood == "dead":
            before = receiver
            receiver = Receiver(port)
            receiver.seen, receiver.wrong = before.seen, before.wrong
    receiver.mood = "well"
    seconds = time.monotonic() - start
    daemon.start()
    # Receivers get no `queued` events; the stream has all of them.
    known = {name: bytes(body) for name, body in daemon.query("SELECT uid, body FROM event WHERE kind <> 'queued'")}
    told = wait_for(lambda: len(receiver.seen) >= len(known), pause=0.2)
    numbers = [row[0] for row in daemon.query("SELECT id FROM event ORDER BY id")]
    deadline = time.monotonic() + LIMIT
    while (streamed or [0])[-1] < numbers[-1] and time.monotonic() < deadline and daemon.is_alive():
        more, end = _stream(daemon, (streamed or [0])[-1], len(numbers) - len(streamed))
        streamed += more
        ends.append(end)
    bench.expect(told and receiver.seen == known, "%d of %d events told unchanged" % (len(receiver.seen), len(known)))
    bench.expect(not receiver.wrong, "%s" % receiver.wrong[:3])
    bench.expect(
        len(numbers) >= count and streamed == numbers,
        f"stream: {len(set(streamed))} of {len(numbers)}, in order: {streamed == sorted(streamed)}, {len(ends)} "
        f"requests, daemon's exit code {daemon.exit_code}, last end: {ends[-1:]}",
    )
    return (
        f"{count} events over {seconds:.0f} s of a receiver that fails, hangs or is gone and {kills} kills: "
        f"{len(receiver.seen)} told at least once, unchanged and signed; stream with Last-Event-ID: "
        f"{len(set(numbers) - set(streamed))} gaps"
    )


def _stream(daemon: Daemon, last: int, most: int) -> tuple[list[int], str]:
    """Numbers of the events after `last`, at most `most` of them, and why there are no more."""
    request = urllib.request.Request(
        daemon.address() + "/v1/events",
        headers={"Authorization": "Bearer " + daemon.token(), "Last-Event-ID": str(last)},
    )
    numbers: list[int] = []
    try:
        with urllib.request.urlopen(request, timeout=60) as stream:
            for line in stream:
                if line.startswith(b"id: "):
                    numbers.append(int(line[4:]))
                if len(numbers) >= most:
                    return numbers, "all"
        return numbers, "the stream ended"
    except OSError as error:  # nothing came for a minute, or the request was refused
        return numbers, str(error)
