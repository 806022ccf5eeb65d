"""Checks of the app behind nginx with TLS, with certificate and site of `tablesight household certificate`."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from tablesight_tools.browser.app import Figure
from tablesight_tools.browser.daemon import SAMPLES, Daemon
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import free_port, takes_connections, wait_for

NAME = "tablesight.test"
# An event may arrive this much later than on a stream without the proxy.
LATE_SECONDS = 0.5


@contextmanager
def nginx(place: Path, site: str, port: int) -> Iterator[None]:
    """Debian's nginx with one site and no other settings. `port` is one at which the site listens."""
    place.mkdir()
    if not Path("/proc/net/if_inet6").exists():
        site = re.sub(r"(?m)^ *listen \[::\].*\n", "", site)
    (place / "site.conf").write_text(site)
    temporary = "".join(
        f"{kind}_temp_path {place}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (place / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {place}/pid;\nerror_log {place}/error.log;\n"
        "events { worker_connections 256; }\n"
        f"http {{\naccess_log off;\n{temporary}include {place}/site.conf;\n}}\n"
    )
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen([program, "-p", place, "-c", place / "nginx.conf", "-e", place / "error.log"])
    try:
        wait_for(lambda: takes_connections(port) or process.poll() is not None, 10)
        assert takes_connections(port), "nginx did not start: " + (place / "error.log").read_text()
        yield
    finally:
        process.terminate()
        process.wait(10)


class Proxy:
    """nginx before a daemon, with the certificate and the site that a command wrote; use it in a with statement."""

    def __init__(self, daemon: Daemon, port: int) -> None:
        self.daemon = daemon
        self.port, self.plain = port, free_port()
        self.origin = f"https://{NAME}:{self.port}"

    def __enter__(self) -> Proxy:
        folder = self.daemon.place / "https"
        command = ["household", "certificate", NAME, "--output", self.daemon.results, "--folder", folder]
        subprocess.run([self.daemon.program, *command], check=True, capture_output=True, cwd=REPOSITORY)
        self.trust = ssl.create_default_context(cafile=str(folder / "authority.crt"))
        self.running = nginx(self.daemon.place / "nginx", self.site((folder / "nginx.conf").read_text()), self.port)
        self.running.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.running.__exit__(None, None, None)

    def site(self, text: str) -> str:
        """The command's site with this check's ports."""
        for old, new in {
            "listen 80;": f"listen 127.0.0.1:{self.plain};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "    listen [::]:80;\n": "",
            "    listen [::]:443 ssl http2;\n": "",
        }.items():
            assert old in text, f"the site has no {old}"
            text = text.replace(old, new)
        return text

    def connection(self) -> http.client.HTTPSConnection:
        """A connection to the proxy under the name of the certificate."""
        found = http.client.HTTPSConnection(NAME, self.port, timeout=60, context=self.trust)
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        found.sock = self.trust.wrap_socket(raw, server_hostname=NAME)
        return found

    def call(
        self, method: str, path: str, body: bytes | None = None, host: str | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        connection = self.connection()
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"{NAME}:{self.port}")
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        return connection.getresponse()


@pytest.fixture
def proxy(program: Path) -> Iterator[Proxy]:
    port = free_port()
    # The host of the public address is allowed without being named again.
    settings = {"TABLESIGHT_API_PUBLIC_ADDRESS": f"https://{NAME}:{port}"}
    with Daemon(program, settings) as daemon, Proxy(daemon, port) as found:
        yield found


def sign_in(proxy: Proxy) -> str:
    """The cookie of a browser that signed in with its form."""
    answer = proxy.call(
        "POST", "/sign-in", f"token={proxy.daemon.token}".encode(), Origin=proxy.origin,
        Content_Type="application/x-www-form-urlencoded",
    )  # fmt: skip
    assert answer.status == 303, f"signing in gives {answer.status}"
    return answer.headers["Set-Cookie"] or ""


