"""Receipts end to end: a photo in the watched folder becomes prices, and prices become a comparison.

Each receipt must end in one of three ways: its prices wait until a person checked them, they are known already and are
used at once, or no price was read and the photo waits with that reason.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablesight_tools.browser.app import App
from tablesight_tools.browser.groceries import Client
from tablesight_tools.browser.shop import RECEIPT, drop, keep, press

# Seconds until a photo is read and its prices are recorded. A debug build reads a receipt in 3 to 10 s.
READING = 240
# Seconds until a page answers.
ANSWER = 30
# What a person types where the receipt names no currency, no day and no shop.
CURRENCIES = {"canada": "CAD", "sroie": "MYR"}
DAY = "2026-01-02"
SHOP = "Corner Shop"

OUTCOMES: Counter[str] = Counter()


def a_receipt_becomes_prices_and_a_comparison(app: App, photo: Path = RECEIPT) -> None:
    """A photo in the watched folder; a person names its products once; the list shows what it costs."""
    client = Client(app.daemon, f"Reader of {photo.stem}"[:60])
    keep(app.browser, client)
    identity = "sha256:" + hashlib.sha256(photo.read_bytes()).hexdigest()
    drop(app.daemon, photo)
    # The sidecar is written after the prices are recorded.
    sidecars = app.daemon.results / "outcomes"
    app.browser.wait(lambda: has_sidecar(sidecars, identity), f"the outcome of {photo.name}", READING)
    again = client.call("POST", f"/v1/prices/photos/{identity}")
    assert again["accepted"] == again["waiting"] == 0, f"a second reading changes nothing: {again}"
    assert again["known"] > 0, "each receipt gives prices or waits with a reason"
    waiting: list[dict[str, Any]] = client.call("GET", f"/v1/prices/reviews?photo={identity}&limit=1000")
    reasons = Counter(str(review["reason"]) for review in waiting)
    print(f"  {photo.name}: {again['known']} prices; waiting: {dict(reasons)}", file=sys.stderr)
    if set(reasons) == {"unread"}:
        no_price_was_read(app, client, identity)
    elif not waiting:
        OUTCOMES["known"] += 1
    else:
        the_list_shows_what_it_costs(app, client, identity, waiting, photo)


def has_sidecar(folder: Path, identity: str) -> bool:
    return any(identity in file.read_text() for file in folder.rglob("*.json"))


def no_price_was_read(app: App, client: Client, identity: str) -> None:
    """The photo waits, says why, and can be put aside."""
    outcome = app.daemon.call("GET", f"/v1/outcomes/{identity}")
    assert not outcome["receipt"]["items"], "prices that were read must be shown"
    app.open(f"/photos/{identity}")
    app.browser.one("a[href^='/prices?photo=']").click()
    app.browser.wait(lambda: "no price was read" in app.browser.text("main"), "the reason", ANSWER)
    press(app, "button[value=reject]", "put aside", "The price is rejected", ANSWER)
    assert not client.call("GET", f"/v1/prices/reviews?photo={identity}")
    OUTCOMES["unread"] += 1


def the_list_shows_what_it_costs(
    app: App, client: Client, identity: str, waiting: list[dict[str, Any]], photo: Path
) -> None:
    number = client.call("POST", "/v1/lists", {"name": photo.stem[:60]})["id"]
    # Lowest and highest price of each name: a receipt may have the same name twice with two prices.
    decided: dict[str, tuple[float, float]] = {}
    for review in waiting:
        app.open(f"/prices?photo={identity}")
        form = f"form[action='/prices/reviews/{review['id']}']"
        assert app.browser.all(f"{form} a[href='/photos/{identity}']"), "the proof is one link away"
        type_what_is_missing(app, form, photo)
        name, amount = (str(app.browser.one(f"{form} [name={part}]").attribute("value")) for part in ("name", "amount"))
        press(app, f"{form} button[value=accept]", name, "The price is accepted", ANSWER)
        unit, price = str(review["draft"]["per"]), float(amount)
        if unit == "100g":
            unit, price = "kg", price * 10
        if name not in decided:
            # Loose goods have a price for a kilogram, so the list asks for one.
            client.call("POST", "/v1/items", {"list": number, "name": name, "unit": unit, "anyway": True})
        low, high = decided.get(name, (price, price))
        decided[name] = (min(low, price), max(high, price))
    app.open(f"/compare?list={number}")
    text = app.browser.text("main")
    assert f"{len(decided)} of {len(decided)}" in text, text
    report = client.call("GET", f"/v1/compare?list={number}")
    totals = [float(basket["total"]["amount"]) for group in report["currencies"] for basket in group["cheapest"]]
    least, most = (sum(prices[end] for prices in decided.values()) for end in (0, 1))
    found = [total for total in totals if least - 0.005 <= total <= most + 0.005]
    assert found, f"{least:.2f} to {most:.2f} in {totals}"
    shown = f"{found[0]:.2f}"
    assert any(shown in part.text.replace(",", "") for part in app.browser.all("details summary")), f"{shown} in {text}"
    OUTCOMES["compared"] += 1


def type_what_is_missing(app: App, form: str, photo: Path) -> None:
    """What the receipt does not say, a person knows. The page does not fill it in."""
    currency = next((code for part, code in CURRENCIES.items() if part in str(photo)), "EUR")
    for field, text in (("currency", currency), ("day", DAY), ("shop", SHOP)):
        app.browser.run(f"document.querySelector(\"{form} [name={field}]\").value ||= '{text}'")
    # Each name is a product of its own, unless the program is sure.
    app.browser.run(f"document.querySelector(\"{form} [name=product]\").value ||= 'new'")


def receipt_check(photo: Path) -> Callable[[App], None]:
    """The check above with another photo."""

    def check(app: App) -> None:
        a_receipt_becomes_prices_and_a_comparison(app, photo)

    check.__name__ = f"receipt {photo.stem}"
    return check


def photos(folder: Path, each: int | None) -> list[Path]:
    """The photos below a folder; the first `each` of every folder if it is set."""
    found: dict[Path, list[Path]] = {}
    for photo in sorted(folder.rglob("*.jpg")):
        found.setdefault(photo.parent, []).append(photo)
    return [photo for group in found.values() for photo in group[:each]]
