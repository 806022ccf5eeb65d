"""A daemon in a temporary folder, as its clients, its folders and its user see it."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import wait_for

SAMPLES = REPOSITORY / "samples"
# Seconds until a photo is read and judged. A debug build reads a receipt in 3 to 10 s on a free machine.
READING = 240.0


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Waits for what no page shows, such as a file of the daemon or an answer of its API."""
    assert wait_for(condition, seconds), f"{what}: not within {seconds:.0f} s"


def noon(now: datetime) -> ZoneInfo:
    """A time zone in which it is noon, to the hour; `now` is in UTC."""
    # The signs of these names are those of POSIX: five hours behind UTC is +5.
    return ZoneInfo(f"Etc/GMT{now.hour - 12:+d}")


class Daemon:
    """`tablesight watch` on an empty folder; use it in a with statement.

    `environment` has more settings, such as `TABLESIGHT_API_ALLOWED_HOSTS`. `foods` are records in Open Food Facts'
    format for the catalogue. `prefix` is a command that runs the program, such as taskset. `home` is the copy that an
    earlier daemon kept, with which this one begins.

    Daemon and browser are in a time zone in which it is about noon, so that no day ends while a check runs.
    """

    def __init__(
        self,
        program: Path,
        environment: Mapping[str, str] | None = None,
        foods: Sequence[Mapping[str, object]] = (),
        prefix: Sequence[str] = (),
        home: Path | None = None,
    ) -> None:
        self.program, self.prefix, self.home = program, prefix, home
        self.zone = noon(datetime.now(UTC))
        self.environment = dict(environment or {})
        self.foods = foods
        self.folder = tempfile.TemporaryDirectory(prefix="tablesight-app.")
        self.place = Path(self.folder.name)
        self.inbox = self.place / "inbox"
        self.table = self.inbox / "table"
        self.results = self.place / "inbox.tablesight"

    def __enter__(self) -> Daemon:
        if self.home:
            shutil.copytree(self.home, self.place, dirs_exist_ok=True)
        self.table.mkdir(parents=True, exist_ok=True)
        environment = {
            **os.environ,
            "TZ": self.zone.key,
            "TABLESIGHT_PEOPLE": str(self.place / "people.sqlite"),
            "TABLESIGHT_BOARDS": f"{self.table}=tangram:tangram",
            "TABLESIGHT_CATALOGUE": str(self.place / "catalogue"),
            **self.environment,
        }
        # For commands that use what the daemon uses.
        self.variables = environment
        if self.foods:
            file = self.place / "foods.jsonl"
            file.write_text("".join(json.dumps(food) + "\n" for food in self.foods))
            command = [self.program, "catalogue", "import", file, "--format", "off-jsonl"]
            subprocess.run(command, check=True, env=environment, cwd=REPOSITORY, capture_output=True)
        self.start()
        return self

    def start(self, port: int = 0) -> None:
        """Starts the program; a port of 0 is any that is free."""
        with open(self.place / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.prefix, self.program, "watch", self.inbox, "--port", str(port)],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=self.variables,
                cwd=REPOSITORY,
            )
        # All addresses of the machine are no host that a request may name.
        self.address = self._line("api-address").replace("//0.0.0.0:", "//127.0.0.1:")
        self.token = self._line("api-token")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)

    def __exit__(self, *error: object) -> None:
        self.stop()
        self.folder.cleanup()

    def keep(self, home: Path) -> None:
        """Ends, and copies all that it knows, with which other daemons can begin."""
        self.stop()
        shutil.copytree(self.place, home, ignore=shutil.ignore_patterns("api-address", "log", "*.sock"))

    def today(self) -> date:
        return datetime.now(self.zone).date()

    def _line(self, name: str) -> str:
        file = self.results / name

        def is_written() -> bool:
            assert self.process.poll() is None, f"the daemon did not start: {(self.place / 'log').read_text()}"
            return file.exists() and bool(file.read_text().strip())

        wait_until(is_written, f"the daemon's file {name}", 60)
        return file.read_text().strip()

    # MARK: its API

    @property
    def listens(self) -> tuple[str, int]:
        """Host and port."""
        address = urllib.parse.urlsplit(self.address)
        return address.hostname or "", address.port or 0

    def headers(self, kind: str = "application/json", member: str = "") -> dict[str, str]:
        """The daemon's own key; `member` is for whom it acts."""
        found = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        return found | ({"Tablesight-Member": urllib.parse.quote(member)} if member else {})

    def open(self, path: str, timeout: float = 120) -> http.client.HTTPResponse:
        """An answer that is read as it comes, such as a stream of events."""
        request = urllib.request.Request(self.address + path, headers=self.headers())
        return cast(http.client.HTTPResponse, urllib.request.urlopen(request, timeout=timeout))

    def bytes(
        self, path: str, *, method: str = "GET", body: bytes | None = None, kind: str = "application/json",
        member: str = "",
    ) -> bytes:  # fmt: skip
        """The body of an answer."""
        headers = self.headers(kind, member)
        request = urllib.request.Request(self.address + path, data=body, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return bytes(answer.read())

    def call(self, method: str, path: str, body: Any = None, *, member: str = "") -> Any:
        """Sends JSON; gives the answer's JSON."""
        data = None if body is None else json.dumps(body).encode()
        text = self.bytes(path, method=method, body=data, member=member)
        return json.loads(text) if text else None

    def upload(self, photo: Path, member: str = "") -> str:
        """Sends a photo and waits for its outcome; gives its id."""
        kind = "application/octet-stream"
        answer = self.bytes("/v1/images", method="POST", body=photo.read_bytes(), kind=kind, member=member)
        name = str(json.loads(answer)["images"][0]["id"])
        wait_until(lambda: self.call("GET", f"/v1/images/{name}").get("outcome"), f"the outcome of {photo}", READING)
        return name

    def receive(self, photo: Path, folder: str = ".") -> str:
        """Puts a photo in the watched folder and waits for its sidecar; gives its id."""
        self.drop(photo, folder)
        name = "sha256:" + hashlib.sha256(photo.read_bytes()).hexdigest()
        # It is written after the prices are recorded.
        wait_until(lambda: bool(self.sidecars(name)), f"the outcome of {photo.name}", READING)
        return name

    def store_people(self) -> None:
        """A household of three."""
        people = {
            "Ada": {"milk": "severe", "nuts": "high"},
            "Ben": {"gluten": "high", "eggs": "moderate", "celery": "moderate"},
            "Cleo": {"fish": "severe", "crustaceans": "severe", "sulphites": "mild"},
        }
        for name, allergens in people.items():
            self.call("PUT", f"/v1/people/{name}", {"allergens": allergens})

    def board(self, frames: int = 1) -> str:
        """The address of the board's page, after this many photos of it were read."""
        sessions: list[dict[str, Any]] = []

        def is_read() -> bool:
            sessions[:] = self.call("GET", "/v1/games/tangram/sessions")
            return bool(sessions) and int(sessions[0]["frames"]) >= frames

        wait_until(is_read, "the session of the board", READING)
        return f"/games/tangram/{sessions[0]['id']}"

    # MARK: its folders

    def drop(self, photo: Path, folder: str = ".") -> None:
        """Puts a photo in the watched folder, whole at once."""
        place = self.inbox / folder
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(photo, place / "part")
        (place / "part").rename(place / photo.name)

    def sidecars(self, *parts: str) -> list[Path]:
        """The sidecars that have all these parts of a text."""
        files = (self.results / "outcomes").rglob("*.json")
        return [file for file in files if all(part in file.read_text() for part in parts)]


class Connection:
    """One connection to a daemon that stays open, as a browser keeps it; what is asked is timed."""

    def __init__(self, daemon: Daemon) -> None:
        self.connection = http.client.HTTPConnection(*daemon.listens, timeout=60)
        self.daemon = daemon

    def call(
        self, method: str, path: str, person: str = "", body: bytes | None = None, kind: str = "application/json"
    ) -> tuple[int, bytes, float]:
        """Status, body, and seconds to its last byte."""
        began = time.perf_counter()
        self.connection.request(method, path, body, self.daemon.headers(kind, person))
        answer = self.connection.getresponse()
        data = answer.read()
        return answer.status, data, time.perf_counter() - began
