"""Pictures of the app's pages for docs/pictures: phone and desk, light and dark.

The pages show the samples, three invented people, their diaries, and lists and prices of the sample data.
"""

from __future__ import annotations

import argparse
import base64
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import expect

from tablesight_tools.browser.app import App, Look, chromium
from tablesight_tools.browser.checks.homes import RECEIPT
from tablesight_tools.browser.checks.test_play import CHILD, child
from tablesight_tools.browser.daemon import READING, SAMPLES, Daemon, wait_until
from tablesight_tools.browser.invented import FOODS, PIE, Member, diaries
from tablesight_tools.paths import REPOSITORY

PHOTOS = {
    "menu": "menus/pub-english.jpg",
    "menu-de": "menus/gasthaus-deutsch.jpg",
    "product": "labels/fish-pie.jpg",
    "board": "boards/coloured-house.jpg",
    "unreadable": "bad/blank.jpg",
}
DIARY_PAGES = {
    "today-empty": "/today", "today": "/today", "today-complete": "/today", "add": "/today/add?q=oats",
    "week": "/week", "goal": "/goal",
}  # fmt: skip
# Pictures of a table until its pieces have been at rest for long enough.
FRAMES = 8
# Who uses the browser, where it is not Ada.
PEOPLE = {"today-empty": "Cleo", "today": "Ben"}
SHOP_PAGES = {
    "list": "/list", "compare": "/compare?list=3", "goods": "/goods", "item": "/goods/1", "prices": "/prices",
    "feed": "/feed", "me": "/me",
}  # fmt: skip
LOOKS = [
    Look(f"{width}{'-dark' if is_dark else ''}", width, height, is_dark=is_dark)
    for is_dark in (False, True)
    for width, height in ((1280, 800), (390, 844))
]
DECODED = """() => Promise.all([...document.images].filter((image) => image.loading !== "lazy")
  .map((image) => image.decode().catch(() => {})))"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "docs/pictures")
    parser.add_argument("--only", default="", help="pattern of the names of wanted pictures, such as app-board")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with chromium() as browser, Daemon(options.program.resolve(), foods=FOODS) as daemon:
        daemon.store_people()
        photos = {
            name: daemon.upload(SAMPLES / photo)
            for name, photo in PHOTOS.items()
            if re.search(options.only, f"app-result-{name}-")
        }
        board = play(daemon)
        daemon.call("POST", "/v1/devices/codes")
        pages = {"scan": "/", "history": "/history", "review": "/review", "people": "/people?name=Ada"}
        pages |= {"health": "/health", **{f"result-{name}": f"/photos/{id}" for name, id in photos.items()}}
        diaries(daemon)
        invented_lists(daemon)
        pages |= DIARY_PAGES | SHOP_PAGES
        pages |= {"games": "/games", "board": board, "report": f"{board}/report", "phones": "/devices"}
        pages["play"] = child_play(daemon)
        for look in LOOKS:
            app = App(browser.new_context, daemon, look)
            app.sign_in()
            pages["week-of-play"] = child(app, CHILD).replace("/games", "/games/report")
            for name, page in pages.items():
                file = options.out / f"app-{name}-{look.name}.webp"
                app.use(PEOPLE.get(name, "Ada"))
                if re.search(options.only, file.name):
                    take(app, name, page, file)
            app.context.close()
    return 0


def take(app: App, name: str, page: str, file: Path) -> None:
    """Writes the visible part of a page as WebP, a quarter of a PNG."""
    app.open(page)
    if name == "phones":
        app.press("New code")
        expect(app.find(".code")).to_be_visible()
    app.page.evaluate(DECODED)
    with app.tools() as tools:
        shot = tools.send("Page.captureScreenshot", {"format": "webp", "quality": 80})
    file.write_bytes(base64.b64decode(shot["data"]))


def play(daemon: Daemon) -> str:
    """Puts photos of a tangram on the board; gives the address of its page."""
    page = ""
    for number, name in enumerate(("coloured-scattered", "coloured-boat-begun", "coloured-house"), 1):
        daemon.drop(SAMPLES / f"boards/{name}.jpg", "table")
        page = daemon.board(number)
    daemon.call("POST", page.replace("/games/tangram/", "/v1/games/tangram/sessions/") + "/hint")
    return page


def child_play(daemon: Daemon) -> str:
    """A house that a child laid, and a boat that the child begins; gives the address of its page."""
    daemon.call("PUT", f"/v1/people/{CHILD}", {"allergens": {}, "role": "child"})
    page = ""
    for figure, photo in (("house", "coloured-house"), ("boat", "coloured-boat-begun")):
        play = daemon.call("POST", "/v1/plays", {"game": "tangram", "puzzle": figure}, member=CHILD)["play"]
        picture = (SAMPLES / f"boards/{photo}.jpg").read_bytes()
        frames = f"/v1/plays/{play}/frames"
        for _ in range(FRAMES):
            daemon.bytes(frames, method="POST", body=picture, kind="image/jpeg", member=CHILD)
        page = f"/play/{play}"
    return page


def invented_lists(daemon: Daemon) -> None:
    """Ada's lists and prices: the sample data, some of it changed for the pictures."""
    command = [daemon.program, "sample-data", "--database", daemon.results / "tablesight.sqlite", "--person", "Ada"]
    subprocess.run(command, check=True, cwd=REPOSITORY, capture_output=True)
    ada = Member(daemon, "Ada")
    number = ada.call("GET", "/v1/lists")[0]["id"]
    entries = ada.call("GET", f"/v1/items?list={number}")
    for entry in entries[:2]:
        ada.call("PATCH", f"/v1/items/{entry['id']}", {"isCompleted": True})
    ada.call("PATCH", f"/v1/items/{entries[2]['id']}", {"isFavorite": True, "quantity": 2000})
    other = ada.make_list("Last month")
    for days_ago in (21, 14, 7):
        ada.buy(other, ("Rusks", "Fig jam"), days_ago)
    weekend = ada.make_list("Weekend")  # what the shops of the sample data know
    for code in [entry["gtin"] for entry in entries if "gtin" in entry][:7]:
        ada.add(weekend, gtin=code)
    place = ada.call("GET", "/v1/places")[0]["id"]
    for wanted in ({"name": "Rusks"}, {"gtin": PIE}, {"gtin": "9520100001024"}):
        added = ada.add(number, **wanted)
        ada.call("POST", f"/v1/items/{added['id']}/move", {"after": None})
        ada.price(added["product"], place, "2.79", "EUR")
    daemon.drop(RECEIPT)
    wait_until(lambda: bool(ada.call("GET", "/v1/prices/reviews")), "prices of the receipt", READING)


if __name__ == "__main__":
    sys.exit(main())
