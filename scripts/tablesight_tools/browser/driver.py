"""A small WebDriver client (W3C WebDriver) for chromedriver, with the standard library only."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"left": "\ue012", "right": "\ue014", "tab": "\ue004", "enter": "\ue007"}


class BrowserError(Exception):
    """chromedriver refused a command."""


class Element:
    """One element of the page."""

    def __init__(self, browser: Browser, name: str) -> None:
        self.browser = browser
        self.name = name

    def click(self) -> None:
        self.browser.post(f"/element/{self.name}/click", {})

    def type(self, text: str) -> None:
        self.browser.post(f"/element/{self.name}/value", {"text": text})

    @property
    def text(self) -> str:
        return str(self.browser.get(f"/element/{self.name}/text"))

    def attribute(self, name: str) -> str | None:
        value = self.browser.get(f"/element/{self.name}/attribute/{name}")
        return None if value is None else str(value)

    def css(self, name: str) -> str:
        return str(self.browser.get(f"/element/{self.name}/css/{name}"))


class Browser:
    """A headless Chromium; use it in a with statement.

    `script` False turns JavaScript off, `dark` asks pages for their dark colours.
    """

    def __init__(
        self, width: int = 1280, height: int = 800, *, script: bool = True, dark: bool = False, language: str = "en"
    ) -> None:
        self.size = (width, height)
        self.script = script
        self.dark = dark
        self.language = language

    def __enter__(self) -> Browser:
        program = shutil.which("chromedriver")
        if program is None:
            raise BrowserError("chromedriver is missing: scripts/setup --with-browser")
        self.driver = subprocess.Popen(
            [program, "--port=0", "--log-level=SEVERE"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = f"http://127.0.0.1:{self._port()}"
        width, height = self.size
        preferences: dict[str, Any] = {"intl.accept_languages": self.language}
        if not self.script:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            f"--lang={self.language}",
            f"--window-size={width},{height}",
        ]
        options = {"args": arguments, "prefs": preferences}
        if width < 500:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1}}
        wanted = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options}}
        self.session = self._call("POST", "/session", {"capabilities": wanted})["sessionId"]
        if self.dark:
            features = [{"name": "prefers-color-scheme", "value": "dark"}]
            self.tools("Emulation.setEmulatedMedia", {"features": features})
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait(10)

    def _port(self) -> int:
        assert self.driver.stdout is not None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                return int(line.rsplit(" ", 1)[1].strip().rstrip("."))
        raise BrowserError("chromedriver did not start")

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data=data, method=method, headers={"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def get(self, path: str) -> Any:
        return self._call("GET", f"/session/{self.session}{path}")

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._call("POST", f"/session/{self.session}{path}", body)

    def tools(self, command: str, parameters: dict[str, Any]) -> Any:
        """Runs a command of Chromium's own protocol."""
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address: str) -> None:
        self.post("/url", {"url": address})

    @property
    def address_bar(self) -> str:
        return str(self.get("/url"))

    def all(self, selector: str) -> list[Element]:
        found = self.post("/elements", {"using": "css selector", "value": selector})
        return [Element(self, element[ELEMENT]) for element in found]

    def one(self, selector: str) -> Element:
        found = self.post("/element", {"using": "css selector", "value": selector})
        return Element(self, found[ELEMENT])

    def text(self, selector: str = "body") -> str:
        return self.one(selector).text

    def run(self, script: str, *arguments: object) -> Any:
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, key: str) -> None:
        value = KEYS.get(key, key)
        steps = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def hover(self, element: Element) -> None:
        step = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": {ELEMENT: element.name}}
        self.post("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [step]}]})

    def wait(self, condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
        """Waits until `condition` holds; errors of the browser count as not yet."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return
            except BrowserError:
                pass
            time.sleep(0.1)
        raise AssertionError(f"{what}: not within {seconds} s; at {self.address_bar}")

    def picture(self, file: Path) -> None:
        """Writes the visible part of the page as WebP, a quarter of a PNG."""
        file.parent.mkdir(parents=True, exist_ok=True)
        shot = self.tools("Page.captureScreenshot", {"format": "webp", "quality": 80})
        file.write_bytes(base64.b64decode(shot["data"]))
