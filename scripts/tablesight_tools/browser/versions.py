"""Two versions on the same steps: what they answer, store and show, what an upgrade keeps, and how fast pages are.

    scripts/tool browser.versions OLD NEW --keep FOLDER [--pictures]

OLD and NEW are programs, each below the folder with its models. versions.txt has the steps. FOLDER gets the homes
before and after the upgrade, and pictures of the pages. The differences are printed, for somebody to name their causes.
Exit codes: 0 the earlier program refuses the upgraded database · 1 it does not.
"""

from __future__ import annotations

import argparse
import difflib
import html
import http.client
import json
import re
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from tablesight_tools.browser.app import chromium
from tablesight_tools.browser.daemon import SAMPLES, Connection, Daemon
from tablesight_tools.browser.invented import FOODS
from tablesight_tools.browser.pictures import DECODED, LOOKS
from tablesight_tools.processes import processor_seconds

STEPS = Path(__file__).with_suffix(".txt")
DATABASE = "inbox.tablesight/tablesight.sqlite"
# What a worker read and what is judged from it: stages of their own compare those.
JUDGED = {"reading", "outcome", "summary", "event", "pulse", "grdb_migrations"}
# Differ between any two runs.
OWN = {"versions", "processing", "timingsMs", "inode", "device", "asked"}
RANDOM = re.compile(
    r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)|\b\d\d:\d\d\b"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
)
MONTH = 40 * 86_400
# Seconds until photos were looked at again, and quotes of prices written.
SETTLED = 5
# Seconds of processor time in that time of a daemon that is idle.
IDLE = 0.1
ROUNDS, REQUESTS, HEAVIEST, CLIENTS, SECONDS = 4, 15, 12, 4, 5
Answer = tuple[int, str]


def lines() -> tuple[list[str], list[str]]:
    """The steps, and what is asked before and after an upgrade."""
    parts = STEPS.read_text().split("\n---\n")
    done, asked = [[one for one in part.splitlines() if one and one[0] != "#"] for part in parts]
    return done, asked


class Home:
    """A program with its home, always in the same folder, because a store names its photos by their paths."""

    def __init__(self, program: Path, place: Path, names: dict[str, str], home: Path | None, *, is_fresh: bool) -> None:
        self.daemon = Daemon(program.resolve(), foods=FOODS if is_fresh else (), home=home)
        if is_fresh or home:
            shutil.rmtree(place, ignore_errors=True)
        place.mkdir(exist_ok=True)
        self.daemon.place, self.daemon.inbox = place, place / "inbox"
        self.daemon.table, self.daemon.results = place / "inbox/table", place / "inbox.tablesight"
        (self.daemon.results / "api-address").unlink(missing_ok=True)
        self.names = names

    def filled(self, line: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: self.names.get(found[1], found[0]), line)

    def step(self, line: str) -> Answer:
        first, _, rest = self.filled(line).partition(" ")
        if first == "@":
            photo, name = rest.split()
            self.names[name] = self.daemon.receive(SAMPLES / photo)
            return 0, ""
        if first == "$":
            done = subprocess.run(
                [self.daemon.program, *shlex.split(rest)], cwd=self.daemon.place, env=self.daemon.variables,
                capture_output=True, text=True, timeout=120,
            )  # fmt: skip
            return done.returncode, done.stdout or done.stderr
        rest, *taken = rest.split(" > ")
        method, path, body = (*rest.split(" ", 2), "", "")[:3]
        is_form = bool(body) and body[0] not in "[{" and not path.startswith("/v1")
        kind = "application/x-www-form-urlencoded" if is_form else "application/json"
        person = "" if first == "-" else first
        status, data, _ = Connection(self.daemon).call(method, path, person, body.encode() or None, kind)
        text = data.decode("utf-8", "replace")
        for one in taken:
            name, field = one.split("=")
            if status < 300 and field in (found := json.loads(text)):
                self.names[name] = str(found[field])
        return status, text


def plain(value: Any) -> Any:
    """A stored or told value without what differs each time: moments, drawn ids, salts, hashes."""
    if isinstance(value, bytes):
        try:
            return plain(json.loads(value))
        except ValueError:
            return f"{len(value)} bytes"
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key not in OWN}
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, str):
        return RANDOM.sub("…", value)
    if isinstance(value, int | float) and any(abs(value / unit - time.time()) < MONTH for unit in (1, 1e3, 1e9)):
        return "…"
    return value


