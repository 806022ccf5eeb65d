"""Checks HTTPS in the house: certificate and site by `tablesight household certificate`, and a phone on its network.

The house is a network namespace with the daemon and Debian's nginx, the phone another one with Chromium. The phone
reaches the house by its name, and trusts its authority as a person would set it up.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Cookie, Page, expect

from tablesight_tools.browser.app import PHONE as PHONE_LOOK
from tablesight_tools.browser.app import App, Figure, chromium, launching
from tablesight_tools.browser.checks import test_offline as offline
from tablesight_tools.browser.checks import test_play as play
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.test_proxy import nginx
from tablesight_tools.paths import REPOSITORY

NAME = "kitchen.local"
HOUSE, PHONE = "10.98.0.1", "10.98.0.2"
ORIGIN = f"https://{NAME}"
# Width, language, script, and a photo that no other of these reads: a known one would be judged already.
LOOKS = [
    (390, "en", True, "pub-english.jpg"),
    (390, "de", False, "bistro-legend.jpg"),
    (1280, "en", False, "gasthaus-deutsch.jpg"),
    (1280, "de", True, "kantine-legende.webp"),
]
# What a person needs to see a button and press it, milliseconds.
PAUSE = 1500


class Phone:
    """A machine on the network of the house, with its own home folder and host file; use it in a with statement."""

    def __init__(self, place: Path) -> None:
        self.home = place / "phone"

    def __enter__(self) -> Phone:
        self.home.mkdir()
        (self.home / "hosts").write_text(f"127.0.0.1 localhost\n{HOUSE} {NAME}\n")
        script = f"mount --bind {shlex.quote(str(self.home / 'hosts'))} /etc/hosts && echo ready && exec sleep infinity"
        self.process = subprocess.Popen(
            ["unshare", "--net", "--mount", "bash", "-c", script], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout and self.process.stdout.readline() == "ready\n", "the phone's network is missing"
        ip("link", "add", "house", "type", "veth", "peer", "name", "phone", "netns", str(self.process.pid))
        # An IPv6 address of its own would come 1.5 s later; Chromium ends what it loads then (ERR_NETWORK_CHANGED).
        self.run("ip", "link", "set", "phone", "addrgenmode", "none")
        ip("addr", "add", f"{HOUSE}/24", "dev", "house")
        ip("link", "set", "house", "up")
        for words in (("addr", "add", f"{PHONE}/24", "dev", "phone"), ("link", "set", "phone", "up")):
            self.run("ip", *words)
        self.run("ip", "link", "set", "lo", "up")
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        # It would go by itself, but later than the next phone comes.
        subprocess.run(["ip", "link", "delete", "house"], capture_output=True)

    @property
    def prefix(self) -> list[str]:
        """Runs a command on the phone."""
        return ["nsenter", "--target", str(self.process.pid), "--net", "--mount", "env", f"HOME={self.home}"]

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*self.prefix, *command], check=check, capture_output=True, text=True, timeout=60)

    def curl(self, *words: str) -> str:
        return self.run("curl", "--silent", "--show-error", "--max-time", "20", *words).stdout

    def chromium(self) -> Path:
        """A program that starts Chromium on the phone."""
        program = launching()["executable_path"]
        script = self.home / "chromium"
        words = " ".join(shlex.quote(word) for word in [*self.prefix, program])
        script.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        script.chmod(0o755)
        return script

    def fetch(self) -> Path:
        """Gets the authority of the house from the page that works without TLS."""
        got = self.home / "tablesight-ca.crt"
        address = f"http://{NAME}/trust/tablesight-ca.crt"
        kind = self.curl("--output", str(got), "--write-out", "%{content_type}", address)
        assert kind == "application/x-x509-ca-cert", kind
        return got

    def trust(self, authority: Path) -> None:
        """Puts an authority into the store that Chromium reads."""
        store = self.home / ".pki/nssdb"
        store.mkdir(parents=True)
        self.run("certutil", "-d", f"sql:{store}", "-N", "--empty-password")
        self.run("certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "house", "-i", str(authority))


class House:
    """The daemon, its certificate and nginx, as a person sets them up by the printed steps."""

    def __init__(self, daemon: Daemon, phone: Phone) -> None:
        self.daemon, self.phone = daemon, phone
        self.folder = daemon.results / "https"

    def tablesight(self, *words: str) -> str:
        environment = {**os.environ, **self.daemon.environment}
        return subprocess.run(
            [self.daemon.program, *words, "--output", self.daemon.results],
            check=True, capture_output=True, text=True, env=environment, cwd=REPOSITORY,
        ).stdout  # fmt: skip

    def pairing_link(self, *words: str) -> str:
        found = re.search(r"^https?://\S+/p/\w+$", self.tablesight("household", "pair", *words), re.MULTILINE)
        assert found, "no pairing link was printed"
        return found.group()

    @property
    def plain(self) -> str:
        """The daemon's own address for the phone, without TLS."""
        return f"http://{NAME}:{self.daemon.address.rsplit(':', 1)[1]}"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@pytest.fixture