def test_cookies_are_for_tls_only(proxy: Proxy) -> None:
    link = proxy.call("GET", f"/?token={proxy.daemon.token}", Accept="text/html").headers["Set-Cookie"] or ""
    for cookie in (sign_in(proxy), link):
        parts = {part.strip() for part in cookie.split(";")}
        assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= parts, parts
        assert f"tablesight={proxy.daemon.token}" not in parts, "the daemon's own key is no cookie"
    # Without the proxy there is no TLS, and a Secure cookie would keep people out.
    plain = http.client.HTTPConnection(proxy.daemon.address.removeprefix("http://"), timeout=30)
    plain.request(
        "POST", "/sign-in", f"token={proxy.daemon.token}",
        {"Origin": proxy.daemon.address, "Content-Type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    cookie = plain.getresponse().headers["Set-Cookie"] or ""
    assert "HttpOnly" in cookie and "Secure" not in cookie, cookie


def test_pages_come_with_the_cookie(proxy: Proxy) -> None:
    cookie = sign_in(proxy).split(";")[0]
    answer = proxy.call("GET", "/history", Cookie=cookie, Accept="text/html")
    assert answer.status == 200 and b"<h1>" in answer.read()
    assert "frame-ancestors 'none'" in (answer.headers["Content-Security-Policy"] or "")
    assert "max-age" in (answer.headers["Strict-Transport-Security"] or "")
    code = proxy.call("POST", "/devices/code", b"", Cookie=cookie, Origin=proxy.origin)
    assert f"https://{NAME}:{proxy.port}/p/" in code.read().decode(), "the phone's address has TLS"


def test_plain_http_leads_to_tls(proxy: Proxy) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=30)
    plain.request("GET", "/history", headers={"Host": NAME})
    answer = plain.getresponse()
    assert answer.status == 301 and (answer.headers["Location"] or "").startswith(f"https://{NAME}/"), answer.headers


def test_wrong_callers_are_refused(proxy: Proxy) -> None:
    cookie = sign_in(proxy).split(";")[0]
    token = f"Bearer {proxy.daemon.token}"
    for what, status, answer in (
        ("another host", 403, proxy.call("GET", "/v1/history", host="evil.example", Authorization=token)),
        ("another origin", 403, proxy.call("POST", "/v1/images", b"x", Cookie=cookie, Origin="https://evil.example")),
        ("no origin", 403, proxy.call("POST", "/v1/images", b"x", Cookie=cookie)),
        ("another port", 403, proxy.call("POST", "/v1/images", b"x", Cookie=cookie, Origin=f"https://{NAME}:1")),
        ("no token", 401, proxy.call("GET", "/v1/history")),
        ("a wrong token", 401, proxy.call("GET", "/v1/history", Authorization="Bearer wrong")),
    ):
        assert answer.status == status, f"{what}: {answer.status}, not {status}"


def test_events_are_not_held_back(proxy: Proxy, figure: Figure) -> None:
    """The same event on a stream through the proxy and on one past it."""
    arrivals: dict[str, float] = {}
    began, found = [Event(), Event()], [Event(), Event()]

    def read(number: int, name: str, connection: http.client.HTTPConnection, host: str) -> None:
        headers = {"Host": host, "Authorization": f"Bearer {proxy.daemon.token}", "Accept": "text/event-stream"}
        connection.request("GET", "/v1/events", headers=headers)
        answer = connection.getresponse()
        while line := answer.readline():
            began[number].set()
            if line.startswith(b"event: completed"):
                arrivals[name] = time.monotonic()
                found[number].set()
                return

    direct = http.client.HTTPConnection(proxy.daemon.address.removeprefix("http://"), timeout=90)
    for number, (name, connection, host) in enumerate(
        (("past", direct, "127.0.0.1"), ("through", proxy.connection(), f"{NAME}:{proxy.port}"))
    ):
        Thread(target=read, args=(number, name, connection, host), daemon=True).start()
    assert all(event.wait(20) for event in began), "the first line of a stream is held back"
    proxy.daemon.upload(SAMPLES / "barcodes/spread-ean13.jpg")
    assert all(event.wait(60) for event in found), f"only {set(arrivals)} got the event"
    late = arrivals["through"] - arrivals["past"]
    figure(f"the event came {late * 1000:.0f} ms later through the proxy")
    assert late <= LATE_SECONDS


def test_uploads_arrive(proxy: Proxy) -> None:
    photo = (SAMPLES / "labels/fish-pie.jpg").read_bytes()
    token = f"Bearer {proxy.daemon.token}"
    answer = proxy.call("POST", "/v1/images", photo, Authorization=token, Content_Type="image/jpeg")
    images = json.loads(answer.read())["images"]
    assert answer.status in (200, 202) and re.fullmatch("sha256:[0-9a-f]{64}", images[0]["id"]), images
    assert proxy.daemon.upload(SAMPLES / "labels/fish-pie.jpg") == images[0]["id"]


def test_large_uploads_are_refused_by_the_daemon(proxy: Proxy) -> None:
    """Above the daemon's limit and below nginx's: 413 with the limit, before the photo is sent."""
    connection = proxy.connection()
    connection.putrequest("POST", "/v1/images", skip_host=True)
    for name, value in {
        "Host": f"{NAME}:{proxy.port}", "Authorization": f"Bearer {proxy.daemon.token}",
        "Content-Type": "image/jpeg", "Content-Length": str(280 << 20),
    }.items():  # fmt: skip
        connection.putheader(name, value)
    connection.endheaders(b"\xff\xd8\xff")
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status == 413, answer.status
    assert json.loads(text)["limitBytes"] == 256 << 20, text
