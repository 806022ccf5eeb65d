"""Invented foods, people and shops of the checks, the measurements and the pictures, made by the daemon's API."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from tablesight_tools.browser.daemon import SAMPLES, Daemon

PIN = "2583"
# A number of the sample catalogue: a fish pie with fish, milk, crustaceans, gluten and eggs.
PIE = "9520100001048"


def food(code: str, name: str, kcal: float, protein: float, carbs: float, fat: float, grams: int, pack: str) -> Any:
    """A record in Open Food Facts' format."""
    figures = {"energy-kcal_100g": kcal, "proteins_100g": protein, "carbohydrates_100g": carbs, "fat_100g": fat}
    return {
        "code": code, "product_name": name, "brands": "Tafelhof", "lang": "en", "quantity": pack,
        "serving_size": f"{grams} g", "serving_quantity": grams, "nutriments": figures,
        "last_modified_t": 1_780_000_000, "owner": "org-tafelhof",
    }  # fmt: skip


# The first has the number of the sample photo.
FOODS = [
    food("9520100001017", "Hazelnut Cocoa Spread", 541, 6.3, 57.5, 30.9, 15, "350 g"),
    food("9520100001116", "Rolled Oats", 370, 13.5, 58.7, 7, 60, "500 g"),
    food("9520100001123", "Whole Milk", 64, 3.3, 4.8, 3.5, 200, "1 l"),
    food("9520100001130", "Tomato Soup", 34, 0.9, 5.8, 0.6, 200, "400 g"),
    food("9520100001147", "Wholegrain Bread", 232, 8.5, 40, 2.8, 50, "500 g"),
    food("9520100001154", "Mature Cheddar", 410, 25, 0.1, 34.4, 30, "200 g"),
    food("9520100001161", "Spaghetti", 359, 12.5, 72, 1.5, 100, "500 g"),
]

PRICES = {
    "Milk": {"Greenfield Market": "1.19", "Harbour Foods": "1.29", "Corner Shop": "1.49"},
    "Bread": {"Greenfield Market": "2.49", "Harbour Foods": "1.89", "Corner Shop": "2.79"},
    "Oats": {"Greenfield Market": "0.95", "Harbour Foods": "1.15"},
    "Cheddar": {"Greenfield Market": "3.95", "Harbour Foods": "3.85", "Corner Shop": "4.20"},
    "Tomatoes": {"Greenfield Market": "2.20", "Harbour Foods": "2.30", "Corner Shop": "2.60"},
    "Butter": {"Greenfield Market": "2.05", "Harbour Foods": "1.95", "Corner Shop": "2.25"},
    "Eggs": {"Greenfield Market": "2.85", "Harbour Foods": "2.75", "Corner Shop": "3.10"},
}


class Member:
    """A member of the household, for whom the daemon's key acts; somebody new is added as an adult."""

    def __init__(self, daemon: Daemon, name: str) -> None:
        self.daemon = daemon
        self.name = name
        self.address = f"/v1/people/{quote(name)}"
        if name not in [member["name"] for member in daemon.call("GET", "/v1/members")]:
            daemon.call("PUT", self.address, {})

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self.daemon.call(method, path, body, member=self.name)

    def log(self, **entry: Any) -> None:
        """An entry of the diary."""
        self.call("POST", f"{self.address}/entries", entry)

    def make_list(self, name: str) -> int:
        return int(self.call("POST", "/v1/lists", {"name": name})["id"])

    def add(self, number: int, **item: Any) -> Any:
        """Puts an item on a list."""
        return self.call("POST", "/v1/items", {"list": number, **item})

    def price(self, product: int, place: int, amount: str, currency: str = "GBP") -> None:
        price = {"amount": amount, "currency": currency}
        self.call("POST", "/v1/prices", {"product": product, "place": place, "price": price})

    def buy(self, number: int, names: tuple[str, ...], days_ago: int) -> None:
        """Puts these on a list, then in the basket, and clears it; `days_ago` moves that day into the past."""
        for name in names:
            self.add(number, name=name, anyway=True)
        for action in ("completeAll", "removeCompleted"):
            self.call("POST", f"/v1/lists/{number}/sweep", {"action": action})
        with sqlite3.connect(self.daemon.results / "tablesight.sqlite", timeout=30) as database:
            newest = "(SELECT max(id) FROM grocery_basket)"
            database.execute(f"UPDATE grocery_basket SET day = day - ? WHERE id = {newest}", (days_ago,))


