"""Attacks by clients that have no token and are slow: bodies, readers, and connections that send nothing."""

import contextlib
import selectors
import socket
import threading
import time

from tablesight_tools.measures import percentile
from tablesight_tools.pictures import picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import Bench
from tablesight_tools.promises.daemon import Daemon

DESCRIPTORS = 256
MOST_MEGABYTES = 200
BODY = (
    b"POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)
REQUEST = b"GET /static/app.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class SlowClients(threading.Thread):
    """Keeps this many connections open, and opens closed ones again each second. It never reads an answer."""

    def __init__(self, port: int, count: int, opening: bytes, *, drip: bytes = b"", pause: float = 10) -> None:
        """Each connection sends `opening` as far as the server takes it, then `drip` every `pause` seconds."""
        super().__init__(daemon=True)
        self.port, self.count, self.opening, self.drip, self.pause = port, count, opening, drip, pause
        self.ended = threading.Event()
        self.opened = 0

    def run(self) -> None:
        with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
            stack.callback(lambda: [key.fileobj.close() for key in list(selector.get_map().values())])
            due = 0.0
            while not self.ended.is_set():
                if time.monotonic() > due:
                    due = time.monotonic() + 1
                    while len(selector.get_map()) < self.count and self._open(selector):
                        pass
                for key, _ in selector.select(0.1):
                    if not self._send(key):
                        selector.unregister(key.fileobj)
                        key.fileobj.close()
                time.sleep(0.05)

    def _open(self, selector: selectors.BaseSelector) -> bool:
        client = socket.socket()
        client.settimeout(0.5)
        try:
            client.connect(("127.0.0.1", self.port))
        except OSError:
            client.close()
            return False
        client.setblocking(False)
        selector.register(client, selectors.EVENT_WRITE, [memoryview(self.opening), time.monotonic() + self.pause])
        self.opened += 1
        return True

    def _send(self, key: selectors.SelectorKey) -> bool:
        """False if the server closed the connection."""
        rest, due = key.data
        if not rest:
            if not self.drip:
                return self._is_open(key.fileobj)
            if time.monotonic() < due:
                return self._is_open(key.fileobj)
            rest, key.data[1] = memoryview(self.drip), time.monotonic() + self.pause
        try:
            key.data[0] = rest[key.fileobj.send(rest) :]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def _is_open(self, client: socket.socket) -> bool:
        """Looks whether the server closed the connection, without taking an answer from the socket."""
        try:
            return client.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def end(self) -> None:
        self.ended.set()
        self.join()


def _withstand(bench: Bench, daemon: Daemon, clients: SlowClients, seconds: float, what: str) -> str:
    """Times /healthz, the daemon's memory and descriptors, and has a photo read while the clients are there."""
    clients.start()
    before = daemon.announced_count()
    (daemon.inbox / ("%s.png" % what.replace("/", ""))).write_bytes(picture(what))
    times, failed, refused, memory, files, end = [], 0, 0, 0.0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        status = daemon.status("/healthz")
        times.append(time.monotonic() - start)
        # A client that takes a second for its request looks idle, and has to come again.
        failed += status != 200
        refused += not wait_for(lambda: daemon.status("/healthz") == 200)
        memory = max(memory, daemon.resident_mb()) if daemon.is_alive() else memory
        files = max(files, daemon.open_files()) if daemon.is_alive() else files
        time.sleep(0.1)
    read = daemon.wait_announced(before + 1)
    clients.end()
    bench.expect(daemon.is_alive(), "%s: the daemon ended with %s" % (what, daemon.exit_code))
    bench.expect(refused == 0, "%s: /healthz never answered" % what)
    bench.measure(failed == 0, "%s: /healthz failed %d of %d times" % (what, failed, len(times)))
    bench.measure(max(times) < 1, "%s: /healthz took %.0f ms" % (what, 1000 * max(times)))
    bench.expect(memory < MOST_MEGABYTES, "%s: %.0f MB" % (what, memory))
    bench.expect(read, "%s: no photo is read" % what)
    bench.expect(files <= DESCRIPTORS * 3 // 4, "%s: %d of %d descriptors are in use" % (what, files, DESCRIPTORS))
    return (
        f"{what} for {seconds:.0f} s ({clients.opened} connections made): /healthz p99 "
        f"{1000 * percentile(times, 0.99):.0f} ms, at most {1000 * max(times):.0f} ms of {len(times)}; {memory:.0f} "
        f"MB, {files} descriptors"
    )


def slow_clients(bench: Bench) -> str:
    """70 slow bodies on each open form, 250 readers that never read, and 250 idle connections, one after the other."""
    seconds, limit = bench.size(12, 75), "--nofile=%d:%d" % (DESCRIPTORS, DESCRIPTORS)
    body = BODY + b"Content-Length: 1000\r\n\r\n"
    chunked = BODY + b"Transfer-Encoding: chunked\r\n\r\n"
    daemon = bench.daemon(prefix=["prlimit", limit])
    daemon.start()
    daemon.prefix = []  # prlimit becomes the daemon
    port = int((daemon.address() or "").rsplit(":", 1)[1])
    attacks = {
        "70 slow bodies to /sign-in": (70, body % (b"/sign-in", port, port), b"a"),
        "70 slow bodies to /pair": (70, chunked % (b"/pair", port, port), b"1\r\na\r\n"),
        "250 slow readers": (250, REQUEST * 20_000, b""),
        "250 idle connections": (250, b"", b""),
    }
    figures = []
    for what, (count, opening, drip) in attacks.items():
        figures.append(_withstand(bench, daemon, SlowClients(port, count, opening, drip=drip), seconds, what))
    code, stopped = daemon.stop()
    bench.expect(code == 0, "exit code %d" % code)
    return "%s; stopped after %.1f s" % ("; ".join(figures), stopped)
