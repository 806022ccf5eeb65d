"""Attacks by generated requests with values at the ends of their types, and with hostile names."""

import http.client
import itertools
import json
import random
import re
import subprocess
import sys
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any, NamedTuple

from tablesight_tools.measures import percentile
from tablesight_tools.pictures import picture
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.promises.phones import phone_of, send

MOST_MILLISECONDS = 200
SECONDS = 20
"""Seconds that a client waits for one answer. A stream of events never ends."""

NUMBERS = ["0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308", "1e-400", "NaN"]
NUMBERS += ["9" * 60, "0.5", "1/2", "1,5"]
TEXTS = ["", " ", "." * 60_000, *("a\u0301\u0327" * count for count in (2_000, 4_500, 8_000)), "e\u0301" * 5_000]
TEXTS += ["\u202eabc\u200f", "\U0001f468\u200d" * 2_000]
TEXTS += ["../../etc/passwd", "'\"<script>", "\x00\x1b[2J", "=1+1", "(" * 20_000, "%" * 5_000, "\ufdfa" * 5_000]
DAYS = ["0001-01-01", "9999-12-31", "2026-02-30", "-999999999999-01-01", "2026-W99", "9999-99-99T99:99:99Z"]
VALUES: list[Any] = [*NUMBERS, *TEXTS, *DAYS, "sha256:" + "ab" * 32, "true", "null"]
JSON_VALUES: list[Any] = [*VALUES, None, True, [], {}, 2**63 - 1, -(2**63), 2**64, 1e308, [[]] * 5_000, {"a": {"a": 1}}]

# What is there, for a part of an address.
PLACES = ["1", "Ada", "tangram", "2026-11-29", "9520100001017"]

# Forms of these pages, and of the pages that they lead to.
PAGES = ["/", "/list", "/today", "/history", "/more", "/people", "/games", "/review", "/prices", "/goal", "/who"]
PAGES += ["/pair"]
MOST_PAGES = 60
# These answers never end, or take the right to ask away.
LEFT_OUT = re.compile(r"/events|/stream|/v1/session$|/sign|/who|devices|/people/delete|/pin|/pair|/members")

# Asks each 20 ms on a connection of its own, and prints the milliseconds of each answer, or -1.
PROBE = """
import http.client, sys, time
while True:
    start = time.monotonic()
    try:
        client = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=30)
        client.request("GET", "/healthz")
        status = client.getresponse().status
        client.close()
    except OSError:
        status = 0
    print(1000 * (time.monotonic() - start) if status == 200 else -1, flush=True)
    time.sleep(0.02)
"""


class Request(NamedTuple):
    """One kind of request, before its values are chosen."""

    method: str
    path: str
    fields: tuple[tuple[str, Any], ...]
    """of the query, the form or the JSON body, with values that pass"""
    is_json: bool

    def filled(self, chance: random.Random) -> tuple[str, bytes | None, str]:
        """Address, body and content type, with one value or all at the ends of their types."""

        def place(_: re.Match[str]) -> str:
            values = PLACES if chance.random() < 0.7 else VALUES
            return urllib.parse.quote(chance.choice(values)[:3_000], safe="")

        path, share = re.sub(r"\{\w+\}", place, self.path), chance.choice((0.2, 0.5, 1))
        values = JSON_VALUES if self.is_json else VALUES
        chosen = {name: chance.choice(values) if chance.random() < share else usual for name, usual in self.fields}
        if self.method == "GET":
            # The head of a request has at most some 16 kB.
            query = urllib.parse.urlencode({name: str(value)[:2_000] for name, value in chosen.items()})
            return "%s?%s" % (path, query), None, ""
        if self.is_json:
            body: Any = chance.choice([chosen, chosen, chosen, [chosen] * 3, chance.choice(JSON_VALUES)])
            return path, json.dumps(body).encode(), "application/json"
        text = urllib.parse.urlencode({name: str(value) for name, value in chosen.items()})
        return path, text.encode(), "application/x-www-form-urlencoded"


