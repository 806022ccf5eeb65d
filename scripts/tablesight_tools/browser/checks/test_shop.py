"""Checks of the pages of lists and prices: a list, a comparison, experiences."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import NO_SCRIPT, PHONE, App, Figure
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.checks.homes import SPREAD
from tablesight_tools.browser.daemon import READING, SAMPLES
from tablesight_tools.browser.invented import Member, shopper

TAG = SAMPLES / "documents/tag-oats.jpg"


# The field of a list that adds to it.
ENTRY = "Name or number"
BY_AISLE = ("Bread", "Milk", "Rolled Oats")


@pytest.fixture
def quentin(app: App) -> App:
    """Quentin, who has nothing yet, uses the window."""
    app.use(Member(app.daemon, "Quentin").name)
    return app


@pytest.fixture
def listed(quentin: App) -> App:
    """Quentin has a list."""
    member = Member(quentin.daemon, "Quentin")
    number = member.make_list("Shopping list")
    for item in ({"name": "Milk"}, {"gtin": "9520100001116"}, {"name": "Bread"}):
        member.add(number, **item)
    return quentin


def shopping(app: App) -> int:
    """Ada has a list and knows prices; gives the number of the list."""
    return int(shopper(app.daemon).call("GET", "/v1/lists")[0]["id"])


def test_a_new_person_begins_a_list(quentin: App) -> None:
    quentin.open("/list", heading="Shopping list")


def test_a_list_is_filled_and_asks_about_duplicates(quentin: App) -> None:
    app = quentin
    app.open("/list")
    app.press("Make a list")
    bought: list[str] = []
    for typed, name in (("Milk", "Milk"), ("9520100001116", "Rolled Oats"), ("Bread", "Bread")):
        app.enter(ENTRY, typed)
        bought = [known for known in BY_AISLE if known in (*bought, name)]
        app.expect_items(*bought)
        expect(app.field(ENTRY), "the next name can be typed at once").to_be_focused()
    app.enter(ENTRY, "milk", "“Milk” is already on the list")
    app.expect_items(*bought)
    expect(app.button("Add anyway")).to_be_focused()
    app.page.keyboard.press("Enter")
    expect(app.items.filter(has_text="Milk")).to_have_count(2)
    app.press("Undo", "3 to buy")
    app.enter(ENTRY, "Roled Oats", "similar name")
    app.follow("Leave it")
    expect(app.role("alert")).to_have_count(0)
    app.expect_items(*bought)


def test_an_entry_is_added_by_photo_of_its_barcode(listed: App) -> None:
    app = listed
    app.open("/list")
    app.find("summary").filter(has_text="Photo of a barcode").click()
    app.attach("Photo", SPREAD)
    app.press("Send photo")
    app.expect_page("card", READING)
    app.expect_text("9520100001017")
    expect(app.field("Name")).to_have_value("Hazelnut Cocoa Spread")
    access.expect_no_violations(app, "a card")
    card = {"Price": "2.99", "Shop": "Corner Shop", "New tag": "sweet"}
    app.send("Add", card, "4 to buy", heading="Shopping list")
    app.follow(re.compile("^Hazelnut Cocoa Spread"), heading="Hazelnut Cocoa Spread")
    app.follow("Price history", "£2.99 at Corner Shop, today", "sweet", heading="Hazelnut Cocoa Spread")
    expect(app.find("figure image")).to_have_count(1)  # the packet on the photo
    app.open("/list")
    app.press("Undo", "3 to buy")


def test_a_tag_is_confirmed_on_one_card(listed: App, figure: Figure) -> None:
    """Taps from the list to the entry with its price: the photo, sending it, adding it."""
    app = listed
    member = Member(app.daemon, "Quentin")
    shop = member.call("POST", "/v1/places", {"name": "Corner Shop"})["id"]
    member.price(member.add(member.call("GET", "/v1/lists")[0]["id"], name="Eggs")["product"], shop, "2.85")
    app.open("/list")
    app.find("summary").filter(has_text="Photo of a barcode").click()
    app.attach("Photo", TAG)
    app.press("Send photo")
    app.expect_page("card", READING)
    amount, name = app.field("Price").input_value(), app.field("Name").input_value()
    assert name and amount, "the tag's name and price are on the card"
    app.send("Add", {}, "5 to buy", heading="Shopping list")
    app.expect_text(amount)
    app.press("Undo", "4 to buy")
    figure(f"{name}, {amount}: 4 taps with the camera's, nothing typed")


def test_entries_are_moved_completed_and_undone_by_keyboard(listed: App) -> None:
    app = listed
    app.open("/list")
    # By aisle: bread, dairy, then what no aisle is known of.
    app.follow(re.compile("^Rolled Oats"), heading="Rolled Oats")
    app.follow("List")
    app.button("Milk is in the basket").press("Enter")
    app.region("In the basket").expect_items("Milk")
    app.press("Undo", "3 to buy")
    app.press("Everything is in the basket", "Nothing to buy")
    app.press("Undo", "3 to buy")
    app.open("/list")
    app.follow(re.compile("^Milk"), heading="Milk")
    app.field("favourite").check()
    app.send("Save", {"Quantity": "2"}, "2 ×", "favourite", heading="Shopping list")


def test_people_share_a_list_and_talk(app: App) -> None:
    number = shopping(app)
    Member(app.daemon, "Quentin")
    app.open("/list")
    app.send("Share", {"Share with": "Quentin"}, "Ada and Quentin")
    quentin = app.another(PHONE, "Quentin")
    quentin.open(f"/list?list={number}")
    quentin.press("Eggs is in the basket")
    quentin.region("In the basket").expect_items("Eggs")
    quentin.open("/list?list=999", heading="That did not work")
    quentin.open("/feed", "Fresh bread until noon.")
    expect(quentin.find(".thread .thread").first, "an answer to a comment").to_be_visible()
    quentin.link(re.compile("^Reply to")).first.click()
    comments = quentin.find("article")
    quentin.send("Post", {"Comment": "It was closed on Monday."})
    expect(comments).to_contain_text("It was closed on Monday.")
    app.open("/list")
    app.region("In the basket").expect_items("Eggs")
    app.press("Clear", "6 to buy", "How was the shop?")
    access.expect_no_violations(app, "the question after a trip")
    app.press("4 of 5", "6 to buy")
    app.expect_no_text("How was the shop?")
    app.open("/feed", "Quentin", "★★★★☆")


@pytest.mark.looks(NO_SCRIPT)
def test_lists_work_without_script(app: App) -> None:
    number = shopping(app)
    app.open(f"/list?list={number}")
    before = app.items.count()
    app.send("Add", {ENTRY: "Pepper"})
    expect(app.items).to_have_count(before + 1)
    app.send("Add", {ENTRY: "pepper"})
    expect(app.button("Add anyway")).to_be_visible()
    app.open(f"/list?list={number}")
    app.press("Pepper is in the basket")
    app.region("In the basket").expect_items("Pepper")
    app.open(f"/compare?list={number}", "The second stop saves")
