"""Invented foods and diaries of the checks, the measurements and the pictures, and the API's part of a diary."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.driver import Browser


def food(code: str, name: str, kcal: float, protein: float, carbs: float, fat: float, grams: int, pack: str) -> Any:
    """A record in Open Food Facts' format."""
    figures = {"energy-kcal_100g": kcal, "proteins_100g": protein, "carbohydrates_100g": carbs, "fat_100g": fat}
    return {
        "code": code, "product_name": name, "brands": "Tafelhof", "lang": "en", "quantity": pack,
        "serving_size": f"{grams} g", "serving_quantity": grams, "nutriments": figures,
        "last_modified_t": 1_780_000_000, "owner": "org-tafelhof",
    }  # fmt: skip


# Invented products; the first has the number of the sample photo.
FOODS = [
    food("9520100001017", "Hazelnut Cocoa Spread", 541, 6.3, 57.5, 30.9, 15, "350 g"),
    food("9520100001116", "Rolled Oats", 370, 13.5, 58.7, 7, 60, "500 g"),
    food("9520100001123", "Whole Milk", 64, 3.3, 4.8, 3.5, 200, "1 l"),
    food("9520100001130", "Tomato Soup", 34, 0.9, 5.8, 0.6, 200, "400 g"),
    food("9520100001147", "Wholegrain Bread", 232, 8.5, 40, 2.8, 50, "500 g"),
    food("9520100001154", "Mature Cheddar", 410, 25, 0.1, 34.4, 30, "200 g"),
    food("9520100001161", "Spaghetti", 359, 12.5, 72, 1.5, 100, "500 g"),
]


# MARK: the daemon's side


def key_of(daemon: Daemon, person: str) -> str:
    """Opens a new diary of a person; gives its key."""
    body = json.dumps({"zone": "UTC"}).encode()
    return str(daemon.call("POST", f"/v1/people/{person}/diary/keys", body)["key"])


def log(daemon: Daemon, key: str, person: str, **entry: object) -> None:
    daemon.call("POST", f"/v1/people/{person}/entries", json.dumps(entry).encode(), key=key)


def today() -> date:
    return datetime.now(UTC).date()


def keep(browser: Browser, daemon: Daemon, keys: list[str]) -> None:
    """Gives the browser the keys, as the page that opens a diary does."""
    cookie = {
        "name": "tablesight-diary", "value": ".".join(keys), "url": daemon.address, "httpOnly": True,
        "sameSite": "Strict",
    }  # fmt: skip
    browser.tools("Network.setCookie", cookie)


# MARK: pictures

PICTURES = {
    "today-empty": "/today", "today": "/today", "today-complete": "/today", "add": "/today/add?q=oats",
    "week": "/week", "goal": "/goal",
}  # fmt: skip
MEALS = {
    "breakfast": (("9520100001116", "60 g"), ("9520100001123", "200 g")),
    "lunch": (("9520100001130", "200 g"), ("9520100001147", "2 servings"), ("9520100001154", "60 g")),
    "dinner": (("9520100001161", "120 g"), ("9520100001130", "200 g")),
    "snack": (("9520100001017", "2 servings"),),
}


def invented(daemon: Daemon) -> dict[str, str]:
    """Diaries of Ada (complete), Ben (mid-day) and Cleo (empty); gives the key for each picture."""
    goal = {
        "dailyCalories": 1800, "protein": 90, "carbs": 200, "fat": 60, "currentWeight": 73.2, "targetWeight": 69,
        "targetDate": (today() + timedelta(days=120)).isoformat(), "sex": "female", "birthYear": 1990, "height": 168,
        "activity": "light",
    }  # fmt: skip
    keys = {person: key_of(daemon, person) for person in ("Ada", "Ben", "Cleo")}
    for person, meals in (("Ada", list(MEALS)), ("Ben", ["breakfast", "lunch"])):
        for back in range(20, -1, -1):
            day = (today() - timedelta(days=back)).isoformat()
            for meal in meals if back == 0 else MEALS:
                for number, (code, portion) in enumerate(MEALS[meal]):
                    if back and (back * 7 + number) % 5 == 0:
                        continue
                    log(daemon, keys[person], person, barcode=code, portion=portion, meal=meal, day=day)
            extra = 80 + (back * 37) % 260
            if back:
                quick = {"calories": extra, "name": "Coffee and cake"}
                log(daemon, keys[person], person, quick=quick, meal="snack", day=day)
    for person, key in keys.items():
        daemon.call("PUT", f"/v1/people/{person}/goal", json.dumps(goal).encode(), key=key)
    shown = dict.fromkeys(PICTURES, keys["Ada"])
    return shown | {"today-empty": keys["Cleo"], "today": keys["Ben"]}


def show(browser: Browser, daemon: Daemon, key: str) -> None:
    keep(browser, daemon, [key])
