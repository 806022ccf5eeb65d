"""Requests of phones in the network, and attacks on the folder for uploads."""

import json
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import NamedTuple

from tablesight_tools.pictures import picture
from tablesight_tools.processes import LIMIT
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon


class Answer(NamedTuple):
    """What the daemon answered."""

    status: int
    body: bytes
    cookies: list[str]

    def json(self) -> dict[str, str]:
        return json.loads(self.body)


def send(
    daemon: Daemon, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """A dictionary is sent as a form, bytes as a photo, other values as JSON. Redirections are not followed."""
    address = daemon.address() or ""
    sent = {"Origin": address, **(headers or {})}
    if isinstance(body, dict) and not path.startswith("/v1"):
        body = urllib.parse.urlencode(body).encode()
    elif body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
    elif body is not None:
        sent["Content-Type"] = "image/png"
    connection = urllib.request.OpenerDirector()
    connection.add_handler(urllib.request.HTTPHandler())
    request = urllib.request.Request(address + path, data=body, headers=sent, method=method)
    with connection.open(request, timeout=LIMIT) as answer:
        return Answer(answer.status, answer.read(), answer.headers.get_all("Set-Cookie") or [])


def pair(daemon: Daemon, holder: Mapping[str, str], seen: str = "192.0.2.1") -> dict[str, str]:
    """The cookie of a new phone at this address, whose code `holder` made."""
    code = send(daemon, "POST", "/v1/devices/codes", None, holder).json()["code"]
    answer = send(daemon, "POST", "/pair", {"code": code, "name": "phone"}, {"X-Forwarded-For": seen})
    return {"Cookie": answer.cookies[0].split(";")[0]}


def phone_of(daemon: Daemon, holder: Mapping[str, str], name: str) -> dict[str, str]:
    """The cookie of a new phone of a member."""
    phone = pair(daemon, holder)
    send(daemon, "PUT", "/v1/session", {"member": name}, phone)
    return phone


def links(bench: Bench) -> str:
    """The folder for uploads is replaced by a link, and requests name other hosts."""
    daemon = bench.daemon(environment=QUICK).start()
    return "; ".join((_links(bench, daemon), _hosts(bench, daemon)))


def _links(bench: Bench, daemon: Daemon) -> str:
    key, outside, uploads = daemon.authorization(), bench.inbox("outside"), daemon.inbox / "uploads"
    sent = send(daemon, "POST", "/v1/images", picture("upload"), key)
    bench.expect(sent.status in (200, 202), "an upload gets %d" % sent.status)
    daemon.wait_outcomes(1)
    names = [place.name for place in uploads.iterdir()]
    (outside / names[0]).write_bytes(b"of somebody else")
    uploads.rename(bench.folder / "moved")
    uploads.symlink_to(outside)
    content = json.loads(sent.body)["images"][0]["id"]
    send(daemon, "DELETE", "/v1/images/" + content, None, key)
    refused = send(daemon, "POST", "/v1/images", picture("another"), key).status
    bench.expect(refused == 503, "an upload through a link gets %d" % refused)
    found = sorted(place.name for place in outside.iterdir())
    bench.expect(found == names, "outside the folder: %s" % found)
    return "nothing is written or deleted behind a link"


def _hosts(bench: Bench, daemon: Daemon) -> str:
    key, names = daemon.authorization(), ("[::1].evil.example", "127.0.0.1:80.evil.example", "localhost:1@evil.example")
    wrong = {name: daemon.status("/metrics", {**key, "Host": name}) for name in names}
    bench.expect(set(wrong.values()) == {403}, "hosts that are let in: %s" % wrong)
    return "%d hosts refused" % len(names)
