"""Receipts end to end: a photo in the watched folder becomes prices, and prices become a comparison.

Each receipt must end in one of three ways: its prices wait until a person checked them, they are known already and are
used at once, or no price was read and the photo waits with that reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import App, Figure, Part
from tablesight_tools.browser.checks.homes import RECEIPT
from tablesight_tools.browser.daemon import SAMPLES
from tablesight_tools.browser.invented import Member

# What a person types where the receipt names no currency, no day and no shop.
CURRENCIES = {"canada": "CAD", "sroie": "MYR"}
DAY = "2026-01-02"
SHOP = "Corner Shop"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "receipt" in metafunc.fixturenames:
        folder, each = metafunc.config.getoption("receipts"), metafunc.config.getoption("each")
        every = [RECEIPT, *(photos(folder, each) if folder else ())]
        metafunc.parametrize("receipt", every, ids=lambda photo: photo.stem)


def test_a_receipt_becomes_prices_and_a_comparison(app: App, receipt: Path, figure: Figure) -> None:
    """A photo in the watched folder; a person names its products once; the list shows what it costs."""
    reader = Member(app.daemon, "Reader")
    app.use(reader.name)
    identity = app.daemon.receive(receipt)
    again = reader.call("POST", f"/v1/prices/photos/{identity}")
    assert again["accepted"] == again["waiting"] == 0, f"a second reading changes nothing: {again}"
    assert again["known"] > 0, "each receipt gives prices or waits with a reason"
    waiting: list[dict[str, Any]] = reader.call("GET", f"/v1/prices/reviews?photo={identity}&limit=1000")
    reasons = Counter(str(review["reason"]) for review in waiting)
    if set(reasons) == {"unread"}:
        no_price_was_read(app, reader, identity)
    elif waiting:
        the_list_shows_what_it_costs(app, reader, identity, waiting, receipt)
    figure(f"{again['known']} prices; waiting: {dict(reasons) or 'none'}")


def no_price_was_read(app: App, reader: Member, identity: str) -> None:
    """The photo waits, says why, and can be put aside."""
    outcome = app.daemon.call("GET", f"/v1/outcomes/{identity}")
    assert not outcome["receipt"]["items"], "prices that were read must be shown"
    app.open(f"/photos/{identity}")
    app.follow("Check and use these prices", "no price was read")
    app.press(re.compile("^Reject: "), "The price is rejected")
    assert not reader.call("GET", f"/v1/prices/reviews?photo={identity}")


def the_list_shows_what_it_costs(
    app: App, reader: Member, identity: str, waiting: list[dict[str, Any]], photo: Path
) -> None:
    number = reader.make_list(photo.stem[:60])
    # Lowest and highest price of each name: a receipt may have the same name twice with two prices.
    decided: dict[str, tuple[float, float]] = {}
    for review in waiting:
        app.open(f"/prices?photo={identity}")
        form = Part(app.find(f"form[action='/prices/reviews/{review['id']}']"))
        expect(form.link("photo"), "the proof is one link away").to_have_attribute("href", f"/photos/{identity}")
        type_what_is_missing(form, photo)
        name, amount = (form.find(f"[name={part}]").input_value() for part in ("name", "amount"))
        form.press(re.compile("^Accept: "), "The price is accepted")
        unit, price = str(review["draft"]["per"]), float(amount)
        if unit == "100g":
            unit, price = "kg", price * 10
        if name not in decided:
            # Loose goods have a price for a kilogram, so the list asks for one.
            reader.add(number, name=name, unit=unit, anyway=True)
        low, high = decided.get(name, (price, price))
        decided[name] = (min(low, price), max(high, price))
    app.open(f"/compare?list={number}", f"{len(decided)} of {len(decided)}")
    report = reader.call("GET", f"/v1/compare?list={number}")
    totals = [float(basket["total"]["amount"]) for group in report["currencies"] for basket in group["cheapest"]]
    least, most = (sum(prices[end] for prices in decided.values()) for end in (0, 1))
    found = [total for total in totals if least - 0.005 <= total <= most + 0.005]
    assert found, f"{least:.2f} to {most:.2f} in {totals}"
    summaries = "\n".join(app.find("details summary").all_inner_texts())
    assert f"{found[0]:.2f}" in summaries.replace(",", ""), f"{found[0]:.2f} in {summaries}"


def type_what_is_missing(form: Part, photo: Path) -> None:
    """What the receipt does not say, a person knows. The page does not fill it in."""
    currency = next((code for part, code in CURRENCIES.items() if part in str(photo)), "EUR")
    for label, text in (("Currency", currency), ("Seen on", DAY), ("Shop", SHOP)):
        if not form.field(label).input_value():
            form.fill(label, text)
    # Each name is a product of its own, unless the program is sure.
    if not form.field("Product").input_value():
        form.fill("Product", "a new product")


def photos(folder: Path, each: int | None) -> Iterator[Path]:
    """The photos below a folder; the first `each` of every folder if it is set."""
    found: dict[Path, list[Path]] = {}
    for photo in sorted(folder.rglob("*.jpg")):
        found.setdefault(photo.parent, []).append(photo)
    for group in found.values():
        yield from group[:each]


def test_a_receipt_is_accepted_in_two_taps(app: App, figure: Figure) -> None:
    """Opening the photo leads to its receipt; one button makes products, prices and the shop."""
    reader = Member(app.daemon, "Rita")
    app.use(reader.name)
    identity = app.daemon.receive(SAMPLES / "documents/receipt-hardware.jpg")
    app.open(f"/photos/{identity}")
    app.expect_path(f"/receipts/{identity}")
    waiting = [line for line in reader.call("GET", f"/v1/receipts/{identity}")["lines"] if line["state"] == "waiting"]
    app.expect_text("the printed total")
    # Which lines are unsure depends on the weights that read them.
    unsure = sum(line["isUnsure"] for line in waiting)
    assert all(line["isUnsure"] for line in waiting[:unsure]), waiting
    expect(app.find(".rrow--unsure"), "unsure lines are marked").to_have_count(unsure)
    app.find(".rrow summary").first.click()
    expect(app.find(".rrow__edit svg image").first, "with its crop of the photo").to_be_visible()
    app.press(f"Accept all {len(waiting)}", "prices accepted")
    lines = reader.call("GET", f"/v1/receipts/{identity}")["lines"]
    assert {line["state"] for line in lines} == {"accepted"}, lines
    number = reader.make_list("Receipt")
    for line in lines:
        reader.add(number, name=line["name"], anyway=True)
    report = reader.call("GET", f"/v1/compare?list={number}")
    totals = [float(basket["total"]["amount"]) for group in report["currencies"] for basket in group["cheapest"]]
    wanted = sum(float(line["price"]) for line in lines)
    assert any(abs(total - wanted) < 0.005 for total in totals), f"{wanted:.2f} in {totals}"
    app.open(f"/receipts/{identity}")
    app.press(f"Tick off {len(lines)}", f"{len(lines)} ticked off")
    figure(f"{len(lines)} lines: open, accept")


def test_a_shop_is_renamed_and_merged(app: App) -> None:
    """Prices follow a shop to its new name, and to the shop that is kept."""
    reader = Member(app.daemon, "Rita")
    app.use(reader.name)
    names = ("Hanbour Tools", "Tool Store")
    misread, kept = (reader.call("POST", "/v1/places", {"name": name})["id"] for name in names)
    product = reader.add(reader.make_list("Tools"), name="Clamp")["product"]
    reader.price(product, misread, "4.20")
    app.open("/me")
    app.follow("Edit Hanbour Tools", heading="Hanbour Tools")
    app.send("Save the shop", {"Name": "Harbour Tools"}, heading="Rita")
    app.follow("Edit Harbour Tools", heading="Harbour Tools")
    app.find("select[name=into]").select_option("Tool Store")
    app.press("Merge", heading="Rita")
    app.region("Shops").expect_no_text("Harbour Tools")
    prices = reader.call("GET", f"/v1/prices?product={product}")
    assert [price["place"] for price in prices] == [kept], prices
