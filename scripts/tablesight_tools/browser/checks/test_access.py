"""Checks of every page: accessibility, all controls by keyboard, small pages, a slow network."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tablesight_tools.browser.app import DESK, PHONE, App, Figure
from tablesight_tools.browser.checks.homes import BEGUN, LABEL, MENU, NOTHING, RECEIPT, SCATTERED
from tablesight_tools.browser.invented import Member, corrected_menu

pytestmark = pytest.mark.home("full")

PAGES = (
    "/", "/history", "/history?saved=yes", "/review", "/games", "/people", "/devices", "/trust", "/health", "/more",
    "/today", "/today/add", "/today/add?q=oat", "/week", "/goal", "/diary",
    "/list", "/compare", "/goods", "/goods?q=milk", "/goods/1", "/prices", "/prices?product=1", "/feed", "/feed/1",
    "/me", "/me/places/1", "/who", "/who/add", "/who/add?as=guest", "/who/newpin", "/who/pin?member=Cleo",
    "/welcome", "/pair",
)  # fmt: skip
# A dish of the menu, by its place on the photo.
GRILLED_CHICKEN = "221-1001"
PAGE_BYTES = 60_000
# What the largest page of today leaves for pages and parts to come.
SPARE_BYTES = 4_000
INTERACTIVE_MS = 1_500
# Chromium's "Slow 4G": 1.6 Mbit/s down, 750 kbit/s up, 150 ms a round trip.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# In the dark a page has other colours, and nothing else that is other.
RULES_OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
# Only what is wrong comes back.
AXE = """(rules) => axe.run({ runOnly: rules, resultTypes: ["violations"] }).then((found) => found.violations)"""

# Stylesheets and scripts, among them those that scripts import.
CODE = """() => [
  ...[...document.querySelectorAll("link[rel=stylesheet], script[src]")].map((part) => part.href || part.src),
  ...performance.getEntriesByType("resource").map((part) => part.name).filter((name) => /\\.(css|js)$/.test(name)),
]"""

# The long part of a photo's address.
NUMBER = re.compile(r"(?<=sha256:\w{6})\w+")

NAME = """(item) => item.tagName.toLowerCase() + ":" + (item.id || item.getAttribute("href") || item.name
  || item.getAttribute("aria-label") || item.textContent.trim().slice(0, 40))"""
# What a person can do on a page: the visible controls that take the focus.
CONTROLS = f"""() => [
  ...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")
].filter((item) => item.checkVisibility({{ visibilityProperty: true }}) && !item.closest("[hidden]")
  && !item.disabled && item.type !== "hidden" && item.tabIndex >= 0).map({NAME})"""
# Notes each control that takes the focus from now on, and if it shows that each time.
NOTE_FOCUS = f"""() => {{
  const seen = (part) => {{
    const style = getComputedStyle(part);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  }};
  window.focused = {{}};
  addEventListener("focusin", ({{ target: item }}) => {{
    // A hidden file field shows its focus on its label, a dot of the photo on its circle.
    const shown = seen(item) || (item.nextElementSibling && seen(item.nextElementSibling))
      || [...(item.labels ?? [])].some(seen) || !!item.querySelector("circle");
    const name = ({NAME})(item);
    focused[name] = (focused[name] ?? true) && !!shown;
  }});
}}"""


def every_page(app: App) -> list[str]:
    """The addresses of all pages with data."""
    ada = Member(app.daemon, "Ada")
    dish = {"photo": app.daemon.upload(MENU), "kind": "dish", "item": "Mushroom risotto"}
    entry = ada.call("GET", f"/v1/items?list={ada.call('GET', '/v1/lists')[0]['id']}")[0]["id"]
    photos = [f"/photos/{app.daemon.upload(photo)}" for photo in (MENU, LABEL, NOTHING)]
    ada.call("POST", "/v1/saved", dish)
    for count, photo in enumerate((SCATTERED, BEGUN), 1):
        app.daemon.drop(photo, "table")
        board = app.daemon.board(count)
    more = (
        f"/receipts/{app.daemon.upload(RECEIPT)}",
        "/scan/9520100001017",
        f"{photos[0]}/staff",
        f"{photos[1]}?dish=label",
        *questions(photos[0]),
        corrected_menu(app.daemon),
        "/people?name=Ada",
        "/people?name=Cleo",
        f"/list/entries/{entry}",
        board,
        f"{board}/report",
        "/photos/none",
    )
    return [*PAGES, *photos, *more]


def questions(result: str) -> list[str]:
    """The first question about a photo, and the end of its questions."""
    return [result.replace("/photos/", "/review?photo=") + place for place in ("", "&n=99")]


def opened(app: App, paths: list[str]) -> Iterator[str]:
    """Opens one page after the other; gives a short name of each."""
    for path in paths:
        app.open(path)
        yield NUMBER.sub("", path)


def scrolls_sideways(app: App) -> bool:
    return bool(app.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def counted(what: str, paths: list[str], wrong: list[str], app: App) -> str:
    """The figure of a check of many pages, which fails if something is wrong on one."""
    figure = f"{len(paths)} pages, {app.look.name}: {len(wrong)} {what}"
    assert not wrong, "\n  ".join([figure, *wrong])
    return figure


def violations(app: App, page: str, is_dark_too: bool = False) -> Iterator[str]:
    """What axe finds on the open page."""
    app.page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = app.page.evaluate(AXE, RULES)
    if is_dark_too:
        # Without motion the colours are at once those that stay.
        app.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        found += app.page.evaluate(AXE, RULES_OF_COLOURS)
        app.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    for violation in found:
        places = "; ".join(" ".join(node["target"]) for node in violation["nodes"][:3])
        yield f"{page}: {violation['id']} ({violation['impact']}) at {places}"


def expect_no_violations(app: App, page: str) -> None:
    """On the open page, which a check has led to."""
    wrong = list(violations(app, page))
    assert not wrong, "\n  ".join(wrong)


@pytest.mark.looks(DESK, PHONE)
def test_axe_finds_nothing(app: App, figure: Figure) -> None:
    """On a phone also in the dark."""
    paths, wrong = every_page(app), []
    for page in opened(app, paths):
        wrong += violations(app, page, is_dark_too=app.look.is_phone)
    figure(counted("violations", paths, wrong, app))


def test_every_control_takes_the_focus(app: App, figure: Figure) -> None:
    """Tab reaches every control of a page and shows where it is."""
    paths, wrong = every_page(app), []
    for page in opened(app, paths):
        controls: list[str] = app.page.evaluate(CONTROLS)
        app.page.evaluate(NOTE_FOCUS)
        focused: dict[str, bool] = {}
        left = 4 * len(controls) + 5  # A field for a day takes several.
        while left > 0 and (missing := set(controls) - set(focused)):
            # As many as it takes at least: to ask the page after each takes as long as the key.
            for _ in range(min(left, len(missing))):
                app.page.keyboard.press("Tab")
            left -= len(missing)
            focused = app.page.evaluate("focused")
        wrong += [f"{page}: no sign of the focus on {control}" for control, shown in focused.items() if not shown]
        wrong += [f"{page}: Tab does not reach {control}" for control in sorted(set(controls) - set(focused))]
    figure(counted("controls that Tab does not reach or show", paths, wrong, app))


@pytest.mark.looks(PHONE)
def test_pages_are_small(app: App, figure: Figure) -> None:
    result = f"/photos/{app.daemon.upload(MENU)}"
    paths, wrong = [*PAGES, result, f"{result}?dish={GRILLED_CHICKEN}", f"{result}/staff", *questions(result)], []
    weights: dict[str, int] = {}
    for page, path in zip(opened(app, paths), paths):
        code = {address.removeprefix(app.daemon.address) for address in app.page.evaluate(CODE)}
        weights[page] = sum(int(app.get(part).headers["content-length"]) for part in (path, *code))
        if weights[page] > PAGE_BYTES - SPARE_BYTES:
            wrong.append(f"{page} weighs {weights[page]} bytes on the network without photos")
    lightest, heaviest = (choice(weights, key=lambda page: weights[page]) for choice in (min, max))
    counts = counted("too heavy", paths, wrong, app)
    figure(f"{counts}; {lightest} {weights[lightest]} to {heaviest} {weights[heaviest]} bytes")


@pytest.mark.looks(PHONE)
def test_the_first_page_is_quick_on_a_slow_network(app: App, figure: Figure) -> None:
    times = []
    with app.tools() as tools:
        tools.send("Network.enable")
        tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        tools.send("Network.emulateNetworkConditions", SLOW)
        for _ in range(5):
            app.open("/")
            entry = app.page.evaluate("performance.getEntriesByType('navigation')[0].toJSON()")
            times.append(max(entry["domInteractive"], entry["domContentLoadedEventEnd"]))
    median = statistics.median(times)
    assert median <= INTERACTIVE_MS, f"interactive after {median:.0f} ms"
    figure(f"interactive after {median:.0f} ms (median of {len(times)}, worst {max(times):.0f})")
