"""Checks of review, and of corrections from two phones, from the API and from the command; each of them undone."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import PHONE, WAIT, App
from tablesight_tools.browser.checks.homes import LABEL, MENU
from tablesight_tools.browser.checks.test_corrections import (
    answer,
    dishes,
    every_look,
    numbers,
    open_dish,
    prices,
    row,
    unchanged,
    undo,
)
from tablesight_tools.browser.daemon import wait_until
from tablesight_tools.paths import REPOSITORY

pytestmark = pytest.mark.home("read")


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


# MARK: several people, and other doors


def test_two_phones_correct_at_the_same_time(app: App) -> None:
    photo = app.daemon.upload(MENU)
    ada, ben = (app.another(PHONE, name) for name in ("Ada", "Ben"))
    with unchanged(app, photo):
        rows = []
        for phone in (ada, ben):
            phone.open(f"/photos/{photo}")
            rows.append(open_dish(phone, "Grilled chicken"))
        rows[0].send("Save", {"Name": "Grilled turkey"})
        ada.expect_status("Saved: Grilled chicken: is called Grilled turkey (Ada)")
        rows[1].send("Save", {"Price": "15.10"})
        ben.expect_status("price 15.10 (Ben)")
        assert prices(dishes(app, photo)["Grilled turkey"]) == ["15.10"], "neither took back what the other said"
        rows = []
        for phone in (ada, ben):
            phone.open(f"/photos/{photo}")
            rows.append(open_dish(phone, "Grilled turkey"))
        for one, said in zip(rows, ("Staff said no", "Contains"), strict=True):
            answer(one, "Milk", said)
            one.press("Save")
        row(ben, "Grilled turkey").expect_text(re.compile("Contains milk"))
        ada.open(f"/photos/{photo}")
        row(ada, "Grilled turkey").expect_text(re.compile("Contains milk"))
        undo(ben, "contains milk (Ben)")
        row(ben, "Grilled turkey").expect_text("Staff said: no milk")
        ben.expect_no_text("Contains milk for")
        assert milk(app, photo) == ("NOT_FOUND_IN_TEXT", "Ada"), "Ada's answer counts again"
        # Each may take back only what they said themselves; the daemon's own key takes back all.
        for number in numbers(app, photo):
            app.daemon.call("DELETE", f"/v1/reviews/{number}")
        ada.open(f"/photos/{photo}")
        expect(row(ada, "Grilled chicken").find(".price")).to_have_text("13.60")


def milk(app: App, photo: str) -> tuple[str, str]:
    verdict = dishes(app, photo)["Grilled turkey"]["verdicts"]["Ada"]["milk"]
    return verdict["verdict"], verdict["by"]


class Events:
    """The daemon's stream of events, from now on."""

    def __init__(self, app: App) -> None:
        self.stream = app.daemon.open("/v1/events", WAIT)

    def expect_changed(self, photo: str) -> None:
        """An event says that the photo's verdicts have changed."""
        kind, end = "", time.monotonic() + WAIT
        # The stream sends comments, so that no silence is longer than its heartbeat.
        while time.monotonic() < end:
            name, _, value = self.stream.readline().decode().strip().partition(": ")
            kind = value if name == "event" else kind
            if name == "data" and kind == "verdictChanged" and json.loads(value)["data"]["id"] == photo:
                return
        raise AssertionError("no verdictChanged came")


@dataclass(frozen=True)
class Said:
    """What a person says by the API or by command, and what the sidecar then has."""

    item: str
    action: str
    value: str
    written: str
    allergen: str = ""


SAID = (
    Said("Mushroom risotto", "rename", "Truffle risotto", '"name":"Truffle risotto"'),
    Said("Fruit salad", "price", "6.66", '"amount":"6.66"'),
    Said("Fruit salad", "section", "FRUIT", '"title":"FRUIT"'),
    Said("Prawn cocktail", "describe", "with a lovage foam", '"description":"with a lovage foam"'),
    Said("Smoked salmon", "notADish", "", '"notDishes":[{'),
    Said("Lentil soup", "addDish", "4.44", '"name":"Lentil soup"'),
    Said("Tomato soup", "edit", "ABSENT", '"allergen":"milk","at":', allergen="milk"),
)


def test_what_the_api_says_is_seen_everywhere(app: App) -> None:
    photo = app.daemon.upload(MENU)

    def add(said: Said) -> None:
        body = {key: value for key, value in vars(said).items() if value and key != "written"}
        app.daemon.call("POST", "/v1/reviews", {"id": photo, **body}, member="Ada")

    def take_back() -> None:
        for number in reversed(numbers(app, photo)):
            app.daemon.call("DELETE", f"/v1/reviews/{number}")

    with unchanged(app, photo), said_elsewhere(app, photo, SAID, add, take_back):
        row(app, "Truffle risotto").expect_text("12.40")
        row(app, "Prawn cocktail").expect_text("with a lovage foam")
        row(app, "Lentil soup").expect_text("4.44")
        row(app, "Tomato soup").expect_text("Staff said: no milk")
        expect(app.find("#notdishes")).to_contain_text("Smoked salmon")
        salad = open_dish(app, "Fruit salad")
        expect(salad.field("Price")).to_have_value("6.66")
        expect(salad.find("[name=section]")).to_have_value("FRUIT")


def test_what_a_command_says_is_seen_everywhere(app: App) -> None:
    photo = app.daemon.upload(MENU)
    # Each command starts a program, which takes a second.
    every = [said for said in SAID if said.action in ("rename", "edit")]

    def review(*words: str) -> list[Any]:
        command = [app.daemon.program, "review", *words, "--database", app.daemon.results / "tablesight.sqlite"]
        done = subprocess.run(
            command, check=True, cwd=REPOSITORY, env=app.daemon.variables, capture_output=True, text=True
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    def add(said: Said) -> None:
        allergen = ("--allergen", said.allergen) if said.allergen else ()
        words = ("--item", said.item, "--action", said.action, "--value", said.value, "--by", "Ada", *allergen)
        review("add", photo, *words)

    def take_back() -> None:
        listed = review("list", photo)
        assert [one["action"] for one in listed] == [said.action for said in every], listed
        review("undo", *[str(one["number"]) for one in reversed(listed)])

    with unchanged(app, photo), said_elsewhere(app, photo, every, add, take_back):
        row(app, "Truffle risotto").expect_text("12.40")
        row(app, "Tomato soup").expect_text("Staff said: no milk")


@contextmanager
def said_elsewhere(
    app: App, photo: str, every: Sequence[Said], add: Callable[[Said], None], take_back: Callable[[], None]
) -> Iterator[None]:
    """What is said reaches the sidecar, the stream of events and an open page; inside, the page shows it."""
    app.open_live(f"/photos/{photo}")
    events = Events(app)
    for said in every:
        add(said)
    wait_until(lambda: bool(app.daemon.sidecars(photo, *(said.written for said in every))), "all in the sidecar")
    for _ in every:
        events.expect_changed(photo)
    app.expect_status("The verdicts on this page have changed.")
    app.follow("Show them")
    yield
    take_back()
    for _ in every:
        events.expect_changed(photo)
    left = [said for said in every if app.daemon.sidecars(photo, said.written)]
    wait_until(lambda: not any(app.daemon.sidecars(photo, said.written) for said in left), "nothing in the sidecar")
    events.stream.close()