class Forms(HTMLParser):
    """The forms of a page with their fields, and the addresses that it leads to."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, str, dict[str, str]]] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag == "a":
            self.links.append(values.get("href", ""))
        elif tag == "form":
            self.forms.append((values.get("method", "get").upper(), values.get("action", ""), {}))
        elif tag in ("input", "select", "textarea", "button") and self.forms and values.get("name"):
            self.forms[-1][2].setdefault(values["name"], values.get("value", "1"))


def _forms(daemon: Daemon, phone: Mapping[str, str]) -> Iterator[Request]:
    """The forms of all pages that an adult reaches, and the pages themselves."""
    waiting, seen = list(PAGES), set(PAGES)
    for _ in range(MOST_PAGES):
        if not waiting:
            return
        page = waiting.pop(0)
        answer = send(daemon, "GET", page, None, {**phone, "Accept": "text/html"})
        found = Forms()
        found.feed(answer.body.decode(errors="replace"))
        queried = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page).query, keep_blank_values=True))
        others = {"person": "Ada", "n": "1", "from": "1", "day": "2026-11-29", "next": "/", "q": "Milk", "for": "Ada"}
        yield Request("GET", page.split("?")[0], tuple({**others, **queried}.items()), False)
        for method, action, fields in found.forms:
            yield Request(method, (action or page).split("?")[0], tuple(fields.items()), False)
        for link in found.links:
            kind = re.sub(r"\d+|sha256:[0-9a-f]+", "0", link)
            if link.startswith("/") and not LEFT_OUT.search(link) and kind not in seen:
                seen.add(kind)
                waiting.append(link.split("#")[0])


def _routes(description: Mapping[str, Any]) -> Iterator[Request]:
    """The routes of the API with their queries and bodies, from its own description."""
    schemas = description.get("components", {}).get("schemas", {})
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            fields: dict[str, Any] = {
                one["name"]: _usual(one.get("schema", {}), schemas)
                for one in operation.get("parameters", [])
                if one.get("in") == "query"
            }
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            content = content.get("items", content)
            for name, schema in _resolved(content, schemas).get("properties", {}).items():
                fields[name] = _usual(schema, schemas)
            yield Request(method.upper(), path, tuple(fields.items()), True)


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    return schemas.get(schema.get("$ref", "").rsplit("/", 1)[-1], schema)


def _usual(schema: Mapping[str, Any], schemas: Mapping[str, Any], depth: int = 0) -> Any:
    """A value that passes for this schema."""
    schema = _resolved(schema, schemas)
    kind = schema.get("type")
    if schema.get("enum"):
        return schema["enum"][0]
    if kind == "object" and depth < 5:
        return {name: _usual(one, schemas, depth + 1) for name, one in schema.get("properties", {}).items()}
    if kind == "array":
        return [_usual(schema.get("items", {}), schemas, depth + 1)] if depth < 5 else []
    return {"integer": 1, "number": 1, "boolean": True}.get(kind, "1")


class Tally:
    """What the clients of one attack got."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.faults: list[str] = []
        self.lock = threading.Lock()

    def note(self, status: int, what: str) -> None:
        with self.lock:
            self.statuses[status] += 1
            if status == 500:
                self.faults.append(what)


