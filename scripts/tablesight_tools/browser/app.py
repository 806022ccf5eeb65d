"""The app as people see it in Debian's Chromium: windows, and what is read, typed and pressed on their pages."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import APIResponse, CDPSession, Error, Locator, expect, sync_playwright

from tablesight_tools.browser.daemon import READING, Daemon
from tablesight_tools.browser.invented import Household

# Seconds until a page shows what it has to show. A check that holds never waits that long.
WAIT = 30.0
expect.set_options(timeout=WAIT * 1000)

Name = str | re.Pattern[str]


class ChromiumMissing(Exception):  # noqa: N818
    """Chromium is not installed, or does not start."""


@dataclass(frozen=True)
class Look:
    """Whose window it is: its size, its colours, its language."""

    name: str
    width: int = 1280
    height: int = 800
    scale: int = 1
    is_dark: bool = False
    has_script: bool = True
    language: str = "en"

    @property
    def is_phone(self) -> bool:
        return self.width < 500


DESK = Look("desk light")
# At 200 % a window of 1,280 pixels shows 640.
ZOOMED = Look("desk at 200 %", 640, 400, scale=2)
PHONE = Look("phone light", 360, 740)
SMALL = Look("phone of 390 pixels", 390, 844)
DARK_PHONE = Look("phone dark", 360, 740, is_dark=True)
NO_SCRIPT = Look("desk without script", has_script=False)
GERMAN = Look("German desk", language="de")


class Part:
    """A part of a page. Its buttons, links and fields are found by what people and screen readers call them."""

    def __init__(self, root: Locator) -> None:
        self.root = root

    def find(self, selector: str) -> Locator:
        return self.root.locator(selector)

    def role(self, role: Any, name: Name | None = None) -> Locator:
        return self.root.get_by_role(role, name=name, exact=isinstance(name, str))

    def button(self, name: Name) -> Locator:
        return self.role("button", name)

    def link(self, name: Name) -> Locator:
        return self.role("link", name)

    def field(self, label: Name) -> Locator:
        return self.root.get_by_label(label, exact=True)

    def region(self, name: Name) -> Part:
        return Part(self.role("region", name))

    def form(self, heading: str) -> Part:
        """The form with this heading."""
        return Part(self.find("form").filter(has=self.root.page.get_by_role("heading", name=heading, exact=True)))

    # MARK: what a person does, and what the page then shows

    def press(self, button: Name, *texts: Name, heading: Name = "") -> None:
        self.button(button).click()
        self.leads_to(*texts, heading=heading)

    def follow(self, link: Name, *texts: Name, heading: Name = "") -> None:
        self.link(link).click()
        self.leads_to(*texts, heading=heading)

    def fill(self, label: Name, text: str) -> None:
        """Types in a field, or chooses from a menu."""
        field = self.field(label)
        if field.evaluate("(field) => field.localName") == "select":
            field.select_option(label=text)
        else:
            field.fill(text)

    def enter(self, label: Name, text: str, *texts: Name, heading: Name = "") -> None:
        """Types in a field and presses Enter."""
        self.field(label).fill(text)
        self.field(label).press("Enter")
        self.leads_to(*texts, heading=heading)

    def send(self, button: Name, fields: Mapping[str, str], *texts: Name, heading: Name = "") -> None:
        """Fills in fields and presses a button."""
        for label, text in fields.items():
            self.fill(label, text)
        self.press(button, *texts, heading=heading)

    def attach(self, label: str, photo: Path) -> None:
        self.field(label).set_input_files(photo)

    def leads_to(self, *texts: Name, heading: Name = "") -> None:
        """The page shows these texts, now or after a while."""
        if heading:
            expect(self.root.page.get_by_role("heading", level=1)).to_have_text(heading)
        Part(self.root.page.locator("main")).expect_text(*texts)

    # MARK: what a person sees, now or after a while

    def text(self) -> str:
        return self.root.inner_text()

    def expect_text(self, *texts: Name, seconds: float = WAIT) -> None:
        for text in texts:
            expect(self.root).to_contain_text(text, use_inner_text=True, timeout=seconds * 1000)

    def expect_no_text(self, *texts: Name) -> None:
        for text in texts:
            expect(self.root).not_to_contain_text(text, use_inner_text=True)

    def expect_alert(self, text: Name, seconds: float = WAIT) -> None:
        expect(self.role("alert")).to_contain_text(text, timeout=seconds * 1000)

    def expect_status(self, text: Name) -> None:
        expect(self.role("status").filter(has_text=text)).to_be_visible()

    @property
    def items(self) -> Locator:
        """The names of foods, entries and goods."""
        return self.find(".item__name")

    def expect_items(self, *names: str) -> None:
        """These and no others, in this order."""
        expect(self.items).to_have_text(list(names))

    def expect_item(self, name: str) -> None:
        """One of this name among others."""
        expect(self.items.filter(has_text=re.compile(f"^{re.escape(name)}$")).first).to_be_visible()


class App(Part):
    """The app in one window, which shares nothing with other windows: they are other people's, or on other devices.

    As a part, it is the main content of the page.
    """

    def __init__(self, chromium: Chromium, household: Household, look: Look) -> None:
        self.chromium = chromium
        self.household = household
        self.daemon: Daemon = household.daemon
        self.origin = chromium.origin or self.daemon.address
        self.look = look
        self.name = look.name
        self.errors: list[str] = []
        self.context = chromium.browser.new_context(
            viewport={"width": look.width, "height": look.height},
            device_scale_factor=look.scale,
            is_mobile=look.is_phone,
            has_touch=look.is_phone,
            color_scheme="dark" if look.is_dark else "light",
            java_script_enabled=look.has_script,
            locale=look.language,
        )
        self.context.set_default_timeout(WAIT * 1000)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        super().__init__(self.page.locator("main"))

    def another(self, look: Look = DESK) -> AbstractContextManager[App]:
        """A window of another person or device."""
        return self.chromium.window(self.household, look)

    # MARK: pages

    def open(self, path: str, *texts: Name, heading: Name = "") -> None:
        self.page.goto(self.origin + path)
        self.leads_to(*texts, heading=heading)

    def open_live(self, path: str, *texts: Name) -> None:
        """Opens a page and waits until its stream of events is open."""
        with self.page.expect_response("**/v1/events"):
            self.open(path, *texts)

    def open_photo(self, photo: Path) -> str:
        """Has a photo read, and opens its page; gives its id."""
        id = self.daemon.upload(photo)
        self.open(f"/photos/{id}")
        return id

    def sign_in(self, name: str = "Ada") -> None:
        """With the daemon's key, which makes a device; then somebody of the household uses it."""
        self.open(f"/?token={self.daemon.token}")
        self.expect_page("who")
        self.use(name)

    def use(self, name: str, pin: str = "") -> None:
        """This person uses the browser from now on, as the page "Who is it?" says."""
        choice = {"member": name, "pin": pin} if pin else {"member": name}
        if self.chromium.origin:
            # Playwright's own requests do not come from the browser's machine.
            ask = "(body) => fetch('/v1/session', {method: 'PUT', body}).then((answer) => answer.status)"
            status = self.page.evaluate(ask, json.dumps(choice))
            assert status == 200, f"{name} cannot use this browser: {status}"
            return
        headers = {"Origin": self.origin}
        answer = self.context.request.put(f"{self.origin}/v1/session", data=choice, headers=headers)
        assert answer.ok, f"{name} cannot use this browser: {answer.status} {answer.text()}"

    def get(self, path: str) -> APIResponse:
        """What the browser's cookie gets, without a page."""
        return self.context.request.get(self.origin + path)

    def expect_path(self, path: str) -> None:
        expect(self.page).to_have_url(self.origin + path)

    def expect_page(self, kind: str, seconds: float = WAIT) -> None:
        """The page's kind, such as "progress|result"."""
        body = self.page.locator("body")
        expect(body).to_have_attribute("data-page", re.compile(f"^({kind})$"), timeout=seconds * 1000)

    def expect_result(self, heading: str) -> None:
        """The result of a photo that is being read."""
        self.expect_page("result", READING)
        self.leads_to(heading=heading)

    # MARK: for a report, and for pictures

    def address(self) -> str:
        return self.page.url

    def screenshot(self, file: Path) -> None:
        self.page.screenshot(path=file, full_page=True, timeout=10_000)

    @contextmanager
    def tools(self) -> Iterator[CDPSession]:
        """Chromium's own protocol, for what Playwright has no word for."""
        session = self.context.new_cdp_session(self.page)
        yield session
        session.detach()


