"""Attacks by people in the network without a token, and by guests with a paired phone."""

import itertools
import json
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.promises.pictures import picture
from tablesight_tools.promises.processes import LIMIT

PASSWORD = "correct horse"


class Answer(NamedTuple):
    """What the daemon answered."""

    status: int
    body: bytes
    cookies: list[str]

    def json(self) -> dict[str, str]:
        return json.loads(self.body)


def _send(
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


def _pair(daemon: Daemon, holder: Mapping[str, str], seen: str = "192.0.2.1") -> dict[str, str]:
    """The cookie of a new phone at this address, whose code `holder` made."""
    code = _send(daemon, "POST", "/v1/devices/codes", None, holder).json()["code"]
    answer = _send(daemon, "POST", "/pair", {"code": code, "name": "phone"}, {"X-Forwarded-For": seen})
    return {"Cookie": answer.cookies[0].split(";")[0]}


def _cookies(bench: Bench, daemon: Daemon) -> str:
    """Each way to get a cookie, behind TLS and without it."""
    key, account, count = daemon.authorization(), {"name": "Ben", "password": PASSWORD}, 0
    for proto in ("https", "http"):
        header = {**key, "X-Forwarded-Proto": proto}
        code = _send(daemon, "POST", "/v1/devices/codes", None, key).json()["code"]
        answers = {
            "sign-in": _send(daemon, "POST", "/sign-in", {"token": daemon.token()}, header),
            "pair": _send(daemon, "POST", "/pair", {"code": code, "name": "phone"}, header),
            "account": _send(daemon, "POST", "/me/new" if proto == "https" else "/me/open", account, header),
            "POST /v1/session": _send(daemon, "POST", "/v1/session", account, header),
            "DELETE /v1/session": _send(daemon, "DELETE", "/v1/session", None, header),
            "diary": _send(daemon, "POST", "/diary/open", {"name": "Ben " + proto, "zone": "Europe/Berlin"}, header),
        }
        for what, answer in answers.items():
            cookie = "".join(answer.cookies)
            bench.expect(
                cookie and ("; Secure" in cookie) == (proto == "https"), "%s by %s: %r" % (what, proto, cookie)
            )
            count += 1
    return "%d cookies, Secure behind TLS only" % count


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
    owner, guest = _pair(daemon, key), _pair(daemon, key)
    account = {"name": "Ada", "password": PASSWORD}
    _send(daemon, "POST", "/v1/accounts", account, owner)
    diary = _send(daemon, "POST", "/v1/people/Ada/diary/keys", {}, owner).json()["key"]
    code = _send(daemon, "POST", "/v1/people/Ada/diary/codes", None, {**owner, "Tablesight-Diary-Key": diary}).json()
    wrong, start = {}, time.monotonic()
    for turn in range(65):
        text = "7KQM-4X%s%s" % ("23456789"[turn % 8], "ABCDEFGH"[turn // 8 % 8])
        get = _send(daemon, "GET", "/pair?code=" + text)
        post = _send(daemon, "POST", "/pair", {"code": text})
        for answer in (get, post):
            wrong[answer.status] = wrong.get(answer.status, 0) + 1
    bench.expect(wrong.get(401, 0) <= _most(60, start), "130 wrong pairing codes: %s" % wrong)

    def password(name: str) -> int:
        return _send(daemon, "POST", "/v1/session", {"name": name, "password": "wrong horse"}, guest).status

    names = ("Nobody %d" % number for number in itertools.count())

    def diary_code() -> int:
        return _send(daemon, "POST", "/v1/people/Ada/diary/keys", {"code": "0"}, guest).status

    _refused(bench, "wrong passwords of one name", lambda: password("Ada"), wrong=403, least=5, most=5)
    # Those of the one name count too.
    _refused(bench, "wrong passwords of all names", lambda: password(next(names)), wrong=403, least=55, most=60)
    _refused(bench, "wrong codes of a diary", diary_code, wrong=409, least=5, most=5)
    signed = _send(daemon, "POST", "/v1/session", account, owner)
    bench.expect(signed.status == 201, "the right password: %d" % signed.status)
    opened = _send(daemon, "POST", "/v1/people/Ada/diary/keys", {"code": code["code"]}, owner)
    bench.expect(opened.status == 201, "the right code of the diary: %d" % opened.status)
    return "wrong pairing codes, passwords and diary codes until they are refused; each right one lets the owner in"


def _removed(bench: Bench, daemon: Daemon) -> str:
    """A phone pairs another phone and makes a code, and is removed."""
    key = daemon.authorization()
    before = {device["id"] for device in json.loads(_send(daemon, "GET", "/v1/devices", None, key).body)}
    first = _pair(daemon, key)
    second = _pair(daemon, first)
    open_code = _send(daemon, "POST", "/v1/devices/codes", None, second).json()["code"]
    devices = json.loads(_send(daemon, "GET", "/v1/devices", None, key).body)
    ids = sorted(device["id"] for device in devices if device["id"] not in before)
    _send(daemon, "DELETE", "/v1/devices/%d" % ids[0], None, key)
    left = [_send(daemon, "GET", "/v1/devices", None, phone).status for phone in (first, second)]
    bench.expect(left == [401, 401], "the phones of a removed phone get %s" % left)
    late = _send(daemon, "POST", "/pair", {"code": open_code}, {"X-Forwarded-For": "192.0.2.1"}).status
    bench.expect(late == 401, "the code of a removed phone pairs: %d" % late)
    return "a removed phone takes the phone that it paired and its code along"


def _links(bench: Bench, daemon: Daemon) -> str:
    """The folder for uploads is replaced by a link."""
    key, outside, uploads = daemon.authorization(), bench.inbox("outside"), daemon.inbox / "uploads"
    sent = _send(daemon, "POST", "/v1/images", picture("upload"), key)
    bench.expect(sent.status in (200, 202), "an upload gets %d" % sent.status)
    daemon.wait_outcomes(1)
    names = [place.name for place in uploads.iterdir()]
    (outside / names[0]).write_bytes(b"of somebody else")
    uploads.rename(bench.folder / "moved")
    uploads.symlink_to(outside)
    content = json.loads(sent.body)["images"][0]["id"]
    _send(daemon, "DELETE", "/v1/images/" + content, None, key)
    refused = _send(daemon, "POST", "/v1/images", picture("another"), key).status
    bench.expect(refused == 503, "an upload through a link gets %d" % refused)
    found = sorted(place.name for place in outside.iterdir())
    bench.expect(found == names, "outside the folder: %s" % found)
    return "nothing is written or deleted behind a link"


def _hosts(bench: Bench, daemon: Daemon) -> str:
    key, names = daemon.authorization(), ("[::1].evil.example", "127.0.0.1:80.evil.example", "localhost:1@evil.example")
    wrong = {name: daemon.status("/metrics", {**key, "Host": name}) for name in names}
    bench.expect(set(wrong.values()) == {403}, "hosts that are let in: %s" % wrong)
    return "%d hosts refused" % len(names)
