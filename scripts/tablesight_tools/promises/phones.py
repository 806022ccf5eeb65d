"""Requests of phones in the network."""

import json
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import NamedTuple

from tablesight_tools.processes import LIMIT
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
