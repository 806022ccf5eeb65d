"""Times of the diary with five years of entries of ten people: days, weeks, searches, additions; routes and pages."""

from __future__ import annotations

import argparse
import json
import random
import sys
import urllib.parse
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tablesight_tools.browser.daemon import Connection, Daemon
from tablesight_tools.browser.invented import FOODS, Member
from tablesight_tools.measures import percentile
from tablesight_tools.paths import REPOSITORY

PEOPLE = [f"Person {number}" for number in range(1, 11)]
YEARS = 5
MEALS = (("breakfast", 7, 3), ("lunch", 12, 2), ("dinner", 18, 2), ("snack", 15, 1))
FOOD_COUNT = 400


def invented_food(number: int) -> dict[str, Any]:
    serving = {"sizeLabel": "100 g", "grams": 100, "multiplier": 1}
    return {
        "id": f"own:{number}", "name": f"Food {number}", "brand": f"Brand {number % 40}", "calories": 40 + number,
        "protein": number % 30, "carbs": number % 70, "fat": number % 25, "defaultServing": serving,
        "altServings": [], "source": "userCreated",
    }  # fmt: skip


def entries(rng: random.Random, person: int, first: date) -> list[dict[str, Any]]:
    """Eight entries on each day of five years."""
    found = []
    for day in range(YEARS * 365 + 1):
        for meal, hour, count in MEALS:
            for place in range(count):
                # Half of what people eat is one of thirty foods.
                food = invented_food(rng.randrange(30) if rng.random() < 0.5 else rng.randrange(FOOD_COUNT))
                grams = rng.randrange(20, 400, 10)
                serving = {"sizeLabel": f"{grams} g", "grams": grams, "multiplier": grams / 100}
                moment = f"{first + timedelta(days=day)}T{hour:02}:{rng.randrange(60):02}:00Z"
                found.append(
                    {
                        "id": f"{person}-{day}-{meal}-{place}", "food": food, "serving": serving, "meal": meal,
                        "timestamp": moment, "zone": "UTC",
                    }
                )  # fmt: skip
    return found


def report(name: str, times: list[float]) -> None:
    p50, p99 = percentile(times, 0.5) * 1000, percentile(times, 0.99) * 1000
    line = f"{name}: {len(times)} requests, p50 {p50:.1f} ms, p99 {p99:.1f} ms, worst {max(times) * 1000:.1f} ms"
    print(line, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    parser.add_argument("--requests", type=int, default=1000, help="requests of each kind")
    options = parser.parse_args()
    rng = random.Random(21)
    with Daemon(options.program.resolve(), foods=FOODS) as daemon:
        today = daemon.today()
        first = today - timedelta(days=YEARS * 365)
        client = Connection(daemon)
        for number, person in enumerate(PEOPLE):
            member = Member(daemon, person)
            file: dict[str, Any] = {
                "schema": "tablesight.diary/1", "person": person, "zone": "UTC", "weights": [],
                "goal": {
                    "dailyCalories": 2000, "currentWeight": 70, "sex": "male", "birthYear": 1985, "height": 178,
                    "activity": "light",
                }, "entries": entries(rng, number, first),
            }  # fmt: skip
            file["weights"] = [
                {"date": str(today - timedelta(days=day)), "weight": 70 + day / 100} for day in range(0, 1500, 3)
            ]
            status, body, seconds = client.call("POST", f"{member.address}/import", person, json.dumps(file).encode())
            assert status == 200, body[:300]
            print(f"{person}: {len(file['entries'])} entries imported in {seconds:.1f} s", file=sys.stderr)

        def any_day() -> str:
            return str(first + timedelta(days=rng.randrange(YEARS * 365)))

        def any_week() -> str:
            year, week, _ = date.fromisoformat(any_day()).isocalendar()
            return f"{year}-W{week:02}"

        def measure(name: str, request: Callable[[str], tuple[str, str, bytes | None, str]], expected: int) -> None:
            times = []
            for _ in range(options.requests):
                person = rng.choice(PEOPLE)
                method, path, body, kind = request(f"/v1/people/{urllib.parse.quote(person)}")
                status, data, seconds = client.call(method, path, person, body, kind)
                assert status == expected, (path, status, data[:300])
                times.append(seconds)
            report(name, times)

        plain = "application/json"
        measure("route of a day", lambda base: ("GET", f"{base}/days/{any_day()}", None, plain), 200)
        measure("route of a week", lambda base: ("GET", f"{base}/week/{any_week()}", None, plain), 200)
        measure("page of a day", lambda _: ("GET", f"/today?day={any_day()}", None, plain), 200)
        measure("page of today", lambda _: ("GET", "/today", None, plain), 200)
        measure("page of a week", lambda _: ("GET", f"/week?week={any_week()}", None, plain), 200)
        words = ["oat", "milk", "hazelnut", "fod 12", "food 3", "tomto soup", "brand 7", "chedar"]
        measure(
            "route of a search",
            lambda _: ("GET", "/v1/foods?q=" + urllib.parse.quote(rng.choice(words)), None, plain), 200,
        )  # fmt: skip
        measure(
            "page of a search",
            lambda _: ("GET", "/today/add?q=" + urllib.parse.quote_plus(rng.choice(words)), None, plain), 200,
        )  # fmt: skip
        body = json.dumps({"food": invented_food(3), "portion": "150 g", "meal": "lunch"}).encode()
        measure("route that adds", lambda base: ("POST", f"{base}/entries", body, plain), 201)
        form = urllib.parse.urlencode({"food": json.dumps(invented_food(4)), "portion": "150 g"}).encode()
        measure("form that adds", lambda _: ("POST", "/today/add", form, "application/x-www-form-urlencoded"), 303)
    return 0


if __name__ == "__main__":
    sys.exit(main())
