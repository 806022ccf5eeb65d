"""Checks of the board page: pieces arrive live, help by form, the report."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
import sys
import time
from typing import Any

from tablesight_tools.browser.app import App
from tablesight_tools.paths import REPOSITORY

BOARDS = REPOSITORY / "samples/boards"
GAME = REPOSITORY / "samples/games/browser"


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


class BrowserGame:
    """The game of samples/games/browser, with frames that the check writes; use it in a with statement."""

    def __enter__(self) -> BrowserGame:
        command = [sys.executable, str(GAME / "serve.py"), "--port", "0"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.seq = 0
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait(10)

    def send(self, pieces: list[dict[str, Any]]) -> None:
        self.seq += 1
        board = {"w_mm": 320, "h_mm": 220}
        frame = {"v": 1, "kind": "frame", "seq": self.seq, "board": board, "pieces": pieces, "events": []}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(frame) + "\n")
        self.process.stdin.flush()


def laid(target: dict[str, Any], number: int, degrees: float, x: float, y: float, **more: Any) -> dict[str, Any]:
    """A resting piece on its target, after a rotation of the whole figure and a shift."""
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    fold = {"square": 4, "parallelogram": 2}.get(target["type"], 1)
    at = (cos * target["x_mm"] - sin * target["y_mm"] + x, sin * target["x_mm"] + cos * target["y_mm"] + y)
    corners = [[at[0], at[1] - 9], [at[0] + 9, at[1]], [at[0], at[1] + 9]]
    piece = {
        "id": number, "type": target["type"], "colour": "blue", "flipped": target["flipped"], "fold": fold,
        "x_mm": at[0], "y_mm": at[1], "angle_deg": (target["angle_deg"] + degrees) % (360 / fold), "state": "placed",
        "stable_ms": 900, "confidence": 0.97, "polygon_mm": corners,
    }  # fmt: skip
    return {**piece, **more}


def a_game_in_the_browser_plays_from_the_stream(app: App) -> None:
    """All figures are laid piece by piece, at rotations and places that chance gives."""
    puzzles = json.loads((REPOSITORY / "models/puzzles/tangram.json").read_text())["puzzles"]
    chance = random.Random(23)
    with BrowserGame() as game:
        status = lambda: app.browser.text("#status")  # noqa: E731
        for puzzle in puzzles:
            app.browser.open(f"{game.address}?puzzle={puzzle['id']}")
            app.browser.wait(lambda puzzle=puzzle: len(app.browser.all("option")) == len(puzzles), "the figures", 10)
            where = (chance.uniform(0, 360), chance.uniform(120, 200), chance.uniform(90, 130))
            order = list(enumerate(puzzle["pieces"], 1))
            chance.shuffle(order)
            pieces = [laid(target, number, *where) for number, target in order]
            # One piece alone fits everywhere and counts for nothing; half of them count.
            for count, said in ((1, "0 of 7"), (4, "4 of 7")):
                game.send(pieces[:count])
                app.browser.wait(lambda said=said: said in status(), f"{puzzle['id']}: {said}", 10)
            # Too far off, and at another angle: nothing more counts. A piece in motion decides nothing.
            wrong = {**pieces[4], "x_mm": pieces[4]["x_mm"] + 12}
            aslant = {**pieces[5], "angle_deg": pieces[5]["angle_deg"] + 20}
            game.send([*pieces[:4], wrong, aslant])
            game.send([*pieces[:6], {**pieces[6], "state": "moving"}])
            seen = int(app.browser.run("return Number(document.body.dataset.frames)"))
            game.send([*pieces[:6], {**pieces[6], "state": "occluded"}])
            shown = f"return Number(document.body.dataset.frames) > {seen}"
            app.browser.wait(lambda shown=shown: bool(app.browser.run(shown)), "the frames", 10)
            assert "4 of 7" in status(), f"{puzzle['id']}: {status()}"
            game.send(pieces)
            app.browser.wait(lambda: "complete" in status(), f"{puzzle['id']} is complete: {status()}", 10)
            assert app.browser.text("#score") == "120", "ten points a piece, fifty for the figure"
            assert len(app.browser.all("#table .tick")) == 7
        print(f"  {len(puzzles)} figures laid", file=sys.stderr)