def shopper(daemon: Daemon) -> Member:
    """Ada with a list, prices in three shops, and an experience that people comment on."""
    ada = Member(daemon, "Ada")
    shops = {name: ada.call("POST", "/v1/places", {"name": name})["id"] for name in PRICES["Milk"]}
    number = ada.make_list("Shopping list")
    for product, amounts in PRICES.items():
        item = ada.add(number, name=product, anyway=True)
        for shop, amount in amounts.items():
            ada.price(item["product"], shops[shop], amount)
    about = {"kind": "store_review", "rating": 4, "comment": "Fresh bread until noon."}
    posted = ada.call("POST", "/v1/experiences", about | {"place": shops["Corner Shop"]})["id"]
    for text in ("Sold out at eleven today.", "The second oven is new."):
        comments = ada.call("POST", f"/v1/experiences/{posted}/comments", {"text": text})["comments"]
    ada.call("POST", f"/v1/experiences/{posted}/comments", {"text": "It is.", "answering": comments[0]["id"]})
    return ada


CORRECTED = SAMPLES / "layouts/images/screen-00.png"


def corrected_menu(daemon: Daemon) -> str:
    """The address of a menu with lines that were not understood and corrections of each kind; a dish is open."""
    # Menus of the inbox itself have no kitchen in common, so that these corrections change no other photo.
    photo = daemon.receive(CORRECTED)
    sections = daemon.call("GET", f"/v1/outcomes/{photo}")["menu"]["sections"]
    first, second, third = [item for section in sections for item in section["items"]][:3]

    def say(dish: str, action: str, **more: str) -> int:
        body = {"id": photo, "item": dish, "action": action, **more}
        return int(daemon.call("POST", "/v1/reviews", body, member="Ada")["number"])

    say(second["name"], "notADish")
    say("Phở bò", "addDish", value="95.00")
    say(third["name"], "edit", allergen="lupin", value="CONTAINS")
    saved = [
        say(first["name"], "rename", value="Mực"),
        say(first["name"], "edit", allergen="sesame", value="ABSENT"),
    ]
    left, top = (int(edge) for edge in first["box"][0])
    return f"/photos/{photo}?dish={left}-{top}&saved={saved[0]},{saved[1]}"


# Meals of a day: number of the product, portion.
MEALS = {
    "breakfast": (("9520100001116", "60 g"), ("9520100001123", "200 g")),
    "lunch": (("9520100001130", "200 g"), ("9520100001147", "2 servings"), ("9520100001154", "60 g")),
    "dinner": (("9520100001161", "120 g"), ("9520100001130", "200 g")),
    "snack": (("9520100001017", "2 servings"),),
}


def diaries(daemon: Daemon) -> None:
    """Diaries of Ada (complete), Ben (mid-day) and Cleo (empty)."""
    today = daemon.today()
    goal = {
        "dailyCalories": 1800, "protein": 90, "carbs": 200, "fat": 60, "currentWeight": 73.2, "targetWeight": 69,
        "targetDate": (today + timedelta(days=120)).isoformat(), "sex": "female", "birthYear": 1990, "height": 168,
        "activity": "light",
    }  # fmt: skip

    def log(person: str, **entry: object) -> None:
        daemon.call("POST", f"/v1/people/{person}/entries", entry)

    for person, meals in (("Ada", list(MEALS)), ("Ben", ["breakfast", "lunch"])):
        for back in range(20, -1, -1):
            day = (today - timedelta(days=back)).isoformat()
            for meal in meals if back == 0 else MEALS:
                for number, (code, portion) in enumerate(MEALS[meal]):
                    if back == 0 or (back * 7 + number) % 5:
                        log(person, barcode=code, portion=portion, meal=meal, day=day)
            if back:
                quick = {"calories": 80 + (back * 37) % 260, "name": "Coffee and cake"}
                log(person, quick=quick, meal="snack", day=day)
    for person in ("Ada", "Ben", "Cleo"):
        daemon.call("PUT", f"/v1/people/{person}/goal", goal)
