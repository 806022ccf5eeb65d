"""Checks of one household: first steps, phones, "Who is it?", PINs, guests."""

from __future__ import annotations

import hashlib
import sqlite3

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import NO_SCRIPT, PHONE, App, Look
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.checks.homes import MENU
from tablesight_tools.browser.daemon import wait_until
from tablesight_tools.browser.invented import PIN

pytestmark = pytest.mark.home("house")
HOME = "What is on the table?"


def code(app: App) -> str:
    """A code for one phone, as the page shows it."""
    app.open("/devices")
    app.press("New code")
    return app.find(".code").inner_text()


def pick(app: App, allergen: str) -> None:
    app.find(".pick label").filter(has_text=allergen).click()


@pytest.fixture
def app(window: App) -> App:
    """Maria's desk."""
    window.sign_in("Maria", PIN)
    return window


def phone_of(app: App, tile: str) -> App:
    """A newly connected phone whose person was chosen."""
    phone = app.another(PHONE)
    phone.open(f"/p/{code(app)}")
    phone.press("Connect", heading="Who is it?")
    phone.press(tile)
    return phone


@pytest.mark.home("bare")
def test_a_link_with_the_key_leads_to_the_first_steps(window: App) -> None:
    app = window
    app.open("/history", heading="Connect this phone")
    app.connect()
    app.leads_to(heading="Welcome to Tablesight")
    app.open("/")
    app.leads_to(heading="Welcome to Tablesight")
    assert not app.page.evaluate("document.cookie"), "the cookie is for the server only"


@pytest.mark.home("bare")
def test_the_first_steps_are_done_one_after_the_other(window: App) -> None:
    app = window
    app.connect()
    done = app.find(".nsteps > .done")
    app.open("/welcome")
    expect(done).to_have_count(0)
    app.follow("Add a person", heading="Add me")
    pick(app, "Milk")
    app.send("That’s me", {"Name": "Maria", "PIN for my diary (optional)": PIN}, heading="Welcome to Tablesight")
    expect(done).to_have_count(1)
    app.press("Try a sample menu")
    app.expect_page("progress|result")
    app.expect_page("result", 240)
    app.open("/welcome")
    expect(done).to_have_count(2)
    app.press("Show the QR code")
    expect(app.role("img", "QR code with the address and the code below")).to_be_visible()
    phone = app.another(PHONE)
    phone.open(f"/p/{app.find('.code').inner_text()}")
    phone.press("Connect", heading="Who is it?")
    app.open("/welcome")
    expect(done).to_have_count(3)


def avoid(app: App, name: str) -> None:
    """Searches for an allergen and takes the first that fits."""
    find = app.field("Search, or type a word of your own")
    find.fill(name)
    find.press("Enter")


@pytest.mark.home("maria")
def test_people_have_roles_and_colours(app: App) -> None:
    app.open("/people")
    avoid(app, "Celery")
    app.send("Save", {"Name": "Jonas", "Celery": "high"}, "Jonas is saved.")
    app.open("/people")
    app.find("summary").filter(has_text="Language, law and colour").click()
    app.find(".swatch").nth(2).click()
    avoid(app, "Peanuts")
    app.send("Save", {"Name": "Leo", "Role": "Child", "Peanuts": "severe"}, "Leo is saved.")
    app.open("/who")
    expect(app.find(".tile .av3").filter(has_text="L")).to_be_visible()
    expect(app.button("Leo child")).to_be_visible()
    expect(app.button("Maria diary has a PIN")).to_be_visible()


@pytest.mark.parametrize("bare", [PHONE, NO_SCRIPT], ids=["script", "no-script"])
def test_a_bare_phone_reads_a_photo_after_four_taps(app: App, bare: Look) -> None:
    """The camera is one of them; with script the photo is sent at once."""
    phone = app.another(bare)
    phone.open(f"/p/{code(app)}", heading="Connect this phone")
    phone.press("Connect", heading="Who is it?")
    phone.press("Jonas no PIN", heading=HOME)
    phone.attach("Take a photo", MENU)
    if not bare.has_script:
        phone.press("Send photo")
    phone.expect_page("progress|result")
    phone.expect_result("The Crooked Billet")
    expect(phone.role("navigation", "Show for").get_by_role("link", name="Jonas")).to_be_visible()