def stored(file: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of each table."""
    names = (
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' AND name NOT LIKE 'sqlite%'"
    )
    with closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        tables = [name for (name,) in database.execute(names) if name not in JUDGED]
        return {name: [plain(dict(row)) for row in database.execute(f'SELECT * FROM "{name}"')] for name in tables}


def unequal(old: dict[str, Any], new: dict[str, Any]) -> int:
    """Prints the rows that differ in the columns that both have."""
    count = 0
    for table in sorted(old.keys() | new.keys()):
        before, after = old.get(table, []), new.get(table, [])
        other = before[0].keys() ^ after[0].keys() if before and after else set()
        texts = [
            Counter(json.dumps({k: v for k, v in row.items() if k not in other}, sort_keys=True) for row in rows)
            for rows in (before, after)
        ]
        for sign, rows in (("-", texts[0] - texts[1]), ("+", texts[1] - texts[0])):
            for row in sorted(rows.elements()):
                print(f"  {table} {sign} {row[:300]}")
                count += 1
    return count


def told(text: str) -> list[str]:
    """What an answer says: the leaves of JSON, the texts of a page, or lines."""
    try:
        return leaves(plain(json.loads(text)))
    except ValueError:
        pass
    if text[:9].lower() == "<!doctype":
        text = re.sub(r"(?s)<(script|style|svg|template|nav)\b.*?</\1>|<[^>]*>", "\n", text.partition("<body")[2])
        text = html.unescape(text.partition(">")[2])
    return [RANDOM.sub("…", line.strip()) for line in text.splitlines() if line.strip()]


def leaves(value: Any, place: str = "") -> list[str]:
    if isinstance(value, dict):
        return [line for key, one in sorted(value.items()) for line in leaves(one, f"{place}.{key}")]
    if isinstance(value, list):
        return [line for one in value for line in leaves(one, f"{place}[]")]
    return [f"{place} {value}"]


def compare(steps: list[str], old: list[Answer], new: list[Answer], *, are_texts: bool) -> int:
    """Prints each step with another status or exit code, or another text; their number."""
    count = 0
    for line, (before, text), (after, other) in zip(steps, old, new, strict=True):
        parts = list(difflib.unified_diff(told(text), told(other), lineterm="", n=0))[2:] if are_texts else []
        parts = [one[:160] for one in parts if one[:2] != "@@"]
        if before != after or parts:
            count += 1
            print(f"  {line}: {before} → {after} {'' if are_texts else f'{told(text)[:3]} → {told(other)[:3]}'}")
            for part in parts:
                print(f"      {part}")
    return count


def is_refused(program: Path, place: Path) -> bool:
    """Whether a program ends with the exit code of a wrong configuration at a database of a later one."""
    codes = []
    for command in (["diary", "export", "--person", "Ada"], ["watch", "inbox", "--port", "0"]):
        try:
            done = subprocess.run([program.resolve(), *command], cwd=place, capture_output=True, text=True, timeout=60)
            print(f"  {command[0]}: exit {done.returncode}: {done.stderr[-200:].strip()}")
            codes.append(done.returncode)
        except subprocess.TimeoutExpired:
            print(f"  {command[0]}: runs")
            codes.append(0)
    return codes == [78, 78]


def pages(asked: list[str], home: Home) -> list[tuple[str, str]]:
    """Who sees which page, and its address."""
    parts = [home.filled(line).split(" ") for line in asked]
    return [
        (who, path)
        for who, method, path in (part[:3] for part in parts)
        if method == "GET" and path[:4] not in ("/v1/", "/api")
    ]


def draw(asked: list[str], home: Home, folder: Path) -> None:
    """Pictures of whole pages, phone and desk, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for look in LOOKS:
            shown: dict[str, Any] = {}
            for number, (who, path) in enumerate(pages(asked, home)):
                if who not in shown:
                    headers = {k: v for k, v in home.daemon.headers(member=who).items() if k != "Content-Type"}
                    context = browser.new_context(
                        **look.context,
                        extra_http_headers=headers,
                        service_workers="block",
                        timezone_id=home.daemon.zone.key,
                    )
                    context.set_default_timeout(300_000)
                    shown[who] = context.new_page()
                page = shown[who]
                page.goto(home.daemon.address + path, wait_until="load")
                page.evaluate(DECODED)
                name = re.sub(r"\W+", "-", asked_name(path)).strip("-") or "scan"
                page.screenshot(
                    path=folder / f"{number:02}-{name}-{look.name}.png", full_page=True, animations="disabled"
                )
            for page in shown.values():
                page.context.close()


def asked_name(path: str) -> str:
    return re.sub(r"sha256:([0-9a-f]{6})[0-9a-f]*", r"\1", path)


def first_byte(place: tuple[str, int], headers: dict[str, str], path: str) -> float:
    connection = http.client.HTTPConnection(*place, timeout=60)
    connection.connect()
    began = time.perf_counter()
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    found = time.perf_counter() - began
    answer.read()
    connection.close()
    return found


def rate(home: Home, wanted: list[tuple[str, str]]) -> float:
    """Pages a second of some clients at once."""
    counts = [0] * CLIENTS
    end = time.monotonic() + SECONDS

    def ask(client: int) -> None:
        connection = Connection(home.daemon)
        while time.monotonic() < end:
            who, path = wanted[counts[client] % len(wanted)]
            connection.call("GET", path, who)
            counts[client] += 1

    threads = [threading.Thread(target=ask, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


def settle(daemon: Daemon) -> None:
    """Waits until the daemon has judged what it judges after its start."""
    before = -1.0
    while (now := processor_seconds(daemon.process.pid)) - before > IDLE:
        before = now
        time.sleep(SETTLED)


def measure(versions: list[tuple[Path, Path]], place: Path, names: dict[str, str], asked: list[str]) -> None:
    """Time to the first byte of the heaviest pages, processor time of each, and pages a second, in turns."""
    times: list[dict[str, list[float]]] = [{}, {}]
    costs: list[dict[str, list[float]]] = [{}, {}]
    rates: list[list[float]] = [[], []]
    heaviest: list[tuple[str, str]] = []
    for turn in range(ROUNDS):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            home = Home(versions[which][0], place, names, versions[which][1], is_fresh=False)
            with home.daemon as daemon:
                settle(daemon)
                for who, path in heaviest or pages(asked, home):
                    began = processor_seconds(daemon.process.pid)
                    headers = daemon.headers(member=who)
                    found = [first_byte(daemon.listens, headers, path) for _ in range(REQUESTS)]
                    times[which].setdefault(path, []).extend(found)
                    cost = (processor_seconds(daemon.process.pid) - began) / REQUESTS
                    costs[which].setdefault(path, []).append(cost)
                if not heaviest:
                    heaviest = sorted(pages(asked, home), key=lambda one: -costs[which][one[1]][0])[:HEAVIEST]
                rates[which].append(rate(home, heaviest))
    print("first byte, median and least, and processor time, ms")
    for _, path in heaviest:
        parts = [
            f"{statistics.median(times[which][path]) * 1000:.1f} ({min(times[which][path]) * 1000:.1f}), "
            f"{statistics.median(costs[which][path]) * 1000:.1f}"
            for which in (0, 1)
        ]
        print(f"  {asked_name(path):24} {parts[0]} → {parts[1]}")
    print("  pages a second:", *(f"{statistics.median(one):.1f} ({min(one):.1f}…{max(one):.1f})" for one in rates))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--keep", type=Path, required=True, help="folder for the homes and the pictures")
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    folder = options.keep.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "home"
    steps, asked = lines()
    answers: dict[str, tuple[list[Answer], list[Answer]]] = {}
    rows: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}
    for name, program, numbers in (
        ("old", options.old, names),
        ("upgraded", options.new, names),
        ("new", options.new, {}),
    ):
        home = Home(program, place, numbers, None, is_fresh=name != "upgraded")
        with home.daemon as daemon:
            done = [home.step(line) for line in steps] if name != "upgraded" else []
            time.sleep(SETTLED)
            if name == "upgraded":
                rows[name] = stored(place / DATABASE)
            answers[name] = done, [home.step(line) for line in asked]
            daemon.stop()
            if name != "upgraded":
                rows[name] = stored(place / DATABASE)
            shutil.rmtree(folder / name, ignore_errors=True)
            ignored = shutil.ignore_patterns("api-address", "log", "*.sock")
            shutil.copytree(place, folder / name, ignore=ignored)
            (place / "log").rename(folder / f"{name}.log")
        if name == "upgraded":
            print("The earlier program on the upgraded database:")
            refused = is_refused(options.old, place)
    print("Statuses and exit codes of the steps:")
    print(f"{compare(steps, answers['old'][0], answers['new'][0], are_texts=False)} of {len(steps)} differ")
    print("Rows after the steps, the earlier database upgraded:")
    print(f"{unequal(rows['upgraded'], rows['new'])} rows differ")
    print("Rows before and after the upgrade:")
    print(f"{unequal(rows['old'], rows['upgraded'])} rows differ")
    print("What is asked, before and after the upgrade:")
    print(f"{compare(asked, answers['old'][1], answers['upgraded'][1], are_texts=True)} of {len(asked)} differ")
    versions = [(options.old, folder / "old"), (options.new, folder / "upgraded")]
    if options.pictures:
        for program, kept in versions:
            home = Home(program, place, names, kept, is_fresh=False)
            with home.daemon:
                time.sleep(SETTLED)
                draw(asked, home, folder / f"pictures-{kept.name}")
        pairs = [(one, folder / "pictures-upgraded" / one.name) for one in sorted((folder / "pictures-old").iterdir())]
        other = [one.name for one, now in pairs if one.read_bytes() != now.read_bytes()]
        print(f"{len(pairs) - len(other)} of {len(pairs)} pictures are equal; not:", *other, sep="\n  ")
    if options.times:
        measure(versions, place, names, asked)
    return 0 if refused else 1


if __name__ == "__main__":
    sys.exit(main())