def house(program: Path) -> Iterator[House]:
    """A house of its own for each check; nginx has the ports 80 and 443 of the network namespace."""
    ip("link", "set", "lo", "up")
    settings = {"TABLESIGHT_API_PUBLIC_ADDRESS": ORIGIN, "TABLESIGHT_API_HOST": "0.0.0.0"}
    with Daemon(program, settings) as daemon, Phone(daemon.place) as phone:
        found = House(daemon, phone)
        found.tablesight("household", "add", "Ada", "--allergen", "milk=severe")
        found.tablesight("household", "certificate", NAME, HOUSE)
        with nginx(daemon.place / "nginx", (found.folder / "nginx.conf").read_text(), 443):
            yield found


@pytest.fixture
def trusted(house: House) -> House:
    """A house whose authority the phone trusts."""
    house.phone.trust(house.phone.fetch())
    return house


@contextmanager
def browsing(house: House, **launch: Any) -> Iterator[Browser]:
    """The phone's Chromium, which reads the certificates of its home folder."""
    environment = {**os.environ, "HOME": str(house.phone.home)}
    with chromium(executable_path=house.phone.chromium(), env=environment, **launch) as browser:
        yield browser


def test_keys_are_for_their_owner(house: House) -> None:
    for name in ("authority.key", "server.pem"):
        mode = stat.S_IMODE((house.folder / name).stat().st_mode)
        assert mode == 0o600, f"{name} has the mode {mode:o}"


def test_a_new_phone_reads_how_to_trust(house: House) -> None:
    """Without TLS there is this page, and nothing else."""
    phone = house.phone
    for language, text in (("en", "HTTPS in this house"), ("de", "HTTPS in diesem Haus")):
        page = phone.curl("--header", f"Accept-Language: {language}", f"http://{NAME}/trust")
        assert f"<h1>{text}</h1>" in page and "/trust/tablesight-ca.crt" in page, page[:500]
    assert phone.fetch().read_bytes() == (house.folder / "authority.crt").read_bytes()
    for path in ("/", "/history", "/trust/authority.key", "/v1/history"):
        answer = phone.curl(
            "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", f"http://{NAME}{path}"
        )
        assert answer == f"301 {ORIGIN}{path}", answer


def test_only_the_authority_makes_the_name_trusted(house: House) -> None:
    assert house.phone.run("curl", "--silent", f"{ORIGIN}/healthz", check=False).returncode == 60
    trusted = house.phone.curl("--cacert", str(house.phone.fetch()), f"{ORIGIN}/healthz")
    assert trusted == "alive\n", trusted


def test_a_phone_signs_in_by_the_link(trusted: House) -> None:
    house = trusted
    with browsing(house) as browser:
        page = connected(browser, house.pairing_link(), ORIGIN)
        kept = cookie(page, ORIGIN)
        assert kept["secure"] and kept["httpOnly"] and kept["sameSite"] == "Strict", kept
        page.goto(ORIGIN + "/scan")
        expect(page.locator("main")).not_to_contain_text("Without HTTPS")
        assert page.evaluate("isSecureContext && !!navigator.mediaDevices && !!navigator.serviceWorker")
        page.goto(ORIGIN + "/devices")
        page.get_by_role("button", name="New code").click()
        expect(page.locator("main")).to_contain_text(f"{ORIGIN}/p/")
        expect(page.locator("main")).to_contain_text(f"http://{NAME}/trust")