def test_a_pin_guards_the_diary_only(app: App) -> None:
    phone = phone_of(app, "Maria diary has a PIN")
    phone.leads_to(heading="Maria’s PIN")
    phone.press("Go on without the diary", heading=HOME)
    phone.open("/today")
    phone.leads_to(heading="Maria’s PIN")
    phone.send("Open", {"PIN, 4 to 8 digits": "1357"}, "This is not right.")
    phone.send("Open", {"PIN, 4 to 8 digits": PIN})
    phone.expect_path("/today")


def test_a_forgotten_pin_is_asked_for_and_kept(app: App) -> None:
    app.open("/who")
    phone = phone_of(app, "Jonas no PIN")
    phone.open("/who")
    phone.press("Maria diary has a PIN")
    phone.press("Ask for the removal of Maria’s PIN", "Jonas asked for the removal of Maria’s PIN.")
    app.open("/history", "Jonas asked for the removal of your PIN.")
    app.press("Cancel, keep my PIN")
    app.expect_path("/history")
    app.expect_no_text("asked for the removal")


def test_a_key_of_an_earlier_version_opens_once(app: App) -> None:
    """What a browser kept of an earlier version opens the diary once more; then its owner chooses a PIN, or none."""
    key = "a1b2c3d4e5f6"
    with sqlite3.connect(app.daemon.results / "tablesight.sqlite", timeout=30) as database:
        digest = hashlib.sha256(key.encode()).digest()
        number = "(SELECT id FROM member WHERE name = 'Jonas')"
        database.execute("INSERT OR IGNORE INTO diary_person (person, zone) VALUES ('Jonas', 'UTC')")
        database.execute("INSERT INTO diary_key (hash, person) VALUES (?, 'Jonas')", (digest,))
        database.execute(f"INSERT INTO member_lock (member, kind) VALUES ({number}, 'key')")
    other = phone_of(app, "Jonas diary is locked")
    other.leads_to("It was open on another phone", heading="Jonas’s diary")
    expect(other.button("Open it here")).to_have_count(0)
    other.context.add_cookies([{"name": "tablesight-diary", "value": key, "url": app.daemon.address}])
    other.page.reload()
    other.press("Open it here", heading="Choose a PIN")
    other.send("Set this PIN", {"New PIN": "1357"}, heading=HOME)
    other.open("/who/newpin")
    other.press("No PIN", heading=HOME)
    other.open("/who")
    expect(other.button("Jonas no PIN")).to_be_visible()


def test_a_child_opens_with_the_games(app: App) -> None:
    phone = phone_of(app, "Leo child")
    phone.expect_path("/games")
    assert "List" not in phone.page.locator(".tabs").inner_text()
    phone.open("/people")
    assert phone.page.locator("body").get_attribute("data-page") != "people", "a child does not manage people"


def test_a_guest_is_judged_for(app: App) -> None:
    phone = app.another(PHONE)
    phone.open(f"/p/{code(app)}")
    access.expect_no_violations(phone, "a code")
    phone.press("Connect", heading="Who is it?")
    phone.follow("Guest reads photos, sees no diary", heading="Guest")
    pick(phone, "Sesame")
    phone.send("Go on as a guest", {"Name": "Emil"}, heading=HOME)
    expect(phone.page.locator(".topbar .me")).to_have_attribute("aria-label", "Emil. Change person")
    app.open("/people", "Emil")


def test_devices_say_who_uses_them(app: App) -> None:
    phone_of(app, "Jonas no PIN")
    app.open("/devices", "used by Maria", "used by Jonas", "this one")


def test_a_removed_phone_is_out(app: App) -> None:
    phone = phone_of(app, "Jonas no PIN")
    phone.open("/history", heading="History")
    app.open("/devices")
    app.find(".rowitem button").first.click()

    def is_out() -> bool:
        phone.open("/history")
        return "Connect this phone" in phone.text()

    wait_until(is_out, "a removed device is out", 5)
