"""Checks of what people say of a photo: corrections, answers about allergens, review; each of them undone.

What is undone leaves the photo as it was: the outcome's JSON is compared with the one from before, except `processing`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tablesight_tools.browser.app import DESK, NO_SCRIPT, PHONE, App, Part
from tablesight_tools.browser.checks.homes import CARDS, LABEL, MENU

pytestmark = pytest.mark.home("read")
# The windows in which corrections and review are checked.
every_look = pytest.mark.looks(DESK, PHONE, NO_SCRIPT)
# Below the last dish, in pixels of the photo.
BELOW = (230, 1400, 330, 60)

BAND = """(row) => {
  while (!row.matches("h2")) row = row.previousElementSibling;
  return row.id;
}"""
# The line of the photo is in the middle of the window.
SCROLL = """(svg, y) => scrollBy({
  top: new DOMPoint(0, y).matrixTransform(svg.getScreenCTM()).y - innerHeight / 2, behavior: "instant"
})"""
# Where a point of the photo is in the window.
POINT = """(svg, [x, y]) => {
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [point.x, point.y];
}"""


def outcome(app: App, photo: str) -> dict[str, Any]:
    """All but `processing`; numbers as they are written."""
    text = app.daemon.bytes(f"/v1/outcomes/{photo}")
    found: dict[str, Any] = json.loads(text, parse_float=str, parse_int=str)
    found.pop("processing")
    return found


def numbers(app: App, photo: str) -> list[int]:
    """The numbers of what was said of a photo, oldest first."""
    return [review["number"] for review in app.daemon.call("GET", f"/v1/reviews?id={photo}")]


@contextmanager
def unchanged(app: App, photo: str) -> Iterator[None]:
    """What happens inside changes the photo's outcome; at the end it is what it was, and nothing said of it is left."""
    before = outcome(app, photo)
    yield
    assert not numbers(app, photo), "all is undone"
    wrong = list(differences("outcome", before, outcome(app, photo)))
    assert not wrong, "the outcome is not the one from before: " + "; ".join(wrong[:5])


