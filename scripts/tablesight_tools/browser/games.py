"""Checks of the board page: pieces arrive live, help by form, the report."""

from __future__ import annotations

import json
import shutil
import time

from tablesight_tools.browser.app import App
from tablesight_tools.paths import REPOSITORY

BOARDS = REPOSITORY / "samples/boards"


def session_of(app: App) -> str:
    """The address of the board's page, after its first photo was read."""
    for _ in range(600):
        sessions = app.daemon.call("GET", "/v1/games/tangram/sessions")
        if sessions:
            return f"/games/tangram/{sessions[0]['id']}"
        time.sleep(0.1)
    raise AssertionError("no session of the board")


def a_board_shows_pieces_live(app: App) -> None:
    assert not app.daemon.call("GET", "/v1/games/tangram/sessions")
    shutil.copy(BOARDS / "coloured-scattered.jpg", app.daemon.table / "1.jpg")
    page = session_of(app)
    app.open("/games")
    assert app.browser.all(f"a[href='{page}']"), "the lobby leads to the board"
    assert len(app.browser.all(".game")) >= 10
    app.browser.one(f"a[href='{page}']").click()
    app.browser.wait(lambda: bool(app.browser.all("#live:not([hidden])")), "the live stream", 15)
    before = app.browser.one("[data-live=photo] image").attribute("href")
    assert len(app.browser.all(".ov--piece")) >= 5, "pieces are drawn over the photo"
    rows = len(app.browser.all("[data-live=pieces] tbody tr"))
    assert rows == len(app.browser.all(".ovdot")), "each piece of the table has a dot"
    shutil.copy(BOARDS / "coloured-boat-begun.jpg", app.daemon.table / "2.jpg")
    app.browser.wait(
        lambda: app.browser.one("[data-live=photo] image").attribute("href") != before, "the next photo, live", 60
    )
    assert "2 photos" in app.browser.text("[data-live=frames]")
    assert app.browser.text("[data-live=events]"), "what happened"


def a_hint_and_the_report(app: App) -> None:
    page = session_of(app)
    app.open(page)
    app.browser.run("document.querySelector('form[action$=hint] button').focus()")
    app.browser.press("enter")
    lines = f"/v1{page.replace('/tangram/', '/tangram/sessions/')}"
    app.browser.wait(lambda: "hint" in app.browser.text("[data-live=events]").lower(), "the hint among the events", 15)
    app.open(page + "/report")
    assert "Parent report" in app.browser.text("h1")
    assert len(app.browser.all(".stat")) == 4
    answer = app.daemon.call("POST", lines + "/reset")
    assert json.loads(json.dumps(answer))["report"]["outcome"]["reason"] == "reset"