class Chromium:
    """One Chromium and its open windows; use it in a with statement.

    `program` starts another one than the installed one, such as on another machine, which sees the daemon at `origin`.
    `camera` is a video, MJPEG, that the browser takes for its camera.
    """

    def __init__(
        self, program: Path | None = None, origin: str = "", home: Path | None = None, camera: Path | None = None
    ) -> None:
        self.program, self.origin, self.home = program, origin, home
        self.arguments = ["--disable-gpu"]
        if camera:
            self.arguments += [
                "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-video-capture={camera}",
            ]  # fmt: skip

    def __enter__(self) -> Chromium:
        program = self.program or shutil.which("chromium")
        if program is None:
            raise ChromiumMissing("Chromium is missing: scripts/setup --with-browser")
        self.windows: list[App] = []
        self.playwright = sync_playwright().start()
        try:
            environment = {**os.environ, "HOME": str(self.home)} if self.home else None
            self.browser = self.playwright.chromium.launch(
                executable_path=program, args=self.arguments, env=environment
            )
        except Error as error:
            self.playwright.stop()
            raise ChromiumMissing(f"{program} does not start: {error.message.splitlines()[0]}") from error
        return self

    def __exit__(self, *error: object) -> None:
        self.browser.close()
        self.playwright.stop()

    @contextmanager
    def window(self, household: Household, look: Look) -> Iterator[App]:
        """A window that closes itself, but not after an error: a report may show what it shows."""
        app = App(self, household, look)
        self.windows.append(app)
        yield app
        self.close(app)

    def close(self, *windows: App) -> None:
        for app in windows:
            self.windows.remove(app)
            app.context.close()

    def close_all_but(self, app: App) -> None:
        self.close(*(other for other in self.windows if other is not app))
