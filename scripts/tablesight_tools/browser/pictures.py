"""Pictures of the app's pages for docs/pictures: phone and desk, one page dark too.

The pages show the samples and three invented people.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

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

DARK = ("result-menu",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "docs/pictures")
    parser.add_argument("--only", help="part of the names of wanted pictures")
    options = parser.parse_args()
    with Daemon(options.program.resolve()) as daemon:
        daemon.household()
        ids = {name: daemon.upload(REPOSITORY / "samples" / photo) for name, photo in PHOTOS.items()}
        pages = {"scan": "/", "history": "/history", "review": "/review", "people": "/people?name=Ada"}
        pages |= {"health": "/health", **{f"result-{name}": f"/photos/{id}" for name, id in ids.items()}}
        for width, height, dark in ((1280, 800, False), (390, 844, False), (1280, 800, True), (390, 844, True)):
            with Browser(width, height, dark=dark) as browser:
                browser.open(f"{daemon.address}/?token={daemon.token}")
                for name, page in pages.items():
                    file = options.out / f"app-{name}-{width}{'-dark' if dark else ''}.png"
                    if (dark and name not in DARK) or (options.only and options.only not in file.name):
                        continue
                    browser.open(daemon.address + page)
                    browser.run(
                        "return Promise.all([...document.images].map((image) => image.decode().catch(() => {})))"
                    )
                    browser.picture(file)
                    shrink(file)


def shrink(file: Path) -> None:
    """Makes the picture smaller where Debian's cwebp is installed; WebP is a quarter of the PNG."""
    try:
        subprocess.run(["cwebp", "-quiet", "-q", "80", file, "-o", file.with_suffix(".webp")], check=True)
    except FileNotFoundError:
        return
    file.unlink()


if __name__ == "__main__":
    main()
