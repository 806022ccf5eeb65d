"""Checks in Chromium what a person can do with the app, on the real daemon.

Each check starts from the daemon's state that the one before left; together they take about a minute.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tablesight_tools.browser import access, diary, diary_data, games, receipts, shop
from tablesight_tools.browser.app import App
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.driver import Browser, BrowserError
from tablesight_tools.paths import REPOSITORY

SAMPLES = REPOSITORY / "samples"
MENU = SAMPLES / "menus/pub-english.jpg"
LABEL = SAMPLES / "labels/fish-pie.jpg"
COOKIES = SAMPLES / "labels/oat-cookies.jpg"
PAGES = ("/", "/history", "/review", "/games", "/people", "/devices", "/health", "/more", *diary.PAGES, *shop.PAGES)
PAGE_BYTES = 60_000
# What the largest page of today leaves for pages and parts to come.
SPARE_BYTES = 4_000
INTERACTIVE_MS = 1_500

DROP = """
const data = new DataTransfer();
const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
data.items.add(new File([bytes], "menu.jpg", { type: "image/jpeg" }));
const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
document.getElementById("drop").dispatchEvent(event);
"""


def sign_in_needs_the_token(app: App) -> None:
    app.open("/history")
    assert "Sign in" in app.browser.text("h1")
    app.browser.one("#t").type("wrong")
    app.browser.one("button").click()
    app.open("/history")
    assert "Sign in" in app.browser.text("h1"), "a wrong token opens nothing"
    app.open("/")
    app.browser.one("#t").type(app.daemon.token)
    app.browser.one("button").click()
    app.browser.wait(lambda: "table" in app.browser.text("h1"), "the first page after signing in")
    assert not app.browser.run("return document.cookie"), "the cookie is for the server only"


def upload_shows_progress_and_result(app: App) -> None:
    app.open("/")
    app.browser.one("#f").type(str(MENU))
    app.browser.wait(lambda: bool(app.browser.all("body[data-page=progress], body[data-page=result]")), "the upload")
    app.result()
    assert app.browser.text("h1") == "The Crooked Billet"
    names = [heading.text for heading in app.browser.all(".answer h3")]
    assert [name.split()[0] for name in names] == ["Ada", "Ben", "Cleo"], names
    assert "Avoid" in app.browser.text(".answer"), "the first lines say what to avoid"


def drop_uploads_too(app: App) -> None:
    app.open("/")
    app.browser.run(DROP, base64.b64encode(LABEL.read_bytes()).decode())
    app.result()
    assert app.browser.text("h1") == "Creamy Fish Pie"
    assert "differ" in app.browser.text("#diff")


def evidence_lights_up(app: App) -> None:
    app.open(f"/photos/{app.daemon.upload(MENU)}")
    box = app.browser.one("#b1")
    assert float(box.css("opacity")) == 0
    app.browser.hover(app.browser.one("#d1 h3"))
    app.browser.wait(lambda: float(box.css("opacity")) == 1, "the box of the dish under the pointer", 5)
    app.browser.hover(app.browser.one("h1"))
    app.browser.wait(lambda: float(box.css("opacity")) == 0, "no box without a pointer", 5)
    app.browser.run("document.querySelector('#d2 .dot').focus()")
    app.browser.wait(lambda: float(app.browser.one("#b2").css("opacity")) == 1, "the box of the focused dish", 5)


def review_by_keyboard_changes_the_answer(app: App) -> None:
    app.open("/review")
    first = app.browser.text("#q")
    app.browser.press("right")
    app.browser.wait(lambda: app.browser.text("#q") != first, "the next question", 10)
    app.browser.press("left")
    app.browser.wait(lambda: app.browser.text("#q") == first, "the question before", 10)
    count = len(app.browser.all("[data-page=review] .rowitem"))
    photo = app.browser.one("input[name=id]").attribute("value") or ""
    allergen = app.browser.one("#answer input[name=allergen]").attribute("value") or ""
    app.browser.press("y")
    app.browser.wait(lambda: bool(app.browser.all(".toast")), "the answer is saved", 10)
    assert app.browser.text("#q") != first, "an answered question is not asked again"
    assert count > 0
    outcome = json.dumps(app.daemon.call("GET", f"/v1/outcomes/{photo}"))
    assert '"by": "Ada"' in outcome, "the answer is in the outcome"
    reviews = app.daemon.call("GET", f"/v1/reviews?id={photo}")
    assert [(review["allergen"], review["value"]) for review in reviews] == [(allergen, "CONTAINS")], reviews
    sidecars = list((app.daemon.results / "outcomes").rglob("*.json"))
    app.browser.wait(lambda: any('"by":"Ada"' in file.read_text() for file in sidecars), "the sidecar has it", 15)
    app.open(f"/photos/{photo}")
    assert app.browser.all(".chip--checked"), "the page shows who checked it"


def a_changed_person_changes_an_open_page(app: App) -> None:
    app.open(f"/photos/{app.daemon.upload(COOKIES)}")
    assert "Not mentioned" in app.browser.text(".answer")
    body = json.dumps({"allergens": {"gluten": "severe"}}).encode()
    # The page's event stream must be open before something happens.
    time.sleep(1)
    app.daemon.call("PUT", "/v1/people/Cleo", body)
    app.browser.wait(lambda: "changed" in app.browser.text("#changed"), "the notice about the change", 30)
    app.browser.one("#changed a").click()
    app.browser.wait(lambda: not app.browser.text("#changed"), "the new verdicts", 10)
    answers = [part.text for part in app.browser.all(".answer__p")]
    assert any("Cleo" in answer and "gluten" in answer for answer in answers), answers


def a_person_is_added_by_form(app: App) -> None:
    app.open("/people")
    app.browser.one("#n").type("Dora Müller")
    app.browser.run("document.getElementById('a-fish').value = 'severe'")
    app.browser.one("button[type=submit]").click()
    app.browser.wait(lambda: "Dora" in app.browser.text("[role=status]"), "the person is saved", 10)
    assert "Dora Müller" in [person["name"] for person in app.daemon.call("GET", "/v1/people")]
    app.daemon.call("DELETE", "/v1/people/Dora%20M%C3%BCller")


def history_finds_words(app: App) -> None:
    app.open("/history")
    assert len(app.browser.all(".rowitem")) == 3
    app.browser.one("#s").type("risotto")
    app.browser.one("[role=search] button").click()
    app.browser.wait(lambda: "q=risotto" in app.browser.address_bar, "the search", 10)
    assert [row.text for row in app.browser.all(".rowitem__title")] == ["The Crooked Billet"]


def deletion_leaves_no_bytes(app: App) -> None:
    photo = app.daemon.upload(COOKIES)
    part = COOKIES.read_bytes()[5000:5100]
    assert app.daemon.holding(part) and app.daemon.holding(photo[7:].encode())
    app.open(f"/photos/{photo}/delete")
    app.browser.one(".btn--danger").click()
    app.browser.wait(lambda: app.browser.address_bar.endswith("/history"), "the history after deletion", 15)
    assert not app.daemon.holding(part), app.daemon.holding(part)
    assert not app.daemon.holding(photo[7:].encode()), app.daemon.holding(photo[7:].encode())
    assert not app.daemon.holding(b"Oat & Hazelnut"), "the text that was read is gone too"


def pages_fit_a_phone_and_are_small(app: App) -> None:
    photo = app.daemon.upload(MENU)
    key = diary.STATE.get("key") or diary_data.key_of(app.daemon, "Ada")
    session = shop.session(app.daemon)
    for path in (*PAGES, f"/photos/{photo}"):
        app.open(path)
        width = app.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1], f"{path} scrolls sideways: {width}"
        files = app.browser.run(
            "return [...document.querySelectorAll('link[rel=stylesheet], script[src]')]"
            ".map((part) => part.href || part.src)"
        )
        loaded = app.browser.run("return performance.getEntriesByType('resource').map((part) => part.name)")
        code = {part for part in loaded if part.endswith((".css", ".js"))}
        parts = [app.daemon.address + path, *{*files, *code}]
        bytes_ = sum(len(app.daemon.bytes(part, key, session)) for part in parts)
        assert bytes_ <= PAGE_BYTES - SPARE_BYTES, f"{path} weighs {bytes_} bytes without photos"
        print(f"  {path[:20]}: {bytes_} bytes", file=sys.stderr)
        missing = app.browser.run(
            "return [...document.querySelectorAll('a, button, input, select')].filter((item) => item.type !== 'hidden' "
            "&& !(item.textContent.trim() || item.ariaLabel || item.labels?.length)).map((item) => item.outerHTML)"
        )
        assert not missing, f"{path}: without a name for screen readers: {missing}"


def the_form_works_without_script(app: App) -> None:
    app.open("/")
    assert app.browser.all("noscript button") or app.browser.all("button[type=submit]")
    app.browser.one("#f").type(str(MENU))
    app.browser.one("button[type=submit]").click()
    app.result()
    assert app.browser.text("h1") == "The Crooked Billet"
    assert app.browser.all(".answer"), "the whole answer is in the page"


def german_is_chosen_by_the_browser(app: App) -> None:
    app.open("/history")
    assert app.browser.text("h1") == "Verlauf"
    app.open(f"/photos/{app.daemon.upload(MENU)}")
    assert "Enthält" in app.browser.text(".dish")


def a_phone_is_paired_and_revoked(app: App) -> None:
    app.open("/devices")
    app.browser.one("form[action='/devices/code'] button").click()
    app.browser.wait(lambda: bool(app.browser.all(".code")), "the code", 10)
    code = app.browser.text(".code")
    assert app.browser.all(".qr path"), "the code as a picture"
    with Browser(360, 740) as phone:
        phone.open(f"{app.daemon.address}/pair?code={code}")
        assert phone.one("#c").attribute("value") == code
        phone.one("#n").type("Test phone")
        phone.one("button").click()
        phone.wait(lambda: phone.address_bar.rstrip("/") == app.daemon.address, "the first page on the phone", 10)
        phone.open(app.daemon.address + "/history")
        assert phone.text("h1") == "History"
        with Browser(360, 740) as other:
            other.open(f"{app.daemon.address}/pair?code={code}")
            assert "not known" in other.text(".error"), "a code works once"
        app.open("/devices")
        app.browser.one("button[aria-label='Remove Test phone']").click()
        app.browser.wait(lambda: "Test phone" not in app.browser.text("main"), "the device is gone", 10)
        time.sleep(2.1)
        phone.open(app.daemon.address + "/history")
        assert phone.text("h1") == "Sign in", "a revoked device is out"


def every_page(app: App) -> list[str]:
    """The addresses of all pages with data."""
    ids = [app.daemon.upload(photo) for photo in (MENU, LABEL, SAMPLES / "bad/blank.jpg")]
    board = games.session_of(app)
    photos = [f"/photos/{id}" for id in ids]
    return [
        *PAGES,
        *photos,
        f"{photos[0]}/delete",
        "/people?name=Ada",
        shop.entry_page(app.daemon),
        board,
        board + "/report",
        "/photos/none",
    ]


def axe_finds_nothing_serious(app: App) -> None:
    where = f"{app.browser.size[0]} pixels, {'dark' if app.browser.dark else 'light'}"
    access.check_axe(app.browser, app.daemon.address, every_page(app), where)


def pages_zoom_to_200_percent(app: App) -> None:
    access.check_zoom(app.browser, app.daemon.address, every_page(app))


def every_control_takes_the_focus(app: App) -> None:
    access.check_keyboard(app.browser, app.daemon.address, every_page(app))


def the_first_page_is_quick_on_a_slow_network(app: App) -> None:
    # Chromium's "Slow 4G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms a round trip.
    app.browser.tools("Network.enable", {})
    app.browser.tools("Network.setCacheDisabled", {"cacheDisabled": True})
    slow = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
    app.browser.tools("Network.emulateNetworkConditions", slow)
    times = []
    for _ in range(5):
        app.open("/")
        times.append(float(app.browser.run("return performance.getEntriesByType('navigation')[0].domInteractive")))
        loaded = "return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        times[-1] = max(times[-1], float(app.browser.run(loaded)))
    times.sort()
    print(f"  interactive after {times[2]:.0f} ms (median of {len(times)}, worst {times[-1]:.0f})", file=sys.stderr)
    assert times[2] <= INTERACTIVE_MS, f"interactive after {times[2]:.0f} ms"


DESK: list[Callable[[App], None]] = [
    upload_shows_progress_and_result,
    drop_uploads_too,
    evidence_lights_up,
    review_by_keyboard_changes_the_answer,
    a_changed_person_changes_an_open_page,
    a_person_is_added_by_form,
    history_finds_words,
    deletion_leaves_no_bytes,
    games.a_board_shows_pieces_live,
    games.a_hint_and_the_report,
    games.a_game_in_the_browser_plays_from_the_stream,
    a_phone_is_paired_and_revoked,
    *diary.CHECKS,
    *shop.CHECKS,
    receipts.a_receipt_becomes_prices_and_a_comparison,
    shop.a_person_takes_the_data_and_leaves,
    shop.use_the_account,
    axe_finds_nothing_serious,
    pages_zoom_to_200_percent,
    every_control_takes_the_focus,
]

PHONE: list[Callable[[App], None]] = [
    diary.another_device_needs_a_code,
    shop.use_the_account,
    pages_fit_a_phone_and_are_small,
    axe_finds_nothing_serious,
    the_first_page_is_quick_on_a_slow_network,
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="part of the names of wanted checks")
    parser.add_argument("--receipts", type=Path, help="folder with photos of receipts to check too, such as eval's")
    parser.add_argument("--each", type=int, help="at most so many receipts of each folder")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    options = parser.parse_args()
    failed = 0

    def check(app: App, name: Callable[[App], None]) -> None:
        nonlocal failed
        if options.only and options.only not in name.__name__.replace("_", " "):
            return
        began = time.monotonic()
        try:
            name(app)
            mark = "ok"
        except (AssertionError, BrowserError) as error:
            failed += 1
            mark = f"FAILED: {error}"
        print(f"{name.__name__.replace('_', ' ')}: {mark} ({time.monotonic() - began:.1f} s)", file=sys.stderr)

    try:
        with Daemon(options.program.resolve(), foods=diary_data.FOODS) as daemon:
            with Browser() as browser:
                app = App(daemon, browser)
                check(app, sign_in_needs_the_token)
                daemon.household()
                app.sign_in()
                for name in DESK:
                    check(app, name)
                for photo in receipts.photos(options.receipts, options.each) if options.receipts else []:
                    check(app, receipts.receipt_check(photo))
                if options.receipts:
                    print(f"receipts: {dict(receipts.OUTCOMES)}", file=sys.stderr)
            with Browser(360, 740) as phone:
                app = App(daemon, phone)
                app.sign_in()
                for name in PHONE:
                    check(app, name)
            with Browser(360, 740, dark=True) as dark:
                app = App(daemon, dark)
                app.sign_in()
                check(app, diary.another_device_needs_a_code)
                check(app, shop.use_the_account)
                check(app, axe_finds_nothing_serious)
            with Browser(script=False) as plain:
                app = App(daemon, plain)
                app.sign_in()
                check(app, the_form_works_without_script)
                check(app, diary.the_diary_works_without_script)
                check(app, shop.lists_work_without_script)
            with Browser(language="de") as german:
                app = App(daemon, german)
                app.sign_in()
                check(app, german_is_chosen_by_the_browser)
    except BrowserError as error:
        print(f"check-app: {error}", file=sys.stderr)
        return 69
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
