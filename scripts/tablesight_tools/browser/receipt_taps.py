"""Counts taps and typed fields per receipt, on the page of a receipt.

Photos come from folders of the evaluation set. Where `truth.json` lists the items, lines that differ from it are
corrected on the page; otherwise what the program read is taken as right. Items that
the program did not read are counted.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tablesight_tools.browser.app import PHONE, App, chromium
from tablesight_tools.browser.checks.test_receipts import photos
from tablesight_tools.browser.daemon import Daemon, wait_until
from tablesight_tools.browser.invented import Member
from tablesight_tools.paths import REPOSITORY

READING = 1200.0
# Names this similar are the same product.
SAME_NAME = 0.75


@dataclass
class Effort:
    """Taps and typed fields of a person."""

    taps: int = 0
    fields: int = 0

    def __str__(self) -> str:
        return f"{self.taps} taps, {self.fields} fields"


def is_like(printed: str, name: str | list[str]) -> float:
    """How alike two names are, 0 to 1; of several accepted names the most alike counts."""
    if isinstance(name, list):
        return max(is_like(printed, one) for one in name)
    one, other = ("".join(letter for letter in text.casefold() if letter.isalnum()) for text in (printed, name))
    return 1.0 if other and other in one else difflib.SequenceMatcher(None, one, other).ratio()


def wrong_lines(reading: Any, outcome: Any, truth: Any) -> tuple[dict[int, tuple[str, str]], int]:
    """What must be typed for a line: a price, a name, or nothing for no product; and how many items were not read."""
    if "items" not in truth:
        return {}, 0
    items = outcome["receipt"]["items"]
    rest = [item for item in truth["items"] if float(item["amount"]) > 0]
    wrong: dict[int, tuple[str, str]] = {}
    for line in reading["lines"]:
        for index in line["lines"]:
            item = items[index]
            if float(item["amount"]["value"]) <= 0:
                continue
            best = max(rest, key=lambda one: is_like(item["name"]["value"], one["name"]), default=None)
            same = [one for one in rest if float(one["amount"]) == float(item["amount"]["value"])]
            if same:
                best = max(same, key=lambda one: is_like(item["name"]["value"], one["name"]))
            if best is None or (not same and is_like(item["name"]["value"], best["name"]) < SAME_NAME):
                wrong[line["line"]] = ("", "")
                continue
            rest.remove(best)
            if line["state"] != "waiting":
                continue
            names = best["name"] if isinstance(best["name"], list) else [best["name"]]
            name = "" if is_like(item["name"]["value"], names) >= SAME_NAME else names[0]
            price = "" if same else best.get("unitPrice", best["amount"])
            if name or price:
                wrong[line["line"]] = (name, price)
    return wrong, len(rest)


def shop_of(reading: Any, truth: Any) -> str:
    """The shop that a person types; empty if it was read right."""
    names = [truth["merchant"]] if isinstance(truth["merchant"], str) else truth["merchant"]
    read = reading.get("merchant") or ""
    is_right = any(max(is_like(read, name), is_like(name, read)) >= SAME_NAME for name in names)
    return "" if is_right else names[0]


def correct(app: App, identity: str, reading: Any, wrong: dict[int, tuple[str, str]], truth: Any) -> Effort:
    effort = Effort(taps=1)
    app.open(f"/photos/{identity}")
    app.expect_path(f"/receipts/{identity}")
    head = app.find(".rhead__e")
    currency = truth.get("currency", "MYR")
    wanted = {
        "date": "" if reading.get("date") == truth["date"] else truth["date"],
        "shop": shop_of(reading, truth),
        "currency": "" if app.find("[name=currency]").input_value() == currency else currency,
    }
    if any(wanted.values()) and head.get_attribute("open") is None:
        head.locator("summary").click()
        effort.taps += 1
    for name, text in wanted.items():
        if text:
            app.find(f"[name={name}]").fill(text)
            effort.fields += 1
    for line, (name, price) in wrong.items():
        row = app.find(f"#l{line}")
        row.locator("summary").click()
        effort.taps += 1
        for field, text in (("name", name), ("price", price)):
            if text:
                row.locator(f"[name={field}{line}]").fill(text)
                effort.fields += 1
        if not name and not price:
            row.get_by_label("Not a product").check()
            effort.taps += 1
    button = app.button(re.compile("^Accept all"))
    if button.count() == 0:
        button = app.button(re.compile("^Accept"))
    if button.count() == 0:
        return effort  # Nothing waits: every price was sure, or no line has one.
    button.first.click()
    effort.taps += 1
    expect(app.role("status").first).to_contain_text("accepted")
    return effort


def measure(app: App, photo: Path, truth: Any) -> tuple[Effort, int, int] | None:
    reader = Member(app.daemon, "Ada")
    identity = "sha256:" + hashlib.sha256(photo.read_bytes()).hexdigest()
    outcome = app.daemon.call("GET", f"/v1/outcomes/{identity}")
    if not (outcome.get("receipt") or {}).get("items"):
        print(f"{photo.name}: no line was read", flush=True)
        return None
    reading = reader.call("GET", f"/v1/receipts/{identity}")
    waiting = [line for line in reading["lines"] if line["state"] == "waiting"]
    wrong, missing = wrong_lines(reading, outcome, truth)
    effort = correct(app, identity, reading, wrong, truth)
    lines = reader.call("GET", f"/v1/receipts/{identity}")["lines"]
    left = [line for line in lines if line["state"] == "waiting"]
    for line in lines:
        if line["state"] == "accepted" and line["line"] not in wrong:
            kept = reader.call("GET", f"/v1/prices?product={line['product']}")
            assert any(float(price["price"]["amount"]) == float(line["price"]) for price in kept), line
    print(
        f"{photo.name}: {len(waiting)} lines, {len(wrong)} wrong, {missing} not read, {effort}, {len(left)} wait on",
        flush=True,
    )
    return effort, len(waiting), len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="folders with images and truth.json")
    parser.add_argument("--each", type=int, help="at most so many receipts of each folder")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    options = parser.parse_args()
    with chromium() as browser, Daemon(options.program.resolve()) as daemon:
        daemon.store_people()
        app = App(browser.new_context, daemon, PHONE)
        app.sign_in()
        wanted = [(folder, list(photos(folder, options.each))) for folder in options.folders]
        # All are dropped before the first is waited for.
        for photo in (photo for _, found in wanted for photo in found):
            daemon.drop(photo)
        for photo in (photo for _, found in wanted for photo in found):
            identity = "sha256:" + hashlib.sha256(photo.read_bytes()).hexdigest()
            wait_until(lambda of=identity: bool(daemon.sidecars(of)), photo.name, READING)
        for folder, found in wanted:
            truths = json.loads((folder / "truth.json").read_text())["images"]
            truth = {Path(key).stem: value for key, value in truths.items()}
            results = [result for photo in found if (result := measure(app, photo, truth[photo.stem]))]
            effort = Effort(sum(one.taps for one, _, _ in results), sum(one.fields for one, _, _ in results))
            lines, wrong = (sum(result[part] for result in results) for part in (1, 2))
            print(f"{folder.name}: {len(results)} receipts, {lines} lines, {wrong} wrong; {effort}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
