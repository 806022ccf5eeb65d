"""Checks of live scanning: packets before the camera of the browser, and a browser that reads codes by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tablesight_tools.browser import live_scan
from tablesight_tools.browser.app import SMALL, App, Figure, launching
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.daemon import Daemon

# Of the samples' catalogue.
SPREAD, OATS = "9520100001017", "9520100001116"
# A detector of the browser that misreads every other picture.
DETECTOR = """(() => {
  let turn = 0;
  window.BarcodeDetector = class {
    static async getSupportedFormats() { return ["ean_13"]; }
    async detect() {
      turn += 1;
      return [{rawValue: turn < 8 && turn % 2 ? `40063813339${10 + turn}` : "9520100001017"}];
    }
  };
})()"""


@pytest.fixture
def held(daemon: Daemon, browser: Browser, playwright: Playwright, tmp_path: Path) -> Iterator[App]:
    """A phone's window before whose camera two packets are held, one after the other."""
    video = tmp_path / "camera.mjpeg"
    live_scan.film(browser, [SPREAD, OATS], video)
    phone = playwright.chromium.launch(**launching(video))
    app = App(phone.new_context, daemon, SMALL)
    app.sign_in()
    yield app
    phone.close()


def test_packets_are_said_while_they_are_held(held: App, figure: Figure) -> None:
    """One tap starts the camera; each product is said with its verdicts, and one tap adds it."""
    live_scan.start(held)
    found = held.find("#found")
    for name in ("Hazelnut Cocoa Spread", "Rolled Oats"):
        expect(found.get_by_role("heading", name=name)).to_be_visible()
    expect(found.locator(".chip").first).to_be_visible()
    access.expect_no_violations(held, "a scanned product")
    held.press("Stop the camera")
    number = found.get_attribute("data-number")
    for button, page in (("Log", "/today"), ("Add to list", "/list")):
        held.press(button)
        expect(held.link("Added. Show it")).to_have_attribute("href", re.compile(page))
    held.follow("Added. Show it", heading="Shopping list")
    expect(held.items).to_have_count(1)
    assert number in (SPREAD, OATS)
    figure("2 packets; 1 tap to scan, 1 to log, 1 to add")


def test_the_detector_of_a_browser_is_believed_when_two_pictures_agree(held: App) -> None:
    held.page.add_init_script(DETECTOR)
    live_scan.start(held)
    expect(held.find("#found")).to_have_attribute("data-number", SPREAD)
    said = {number for number, _, _ in held.page.evaluate("said")}
    assert said == {SPREAD}, f"a number of one picture was said: {said}"