def differences(place: str, one: Any, other: Any) -> Iterator[str]:
    """The places where two JSON values differ, in the order of the keys too."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for key in one:
            yield from differences(f"{place}.{key}", one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(f"{place}[{number}]", *pair)
    elif one != other or isinstance(one, dict):
        yield f"{place}: {str(one)[:120]} became {str(other)[:120]}"


def dishes(app: App, photo: str) -> dict[str, dict[str, Any]]:
    """The dishes of the outcome by name, each with the title of its section."""
    sections = outcome(app, photo)["menu"]["sections"]
    placed = [(item, section.get("title")) for section in sections for item in section["items"]]
    return {item["name"]: {**item, "section": title} for item, title in placed}


def prices(dish: dict[str, Any]) -> list[str]:
    return [price["amount"] for price in dish["prices"]]


def row(app: App, name: str) -> Part:
    """The row of a dish on a result."""
    head = app.page.get_by_role("link", name=re.compile(rf"^Dish \d+:\s+{re.escape(name)}(?!\w)"))
    return Part(app.role("article").filter(has=head))


def band(dish: Part) -> str:
    return str(dish.root.evaluate(BAND))


def open_dish(app: App, name: str) -> Part:
    """Opens a dish as people do; gives its row."""
    dish = row(app, name)
    dish.link(re.compile("^Dish")).click()
    expect(dish.field("Name")).to_have_value(name)
    return dish


def answer(part: Part, allergen: str, said: str) -> None:
    """Chooses an answer; people press its label."""
    part.role("group", re.compile(f"^{allergen}")).get_by_text(said, exact=True).click()


def undo(app: App, saved: str) -> None:
    """The bar says what was saved; its button takes that back."""
    app.expect_status(saved)
    app.press("Undo")
    expect(app.role("status").filter(has_text="Saved:")).to_have_count(0)


# MARK: on a result


@every_look
def test_a_photo_is_read_as_something_else(app: App) -> None:
    photo = app.open_photo(MENU)
    menu = app.find("#kind summary")
    with unchanged(app, photo):
        menu.click()
        others = app.find("#kind").get_by_role("button").all_inner_texts()
        assert sorted(others) == ["Board", "Price tag", "Product", "Receipt"], others
        app.press("Receipt")
        app.expect_status("Saved: read as Receipt (Ada)")
        expect(menu).to_have_text("Read as: Receipt")
        assert outcome(app, photo)["domains"] == ["receipt"]
        undo(app, "read as Receipt")
        expect(menu).to_have_text("Read as: Menu")
        expect(app.role("article")).to_have_count(8)


@every_look
def test_a_dish_is_corrected(app: App) -> None:
    photo = app.open_photo(MENU)
    with unchanged(app, photo):
        dish = open_dish(app, "Grilled chicken")
        dish.fill("Name", "Grilled turkey")
        dish.fill("Price", "14,5")
        dish.find("summary").filter(has_text="Description and section").click()
        dish.fill("Section", "PUDDINGS")
        dish.press("Save")
        for saved in ("is called Grilled turkey", "price 14,5", "section PUDDINGS"):
            app.expect_status(saved)
        turkey = row(app, "Grilled turkey")
        expect(turkey.find(".price")).to_have_text("14.50")
        corrected = dishes(app, photo)["Grilled turkey"]
        assert (prices(corrected), corrected["section"]) == (["14.50"], "PUDDINGS"), corrected
        undo(app, "(Ada)")
        open_dish(app, "Grilled chicken")


def test_a_dish_is_corrected_by_keyboard(app: App) -> None:
    photo = app.open_photo(MENU)
    keyboard = app.page.keyboard
    with unchanged(app, photo):
        row(app, "Grilled chicken").link(re.compile("^Dish")).focus()
        keyboard.press("Enter")
        dish = row(app, "Grilled chicken")
        expect(dish.field("Price")).to_be_visible()
        tab_to(app, dish.field("Name"))
        keyboard.press("ControlOrMeta+A")
        keyboard.type("Grilled turkey")
        chosen = dish.role("group", re.compile("^Milk")).get_by_label("Contains")
        tab_to(app, chosen)
        keyboard.press("Space")
        expect(chosen).to_be_checked()
        keyboard.press("Enter")
        app.expect_status("is called Grilled turkey")
        app.expect_status("contains milk")
        tab_to(app, app.button("Undo"))
        keyboard.press("Enter")
        expect(row(app, "Grilled chicken").root).to_be_visible()


def tab_to(app: App, control: Locator) -> None:
    """Presses Tab until a control has the focus."""
    for _ in range(60):
        app.page.keyboard.press("Tab")
        if control.evaluate("(control) => control === document.activeElement"):
            return
    raise AssertionError(f"Tab does not reach {control}")


def draw(app: App, box: tuple[int, int, int, int]) -> None:
    """Draws a frame on the photo, with the mouse or a finger."""
    svg = app.find("#photo > svg")
    svg.evaluate(SCROLL, box[1])
    left, top, width, height = box
    start, middle, end = (svg.evaluate(POINT, [left + width * part, top + height * part]) for part in (0, 0.5, 1))
    if not app.look.is_phone:
        app.page.mouse.move(*start)
        app.page.mouse.down()
        app.page.mouse.move(*middle)
        app.page.mouse.move(*end)
        app.page.mouse.up()
        return
    with app.tools() as tools:
        for kind, point in (("touchStart", start), ("touchMove", middle), ("touchMove", end), ("touchEnd", None)):
            touches = [{"x": point[0], "y": point[1]}] if point else []
            tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


@every_look
def test_a_missing_dish_is_added(app: App) -> None:
    """Drawn on the photo; without script it has no place."""
    photo = app.open_photo(MENU)
    with unchanged(app, photo):
        app.find("summary").filter(has_text="A dish is missing here").click()
        missing = Part(app.find("#missing"))
        if app.look.has_script:
            missing.expect_text("Draw a frame around it on the photo.")
            draw(app, BELOW)
            expect(missing.field("Name"), "the name can be typed at once").to_be_focused()
        else:
            missing.expect_no_text("Draw a frame")
        missing.send("Add the dish", {"Name": "Walnut tart", "Price": "7.20", "Section": "MAINS"})
        app.expect_status("added")
        dish = row(app, "Walnut tart")
        assert band(dish) == "band-contains", "its name names walnuts"
        added = dishes(app, photo)["Walnut tart"]
        assert (prices(added), added["section"]) == (["7.20"], "MAINS"), added
        if app.look.has_script:
            drawn = [round(float(number)) for number in (*added["box"][0], *added["box"][2])]
            left, top, width, height = BELOW
            wanted = (left, top, left + width, top + height)
            assert all(abs(one - other) <= 6 for one, other in zip(drawn, wanted, strict=True)), drawn
        else:
            assert "box" not in added, added
        undo(app, "added")
        expect(row(app, "Walnut tart").root).to_have_count(0)


@every_look
def test_a_line_that_was_not_understood_becomes_a_dish(app: App) -> None:
    photo = app.open_photo(CARDS)
    lines = Part(app.find(".tapline form").first)
    count = app.find(".tapline form").count()
    with unchanged(app, photo):
        app.find("summary").filter(has_text=re.compile(r"\d lines? not understood")).click()
        expect(lines.field("What does this line say?"), "what was read of it").to_have_value(re.compile("."))
        lines.send("It is a dish", {"What does this line say?": "Hải sản 120.00"})
        app.expect_status("Saved: Hải sản: added (Ada)")
        expect(row(app, "Hải sản").find(".price")).to_have_text("120.00")
        expect(app.find(".tapline form"), "the line is understood").to_have_count(count - 1)
        undo(app, "added")
        expect(app.find(".tapline form")).to_have_count(count)


@every_look
def test_an_allergen_of_a_label_is_answered(app: App) -> None:
    photo = app.open_photo(LABEL)
    with unchanged(app, photo):
        app.follow("Answer for an allergen")
        said = Part(app.find("#said"))
        summary = said.find("summary")
        if not said.role("group", re.compile("^Sesame")).is_visible():
            summary.click()
        answer(said, "Sesame", "Contains")
        answer(said, "Milk", "Staff said no")
        said.press("Save", "contains sesame – Ada", "staff said: no milk – Ada")
        answers = app.find(".answer__p").filter(has_text="Ada")
        expect(answers.locator(".chip--contains"), "the print stays").to_contain_text("milk")
        statements = outcome(app, photo)["label"]["statements"]
        assert {one["allergen"] for one in statements} == {"sesame", "milk"}, statements
        undo(app, "contains sesame")
        app.expect_no_text("contains sesame – Ada")


# MARK: in review


def step(app: App, key: str, name: str | re.Pattern[str]) -> None:
    """Presses a key, or where there is none the button or link."""
    if app.look.has_script and not app.look.is_phone:
        app.page.wait_for_load_state()  # before that nothing listens to keys
        app.page.keyboard.press(key)
    else:
        app.button(name).or_(app.link(name)).first.click()


@every_look
def test_review_asks_one_question_after_the_other(app: App) -> None:
    """One photo, one question a screen; then the next photo; undo brings a question back."""
    photo, other = app.daemon.upload(MENU), app.daemon.upload(LABEL)
    question = app.role("heading").and_(app.find("#q"))
    with unchanged(app, photo), unchanged(app, other):
        app.open("/review", "The Crooked Billet", "Creamy Fish Pie", heading="Review")
        app.open(f"/photos/{photo}")
        app.follow("Correct", "Question 1 of")
        first = question.inner_text()
        count = int(re.findall(r"of (\d+) on this photo", app.text())[0])
        assert count > 2, app.text()
        expect(app.find("figure svg"), "the place on the photo").to_be_visible()
        step(app, "ArrowRight", "Next")
        app.expect_text("Question 2 of")
        step(app, "ArrowLeft", "Previous")
        expect(question).to_have_text(first)
        step(app, "y", re.compile("^Yes, it contains"))
        app.expect_status("(Ada)")
        app.expect_text(f"Question 2 of {count}")
        given = app.daemon.call("GET", f"/v1/reviews?id={photo}")
        assert [one["value"] for one in given] == ["CONTAINS"], given
        step(app, "u", "Undo")
        expect(question, "undo brings the question back").to_have_text(first)
        assert numbers(app, photo) == []
        for number in range(1, count + 1):
            app.expect_text(f"Question {number} of {count} on")
            key, name = ("n", "No, staff said so") if number % 2 else ("s", "Don’t know, keep")
            step(app, key, re.compile(f"^{name}"))
        app.leads_to(f"{count} of {count} answered", "Next photo", "Creamy Fish Pie", heading="This photo is done")
        given = app.daemon.call("GET", f"/v1/reviews?id={photo}")
        assert [one["value"] for one in given] == (["ABSENT", "UNKNOWN"] * count)[:count], given
        step(app, "u", "Undo")
        app.expect_text(f"Question {count} of {count}")
        app.follow("Next", heading="1 question is left")
        step(app, "Enter", re.compile("Next photo"))
        app.expect_text("Creamy Fish Pie", "Question 1 of")
        app.open("/review", "The Crooked Billet", "1 question", heading="Review")
        for number in numbers(app, photo):
            app.daemon.call("DELETE", f"/v1/reviews/{number}")


def test_a_question_leads_to_the_text_of_its_dish(app: App) -> None:
    photo = app.daemon.upload(MENU)
    app.open(f"/review?photo={photo}", "Question 1 of")
    name = re.findall("“(.+)”", app.find("#q").inner_text())[0]
    app.follow("Fix the text")
    expect(row(app, name).field("Name")).to_have_value(name)
