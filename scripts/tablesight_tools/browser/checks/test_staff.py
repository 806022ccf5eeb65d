"""Checks of the card for staff, and of lines that are joined and split; each of them undone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import App
from tablesight_tools.browser.checks.homes import MENU
from tablesight_tools.browser.checks.test_corrections import dishes, every_look, numbers, open_dish, unchanged, undo

pytestmark = pytest.mark.home("read")


@every_look
def test_staff_answer_on_the_card(app: App) -> None:
    photo = app.open_photo(MENU)
    with unchanged(app, photo):
        app.find("#leads").get_by_role("link").first.click()
        app.expect_page("staff")
        rows = app.find(".ans")
        expect(rows.first).to_be_visible()
        # The key Enter in the field of the name answers nothing.
        app.page.get_by_label("Who answers").fill("Wayan")
        app.page.get_by_label("Who answers").press("Enter")
        expect(app.page.get_by_label("Who answers")).to_have_value("Wayan")
        assert not numbers(app, photo)
        for said in ("Not in it", "Can leave out"):
            button = rows.first.get_by_role("button", name=said, exact=True)
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            expect(rows.first).to_contain_text("(Wayan)")
            assert numbers(app, photo)
            undo(app, "(Ada)")
            expect(button).to_have_attribute("aria-pressed", "false")
            expect(app.page.get_by_label("Who answers")).to_have_value("Wayan")


@every_look
def test_lines_are_joined_and_split(app: App) -> None:
    photo = app.open_photo(MENU)
    with unchanged(app, photo):
        dish = open_dish(app, "Grilled chicken")
        names = dishes(app, photo)
        dish.press(re.compile("^Describes “"))
        app.expect_status("is no dish")
        assert len(dishes(app, photo)) == len(names) - 1
        undo(app, "is no dish")
        dish = open_dish(app, "Grilled chicken")
        dish.press(re.compile("is a dish of its own$"))
        assert len(dishes(app, photo)) == len(names) + 1
        undo(app, "Grilled chicken")
