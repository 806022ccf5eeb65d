"""A daemon in a temporary folder, for the browser."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tablesight_tools.paths import REPOSITORY


class Daemon:
    """`tablesight watch` on an empty folder; use it in a with statement.

    `environment` has more settings, such as `TABLESIGHT_API_ALLOWED_HOSTS`. `foods` are records in Open Food Facts'
    format for the catalogue.
    """

    def __init__(
        self, program: Path, environment: Mapping[str, str] | None = None, foods: Sequence[Mapping[str, object]] = ()
    ) -> None:
        self.program = program
        self.environment = dict(environment or {})
        self.foods = foods
        self.folder = tempfile.TemporaryDirectory(prefix="tablesight-app.")
        self.place = Path(self.folder.name)
        self.inbox = self.place / "inbox"
        self.table = self.inbox / "table"
        self.results = self.place / "inbox.tablesight"

    def __enter__(self) -> Daemon:
        self.table.mkdir(parents=True)
        environment = {
            **os.environ,
            "TABLESIGHT_PEOPLE": str(self.place / "people.sqlite"),
            "TABLESIGHT_BOARDS": f"{self.table}=tangram:tangram",
            "TABLESIGHT_CATALOGUE": str(self.place / "catalogue"),
            **self.environment,
        }
        if self.foods:
            file = self.place / "foods.jsonl"
            file.write_text("".join(json.dumps(food) + "\n" for food in self.foods))
            command = [self.program, "catalogue", "import", file, "--format", "off-jsonl"]
            subprocess.run(command, check=True, env=environment, cwd=REPOSITORY, capture_output=True)
        with open(self.place / "log", "wb") as log:
            self.process = subprocess.Popen(
                [self.program, "watch", self.inbox, "--port", "0"],
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=environment,
                cwd=REPOSITORY,
            )
        self.address = self._line("api-address")
        self.token = self._line("api-token")
        return self

    def __exit__(self, *error: object) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        self.folder.cleanup()

    def _line(self, name: str) -> str:
        file = self.results / name
        for _ in range(600):
            if file.exists() and file.read_text().strip():
                return file.read_text().strip()
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"the daemon did not start: {(self.place / 'log').read_text()}")

    def call(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json", key: str = ""
    ) -> Any:
        """The answer's JSON; `key` opens a diary."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        if key:
            headers["Tablesight-Diary-Key"] = key
        request = urllib.request.Request(self.address + path, data=body, method=method, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def bytes(self, address: str, key: str = "", session: str = "") -> bytes:
        """The body of an answer; `key` opens a diary, `session` is that of an account."""
        headers = {"Authorization": f"Bearer {self.token}"}
        if key:
            headers["Tablesight-Diary-Key"] = key
        if session:
            headers["X-Tablesight-Session"] = session
        request = urllib.request.Request(address, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return bytes(answer.read())

    def upload(self, photo: Path) -> str:
        """Sends a photo and waits for its outcome; gives its id."""
        name = self.call("POST", "/v1/images", photo.read_bytes(), "application/octet-stream")["images"][0]["id"]
        for _ in range(900):
            if self.call("GET", f"/v1/images/{name}").get("outcome"):
                return str(name)
            time.sleep(0.1)
        raise AssertionError(f"no outcome of {photo}")

    def household(self) -> None:
        """Stores three people."""
        people = {
            "Ada": {"milk": "severe", "nuts": "high"},
            "Ben": {"gluten": "high", "eggs": "moderate", "celery": "moderate"},
            "Cleo": {"fish": "severe", "crustaceans": "severe", "sulphites": "mild"},
        }
        for name, allergens in people.items():
            self.call("PUT", f"/v1/people/{name}", json.dumps({"allergens": allergens}).encode())

    def holding(self, part: bytes) -> list[str]:
        """The files of daemon and inbox that hold these bytes."""
        found: list[str] = []
        for file in (file for top in (self.inbox, self.results) for file in top.rglob("*") if file.is_file()):
            try:
                if part in file.read_bytes():
                    found.append(str(file.relative_to(self.place)))
            except FileNotFoundError:
                continue  # a temporary file got its name
        return found
