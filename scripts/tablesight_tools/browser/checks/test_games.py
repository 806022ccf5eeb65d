"""Checks of the board page, where pieces arrive live, and of a game that reads the stream of pieces."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from typing import Any

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import App, Figure
from tablesight_tools.browser.checks.homes import BEGUN, SCATTERED
from tablesight_tools.browser.daemon import READING, SAMPLES
from tablesight_tools.paths import MODELS


def test_a_board_shows_pieces_live(app: App) -> None:
    assert not app.daemon.call("GET", "/v1/games/tangram/sessions")
    app.daemon.drop(SCATTERED, "table")
    page = app.daemon.board()
    app.open("/games")
    assert app.find("form:has(input[name=game])").count() >= 10
    app.find(f"a[href='{page}']").click()
    expect(app.find("#live")).to_be_visible()
    photo = app.find("[data-live=photo] image")
    before = photo.get_attribute("href") or ""
    assert app.find(".ov--piece").count() >= 5, "pieces are drawn over the photo"
    expect(app.find("[data-live=pieces] tbody tr"), "each piece has a dot").to_have_count(app.find(".ovdot").count())
    app.daemon.drop(BEGUN, "table")
    expect(photo, "the next photo, live").not_to_have_attribute("href", before, timeout=READING * 1000)
    expect(app.find("[data-live=frames]")).to_have_text("2 photos")
    expect(app.find("[data-live=events]"), "what happened").not_to_be_empty()


@pytest.mark.home("read")
def test_a_hint_and_the_report(app: App) -> None:
    app.daemon.drop(SCATTERED, "table")
    page = app.daemon.board()
    app.open(page)
    app.button("Hint").press("Enter")
    expect(app.find("[data-live=events]")).to_contain_text("Hint", ignore_case=True)
    app.open(page + "/report", heading="Parent report")
    expect(app.find(".stat")).to_have_count(4)
    answer = app.daemon.call("POST", f"/v1{page.replace('/tangram/', '/tangram/sessions/')}/reset")
    assert answer["report"]["outcome"]["reason"] == "reset"


class BrowserGame:
    """The game of samples/games/browser, with frames that the check writes; use it in a with statement."""

    def __enter__(self) -> BrowserGame:
        command = [sys.executable, str(SAMPLES / "games/browser/serve.py"), "--port", "0"]
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


def laid(target: dict[str, Any], number: int, degrees: float, x: float, y: float) -> dict[str, Any]:
    """A resting piece on its target, after a rotation of the whole figure and a shift."""
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    fold = {"square": 4, "parallelogram": 2}.get(target["type"], 1)
    at = (cos * target["x_mm"] - sin * target["y_mm"] + x, sin * target["x_mm"] + cos * target["y_mm"] + y)
    corners = [[at[0], at[1] - 9], [at[0] + 9, at[1]], [at[0], at[1] + 9]]
    return {
        "id": number, "type": target["type"], "colour": "blue", "flipped": target["flipped"], "fold": fold,
        "x_mm": at[0], "y_mm": at[1], "angle_deg": (target["angle_deg"] + degrees) % (360 / fold), "state": "placed",
        "stable_ms": 900, "confidence": 0.97, "polygon_mm": corners,
    }  # fmt: skip


def test_a_game_in_the_browser_plays_from_the_stream(app: App, figure: Figure) -> None:
    """All figures are laid piece by piece, at rotations and places that chance gives."""
    puzzles = json.loads((MODELS / "puzzles/tangram.json").read_text())["puzzles"]
    chance = random.Random(23)
    with BrowserGame() as game:
        status = app.role("status")
        for puzzle in puzzles:
            name = puzzle["id"]
            app.page.goto(f"{game.address}?puzzle={name}")
            expect(app.find("option")).to_have_count(len(puzzles))
            where = (chance.uniform(0, 360), chance.uniform(120, 200), chance.uniform(90, 130))
            order = list(enumerate(puzzle["pieces"], 1))
            chance.shuffle(order)
            pieces = [laid(target, number, *where) for number, target in order]
            # One piece alone fits everywhere and counts for nothing; half of them count.
            for count, said in ((1, "0 of 7"), (4, "4 of 7")):
                game.send(pieces[:count])
                expect(status, name).to_contain_text(said)
            # Too far off, and at another angle: nothing more counts. A piece in motion decides nothing.
            wrong = {**pieces[4], "x_mm": pieces[4]["x_mm"] + 12}
            tilted = {**pieces[5], "angle_deg": pieces[5]["angle_deg"] + 20}
            game.send([*pieces[:4], wrong, tilted])
            game.send([*pieces[:6], {**pieces[6], "state": "moving"}])
            seen = app.page.evaluate("Number(document.body.dataset.frames)")
            game.send([*pieces[:6], {**pieces[6], "state": "occluded"}])
            app.page.wait_for_function("(seen) => Number(document.body.dataset.frames) > seen", arg=seen)
            expect(status, name).to_contain_text("4 of 7")
            game.send(pieces)
            expect(status, name).to_contain_text("complete")
            expect(app.find("#score"), "ten points a piece, fifty for the figure").to_have_text("120")
            expect(app.find("#table .tick")).to_have_count(7)
    figure(f"{len(puzzles)} figures laid")
