"""Checks of the diary's pages: three ways to add, an earlier meal, the goal and its projection, and who sees what."""

from __future__ import annotations

import re
import statistics
import time
from datetime import timedelta

from playwright.sync_api import expect

from tablesight_tools.browser.app import PHONE, App, Part
from tablesight_tools.browser.daemon import READING, SAMPLES, wait_until
from tablesight_tools.browser.invented import PIE, PIN, today

BARCODE = SAMPLES / "barcodes/spread-ean13.jpg"
NUTRITION = SAMPLES / "documents/nutrition-muesli.jpg"
NOTHING = SAMPLES / "bad/blank.jpg"
SEARCH = "Name, brand or number under the barcode"
# A practised typist on a phone or desk: 40 words, or 200 letters, a minute.
KEY_SECONDS = 0.3
ADD_SECONDS = 5.0


def meals(app: App) -> Part:
    return app.region("Meals")


def a_new_diary_is_empty(app: App) -> None:
    app.use("Ada")
    app.open("/today", "Log your first meal", heading="Today")
    menu = Part(app.page.get_by_role("navigation", name="Main menu", exact=True))
    menu.expect_text("Today", "Week")


def a_food_is_added_by_search(app: App) -> None:
    app.open("/today/add?meal=breakfast")
    app.fill(SEARCH, "roled oat")
    app.region("Foods found").expect_text("Rolled Oats")
    expect(app.field("Portion of Rolled Oats")).to_have_value("60 g")
    app.send("Add Rolled Oats", {"Portion of Rolled Oats": "½ pack"}, "Added: Rolled Oats")
    meals(app).expect_items("Rolled Oats")
    meals(app).region("Breakfast").expect_text("925")  # 370 kcal × 2.5
    app.open("/today/add?q=xyzzy", "Log the energy with Quick add below")
    app.open("/today/add?q=oats")
    app.send("Add Rolled Oats", {"Portion of Rolled Oats": "1 cup"})
    app.expect_alert("density")


def a_food_is_added_by_number(app: App) -> None:
    app.open("/today/add")
    app.enter(SEARCH, "9520100001123", heading="Today")
    meals(app).expect_item("Whole Milk")
    app.open(f"/today/add?q={PIE}", "Creamy Fish Pie")
    app.open("/today/add?q=9520100009990", "No record of 9520100009990")


def a_food_is_added_by_photo_of_its_barcode(app: App) -> None:
    app.open("/today/add?meal=snack")
    app.attach("Photograph barcode or label", BARCODE)
    app.expect_text("The product of this barcode", "Hazelnut Cocoa Spread", "confidence", seconds=READING)
    app.send("Add Hazelnut Cocoa Spread", {"Portion of Hazelnut Cocoa Spread": "30 g"}, heading="Today")
    meals(app).expect_item("Hazelnut Cocoa Spread")
    app.open("/today/add")
    app.attach("Photograph barcode or label", NOTHING)
    app.expect_alert("Use more light", READING)


def a_label_becomes_a_food(app: App) -> None:
    app.open("/today/add?meal=snack")
    app.attach("Photograph barcode or label", NUTRITION)
    app.expect_text("Read from the nutrition table", seconds=READING)
    scanned = Part(app.find("#scanned"))
    scanned.fill(re.compile("^Portion of"), "100 g")
    scanned.press(re.compile("^Add"), "377", heading="Today")


def energy_is_added_without_a_food(app: App) -> None:
    app.open("/today/add")
    app.region("Quick add").send("Add", {"Kilocalories": "158", "Name, if you like": "Cake at work"}, heading="Today")
    meals(app).expect_item("Cake at work")


def an_entry_is_changed_and_removed(app: App) -> None:
    app.open("/today")
    app.follow("Edit Cake at work", heading="Cake at work")
    app.send("Save", {"Portion": "2"}, "316", heading="Today")
    app.follow("Edit Cake at work", heading="Cake at work")
    app.press("Remove this entry", heading="Today")
    meals(app).expect_no_text("Cake at work")


def yesterdays_breakfast_is_reused(app: App) -> None:
    yesterday = today() - timedelta(days=1)
    app.use("Ben")
    app.open("/today", heading="Today")
    meals(app).expect_items()
    for words, name in (("oats", "Rolled Oats"), ("milk", "Whole Milk")):
        app.open(f"/today/add?q={words}&day={yesterday}&meal=breakfast")
        app.press(f"Add {name}", f"Added: {name}")
    app.open("/today")
    meals(app).expect_items()
    app.press(re.compile("^Breakfast of yesterday"))
    meals(app).expect_items("Rolled Oats", "Whole Milk")


def a_new_goal_moves_the_projection(app: App) -> None:
    app.open("/goal", "needs a weight")
    person = {
        "Weight, kg": "73.2", "Birth year": "1990", "Height, cm": "168", "Sex": "female",
        "Activity": "light: some walking",
    }  # fmt: skip
    app.send("Save", person | {"Kilocalories a day": "1500"}, "1,500 kcal a day as planned")
    projection = Part(app.find("[data-projection]"))
    projection.expect_text("Mifflin", "7,700", "Hall 2011", "Range:")
    first = projection.find(".lead").inner_text()
    app.send("Save", {"Kilocalories a day": "2100"}, "2,100 kcal a day as planned")
    expect(projection.find(".lead")).not_to_have_text(first)
    expect(projection.find("svg polygon")).to_have_count(1)
    app.send("Save", {"Kilocalories a day": "900"}, "This needs less than 1,200 kcal a day")


