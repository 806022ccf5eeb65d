"""Checks of the diary's pages: three ways to add, an earlier meal, the goal and its projection, and who sees what."""

from __future__ import annotations

import json
import statistics
import sys
import time
import urllib.error
from datetime import timedelta

from tablesight_tools.browser.app import App
from tablesight_tools.browser.diary_data import keep, key_of, today
from tablesight_tools.browser.driver import Browser
from tablesight_tools.paths import REPOSITORY

BARCODE = REPOSITORY / "samples/barcodes/spread-ean13.jpg"
LABEL = REPOSITORY / "samples/documents/nutrition-muesli.jpg"
NOTHING = REPOSITORY / "samples/bad/blank.jpg"
PAGES = ("/today", "/today/add", "/today/add?q=oat", "/week", "/goal", "/diary", "/diary/open")
# A practised typist on a phone or desk: 40 words, or 200 letters, a minute.
KEY_SECONDS = 0.3
ADD_SECONDS = 5.0

# MARK: checks

STATE: dict[str, str] = {}


def open_diary(app: App, person: str, code: str = "") -> None:
    app.open("/diary/open")
    name = app.browser.one("#on")
    app.browser.run("document.getElementById('on').value = ''")
    name.type(person)
    if code:
        app.browser.one("#oc").type(code)
    app.browser.one("main form button").click()


def names(app: App) -> list[str]:
    return [item.text for item in app.browser.all(".meal .item__name")]


def a_diary_is_opened_and_empty(app: App) -> None:
    app.open("/today")
    assert "Open a diary" in app.browser.text("h1"), "without a key no diary is shown"
    open_diary(app, "Ada")
    app.browser.wait(lambda: app.browser.text("h1") == "Today", "the diary", 10)
    assert "Log your first meal" in app.browser.text("main")
    assert not app.browser.run("return document.cookie"), "the key is for the server only"
    tabs = [link.text for link in app.browser.all(".side a")]
    assert "Today" in tabs and "Week" in tabs, tabs


def a_food_is_added_by_search(app: App) -> None:
    app.open("/today/add?meal=breakfast")
    app.browser.one("#q").type("roled oat")
    app.browser.wait(lambda: "Rolled Oats" in app.browser.text("#results"), "results while typing", 10)
    portion = app.browser.one("#results .portion")
    assert portion.attribute("value") == "60 g"
    app.browser.run("document.querySelector('#results .portion').value = '½ pack'")
    app.browser.one("#results button").click()
    app.browser.wait(lambda: names(app) == ["Rolled Oats"], "the day with the food", 10)
    assert "925" in app.browser.text(".meal"), "370 kcal × 2.5"
    assert "Added: Rolled Oats" in app.browser.text("[role=status]")
    app.open("/today/add?q=xyzzy")
    assert "Quick add" in app.browser.text("#results"), "no result leads to quick add"
    app.open("/today/add?q=oats")
    app.browser.run("document.querySelector('#results .portion').value = '1 cup'")
    app.browser.one("#results button").click()
    app.browser.wait(lambda: bool(app.browser.all("[role=alert]")), "the refusal", 10)
    assert "density" in app.browser.text("[role=alert]")


def a_food_is_added_by_number(app: App) -> None:
    app.open("/today/add")
    app.browser.one("#q").type("9520100001123")
    app.browser.press("enter")
    app.browser.wait(lambda: "Whole Milk" in " ".join(names(app)), "the food of the number", 10)
    app.open("/today/add?q=9520100001048")
    assert "No record of 9520100001048" in app.browser.text("#results")


def a_food_is_added_by_photo_of_its_barcode(app: App) -> None:
    app.open("/today/add?meal=snack")
    app.browser.one("#pf").type(str(BARCODE))
    app.browser.wait(lambda: bool(app.browser.all("#scanned")), "the product of the photo", 90)
    assert "Hazelnut Cocoa Spread" in app.browser.text("#scanned")
    assert "confidence" in app.browser.text("#scanned")
    app.browser.run("document.querySelector('#scanned .portion').value = '30 g'")
    app.browser.one("#scanned button").click()
    app.browser.wait(lambda: "Hazelnut Cocoa Spread" in names(app), "the day with the product", 10)
    app.open("/today/add")
    app.browser.one("#pf").type(str(NOTHING))
    app.browser.wait(lambda: bool(app.browser.all("[role=alert]")), "the answer about an empty photo", 90)
    assert "light" in app.browser.text("[role=alert]"), "what to do"


def a_label_becomes_a_food(app: App) -> None:
    app.open("/today/add?meal=snack")
    app.browser.one("#pf").type(str(LABEL))
    app.browser.wait(lambda: bool(app.browser.all("#scanned")), "the nutrition table of the photo", 90)
    assert "nutrition table" in app.browser.text("#scanned")
    app.browser.run("document.querySelector('#scanned .portion').value = '100 g'")
    app.browser.one("#scanned button").click()
    app.browser.wait(lambda: "377" in app.browser.text(".split"), "the energy of 100 g", 10)