def _ask(port: int, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> int:
    """The status, or 0 where nobody answers. The answer is read up to its first 64 kB."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        client.request(method, path, body, dict(headers))
        answer = client.getresponse()
        answer.read(65_536)
        return answer.status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        client.close()


def _furnished(daemon: Daemon) -> dict[str, dict[str, str]]:
    """A household with a photo, a list and a diary, and the headers of who asks: nobody, a guest, an adult, the key."""
    key = daemon.authorization()
    send(daemon, "POST", "/who/add", {"name": "Ada"}, {**key, "Accept": "text/html"})
    for name, role in (("Ada", "adult"), ("Leo", "child"), ("Gus", "guest")):
        send(daemon, "PUT", "/v1/people/" + name, {"role": role, "allergens": {"milk": "severe"}}, key)
    ada = {**key, "Tablesight-Member": "Ada"}
    send(daemon, "PUT", "/v1/people/Ada/diary", {"zone": "Europe/Berlin"}, ada)
    made = send(daemon, "POST", "/v1/lists", {"name": "Week"}, ada)
    if made.status == 201:
        send(daemon, "POST", "/v1/items", {"list": made.json()["id"], "name": "Milk"}, ada)
    send(daemon, "POST", "/v1/images", picture("generated"), key)
    daemon.wait_outcomes(1)
    adult, guest = phone_of(daemon, key, "Ada"), phone_of(daemon, key, "Gus")
    return {"nobody": {}, "guest": guest, "adult": adult, "key": ada}


def _withstand(bench: Bench, daemon: Daemon, clients: list[threading.Thread], what: str, tally: Tally) -> str:
    """Runs the clients and times /healthz in a process of its own meanwhile."""
    port = _port(daemon)
    probe = subprocess.Popen([sys.executable, "-c", PROBE, str(port)], stdout=subprocess.PIPE, text=True)
    start = time.monotonic()
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    seconds = time.monotonic() - start
    probe.terminate()
    lines = probe.communicate()[0].split("\n")[:-1]
    times = [float(line) for line in lines if float(line) >= 0]
    bench.expect(daemon.is_alive(), "%s: the daemon ended with %s" % (what, daemon.exit_code))
    bench.expect(times and daemon.status("/healthz") == 200, "%s: /healthz does not answer" % what)
    bench.measure(len(times) == len(lines), "%s: /healthz failed %d times" % (what, len(lines) - len(times)))
    late = percentile(times, 0.99)
    bench.measure(late <= MOST_MILLISECONDS, "%s: /healthz p99 %.0f ms" % (what, late))
    bench.expect(not tally.faults, "%s: 500 for %s" % (what, "; ".join(sorted(set(tally.faults))[:5])))
    kinds = Counter(status // 100 for status in tally.statuses.elements())
    counts = ", ".join("%s %d" % ("%dxx" % kind if kind else "no answer", kinds[kind]) for kind in sorted(kinds))
    return (
        f"{what}: {tally.statuses.total()} requests in {seconds:.0f} s ({counts}); /healthz p99 {late:.0f} ms, at "
        f"most {max(times, default=float('nan')):.0f} ms of {len(times)}"
    )


def _port(daemon: Daemon) -> int:
    return int((daemon.address() or "").rsplit(":", 1)[1])


def _every_request(bench: Bench, daemon: Daemon, holders: Mapping[str, Mapping[str, str]]) -> str:
    """Each route and form in turn, with values at the ends of their types, as each holder."""
    count, port, tally = bench.size(600, 10_000), _port(daemon), Tally()
    description = send(daemon, "GET", "/v1/openapi.json", None, holders["key"]).json()
    found = [one for one in (*_routes(description), *_forms(daemon, holders["adult"])) if not LEFT_OUT.search(one.path)]
    ordered = list({(one.method, one.path, str(one.fields)): one for one in found}.values())
    places = itertools.cycle(ordered)
    turns = iter([(next(places), number) for number in range(count)])
    lock = threading.Lock()

    def client() -> None:
        while daemon.is_alive():
            with lock:
                turn = next(turns, None)
            if turn is None:
                return
            request, number = turn
            chance = random.Random(number)
            # Most as an adult, who gets furthest.
            holder = chance.choice(("nobody", "guest", "adult", "adult", "adult", "key"))
            path, body, kind = request.filled(chance)
            headers = {"Origin": daemon.address() or "", "Content-Type": kind or "text/plain", **holders[holder]}
            if not request.is_json:
                headers["Accept"] = "text/html"
            status = _ask(port, request.method, path, body, headers)
            tally.note(status, "%s %s as %s (seed %d)" % (request.method, request.path, holder, number))

    clients = [threading.Thread(target=client, daemon=True) for _ in range(4)]
    figure = _withstand(bench, daemon, clients, "generated requests", tally)
    bench.expect(len(ordered) > 150, "only %d routes and forms were found" % len(ordered))
    answered = tally.statuses.total() - tally.statuses[0]
    bench.expect(answered > 0.9 * count, "only %d of %d requests were answered" % (answered, count))
    return "%d routes and forms; %s" % (len(ordered), figure)


def _hostile_names(bench: Bench, daemon: Daemon, holders: Mapping[str, Mapping[str, str]]) -> str:
    """Six clients that send names that are slow to compare, with a token and without one."""
    end, port, tally = time.monotonic() + bench.size(6, 60), _port(daemon), Tally()
    names = [text for text in TEXTS if len(text) > 2_000]
    forms = [
        ("nobody", "/pair", "code=7KQM-4X22&name="), ("nobody", "/sign-in", "token="), ("adult", "/who/guest", "name="),
        ("adult", "/people", "name="), ("adult", "/list/new", "name="), ("adult", "/goods", "name="),
        ("adult", "/list/add", "list=1&text="), ("guest", "/who/guest", "name="), ("adult", "/me/places", "newPlace="),
    ]  # fmt: skip

    def client(number: int) -> None:
        chance = random.Random(number)
        while daemon.is_alive() and time.monotonic() < end:
            holder, path, form = chance.choice(forms)
            body = form + urllib.parse.quote(chance.choice(names))
            headers = {"Origin": daemon.address() or "", "Accept": "text/html", **holders[holder]}
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            tally.note(_ask(port, "POST", path, body.encode(), headers), "%s as %s" % (path, holder))

    clients = [threading.Thread(target=client, args=(number,), daemon=True) for number in range(6)]
    return _withstand(bench, daemon, clients, "six clients with hostile names", tally)


def generated(bench: Bench) -> str:
    daemon = bench.daemon(environment=QUICK).start()
    holders = _furnished(daemon)
    figures = [_hostile_names(bench, daemon, holders), _every_request(bench, daemon, holders)]
    code, _ = daemon.stop()
    bench.expect(code == 0, "exit code %d" % code)
    return "; ".join(figures)
