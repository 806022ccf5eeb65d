"""Pictures of the app's pages for docs/pictures: phone and desk, light and dark.

The pages show the samples and three invented people.
"""

from __future__ import annotations

import argparse
import re
import shutil
import time
from pathlib import Path

from tablesight_tools.browser import diary_data, shop
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.driver import Browser
from tablesight_tools.paths import REPOSITORY

PHOTOS = {
    "menu": "menus/pub-english.jpg",
    "menu-de": "menus/gasthaus-deutsch.jpg",
    "product": "labels/fish-pie.jpg",
    "board": "boards/coloured-house.jpg",
    "unreadable": "bad/blank.jpg",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "docs/pictures")
    parser.add_argument("--only", help="pattern of the names of wanted pictures, such as app-board")
    options = parser.parse_args()
    with Daemon(options.program.resolve(), foods=diary_data.FOODS) as daemon:
        daemon.household()
        ids = {
            name: daemon.upload(REPOSITORY / "samples" / photo)
            for name, photo in PHOTOS.items()
            if not options.only or re.search(options.only, f"app-result-{name}-")
        }
        board = play(daemon)
        daemon.call("POST", "/v1/devices/codes")
        pages = {"scan": "/", "history": "/history", "review": "/review", "people": "/people?name=Ada"}
        pages |= {"health": "/health", **{f"result-{name}": f"/photos/{id}" for name, id in ids.items()}}
        diaries = diary_data.invented(daemon)
        pages |= diary_data.PICTURES
        session = shop.invented(daemon)
        pages |= shop.PICTURES
        pages |= {"games": "/games", "board": board, "report": board + "/report", "phones": "/devices"}
        for width, height, dark in ((1280, 800, False), (390, 844, False), (1280, 800, True), (390, 844, True)):
            with Browser(width, height, dark=dark) as browser:
                # The window of a desk has a title bar; the page gets the whole size.
                size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
                browser.tools("Emulation.setDeviceMetricsOverride", size)
                browser.open(f"{daemon.address}/?token={daemon.token}")
                for name, page in pages.items():
                    file = options.out / f"app-{name}-{width}{'-dark' if dark else ''}.webp"
                    if options.only and not re.search(options.only, file.name):
                        continue
                    if name in diary_data.PICTURES:
                        diary_data.show(browser, daemon, diaries[name])
                    if name in shop.PICTURES:
                        shop.keep(browser, session)
                    browser.open(daemon.address + page)
                    if name == "phones":
                        browser.one("form[action='/devices/code'] button").click()
                        browser.wait(lambda browser=browser: bool(browser.all(".code")), "the code", 10)
                    browser.run(
                        "return Promise.all([...document.images].filter((image) => image.loading !== 'lazy')"
                        ".map((image) => image.decode().catch(() => {})))"
                    )
                    browser.picture(file)


def play(daemon: Daemon) -> str:
    """Puts photos of a tangram on the board; gives the address of its page."""
    sessions: list[dict[str, str]] = []
    for number, name in enumerate(("coloured-scattered", "coloured-boat-begun", "coloured-house"), 1):
        shutil.copy(REPOSITORY / f"samples/boards/{name}.jpg", daemon.table / f"{number}.jpg")
        for _ in range(600):
            sessions = daemon.call("GET", "/v1/games/tangram/sessions")
            if sessions and int(sessions[0]["frames"]) >= number:
                break
            time.sleep(0.1)
    page = f"/games/tangram/{sessions[0]['id']}"
    daemon.call("POST", page.replace("/games/tangram/", "/v1/games/tangram/sessions/") + "/hint")
    return page


if __name__ == "__main__":
    main()