def test_a_bare_phone_reads_a_photo_in_four_taps(trusted: House, figure: Figure) -> None:
    """From the link of the QR code to the judged photo: phone and desk, both languages, with and without script."""
    house, figures = trusted, []
    with browsing(house) as browser:
        for width, language, has_script, menu in LOOKS:
            link = house.pairing_link()
            page = browser.new_context(
                locale=language, java_script_enabled=has_script, viewport={"width": width, "height": 844}
            ).new_page()
            start, taps = time.monotonic(), 0
            page.goto(link)
            for button in ("form[action='/pair'] button[type=submit]", "main form[action='/who'] button"):
                page.wait_for_timeout(PAUSE)
                page.locator(button).first.click()
                taps += 1
            page.wait_for_timeout(PAUSE)
            page.locator("input[type=file]").first.set_input_files(REPOSITORY / "samples/menus" / menu)
            taps += 1
            if not has_script:
                page.wait_for_timeout(PAUSE)
                page.locator("form#scan button[type=submit]").click()
                taps += 1
            page.locator(".fixrow").first.wait_for(timeout=180_000)
            seconds = time.monotonic() - start
            assert taps <= 4, f"{taps} taps"
            assert seconds <= 30, f"{seconds:.0f} s"
            look = f"{width} px {language}" + ("" if has_script else " without script")
            figures.append(f"{look}: {taps} taps, {seconds:.1f} s")
    figure("; ".join(figures))


def test_plain_http_works_and_says_what_is_missing(house: House) -> None:
    with browsing(house) as browser:
        page = connected(browser, house.pairing_link("--address", NAME), house.plain)
        assert not cookie(page, house.plain)["secure"]
        page.goto(house.plain + "/scan")
        expect(page.locator("main")).to_contain_text("Without HTTPS")
        assert page.evaluate("!isSecureContext")
        page.get_by_role("link", name="Set up HTTPS").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("HTTPS in this house")
        expect(page.get_by_role("link", name=ORIGIN)).to_be_visible()


def connected(browser: Browser, link: str, origin: str) -> Page:
    """A page of a new device that Ada connects by this link."""
    assert link.startswith(f"{origin}/p/"), link
    page = browser.new_context(locale="en").new_page()
    page.goto(link)
    page.get_by_role("button", name="Connect", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Who is it?")
    page.get_by_role("button", name="Ada").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Who is it?")
    return page


def cookie(page: Page, origin: str) -> Cookie:
    return next(cookie for cookie in page.context.cookies(origin) if cookie.get("name") == "tablesight")


WITHOUT_DAEMON = (
    offline.test_a_list_is_changed_on_two_phones_without_the_daemon,
    offline.test_thirty_entries_are_made_without_the_daemon,
)


@pytest.mark.parametrize("check", WITHOUT_DAEMON, ids=["list", "diary"])
def test_it_is_kept_without_the_daemon(trusted: House, check: Callable[[App], None]) -> None:
    """By the host name over TLS; nginx stays, and answers that nobody is behind it."""
    with browsing(trusted) as browser:
        app = App(browser.new_context, trusted.daemon, PHONE_LOOK, ORIGIN)
        app.sign_in()
        check(app)


def test_a_child_plays_with_the_camera(trusted: House, pytestconfig: pytest.Config, figure: Figure) -> None:
    """By the host name over TLS, where browsers allow a camera."""
    film: Path | None = pytestconfig.getoption("film")
    camera = film or play.camera_video(trusted.phone.home)
    with browsing(trusted, args=launching(camera)["args"]) as browser:
        app = App(browser.new_context, trusted.daemon, PHONE_LOOK, ORIGIN)
        app.sign_in()
        laid = ("Boat", 3) if film else ("Square", 1)
        figure(play.a_figure_is_laid_before_the_camera(app, *laid))


def test_a_renewed_certificate_needs_nothing_of_the_phone(house: House) -> None:
    before = (house.folder / "server.pem").read_bytes(), (house.folder / "authority.crt").read_bytes()
    said = house.tablesight("household", "certificate")
    assert said.rstrip().endswith("sudo systemctl reload nginx"), said
    assert (house.folder / "authority.crt").read_bytes() == before[1]
    assert (house.folder / "server.pem").read_bytes() != before[0]
