"""The app as people see it in Debian's Chromium: windows, and what is read, typed and pressed on their pages."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import APIResponse, Browser, BrowserContext, CDPSession, Locator, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tablesight_tools.browser.daemon import READING, Daemon

# Seconds until a page shows what it has to show. A check that holds never waits that long.
WAIT = 120.0
expect.set_options(timeout=WAIT * 1000)

Name = str | re.Pattern[str]
# The fixture with which a check records what it measured.
Figure = Callable[[object], None]


def launching(camera: Path | None = None) -> dict[str, Any]:
    """How Playwright starts Debian's Chromium; `camera` is a video, MJPEG, that it takes for its camera.

    Without the parts of a desktop that nobody sees it takes half the processor time.
    """
    program = shutil.which("chromium-headless-shell")
    if program is None:
        print("Chromium is missing: scripts/setup --with-browser", file=sys.stderr)
        sys.exit(69)
    arguments = ["--disable-gpu"]
    if camera:
        arguments += ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
        arguments += [f"--use-file-for-fake-video-capture={camera}"]
    return {"executable_path": program, "args": arguments}


@contextmanager
def chromium(**launch: Any) -> Iterator[Browser]:
    """Chromium for a tool; a check has pytest-playwright's. `launch` replaces parts of `launching`."""
    with sync_playwright() as playwright, playwright.chromium.launch(**{**launching(), **launch}) as browser:
        yield browser


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

    @property
    def context(self) -> dict[str, Any]:
        """Of a context of Playwright."""
        return {
            "viewport": {"width": self.width, "height": self.height},
            "device_scale_factor": self.scale,
            "is_mobile": self.is_phone,
            "has_touch": self.is_phone,
            "color_scheme": "dark" if self.is_dark else "light",
            "java_script_enabled": self.has_script,
            "locale": self.language,
        }


DESK = Look("desk light")
# At 200 % a window of 1,280 pixels shows 640.
ZOOMED = Look("desk at 200 %", 640, 400, scale=2)
PHONE = Look("phone light", 360, 740)
SMALL = Look("phone of 390 pixels", 390, 844)
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

    def __init__(
        self, new_context: Callable[..., BrowserContext], daemon: Daemon, look: Look = DESK, origin: str = ""
    ) -> None:
        """`origin` is where the browser finds the daemon, if it is on another machine."""
        self.new_context, self.daemon, self.look = new_context, daemon, look
        self.is_elsewhere = bool(origin)
        self.origin = origin or daemon.address
        self.context = new_context(base_url=self.origin, timezone_id=daemon.zone.key, **look.context)
        self.context.set_default_timeout(WAIT * 1000)
        self.page = self.context.new_page()
        super().__init__(self.page.locator("main"))

    def another(self, look: Look = DESK, name: str = "") -> App:
        """A window on another device; the person of this name signs in on it."""
        window = App(self.new_context, self.daemon, look, self.origin if self.is_elsewhere else "")
        if name:
            window.sign_in(name)
        return window

    def again(self, look: Look) -> App:
        """The same device in a window of another look."""
        window = self.another(look)
        window.context.add_cookies(self.context.cookies())  # type: ignore[arg-type]
        return window

    # MARK: pages

    def open(self, path: str, *texts: Name, heading: Name = "") -> None:
        try:
            self.page.goto(path)
        except PlaywrightError as error:
            # The page before led on by itself at this moment.
            if "interrupted by another navigation" not in error.message:
                raise
            self.page.goto(path)
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

    def connect(self) -> None:
        """With the daemon's key, which makes a device. The page that says so leads on by itself."""
        self.open(f"/?token={self.daemon.token}")
        self.expect_page("who|welcome")

    def sign_in(self, name: str = "Ada", pin: str = "") -> None:
        """Connects the device, without its pages where they are not checked; then somebody of the household uses it."""
        if self.is_elsewhere:
            self.connect()
        else:
            link = f"{self.origin}/?token={self.daemon.token}"
            answer = self.context.request.get(link, headers={"Accept": "text/html"}, max_redirects=0)
            assert answer.status < 400, f"the link with the key answers {answer.status}"
        self.use(name, pin)

    def use(self, name: str, pin: str = "") -> None:
        """This person uses the browser from now on, as the page "Who is it?" says."""
        choice = {"member": name, "pin": pin} if pin else {"member": name}
        if self.is_elsewhere:
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

    @contextmanager
    def tools(self) -> Iterator[CDPSession]:
        """Chromium's own protocol, for what Playwright has no word for."""
        session = self.context.new_cdp_session(self.page)
        yield session
        session.detach()