def two_people_do_not_see_each_others_diary(app: App) -> None:
    app.use("Ada")
    app.open("/today", heading="Today")
    meals(app).expect_item("Hazelnut Cocoa Spread")
    with app.another() as cleo:
        cleo.sign_in("Cleo")
        cleo.open("/today?person=Ada", "no such diary")
        cleo.expect_no_text("Hazelnut")
        for path in ("week/2026-W47", "entries", "export"):
            status = cleo.get(f"/v1/people/Ada/{path}").status
            assert status == 404, f"{path} for another person: {status}"
        app.open("/diary", heading="Diary of Ada")
        app.press("Let Cleo read", "Cleo may read: end that")
        cleo.open("/today?person=Ada")
        meals(cleo).expect_item("Hazelnut Cocoa Spread")
        expect(cleo.find("form"), "a reader changes nothing").to_have_count(0)
        app.press("Cleo may read: end that", "Let Cleo read")
        cleo.open("/today?person=Ada", "no such diary")
        cleo.expect_no_text("Hazelnut")


def a_new_pin_closes_the_diary_elsewhere(app: App) -> None:
    app.use("Cleo")
    with app.another(PHONE) as phone:
        phone.sign_in("Cleo")
        phone.open("/today", heading="Today")
        app.open("/diary")
        app.follow("Choose a PIN", heading="Choose a PIN")
        app.send("Set this PIN", {"New PIN": PIN})
        app.open("/today", heading="Today")  # this browser stays open
        phone.open("/today", heading="Cleo’s PIN")
        phone.send("Open", {"PIN, 4 to 8 digits": PIN}, heading="Today")


def the_diary_asks_for_the_pin(app: App) -> None:
    app.daemon.call("PUT", "/v1/me/pin", {"pin": PIN}, member="Cleo")
    app.use("Cleo")
    app.open("/today", heading="Cleo’s PIN")
    app.send("Open", {"PIN, 4 to 8 digits": "0000"}, "This is not right.")
    app.send("Open", {"PIN, 4 to 8 digits": PIN}, heading="Today")


def the_week_shows_the_days(app: App) -> None:
    app.use("Ada")
    app.open("/week", heading=re.compile("^Week "))
    expect(app.find(".plot--wide rect").first).to_be_visible()
    app.find("a[rel=prev]").click()
    app.expect_text("Nothing is logged")


def a_photo_in_the_inbox_becomes_an_entry(app: App) -> None:
    app.use("Ben")

    def entries() -> list[dict[str, dict[str, str]]]:
        return list(app.daemon.call("GET", "/v1/people/Ben/entries")["entries"])

    before = entries()
    app.daemon.drop(BARCODE, "diary/Ben")
    wait_until(lambda: len(entries()) == len(before) + 1, "the entry of the photo", READING)
    food = next(entry["food"] for entry in entries() if entry not in before)
    assert (food["name"], food["source"]) == ("Hazelnut Cocoa Spread", "scanned"), food


def adding_takes_less_than_five_seconds(app: App) -> str:
    """From the first key in the search field to the stored entry, one key every 0.3 s."""
    times = []
    for text in ("oats", "milk", "cheddar", "tomato", "spag", "bread", "oats"):
        app.open("/today")
        before = meals(app).items.count()
        app.open("/today/add")
        began = time.monotonic()
        app.field(SEARCH).press_sequentially(text, delay=KEY_SECONDS * 1000)
        app.field(SEARCH).press("Enter")
        app.leads_to(heading="Today")
        times.append(time.monotonic() - began)
        expect(meals(app).items, text).to_have_count(before + 1)
    worst = max(times)
    assert worst <= ADD_SECONDS, f"{worst:.2f} s"
    return f"median {statistics.median(times):.2f} s, worst {worst:.2f} s of {len(times)}, a key every {KEY_SECONDS} s"


def the_events_are_counted(app: App) -> None:
    counts = app.daemon.call("GET", "/v1/people/Ada/events")
    assert counts["meal_added"] >= 3 and counts["quick_add_used"] == 1, counts
    assert set(counts) == {"meal_added", "quick_add_used", "reuse_meal", "projection_viewed", "week_opened"}


def the_diary_works_without_script(app: App) -> None:
    app.use("Ada")
    app.open("/today")
    before = meals(app).items.count()
    app.send("Search", {SEARCH: "cheddar"})
    app.press("Add Mature Cheddar")
    expect(meals(app).items).to_have_count(before + 1)


CHECKS = (
    a_new_diary_is_empty,
    a_food_is_added_by_search,
    a_food_is_added_by_number,
    a_food_is_added_by_photo_of_its_barcode,
    a_label_becomes_a_food,
    energy_is_added_without_a_food,
    an_entry_is_changed_and_removed,
    yesterdays_breakfast_is_reused,
    a_new_goal_moves_the_projection,
    two_people_do_not_see_each_others_diary,
    a_new_pin_closes_the_diary_elsewhere,
    the_week_shows_the_days,
    a_photo_in_the_inbox_becomes_an_entry,
    adding_takes_less_than_five_seconds,
    the_events_are_counted,
)
