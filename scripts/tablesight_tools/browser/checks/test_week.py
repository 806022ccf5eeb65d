"""A week of shopping in four shops: prices, flags and comparison follow from the receipts, and nothing is doubled.

The receipts, and all that is expected of them, come from one table. Photos are sent twice, requests are repeated,
answers are lost, and a receipt is accepted, undone and accepted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tablesight_tools.browser.app import PHONE, App, Figure
from tablesight_tools.browser.checks.test_offline import OFFLINE, wait_in
from tablesight_tools.browser.daemon import wait_until
from tablesight_tools.browser.invented import PIE, Member


@dataclass(frozen=True)
class Trip:
    """What somebody buys on a day of the week, from 0: goods with their prices."""

    day: int
    person: str
    shop: str
    address: str
    goods: Mapping[str, str]
    # Goods that are printed on two lines.
    twice: tuple[str, ...] = ()

    def lines(self) -> Iterator[tuple[str, str]]:
        for name, price in self.goods.items():
            yield from [(name, price)] * (2 if name in self.twice else 1)


GREENFIELD, HARBOUR = ("GREENFIELD MARKET", "4 Mill Lane, Norwich"), ("HARBOUR FOODS", "12 Quay Street, Norwich")
CORNER, HILL = ("CORNER STORES", "31 Station Road, Norwich"), ("HILLTOP GROCERY", "8 Church Hill, Norwich")
WEEK = (
    Trip(0, "Ada", *GREENFIELD, {"Whole Milk": "1.19", "Rye Bread": "2.49", "Butter": "2.05"}),
    Trip(1, "Ben", *HARBOUR, {"Whole Milk": "1.29", "Rye Bread": "1.89", "Butter": "1.95", "Apples": "2.30"}),
    Trip(3, "Ben", *CORNER,
         {"Whole Milk": "1.49", "Rye Bread": "2.79", "Butter": "2.25", "Eggs": "3.10", "Apples": "2.60"}),
    Trip(4, "Ada", *HILL, {"Apples": "1.80", "Eggs": "2.60"}),
    Trip(5, "Ada", *HARBOUR, {"Eggs": "2.75"}, twice=("Eggs",)),
    Trip(6, "Ben", *GREENFIELD, {"Whole Milk": "1.09", "Apples": "2.20", "Eggs": "2.85"}),
)  # fmt: skip
# What is on the shared list in the end, with the number of pieces.
WANTED = {"Whole Milk": 2, "Rye Bread": 1, "Butter": 1, "Apples": 1, "Eggs": 1}
# For Ada (milk), Ben (gluten, eggs) and Cleo (fish, crustaceans). Of apples nothing is known.
FLAGS = {"Whole Milk": "milk · Ada", "Butter": "milk · Ada", "Eggs": "eggs · Ben", "Rye Bread": "gluten · Ben"}
PIE_FLAG = "milk · Ada; eggs and gluten · Ben; crustaceans and fish · Cleo"
COMPARED = 0.85  # of the entries, at least

PAPER = """<body style="margin:0;background:#777"><div style="width:620px;margin:40px 60px;padding:40px 30px;
  background:#f8f6f0;color:#222;font:28px/1.6 'DejaVu Sans Mono'"><div style="text-align:center"><b>{shop}</b><br>
  {address}</div><br><table style="width:100%">{rows}</table><br>{day}<br>THANK YOU</div></body>"""
ROW = "<tr><td>{}</td><td style='text-align:right'>{}</td></tr>"
# The answer to the next request of this kind is lost after the daemon did what it asks.
LOSE = """(end) => {
  const real = window.fetch;
  window.lost = 0;
  window.fetch = async (...request) => {
    const answer = await real(...request);
    if (window.lost || !String(request[0]).endsWith(end)) return answer;
    window.lost = 1;
    throw new TypeError("the answer is lost");
  };
}"""


@dataclass
class Week:
    """The days of the week, the shared list, and where the photos are drawn."""

    monday: date
    number: int
    place: Path

    def day(self, trip: Trip) -> date:
        return self.monday + timedelta(days=trip.day)

    def draw(self, app: App, trip: Trip) -> Path:
        """The photo of a receipt."""
        total = sum((Decimal(price) for _, price in trip.lines()), Decimal(0))
        rows = [ROW.format(name.upper(), price) for name, price in trip.lines()]
        rows += [ROW.format("<b>TOTAL GBP</b>", f"<b>{total}</b>"), ROW.format("CARD", total)]
        day = f"{self.day(trip):%d %b %Y} 14:07"
        page = app.context.new_page()
        page.set_content(PAPER.format(shop=trip.shop, address=trip.address, rows="".join(rows), day=day))
        photo = self.place / f"receipt-{trip.day}.png"
        page.locator("body").screenshot(path=photo)
        page.close()
        return photo


def test_a_week_of_shopping_doubles_nothing(app: App, tmp_path: Path, figure: Figure) -> None:
    daemon = app.daemon
    ada, ben = Member(daemon, "Ada"), Member(daemon, "Ben")
    week = Week(daemon.today() - timedelta(days=6), ada.make_list("Week"), tmp_path)
    ada.call("PUT", f"/v1/lists/{week.number}/people/Ben")
    own = ben.make_list("For Ben")
    ben.add(own, gtin=PIE)
    phones = {"Ada": app.another(PHONE, "Ada"), "Ben": app.another(PHONE, "Ben")}
    ada_writes_the_list(phones["Ada"], week)
    for trip in WEEK[:2]:
        shop(phones[trip.person], trip, week)
    ben_is_away(phones["Ben"], ada, week)
    for trip in WEEK[2:]:
        shop(phones[trip.person], trip, week)
    prices_are_those_of_the_receipts(ada, week)
    flags_are_shown(phones["Ada"], f"/list?list={week.number}", FLAGS)
    flags_are_shown(phones["Ben"], f"/list?list={own}", {"Creamy Fish Pie": PIE_FLAG})
    the_comparison_is_right(phones["Ben"], ben, week)
    the_last_receipt_is_ticked_off(phones["Ben"], ben, week)
    figure(f"{len(WEEK)} receipts, {sum(len(list(trip.lines())) for trip in WEEK)} lines")


def entries(member: Member, week: Week) -> dict[str, Any]:
    """The entries of the shared list by their names. A product that a receipt made has its name in capitals."""
    found = member.call("GET", f"/v1/items?list={week.number}")
    names = [entry["name"].title() for entry in found]
    assert len(names) == len(set(names)), f"doubled: {names}"
    return dict(zip(names, found, strict=True))


def all_is_sent(phone: App) -> None:
    expect(phone.find("#offline")).to_be_hidden(timeout=60_000)
    wait_until(lambda: not phone.page.evaluate("() => localStorage.getItem('waiting')"), "what waits is sent")


def ada_writes_the_list(phone: App, week: Week) -> None:
    """One answer is lost, so her phone sends what she typed once more."""
    ada = Member(phone.daemon, "Ada")
    phone.open(f"/list?list={week.number}", "Nothing to buy")
    wait_in(phone, "navigator.serviceWorker.controller")
    for name in ("Rye Bread", "Batteries", "Butter"):
        phone.enter("Name or number", name)
        phone.expect_item(name)
    phone.page.evaluate(LOSE, "/list/add")
    phone.enter("Name or number", "2 Whole Milk")
    phone.page.wait_for_function("() => window.lost")
    all_is_sent(phone)
    phone.open(f"/list?list={week.number}", "4 to buy")
    assert set(entries(ada, week)) == {"Rye Bread", "Batteries", "Butter", "Whole Milk"}
    # The same request once more is refused.
    phone.enter("Name or number", "Butter", "“Butter” is already on the list")
    assert len(entries(ada, week)) == 4


def shop(phone: App, trip: Trip, week: Week) -> None:
    """The receipt is sent twice, accepted, undone and accepted again; then each request comes once more."""
    member = Member(phone.daemon, trip.person)
    photo = week.draw(phone, trip)
    identity = phone.daemon.upload(photo, trip.person)
    assert phone.daemon.upload(photo, trip.person) == phone.daemon.receive(photo) == identity
    path = f"/v1/receipts/{identity}"
    reading = member.call("GET", path)
    printed = {(line["printed"].title(), line["amount"], line["count"]) for line in reading["lines"]}
    wanted = {
        (name, f"{Decimal(price) * (2 if name in trip.twice else 1)}", "2" if name in trip.twice else "1")
        for name, price in trip.goods.items()
    }
    assert printed == wanted, reading
    assert (reading["difference"], reading["date"]) == ("0.00", str(week.day(trip))), reading
    if waiting := [line for line in reading["lines"] if line["state"] == "waiting"]:
        accept = f"Accept all {len(waiting)}"
        phone.open(f"/receipts/{identity}")
        phone.press(accept, "prices accepted")
        phone.press("Undo", "decisions taken back")
        undone = member.call("GET", path)["lines"]
        # A new product stays.
        assert [line | {"product": None} for line in undone] == [line | {"product": None} for line in reading["lines"]]
        phone.press(accept, "prices accepted")
    repeated = member.call("POST", path, {})
    assert repeated["accepted"] == repeated["changed"] == repeated["waiting"] == 0, repeated
    again = member.call("POST", f"/v1/prices/photos/{identity}")
    assert again["accepted"] == again["waiting"] == 0, again
    assert {line["state"] for line in member.call("GET", path)["lines"]} == {"accepted"}


def ben_is_away(phone: App, ada: Member, week: Week) -> None:
    """What he does without a network and what Ada does meanwhile are on the list once, though an answer is lost."""
    phone.open(f"/list?list={week.number}", "4 to buy")
    wait_in(phone, f"await caches.match('/list?list={week.number}', {{ignoreVary: true}})")
    phone.context.set_offline(True)
    for name in ("Apples", "Eggs"):
        phone.enter("Name or number", name)
        phone.expect_item(name)  # as typed
    row = phone.find(".lrow")
    row.filter(has_text="Butter").locator(".tick").click()
    row.filter(has_text="Batteries").locator("[name=remove]").click()
    phone.expect_status(OFFLINE)
    known = entries(ada, week)
    ada.add(week.number, name="Eggs")
    ada.call("DELETE", f"/v1/items/{known['Batteries']['id']}")
    ada.call("PATCH", f"/v1/items/{known['Rye Bread']['id']}", {"isFavorite": True})
    phone.page.evaluate(LOSE, "/changes")
    phone.context.set_offline(False)
    phone.page.wait_for_function("() => window.lost")
    all_is_sent(phone)
    found = entries(ada, week)
    assert set(found) == set(WANTED), found
    assert {name for name, entry in found.items() if entry["isCompleted"]} == {"Butter"}
    ada.call("PATCH", f"/v1/items/{found['Butter']['id']}", {"isCompleted": False})
    assert {name: entry["quantity"] // 1000 for name, entry in found.items()} == WANTED


def prices_are_those_of_the_receipts(member: Member, week: Week) -> None:
    places = {place["id"]: place["name"] for place in member.call("GET", "/v1/places")}
    shops = {trip.shop for trip in WEEK}
    assert sorted(places.values()) == sorted(shops), places
    for name, entry in entries(member, week).items():
        found = Counter(
            (places[price["place"]], price["price"]["amount"], price["date"])
            for price in member.call("GET", f"/v1/prices?product={entry['product']}")
        )
        wanted = Counter(
            (trip.shop, price, str(week.day(trip)))
            for trip in WEEK
            for printed, price in trip.lines()
            if printed == name
        )
        assert found == wanted, f"{name}: too many {found - wanted}, lost {wanted - found}"


def flags_are_shown(phone: App, path: str, flags: Mapping[str, str]) -> None:
    phone.open(path)
    read = """(rows) => rows.map((row) => [
      row.querySelector('.item__name').textContent, row.querySelector('.flag')?.lastChild.textContent])"""
    found = {name.title(): flag for name, flag in phone.find(".lrow").evaluate_all(read) if flag}
    assert found == flags, found


def the_comparison_is_right(phone: App, member: Member, week: Week) -> None:
    newest: dict[str, dict[str, Decimal]] = {}
    for trip in WEEK:
        newest.setdefault(trip.shop, {}).update({name: Decimal(price) for name, price in trip.goods.items()})

    def total(shops: tuple[str, ...]) -> Decimal | None:
        known = [newest[shop] for shop in shops]
        costs = [[prices[name] * count for prices in known if name in prices] for name, count in WANTED.items()]
        return sum(map(min, costs), Decimal(0)) if all(costs) else None

    compared = [shop for shop, prices in newest.items() if len(prices) >= COMPARED * len(WANTED)]
    wanted = sorted((total((shop,)), shop) for shop in compared)
    report = member.call("GET", f"/v1/compare?list={week.number}")
    assert [group["currency"] for group in report["currencies"]] == ["GBP"], report
    group = report["currencies"][0]
    found = [(Decimal(basket["total"]["amount"]), basket["placeName"]) for basket in group["cheapest"]]
    assert (found, group["eligible"]) == (wanted, len(compared)), group
    best = min(cost for pair in combinations(newest, 2) if (cost := total(pair)))
    assert Decimal(group["split"]["total"]["amount"]) == best, group["split"]
    phone.open(f"/compare?list={week.number}")
    rows = phone.find(".shopline")
    expect(rows).to_have_count(len(wanted))
    for index, (cost, name) in enumerate(wanted):
        expect(rows.nth(index)).to_contain_text(f"£{cost}")
        expect(rows.nth(index)).to_contain_text(name)


def the_last_receipt_is_ticked_off(phone: App, member: Member, week: Week) -> None:
    bought = list(WEEK[-1].goods)
    identity = phone.daemon.upload(week.draw(phone, WEEK[-1]), WEEK[-1].person)
    phone.open(f"/receipts/{identity}")
    phone.press(f"Tick off {len(bought)}", f"{len(bought)} ticked off")
    assert member.call("POST", f"/v1/receipts/{identity}/ticks") == {"ticked": 0}
    ticked = [name for name, entry in entries(member, week).items() if entry["isCompleted"]]
    assert sorted(ticked) == sorted(bought)
