"""Checks of play: each game from the lobby to the end and on, with tables that a stand-in for the worker reads."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tablesight_tools import scripted_worker
from tablesight_tools.browser.app import DESK, SMALL, App, Figure
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.checks.test_games import laid
from tablesight_tools.browser.checks.test_play import child
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.paths import MODELS

Piece = dict[str, Any]
Table = list[Piece]

MARKS = {
    "X": {"type": "cross"}, "O": {"type": "nought"}, "Y": {"type": "disc", "colour": "yellow"},
    "R": {"type": "disc", "colour": "red"}, "d": {"type": "man", "colour": "dark"},
    "l": {"type": "man", "colour": "light"},
}  # fmt: skip
MEN = ".d.d.d.d d.d.d.d. .d.d.d.d ........ ........ l.l.l.l. .l.l.l.l l.l.l.l."
# A whole game: the squares of each man's way, dark squares from 0.
DRAUGHTS = (
    "8-13 21-16 9-14 16-9 6-13 23-19 10-15 19-10 1-6 10-1 2-6 1-10-17-8-1 4-8 "
    "22-18 11-15 18-11-2 3-7 2-11 0-5 1-6 5-9 6-13-4"
)
EMPTY = ["......."] * 6


def piece(number: int, x: float, y: float, **face: Any) -> Piece:
    corners = [[x - 10, y - 10], [x + 10, y - 10], [x + 10, y + 10], [x - 10, y + 10]]
    return {
        "id": number, "type": "tile", "x_mm": x, "y_mm": y, "angle_deg": 0, "fold": 1, "flipped": False, "vx": 0,
        "vy": 0, "va": 0, "state": "placed", "stable_ms": 0, "visible": 1, "confidence": 0.97, "residual_mm": 0.1,
        "polygon_mm": corners, "polygon_px": corners, **face,
    }  # fmt: skip


def row(step: float, faces: list[dict[str, Any]]) -> Table:
    """Pieces side by side."""
    return [piece(number, 30 + step * number, 60, **face) for number, face in enumerate(faces)]


def grid(rows: list[str]) -> Table:
    """A board with marks on its squares; `.` is empty."""
    marks = [(r, c, mark) for r, line in enumerate(rows) for c, mark in enumerate(line) if mark != "."]
    return [piece(r * 8 + c, 15 + 30 * c, 15 + 30 * r, cell={"r": r, "c": c}, **MARKS[mark]) for r, c, mark in marks]


def grids(*rows: str) -> list[Table]:
    return [grid(text.split()) for text in rows]


def draughts() -> list[Table]:
    """The tables of a whole game. A jump takes what it passes over."""
    men = [list(line) for line in MEN.split()]
    tables = [grid(MEN.split())]
    for way in DRAUGHTS.split():
        squares = [divmod(int(square), 4) for square in way.split("-")]
        places = [(r, 2 * c + 1 - r % 2) for r, c in squares]
        (r, c), *_ = places
        man, men[r][c] = men[r][c], "."
        for (r1, c1), (r2, c2) in itertools.pairwise(places):
            if abs(r1 - r2) == 2:
                men[(r1 + r2) // 2][(c1 + c2) // 2] = "."
        r, c = places[-1]
        men[r][c] = man
        tables.append(grid(["".join(line) for line in men]))
    return tables


def letters(*words: str) -> list[Table]:
    """Tables of words, where `/` separates rows."""
    return [
        [
            piece(8 * r + c, 30 + 31 * c, 60 + 31 * r, symbol=letter)
            for r, line in enumerate(word.split("/"))
            for c, letter in enumerate(line)
            if letter != "."
        ]
        for word in words
    ]


def shapes(*tiles: str) -> list[Table]:
    return [row(31, [dict(zip(("colour", "symbol"), tile.split(), strict=True)) for tile in line.split(",")])
            for line in tiles]  # fmt: skip


def dominoes(*chains: str) -> list[Table]:
    return [
        row(48, [{"type": "domino", "fold": 1, "values": [int(n) for n in stone]} for stone in chain.split()])
        for chain in chains
    ]


def answer(task: dict[str, Any], off: int) -> Table:
    """The tiles or dice that solve a task of numbers; with `off` those that miss it."""
    target, count = task["target"], task.get("pieces") or 2
    match task["kind"]:
        case "count":
            values = [target + off]
        case "add":
            rest = target - (count - 2)
            values = [1] * (count - 2) + [rest // 2, rest - rest // 2 + off]
        case "multiply":
            first = next(n for n in range(9, 0, -1) if target % n == 0 and target // n < 10)
            values = [first, target // first + off]
        case _:
            values = [target + task["step"] * n + off for n in range(count)]
    return row(40, [{"value": value} for value in values])


def numbers(game: str, difficulty: str) -> tuple[Table, list[Table]]:
    tasks = json.loads((MODELS / f"games/{game}.json").read_text())["tasks"][difficulty]
    return answer(tasks[1], 2), [answer(task, 0) for task in tasks]


def tangram(puzzle: str) -> tuple[Table, list[Table]]:
    puzzles = json.loads((MODELS / "puzzles/tangram.json").read_text())["puzzles"]
    targets = next(one for one in puzzles if one["id"] == puzzle)["pieces"]
    pieces = [piece(0, 0, 0) | laid(target, number, 20, 150, 110) for number, target in enumerate(targets, 1)]
    wrong = {**pieces[4], "x_mm": pieces[4]["x_mm"] + 14}
    return [*pieces[:4], wrong], [pieces[:4], pieces]


# A table that is wrong after the first one, and the tables to the end, at the level with which a player begins.
TABLES: dict[str, tuple[Table, list[Table]]] = {
    "tic-tac-toe": (
        grid(["OO.", "...", "..."]),
        grids("... ... ...", "X.. ... ...", "X.. O.. ...", "XX. O.. ...", "XX. OO. ...", "XXX OO. ..."),
    ),
    "connect-four": (
        grid([*EMPTY[:3], "R......", *EMPTY[:2]]),
        [grid([*EMPTY[: 6 - len(tower)], *tower]) for tower in (
            [], ["Y......"], ["YR....."], ["Y......", "YR....."], ["YR.....", "YR....."],
            ["Y......", "YR.....", "YR....."], ["YR.....", "YR.....", "YR....."],
            ["Y......", "YR.....", "YR.....", "YR....."])],
    ),
    "dominoes": (dominoes("12 23 45")[0], dominoes("12 23", "12 23 34", "12 23 34 45", "12 23 34 45 56")),
    "letters": (letters("CATX")[0], letters("CAT", "CATS", "CATS/...O")),
    "colour-shapes": (
        shapes("red star,red circle,red square,blue clover")[0],
        shapes("red star,red circle,red square", "red star,red circle,red square,red clover",
               "red star,red circle,red square,red clover,red diamond"),
    ),
}  # fmt: skip


@pytest.fixture
def daemon(program: Path, home: Callable[[str], Path]) -> Iterator[Daemon]:
    """A daemon with a stand-in for the worker, which reads the tables that the checks lay."""
    found = Daemon(program, home=home("people"))
    found.environment = {"TABLESIGHT_WORKER": scripted_worker.wrapper(found.place)}
    with found:
        yield found


def tables(app: App, play: str) -> tuple[Table, list[Table]]:
    """A wrong table and the tables to the end of a play."""
    known = app.daemon.call("GET", f"/v1/plays/{play}")
    game = known["game"]
    if game == "tangram":
        return tangram(known["puzzle"])
    if game == "draughts":
        men = draughts()
        return grid([MEN.split()[3], *MEN.split()[1:]]), men
    return TABLES.get(game) or numbers(game, known["difficulty"])


def lay(app: App, play: str, table: Table) -> None:
    """A photo of the table, as another device sends it: the open page follows by its stream."""
    board = {"w_mm": 400, "h_mm": 300, "located": "fixed", "H": [1, 0, 0, 0, 1, 0, 0, 0, 1], "reproj_px": 0.1}
    frame = {
        "v": 1, "kind": "frame", "session": "photo", "seq": 0, "t_ns": 0, "board": board, "set": "any@1",
        "pieces": table, "events": [], "timing_ms": {},
    }  # fmt: skip
    image = {"format": "png", "width": 8, "height": 8, "orientation": 1}
    answer = {"image": image, "readings": {"pieces": frame}}
    photo = {"name": "table.png", "mimeType": "image/png", "buffer": scripted_worker.scripted(answer=answer)}
    sent = app.context.request.post(
        f"{app.origin}/play/{play}/photo", multipart={"photo": photo}, headers={"Origin": app.origin}, max_redirects=0
    )
    assert sent.status == 303, f"{sent.status} {sent.text()[:300]}"


def tap(app: App, button: Any) -> None:
    button.tap() if app.look.is_phone else button.click()


def number(app: App) -> str:
    app.expect_page("play")
    return app.page.url.rsplit("/", 1)[1]


def one_game(app: App, game: str, lobby: str) -> None:
    app.open(lobby + "&level=1", heading="Games")
    tap(app, app.find(f"form:has(input[name=game][value={game}]) button").first)
    play = number(app)
    wrong, steps = tables(app, play)
    lay(app, play, steps[0])
    said = app.find(".kidsay")
    app.expect_text(seen(len(steps[0])))
    before = said.inner_text()
    tap(app, app.button("Hint"))
    expect(said, "a hint").not_to_have_text(before)
    app.expect_no_text("gives no help")
    lay(app, play, wrong)
    expect(said).to_have_text("Almost! Try again.")
    tap(app, app.button("Reset"))
    expect(said).not_to_have_text("Almost! Try again.")
    for table in steps:
        lay(app, play, table)
    app.expect_text("You built it: ", re.compile(r"\+[1-9][0-9]* points"))
    assert not access.scrolls_sideways(app), "a play is wider than its window"
    if game == "tic-tac-toe":
        access.expect_no_violations(app, "the end of a game")
    tap(app, app.button("Next"))
    app.page.wait_for_url(lambda address: not address.endswith(f"/play/{play}"))
    play = number(app)
    expect(app.find(".party")).to_have_count(0)
    lay(app, play, [])
    _, steps = tables(app, play)
    for table in steps[: min(2, len(steps) - 1)]:
        lay(app, play, table)
    app.expect_text(seen(len(table)))
    # The newest answer may still be on its way to the page.
    app.page.reload()
    parts = ("[data-live=arena]", "[data-live=progress]")
    left = [app.find(part).inner_html() for part in parts]
    tap(app, app.button("Stop"))
    app.leads_to(heading="Games")
    tap(app, app.link("Go on"))
    assert number(app) == play, "the play that was left goes on"
    assert [app.find(part).inner_html() for part in parts] == left, "a play goes on as it was left"


def seen(count: int) -> str:
    """What the page says of this number of pieces."""
    return f"The camera sees {count or 'no'} {'piece' if count == 1 else 'pieces'}."


@pytest.mark.looks(SMALL, DESK)
def test_every_game_is_played_and_goes_on(app: App, figure: Figure) -> None:
    """Starts each game by a tap, helps, says what is wrong, celebrates, begins the next, and goes on with it."""
    lobby = child(app)
    games = [game["id"] for game in app.daemon.call("GET", "/v1/games")]
    assert len(games) == 12, "a list of words is missing"
    for game in games:
        try:
            one_game(app, game, lobby)
        except Exception as error:
            raise AssertionError(f"{game}: {error}") from error
    figure(f"{len(games)} games, {app.look.name}")
