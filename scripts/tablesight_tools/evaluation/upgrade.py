"""Fills a house with an earlier program, opens it with a later one, and compares what both answer.

    scripts/tool evaluation.upgrade OLD NEW [--photos samples] [--keep FOLDER]

OLD and NEW are `tablesight` programs. OLD reads some photos and is told people, diaries, lists, prices and reviews
through its API. Everything that its routes answer must be among the answers of NEW, but for what NEW judges anew. Then
OLD must refuse the database that NEW has opened. Exit codes: 0 all held, 1 something did not, 69 a program did not
start.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

PHOTOS = ("menus", "labels", "barcodes", "boards", "receipts", "documents")
PEOPLE = {"Ada": "adult", "Ben": "adult", "Leo": "child"}
DAYS = ("2026-11-20", "2026-11-21", "2026-11-22")
BARCODE = "9520100001017"
# Newer than what is compared: versions, times of reading, and what a newer program knows of a photo.
OWN = {"versions", "processing", "age", "tablesight", "etag", "timingsMs"}


class Daemon:
    """A running `tablesight watch`, and its answers."""

    def __init__(self, program: Path, folder: Path, port: int) -> None:
        environment = os.environ | {"TABLESIGHT_API_PORT": str(port), "TZ": "Europe/Berlin"}
        log = (folder / "log.txt").open("a")
        (folder / "inbox").mkdir(exist_ok=True)
        self.output = folder / "inbox.tablesight"
        (self.output / "api-address").unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [str(program), "watch", str(folder / "inbox")], stdout=log, stderr=log, env=environment
        )
        for _ in range(1200):
            if (self.output / "api-address").exists() or self.process.poll() is not None:
                break
            time.sleep(0.1)
        if self.process.poll() is not None:
            return
        self.address = (self.output / "api-address").read_text().strip()
        self.token = (self.output / "api-token").read_text().strip()

    def call(self, method: str, path: str, body: Any = None, member: str | None = None) -> tuple[int, Any]:
        """Status and JSON of the answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if member:
            headers["Tablesight-Member"] = member
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text, status = answer.read(), answer.status
        except urllib.error.HTTPError as problem:
            text, status = problem.read(), problem.code
        try:
            return status, json.loads(text)
        except ValueError:
            return status, None

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


def fill(daemon: Daemon) -> dict[str, int]:
    """Tells the daemon one of everything; the number of requests that it took, by their first words."""
    taken: dict[str, int] = {}

    def make(method: str, path: str, body: Any = None, member: str = "Ada") -> Any:
        status, answer = daemon.call(method, path, body, member)
        if status >= 300:
            print(f"not taken: {method} {path}: {status} {str(answer)[:160]}")
            return {}
        parts = path.partition("?")[0].split("/")
        kind = "/".join(parts[2:3] + parts[4:5])
        taken[kind] = taken.get(kind, 0) + 1
        return answer or {}

    for colour, (name, role) in enumerate(PEOPLE.items(), 1):
        allergens = {
            "Ada": {"milk": "severe"},
            "Ben": {"gluten": "severe", "peanuts": "mild"},
            "Leo": {"eggs": "severe"},
        }
        person = {"regime": "eu14", "allergens": allergens[name], "language": "en", "role": role, "colour": colour}
        make("PUT", f"/v1/people/{name}", person, name)
    for name in PEOPLE:
        make("PUT", f"/v1/people/{name}/diary", {"zone": "Europe/Berlin"}, name)
        make("PUT", f"/v1/people/{name}/goal", {"dailyCalories": 1800}, name)
        for index, day in enumerate(DAYS):
            make("PUT", f"/v1/people/{name}/weights/{day}", {"weight": 71.5 + index / 4}, name)
            quick = {"calories": 450 + index, "protein": 20, "carbs": 40, "fat": 12}
            make(
                "POST",
                f"/v1/people/{name}/entries",
                {"quick": quick, "id": f"q{index}", "meal": "lunch", "day": day},
                name,
            )
            entry = {"barcode": BARCODE, "portion": "2 tbsp", "id": f"b{index}", "meal": "breakfast", "day": day}
            make("POST", f"/v1/people/{name}/entries", entry, name)
        foods = make("GET", f"/v1/people/{name}/foods", None, name)
        for one in (foods.get("foods") or foods.get("items") or [])[:1]:
            food = one.get("food", one)
            make("PUT", f"/v1/people/{name}/favourites/{food['id']}", {"food": food}, name)
    make("PUT", "/v1/people/Ada/diary/readers/Ben")
    shops = [make("POST", "/v1/places", {"name": name}).get("id") for name in ("Alnatura", "Biomarkt", "Kornfeld")]
    lists = [make("POST", "/v1/lists", {"name": name}).get("id") for name in ("Week", "Party")]
    make("PUT", f"/v1/lists/{lists[0]}/people/Ben")
    for index, name in enumerate(("Bananas", "Milk", "Bread", "Oats", "Coffee")):
        body = {"list": lists[index % 2], "name": name, "quantity": 2000, "unit": "piece"}
        item = make("POST", "/v1/items", body)
        if index == 1:
            make("PATCH", f"/v1/items/{item.get('id')}", {"isCompleted": True})
        for at, shop in enumerate(shops):
            money = {"amount": f"{1 + index}.{10 + at}", "currency": "EUR"}
            make(
                "POST",
                "/v1/prices",
                {"product": item.get("product"), "place": shop, "price": money},
                ("Ada", "Ben")[at % 2],
            )
    make("POST", "/v1/prices", {"gtin": BARCODE, "place": shops[0], "price": {"amount": "2.49", "currency": "EUR"}})
    item = make("POST", "/v1/items", {"list": lists[0], "gtin": BARCODE})
    make("PUT", f"/v1/goods/{item.get('product')}/tags", {"tags": [{"name": "breakfast", "colour": 2}]})
    told = make("POST", "/v1/experiences", {"kind": "general", "rating": 4, "comment": "Fine"})
    make("POST", f"/v1/experiences/{told.get('id')}/comments", {"comment": "Thanks"}, "Ben")
    make("POST", "/v1/devices/codes")
    for player in ("Leo",):
        make("POST", "/v1/plays", {"game": "tangram", "puzzle": "boat"}, player)
    for photo in make("GET", "/v1/history?limit=100").get("items", []):
        outcome = make("GET", f"/v1/outcomes/{photo['id']}")
        dishes = [dish for part in (outcome.get("menu") or {}).get("sections", []) for dish in part["items"]]
        make("POST", "/v1/reviews", {"id": photo["id"], "item": "*", "action": "accept", "by": "Ada"})
        for dish in dishes[:2]:
            said = {"item": dish["name"], "allergen": "milk", "action": "edit", "value": "CONTAINS", "by": "Ada"}
            make("POST", "/v1/reviews", {"id": photo["id"], **said})
            make("POST", "/v1/saved", {"photo": photo["id"], "kind": "dish", "item": dish["name"]})
        for product in (outcome.get("products") or [])[:1]:
            make("POST", "/v1/saved", {"photo": photo["id"], "kind": "product", "item": product["gtin"]})
    return taken


