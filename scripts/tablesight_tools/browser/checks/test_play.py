"""Checks of play: a child's figure from photos and before a camera."""

from __future__ import annotations

import itertools
import re
import statistics
from pathlib import Path

from playwright.sync_api import Request, expect

from tablesight_tools.browser.app import App, Figure
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.daemon import READING, SAMPLES
from tablesight_tools.measures import percentile

BOARDS = SAMPLES / "boards"
CHILD = "Leo"
# Frames of a camera that shows each of two tables for three seconds, at 30 a second.
SECONDS, RATE = 3, 30
# Notes when a picture was taken, and when the page showed what it says.
STOPWATCH = """() => {
  window.delays = [];
  let taken = 0;
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...all) {
    taken = performance.now();
    return draw.apply(this, all);
  };
  const ask = window.fetch;
  window.fetch = async (...all) => {
    const begun = taken;
    const answer = await ask(...all);
    if (String(all[0]).endsWith("/frames")) setTimeout(() => delays.push(performance.now() - begun), 0);
    return answer;
  };
}"""


def child(app: App, name: str = CHILD) -> str:
    """A child who may play on the devices of adults; gives the address of the child's lobby."""
    known = {member["name"]: member for member in app.daemon.call("GET", "/v1/members")}
    if name not in known:
        app.daemon.call("PUT", f"/v1/people/{name}", {"allergens": {}, "role": "child"})
    app.open("/games")
    address = app.link(re.compile(name)).get_attribute("href") or ""
    assert address, "the child is not among those who play"
    return address


def test_a_child_lays_a_figure_from_photos(app: App, figure: Figure) -> None:
    """Taps from the lobby to the end: the figure, two photos with their buttons, and help between them."""
    lobby = child(app)
    app.open(lobby + "&level=1", heading="Games")
    access.expect_no_violations(app, "the lobby")
    app.button(re.compile("^Square")).click()
    app.expect_page("play")
    app.expect_text("Lay the pieces like this.", "No picture yet.")
    access.expect_no_violations(app, "a play")
    app.attach("Or a photo of the table", BOARDS / "coloured-scattered.jpg")
    app.button("Send photo").click()
    app.expect_text("The camera sees", seconds=READING)
    app.press("Hint")
    expect(app.find(".kidsay")).not_to_have_text("Lay the pieces like this.")
    app.attach("Or a photo of the table", BOARDS / "coloured-square.jpg")
    app.button("Send photo").click()
    app.expect_text("You built it: Square!", seconds=READING)
    access.expect_no_violations(app, "the end of a play")
    stars = app.find(".party .stars").get_attribute("aria-label") or ""
    app.press("Next")
    app.expect_page("play")
    expect(app.find(".part--open"), "the next figure").to_have_count(7)
    # Pictures of a watched folder are played, and recorded ones in the order of their names.
    expect(app.find("[data-live=seen]")).to_have_text("No picture yet.")
    app.daemon.drop(BOARDS / "coloured-scattered.jpg", f"play/{CHILD}")
    expect(app.find("[data-live=seen]")).not_to_have_text("No picture yet.", timeout=READING * 1000)
    recorded = [BOARDS / "coloured-square.jpg", BOARDS / "coloured-scattered.jpg"]
    sent = itertools.count(1)

    def is_last(request: Request) -> bool:
        return request.url.endswith("/photo") and next(sent) == len(recorded)

    with app.page.expect_request_finished(is_last, timeout=READING * 1000):
        app.field("Or recorded pictures, in the order of their names").set_input_files(recorded)
    app.press("Stop", heading="Games")
    app.open(lobby + "&level=1", heading="Games")  # The lobby opens at the next figure's level.
    expect(app.button(re.compile("^Square")).locator(".stars")).to_have_attribute("aria-label", stars)
    app.follow("Parents", "Solved: 1")
    access.expect_no_violations(app, "a week of play")
    assert "square" in app.get(app.link("CSV").get_attribute("href") or "").text()
    figure(f"7 taps, {stars}")


def test_an_adult_bounds_the_minutes(app: App) -> None:
    lobby = child(app)
    app.open(lobby)
    # Without a PIN a child could choose the picture and lift it, so the first limit comes with one.
    limit, pin = "Minutes a day, empty for no limit", "New PIN, 4 to 8 digits"
    app.send("Save", {limit: "20", pin: "2580"}, "of 20 minutes played", heading="Games")
    expect(app.field(pin)).to_have_count(0)
    app.send("Save", {limit: ""}, re.compile("Today: [0-9]+ minutes played"))


def camera_video(place: Path) -> Path:
    """A video of two tables: loose pieces, then the square."""
    video = place / "camera.mjpeg"
    with video.open("wb") as out:
        for name in ("coloured-scattered", "coloured-square"):
            for _ in range(SECONDS * RATE):
                out.write((BOARDS / f"{name}.jpg").read_bytes())
    return video


def a_figure_is_laid_before_the_camera(app: App, figure: str = "Square", level: int = 1, seconds: float = 120) -> str:
    lobby = child(app)
    app.open(f"{lobby}&level={level}", heading="Games")
    app.button(re.compile(f"^{figure}")).click()
    app.expect_page("play")
    app.page.evaluate(STOPWATCH)
    app.press("Start the camera")
    app.expect_text(f"You built it: {figure}!", seconds=seconds)
    expect(app.find("#see")).to_be_visible()
    read = int(app.find("#play").get_attribute("data-read") or 0)
    delays = [float(value) for value in app.page.evaluate("delays")]
    # Both tables. How many a second is measured, not required: a loaded machine reads two.
    assert read >= 2, f"only {read} pictures were read"
    middle, worst = statistics.median(delays), percentile(delays, 0.95)
    app.press("Stop", heading="Games")
    speed = f"{read} pictures, {1000 / middle:.1f} a second"
    return f"{speed}; from the picture to the page {middle:.0f} ms, p95 {worst:.0f} ms"