def energy_is_added_without_a_food(app: App) -> None:
    app.open("/today/add")
    app.browser.one("#qk").type("158")
    app.browser.one("#qn").type("Cake at work")
    app.browser.one("form[action='/today/quick'] button").click()
    app.browser.wait(lambda: "Cake at work" in names(app), "the quick entry", 10)


def an_entry_is_changed_and_removed(app: App) -> None:
    app.browser.one("[aria-label='Edit Cake at work']").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Cake at work", "the entry", 10)
    app.browser.run("document.getElementById('po').value = '2'")
    app.browser.one("main form .btn--primary").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Today" and "316" in app.browser.text("main"), "twice", 10)
    app.browser.one("[aria-label='Edit Cake at work']").click()
    app.browser.wait(lambda: bool(app.browser.all(".btn--danger")), "the entry", 10)
    app.browser.one(".btn--danger").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Today", "the day", 10)
    assert "Cake at work" not in names(app)


def yesterdays_breakfast_is_reused(app: App) -> None:
    yesterday = (today() - timedelta(days=1)).isoformat()
    open_diary(app, "Ben")
    app.browser.wait(lambda: app.browser.text("h1") == "Today", "Ben's diary", 10)
    assert not names(app), "Ben sees nothing of Ada's"
    for text in ("oats", "milk"):
        app.open(f"/today/add?q={text}&day={yesterday}&meal=breakfast")
        app.browser.one("#results button").click()
        app.browser.wait(lambda: bool(app.browser.all("[role=status]")), f"{text} of yesterday", 10)
    app.open("/today")
    assert not names(app)
    button = app.browser.one("[data-reuse=breakfast]")
    assert "yesterday" in button.text
    button.click()
    app.browser.wait(lambda: names(app) == ["Rolled Oats", "Whole Milk"], "yesterday's breakfast", 10)


def a_new_goal_moves_the_projection(app: App) -> None:
    app.open("/goal")
    assert "needs a weight" in app.browser.text("main"), "what is missing"
    values = {"gc": "1500", "gw": "73.2", "gy": "1990", "gh": "168"}
    for name, value in values.items():
        app.browser.one(f"#{name}").type(value)
    app.browser.run("document.getElementById('gs').value = 'female'; document.getElementById('ga').value = 'light'")
    app.browser.one("main form .btn--primary").click()
    app.browser.wait(lambda: bool(app.browser.all("[data-projection]")), "the projection", 10)
    first = app.browser.text("[data-projection] .lead")
    steps = app.browser.text("[data-projection] ol")
    for part in ("1,500 kcal a day as planned", "Mifflin", "7,700", "Hall 2011", "Range:"):
        assert part in steps, f"{part} in {steps}"
    app.browser.run("document.getElementById('gc').value = '2100'")
    app.browser.one("main form .btn--primary").click()
    app.browser.wait(lambda: app.browser.text("[data-projection] .lead") != first, "another range", 10)
    assert "2,100 kcal a day as planned" in app.browser.text("[data-projection] ol")
    assert len(app.browser.all("[data-projection] svg polygon")) == 1
    app.browser.run("document.getElementById('gc').value = '900'")
    app.browser.one("main form .btn--primary").click()
    app.browser.wait(lambda: "1,200 kcal" in app.browser.text("[data-projection]"), "the warning", 10)


def two_people_do_not_see_each_others_diary(app: App) -> None:
    app.open("/diary")
    assert app.browser.text("h1") == "Diary of Ben"
    app.browser.one("form[action='/diary/switch'] button").click()
    app.browser.wait(lambda: "Hazelnut Cocoa Spread" in names(app), "this device has both keys", 10)
    with Browser() as other:
        theirs = App(app.daemon, other)
        theirs.sign_in()
        key = key_of(app.daemon, "Cleo")
        keep(other, app.daemon, [key])
        theirs.open("/today?person=Ada")
        assert "Hazelnut" not in other.text("body") and "no key of this device" in other.text("main")
        open_diary(theirs, "Ada")
        other.wait(lambda: "another device" in other.text("[role=alert]"), "a diary that is open elsewhere", 10)
        for path in ("/v1/people/Ada/week/2026-W47", "/v1/people/Ada/entries", "/v1/people/Ada/export"):
            try:
                app.daemon.call("GET", path, key=key)
                raise AssertionError(f"{path} with another person's key")
            except urllib.error.HTTPError as error:
                assert error.code == 404, error.code
        app.open("/diary")
        app.browser.one("input[value=Cleo] ~ button").click()
        app.browser.wait(lambda: "may read: end" in app.browser.text("main"), "Cleo may read", 10)
        theirs.open("/today?person=Ada")
        assert "Hazelnut Cocoa Spread" in names(theirs)
        assert not other.all("main form"), "a reader changes nothing"
        app.open("/diary")
        app.browser.one("input[value=Cleo] ~ button").click()
        app.browser.wait(lambda: "Let Cleo read" in app.browser.text("main"), "Cleo may not read", 10)
        theirs.open("/today?person=Ada")
        assert "Hazelnut" not in other.text("body")


