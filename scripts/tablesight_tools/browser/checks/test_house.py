"""Checks of one household: first steps, phones, a PIN, guests."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import NO_SCRIPT, PHONE, App, Look
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.checks.homes import MENU
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
