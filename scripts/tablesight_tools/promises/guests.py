"""Attacks by people in the network without a token, and by guests with a paired phone."""

import itertools
import json
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tablesight_tools.pictures import picture
from tablesight_tools.processes import LIMIT
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon

PIN = "258364"


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


def guests(bench: Bench) -> str:
    daemon = bench.daemon(environment=QUICK).start()
    return "; ".join(attack(bench, daemon) for attack in (_cookies, _guesses, _removed, _links, _hosts))


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


def _cookies(bench: Bench, daemon: Daemon) -> str:
    """Each way to get or lose a cookie, behind TLS and without it."""
    key, count = daemon.authorization(), 0
    for proto in ("https", "http"):
        seen = {"X-Forwarded-Proto": proto, "Accept": "text/html"}
        code = send(daemon, "POST", "/v1/devices/codes", None, key).json()["code"]
        answers = {
            "link": send(daemon, "GET", "/?token=" + daemon.token(), None, seen),
            "sign-in": send(daemon, "POST", "/sign-in", {"token": daemon.token()}, seen),
            "pair": send(daemon, "POST", "/pair", {"code": code, "name": "phone"}, seen),
            "DELETE /v1/session": send(daemon, "DELETE", "/v1/session", None, {**pair(daemon, key), **seen}),
        }
        for what, answer in answers.items():
            cookie = "".join(answer.cookies)
            bench.expect(
                cookie and ("; Secure" in cookie) == (proto == "https"), "%s by %s: %r" % (what, proto, cookie)
            )
            bench.expect(daemon.token() not in cookie, "%s by %s: the cookie is the daemon's key" % (what, proto))
            count += 1
    return "%d cookies, Secure behind TLS only, none the daemon's key" % count


def _most(guesses: int, start: float) -> int:
    """Guesses that may be looked at since `start`, with this many a minute. The daemon's minute ends at any moment."""
    return guesses * (2 + int(time.monotonic() - start) // 60)


def _refused(bench: Bench, what: str, guess: Callable[[], int], *, wrong: int, least: int, most: int) -> None:
    """Guesses until the daemon refuses to look, after `least` guesses or more, and `most` a minute.

    `wrong` is its answer to a guess that it looked at.
    """
    start, looked, answer = time.monotonic(), 0, wrong
    while answer == wrong and looked <= _most(most, start) and time.monotonic() < start + LIMIT:
        answer = guess()
        looked += answer == wrong
    bench.expect(answer == 429 and looked >= least, "%s: %d were looked at, then %d" % (what, looked, answer))


def _guesses(bench: Bench, daemon: Daemon) -> str:
    """Wrong guesses keep only their own source out, and of their own secret."""
    key = daemon.authorization()
    for name in ("Ada", "Ben"):
        send(daemon, "PUT", "/v1/people/" + name, {}, key)
        send(daemon, "PUT", "/v1/me/pin", {"pin": PIN}, {**key, "Tablesight-Member": name})
    owner, guest = phone_of(daemon, key, "Ada"), pair(daemon, key)
    wrong, start = {}, time.monotonic()
    for turn in range(65):
        text = "7KQM-4X%s%s" % ("23456789"[turn % 8], "ABCDEFGH"[turn // 8 % 8])
        get = send(daemon, "GET", "/pair?code=" + text)
        post = send(daemon, "POST", "/pair", {"code": text})
        for answer in (get, post):
            wrong[answer.status] = wrong.get(answer.status, 0) + 1
    bench.expect(wrong.get(401, 0) <= _most(60, start), "130 wrong pairing codes: %s" % wrong)

    def pin(name: str, pin: str, phone: Mapping[str, str] = guest) -> int:
        return send(daemon, "PUT", "/v1/session", {"member": name, "pin": pin}, phone).status

    numbers = itertools.count()
    _refused(bench, "wrong PINs of Ada", lambda: pin("Ada", "%04d" % next(numbers)), wrong=403, least=5, most=5)
    bench.expect(pin("Ada", PIN) == 429, "the right PIN opens while the device waits")
    form = send(daemon, "POST", "/who/pin", {"member": "Ada", "pin": PIN}, guest)
    bench.expect(not _is_open(daemon, guest), "the form opens while the device waits: %d" % form.status)
    with ThreadPoolExecutor(20) as pool:
        answers = Counter(pool.map(lambda number: pin("Ben", "%04d" % number), range(20)))
    bench.expect(answers == {403: 5, 429: 15}, "20 wrong PINs of Ben at the same time: %s" % dict(answers))
    bench.expect(pin("Ada", PIN, owner) == 200, "the right PIN on another device does not open")
    bench.expect(_is_open(daemon, owner), "the right PIN opened nothing")
    return "wrong pairing codes and PINs until they are refused; the right PIN lets the owner in on another device"


def _is_open(daemon: Daemon, phone: Mapping[str, str]) -> bool:
    """True if the private pages of who uses the phone are open on it."""
    return bool(send(daemon, "GET", "/v1/session", None, phone).json()["isOpen"])


def _removed(bench: Bench, daemon: Daemon) -> str:
    """A phone pairs another phone and makes a code, and is removed."""
    key = daemon.authorization()
    before = {device["id"] for device in json.loads(send(daemon, "GET", "/v1/devices", None, key).body)}
    first = phone_of(daemon, key, "Ada")
    second = phone_of(daemon, first, "Ada")
    open_code = send(daemon, "POST", "/v1/devices/codes", None, second).json()["code"]
    devices = json.loads(send(daemon, "GET", "/v1/devices", None, key).body)
    ids = sorted(device["id"] for device in devices if device["id"] not in before)
    send(daemon, "DELETE", "/v1/devices/%d" % ids[0], None, key)
    left = [send(daemon, "GET", "/v1/devices", None, phone).status for phone in (first, second)]
    bench.expect(left == [401, 401], "the phones of a removed phone get %s" % left)
    late = send(daemon, "POST", "/pair", {"code": open_code}, {"X-Forwarded-For": "192.0.2.1"}).status
    bench.expect(late == 401, "the code of a removed phone pairs: %d" % late)
    return "a removed phone takes the phone that it paired and its code along"


def _links(bench: Bench, daemon: Daemon) -> str:
    """The folder for uploads is replaced by a link."""
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