def the_week_shows_the_days(app: App) -> None:
    app.open("/week")
    assert app.browser.text("h1").startswith("Week ")
    assert len(app.browser.all(".plot--wide rect")) >= 1
    app.browser.one("a[rel=prev]").click()
    app.browser.wait(lambda: "Nothing is logged" in app.browser.text("main"), "an empty week", 10)


def a_photo_in_the_inbox_becomes_an_entry(app: App) -> None:
    folder = app.daemon.inbox / "diary/Ben"
    folder.mkdir(parents=True)
    key = key_again(app, "Ben")
    before = app.daemon.call("GET", "/v1/people/Ben/entries", key=key)["entries"]
    (folder / "part").write_bytes(BARCODE.read_bytes())
    (folder / "part").rename(folder / "spread.jpg")
    app.browser.wait(
        lambda: len(app.daemon.call("GET", "/v1/people/Ben/entries", key=key)["entries"]) == len(before) + 1,
        "the entry of the photo", 60,
    )  # fmt: skip
    last = [one for one in app.daemon.call("GET", "/v1/people/Ben/entries", key=key)["entries"] if one not in before]
    assert last[0]["food"]["name"] == "Hazelnut Cocoa Spread" and last[0]["food"]["source"] == "scanned"


def key_again(app: App, person: str) -> str:
    """A further key of a diary that the browser has open."""
    app.open("/diary")
    if person not in app.browser.text("h1"):
        app.browser.one("form[action='/diary/switch'] button").click()
        app.browser.wait(lambda: app.browser.text("h1") == "Today", "the other diary", 10)
        app.open("/diary")
    app.browser.one("form[action='/diary/code'] button").click()
    app.browser.wait(lambda: bool(app.browser.all(".code")), "the code", 10)
    STATE["code"] = app.browser.text(".code")
    body = json.dumps({"code": STATE["code"]}).encode()
    return str(app.daemon.call("POST", f"/v1/people/{person}/diary/keys", body)["key"])


def adding_takes_less_than_five_seconds(app: App) -> None:
    """From the first key in the search field to the stored entry, one key every 0.3 s."""
    times = []
    for number, text in enumerate(("oats", "milk", "cheddar", "tomato", "spag", "bread", "oats")):
        app.open("/today/add")
        before = len(names(app))
        app.open("/today")
        before = len(names(app))
        app.open("/today/add")
        app.browser.run("document.getElementById('q').focus()")
        began = time.monotonic()
        for place, letter in enumerate(text):
            time.sleep(max(0, began + place * KEY_SECONDS - time.monotonic()))
            app.browser.press(letter)
        time.sleep(max(0, began + len(text) * KEY_SECONDS - time.monotonic()))
        app.browser.press("enter")
        app.browser.wait(lambda: app.browser.text("h1") == "Today", "the stored entry", 10)
        times.append(time.monotonic() - began)
        assert len(names(app)) == before + 1, f"{number}: {text}"
    print(
        f"  add by search: median {statistics.median(times):.2f} s, worst {max(times):.2f} s of {len(times)}, "
        f"one key every {KEY_SECONDS} s",
        file=sys.stderr,
    )
    assert max(times) <= ADD_SECONDS


def the_events_are_counted(app: App) -> None:
    counts = app.daemon.call("GET", "/v1/people/Ada/events", key=key_again(app, "Ada"))
    assert counts["meal_added"] >= 3 and counts["quick_add_used"] == 1, counts
    assert set(counts) == {"meal_added", "quick_add_used", "reuse_meal", "projection_viewed", "week_opened"}
    # The following devices open this diary.
    STATE["key"] = key_again(app, "Ada")


def another_device_needs_a_code(app: App) -> None:
    """Opens Ada's diary on this device; the pages that follow show it."""
    open_diary(app, "Ada", "1234 5678")
    app.browser.wait(lambda: bool(app.browser.all("[role=alert]")), "a wrong code", 10)
    code = app.daemon.call("POST", "/v1/people/Ada/diary/codes", key=STATE["key"])["code"]
    open_diary(app, "Ada", code)
    app.browser.wait(lambda: app.browser.text("h1") == "Today", "the diary on this device", 10)


def the_diary_works_without_script(app: App) -> None:
    keep(app.browser, app.daemon, [STATE["key"]])
    app.open("/today")
    before = len(names(app))
    app.browser.one("#qa").type("cheddar")
    app.browser.one("[role=search] button").click()
    app.browser.wait(lambda: "Mature Cheddar" in app.browser.text("#results"), "the results", 10)
    app.browser.one("#results button[type=submit]").click()
    app.browser.wait(lambda: len(names(app)) == before + 1, "the entry", 10)


CHECKS = [
    a_diary_is_opened_and_empty,
    a_food_is_added_by_search,
    a_food_is_added_by_number,
    a_food_is_added_by_photo_of_its_barcode,
    a_label_becomes_a_food,
    energy_is_added_without_a_food,
    an_entry_is_changed_and_removed,
    yesterdays_breakfast_is_reused,
    a_new_goal_moves_the_projection,
    two_people_do_not_see_each_others_diary,
    the_week_shows_the_days,
    a_photo_in_the_inbox_becomes_an_entry,
    adding_takes_less_than_five_seconds,
    the_events_are_counted,
]
