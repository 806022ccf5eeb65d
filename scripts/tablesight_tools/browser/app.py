"""The app in a browser: a daemon and a signed-in Chromium."""

from __future__ import annotations

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.driver import Browser


class App:
    """The daemon and a signed-in browser."""

    def __init__(self, daemon: Daemon, browser: Browser) -> None:
        self.daemon = daemon
        self.browser = browser

    def open(self, path: str) -> None:
        self.browser.open(self.daemon.address + path)

    def sign_in(self) -> None:
        self.open(f"/?token={self.daemon.token}")
        self.browser.wait(lambda: self.browser.address_bar.rstrip("/") == self.daemon.address, "the first page")

    def result(self) -> str:
        """Waits for a result page; gives the photo's id."""
        self.browser.wait(lambda: bool(self.browser.all("body[data-page=result]")), "the result", 90)
        return self.browser.address_bar.rsplit("/", 1)[1]
