"""Checks of the pages around photos: upload, result, review, history, people, deletion."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, expect

from tablesight_tools.browser.app import GERMAN, NO_SCRIPT, App
from tablesight_tools.browser.checks.homes import COOKIES, LABEL, MENU, NOTHING
from tablesight_tools.browser.daemon import READING, wait_until

DRAGGED = """(text) => {
  const data = new DataTransfer();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  data.items.add(new File([bytes], "menu.jpg", { type: "image/jpeg" }));
  return data;
}"""


def test_upload_shows_progress_and_result(app: App) -> None:
    app.open("/")
    app.attach("Take a photo", MENU)
    app.expect_page("progress|result")
    app.expect_result("The Crooked Billet")
    bands = app.role("navigation", "Bands").locator("a")
    expect(bands).to_have_text([re.compile(rf"^\d+{name}$") for name in ("Contains", "Likely", "Ask", "Not mentioned")])
    expect(app.role("navigation", "Show for").get_by_role("link")).to_contain_text(["All", "Ada", "Ben", "Cleo"])
    app.region("Dishes").expect_text("print or staff say so", "Contains milk")


def test_several_photos_have_a_row_each(app: App) -> None:
    """Each row leads to its photo; it says without a reload when that is read, or that it is not."""
    app.open("/")
    app.find("#f2").set_input_files([MENU, NOTHING, LABEL])
    app.leads_to(heading="Your photos")
    rows = app.find("[data-sent]")
    expect(rows).to_have_count(3)
    app.page.evaluate("() => { window.isSame = true; }")
    app.expect_text("3 of 3 finished", seconds=READING * 3)
    assert app.page.evaluate("() => window.isSame"), "the page was loaded again"
    expect(rows.nth(0)).to_contain_text("The Crooked Billet")
    expect(rows.nth(1)).to_contain_text("Not read")
    expect(rows.nth(2)).to_contain_text("Creamy Fish Pie")
    app.follow("The Crooked Billet", heading="The Crooked Billet")


@pytest.mark.parametrize("answer", ["late", "refused"])
def test_a_photo_is_shown_that_was_read_while_its_page_had_no_stream(app: App, answer: str) -> None:
    held: list[Route] = []
    app.page.route("**/v1/events", lambda route: held.append(route), times=1)
    app.open("/")
    app.attach("Take a photo", MENU)
    app.expect_page("progress")
    # The daemon reads it while the page waits for its stream.
    app.daemon.upload(MENU)
    app.expect_page("progress")
    if answer == "late":
        held[0].continue_()
    else:
        held[0].fulfill(status=503)
    app.expect_result("The Crooked Billet")


def test_drop_uploads_too(app: App) -> None:
    app.open("/")
    photo = app.page.evaluate_handle(DRAGGED, base64.b64encode(LABEL.read_bytes()).decode())
    app.find("#drop").dispatch_event("drop", {"dataTransfer": photo})
    app.expect_result("Creamy Fish Pie")
    app.expect_text("Label and record differ")


@pytest.mark.home("read")
def test_evidence_lights_up(app: App) -> None:
    app.open_photo(MENU)
    first, second = app.find("#b1"), app.find("#b2")
    expect(first).to_have_css("opacity", "0")
    app.find("#d1 .name").hover()
    expect(first).to_have_css("opacity", "1")
    app.find("h1").hover()
    expect(first).to_have_css("opacity", "0")
    app.link(re.compile("^Dish 2:")).focus()
    expect(second).to_have_css("opacity", "1")
    app.link(re.compile("^2: ")).click()
    expect(app.link(re.compile("^Dish 2:")), "its number on the photo opens a dish").to_have_attribute(
        "aria-expanded", "true"
    )


@pytest.mark.home("read")
def test_a_changed_person_changes_an_open_page(app: App) -> None:
    app.open_live(f"/photos/{app.daemon.upload(COOKIES)}", "Not mentioned")
    app.daemon.call("PUT", "/v1/people/Cleo", {"allergens": {"gluten": "severe"}})
    app.expect_status("The verdicts on this page have changed.")
    app.follow("Show them")
    expect(app.find("#changed")).to_be_hidden()
    expect(app.find(".answer__p").filter(has_text="Cleo").filter(has_text="gluten")).to_be_visible()


@pytest.mark.home("read")
def test_a_person_is_added_by_form(app: App) -> None:
    app.open("/people")
    app.field("Name").fill("Dora Müller")
    find = app.field("Search, or type a word of your own")
    find.fill("lup")
    expect(app.find(".pick label:visible"), "the search finds rare ones too").to_have_text(["Lupin"])
    find.press("Enter")
    find.fill("mango")
    find.press("Enter")
    app.find(".pick label").filter(has_text="Fish").click()
    app.send("Save", {"Fish": "severe"}, "Dora Müller is saved.")
    expect(app.field("Fish")).to_have_value("severe")
    expect(app.field("Lupin")).to_have_value("high")
    expect(app.field("mango")).to_be_checked()
    assert "Dora Müller" in [person["name"] for person in app.daemon.call("GET", "/v1/people")]
    # The stored photos are judged again, with and without the new person.
    menu = app.daemon.upload(MENU)

    def is_judged_for() -> bool:
        return "Dora Müller" in app.daemon.call("GET", f"/v1/outcomes/{menu}")["household"]

    wait_until(is_judged_for, "the stored photos judged for her")
    app.daemon.call("DELETE", f"/v1/people/{quote('Dora Müller')}")
    wait_until(lambda: not is_judged_for(), "the stored photos judged without her")


@pytest.mark.home("read")
def test_history_finds_words(app: App) -> None:
    for photo in (MENU, LABEL, COOKIES):
        app.daemon.upload(photo)
    app.open("/history")
    titles = app.find(".rowitem__title")
    expect(titles).to_have_count(3)
    app.send("Search", {"Words on the photo": "risotto"})
    expect(titles).to_have_text(["The Crooked Billet"])
    assert "q=risotto" in app.page.url


@pytest.mark.home("read")
def test_a_photo_is_deleted(app: App) -> None:
    """Undo brings it back; ten seconds later it is gone."""
    photo = app.daemon.upload(COOKIES)
    app.open(f"/photos/{photo}")
    deleted = app.find(f"a[href='/photos/{photo}']")
    app.press("Delete", "Deleted:", heading="History")
    expect(deleted).to_have_count(0)
    app.press("Undo")
    app.expect_path(f"/photos/{photo}")
    app.press("Delete", "Deleted:", heading="History")
    expect(deleted).to_have_count(0)
    wait_until(lambda: photo not in str(app.daemon.call("GET", "/v1/history")), "the photo is gone")


@pytest.mark.home("read")
@pytest.mark.looks(NO_SCRIPT)
def test_the_form_works_without_script(app: App) -> None:
    app.open("/")
    app.attach("Take a photo", MENU)
    app.press("Send photo")
    app.expect_result("The Crooked Billet")
    app.region("Dishes").expect_text("Contains milk")


@pytest.mark.home("read")
@pytest.mark.looks(GERMAN)
def test_german_is_chosen_by_the_browser(app: App) -> None:
    app.open("/history", heading="Verlauf")
    app.open_photo(MENU)
    expect(app.role("article").first).to_contain_text("Enthält")
    app.expect_text("Hier fehlt ein Gericht")