def dump(daemon: Daemon) -> dict[str, Any]:
    """What the routes answer that tell of people and what they stored."""
    told: dict[str, Any] = {}

    def ask(path: str, member: str = "Ada") -> Any:
        status, answer = daemon.call("GET", path, None, member)
        told[f"{member} {path}"] = answer if status < 300 else {"status": status}
        return answer

    for path in ("people", "members", "places", "goods?q=", "experiences", "prices/reviews", "plays"):
        ask(f"/v1/{path}")
    for name, role in PEOPLE.items():
        ask(f"/v1/people/{name}", name)
        for path in ("diary", "goal", "weights", f"entries?from={DAYS[0]}&to={DAYS[-1]}", "favourites"):
            ask(f"/v1/people/{name}/{path}", name)
        ask("/v1/saved", name)
        if role == "adult":
            for one in (ask("/v1/lists", name) or {}).get("lists", []):
                ask(f"/v1/items?list={one['id']}", name)
                ask(f"/v1/compare?list={one['id']}", name)
            ask("/v1/me/export", name)
    goods = told["Ada /v1/goods?q="] or {}
    for one in goods.get("products") or goods.get("items") or []:
        ask(f"/v1/prices?product={one['id']}")
    for photo in (ask("/v1/history?limit=100") or {}).get("items", []):
        ask(f"/v1/outcomes/{photo['id']}")
        ask(f"/v1/reviews?id={photo['id']}")
    return told


def lost(old: Any, new: Any, place: str = "") -> list[str]:
    """The places of an answer where the newer one says less or something else."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            line
            for key, value in old.items()
            if key not in OWN
            for line in (lost(value, new[key], f"{place}.{key}") if key in new else [f"{place}.{key} is missing"])
        ]
    if isinstance(old, list) and isinstance(new, list):
        if len(new) < len(old):
            return [f"{place}: {len(old)} became {len(new)}"]
        return [line for at, value in enumerate(old) for line in lost(value, new[at], f"{place}[{at}]")]
    return [] if old == new else [f"{place}: {str(old)[:60]} became {str(new)[:60]}"]


def leaves(value: Any) -> int:
    """How many values an answer holds."""
    if isinstance(value, (dict, list)):
        return sum(leaves(one) for one in (value.values() if isinstance(value, dict) else value))
    return 1


def wait_for_photos(daemon: Daemon, count: int) -> None:
    """Waits until all photos were read."""
    for _ in range(1200):
        _, answer = daemon.call("GET", "/v1/history?limit=1")
        if (answer or {}).get("total", 0) >= count:
            return
        time.sleep(0.5)


def main(arguments: list[str]) -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--photos", type=Path, default=Path("samples"))
    parser.add_argument("--keep", type=Path, help="keep the house here")
    parser.add_argument("--port", type=int, default=18765)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        folder = options.keep or Path(place)
        (folder / "inbox").mkdir(parents=True, exist_ok=True)
        chosen = [photo for kind in PHOTOS for photo in sorted((options.photos / kind).glob("*.[jp][pn]g"))[:2]]
        for photo in chosen:
            (folder / "inbox" / photo.name).write_bytes(photo.read_bytes())
        answers = []
        for number, program in enumerate((options.old, options.new)):
            daemon = Daemon(program, folder, options.port + number)
            if daemon.process.poll() is not None:
                print((folder / "log.txt").read_text()[-500:], file=sys.stderr)
                return 69
            wait_for_photos(daemon, len(chosen))
            if number == 0:
                print("taken:", fill(daemon))
            time.sleep(3)
            answers.append(dump(daemon))
            daemon.stop()
        before, after = answers
        (folder / "dumps.json").write_text(json.dumps(answers))
        differences = {path: lost(value, after.get(path), "") for path, value in before.items()}
        for path, lines in differences.items():
            for line in lines:
                print(f"{path}{line}")
        unequal = sum(map(len, differences.values()))
        print(f"{len(before)} answers with {leaves(before)} values, {unequal} of them not the same")
        again = Daemon(options.old, folder, options.port + 2)
        is_refused = again.process.poll() is not None
        print("the earlier program:", again.process.returncode, (folder / "log.txt").read_text().splitlines()[-1])
        if not is_refused:
            again.stop()
        return int(unequal > 0 or again.process.returncode != 78)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
