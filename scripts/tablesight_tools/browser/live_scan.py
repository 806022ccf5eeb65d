"""Holds drawn packets' codes before the camera of Chromium, and measures what the scan page says.

    scripts/tool browser.live_scan [--codes 30] [--program PROGRAM]

Each code moves, turns and blurs as in a hand for HELD seconds. Six dark or bright squares in the corner of each picture
say which code it shows, so that the time from the first picture to the product on the page can be measured.
Exit codes: 0 no wrong number was said · 1 one was
"""

from __future__ import annotations

import argparse
import base64
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tablesight_tools import gtin
from tablesight_tools.browser.app import SMALL, App, chromium, launching
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.measures import percentile
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import family_seconds

HELD, APART, RATE = 2.5, 0.5, 30
# Modules without bars on each side of a code.
QUIET = "0" * 9
# Pictures for which a drawing stands.
REPEATED = 3
# Draws one picture: the bars in the middle of a packet, at a moment 0…1 of the time for which it is held.
DRAW = """({bars, index, at, seed}) => {
  const [w, h] = [1280, 720];
  const canvas = window.canvas ??= Object.assign(document.createElement("canvas"), {width: w, height: h});
  const c = canvas.getContext("2d");
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.filter = "none";
  c.fillStyle = "#6b5b4a";
  c.fillRect(0, 0, w, h);
  if (bars) {
    const module = 2.2 + seed % 5 * 0.35, turn = ((seed % 17) - 8) * Math.PI / 180 + Math.sin(at * 9) * 0.04;
    const blur = Math.max(0.3, 4 - at * 14) + (seed % 3) * 0.3;
    c.filter = `blur(${blur.toFixed(2)}px) brightness(${0.75 + seed % 4 * 0.1})`;
    c.translate(w / 2 + Math.sin(at * 7 + seed) * 60 + Math.max(0, 0.15 - at) * 3000, h / 2 + Math.cos(at * 5) * 40);
    c.rotate(turn);
    // Blurred once, not bar by bar.
    const packet = Object.assign(document.createElement("canvas"), {width: bars.length * module + 120, height: 320});
    const p = packet.getContext("2d");
    p.fillStyle = ["#fff", "#f3ead2", "#ffe9e0", "#e8f2e4"][seed % 4];
    p.fillRect(0, 0, packet.width, packet.height);
    p.fillStyle = "#1c1c22";
    [...bars].forEach((bar, place) => {
      if (bar === "1") p.fillRect(60 + place * module, 50, module + 0.02, 200);
    });
    c.drawImage(packet, -packet.width / 2, -150);
  }
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.filter = "none";
  for (let bit = 0; bit < 6; bit += 1) {
    c.fillStyle = (index >> bit) & 1 ? "#fff" : "#000";
    c.fillRect(bit * 16, 0, 16, 16);
  }
  return canvas.toDataURL("image/jpeg", 0.85).split(",")[1];
}"""
# Notes when a code is first seen, and when the page says a number.
WATCH = """() => {
  window.seen = {};
  window.said = [];
  const video = document.getElementById("see");
  const small = Object.assign(document.createElement("canvas"), {width: 96, height: 16});
  const c = small.getContext("2d", {willReadFrequently: true});
  const look = () => {
    c.drawImage(video, 0, 0, 96, 16, 0, 0, 96, 16);
    const pixels = c.getImageData(0, 8, 96, 1).data;
    let index = 0;
    for (let bit = 0; bit < 6; bit += 1) if (pixels[(bit * 16 + 8) * 4] > 127) index |= 1 << bit;
    window.showing = index;
    seen[index] ??= performance.now();
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
  new MutationObserver(() => {
    const number = document.getElementById("found")?.dataset.number;
    if (number) said.push([number, performance.now(), window.showing]);
  }).observe(document.getElementById("code"), {childList: true});
}"""


def invented(count: int) -> dict[str, dict[str, object]]:
    """Numbers with a record each; one in five is an EAN-8."""
    source = random.Random(71)
    foods: dict[str, dict[str, object]] = {}
    for place in range(count):
        digits = "".join(str(source.randrange(10)) for _ in range(6 if place % 5 == 4 else 11))
        number = ("4" if place % 5 == 4 else "5") + digits
        number += gtin.check_digit(number)
        foods[number] = {
            "code": number,
            "product_name": f"Packet {place + 1}",
            "ingredients_text": "oats, milk powder, hazelnuts" if place % 2 else "oats, sugar",
            "nutriments": {"energy-kcal_100g": 400},
        }
    return foods


def film(browser: Browser, numbers: list[str], file: Path, held: float = HELD, apart: float = APART) -> None:
    """Writes the video of the camera."""
    page = browser.new_page()
    with file.open("wb") as out:
        for place, number in enumerate(numbers):
            code = QUIET + gtin.modules(number) + QUIET
            for frame in range(0, int((held + apart) * RATE), REPEATED):
                at = frame / (held * RATE)
                values = {
                    "bars": code if at < 1 else "",
                    "index": place + 1 if at < 1 else 0,
                    "at": at,
                }
                drawn = base64.b64decode(page.evaluate(DRAW, {**values, "seed": place * 7 + 3}))
                out.write(drawn * REPEATED)
    page.close()


def start(app: App) -> None:
    app.open("/scan")
    app.page.evaluate(WATCH)
    app.press("Scan barcodes live")


def renderer_seconds(browser: Browser) -> float:
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return float(sum(process["cpuTime"] for process in found["processInfo"] if process["type"] == "renderer"))


def result(page: Page, numbers: list[str]) -> tuple[list[float], list[str], dict[str, Any]]:
    """Seconds to each product, numbers that are wrong, and when each code was seen."""
    seen, said = page.evaluate("[seen, said]")
    times: dict[str, float] = {}
    wrong = []
    for number, moment, _ in said:
        known = next((one for one in numbers if one.lstrip("0") == number), None)
        if known is None:
            wrong.append(number)
        elif known not in times and str(numbers.index(known) + 1) in seen:
            times[known] = (moment - seen[str(numbers.index(known) + 1)]) / 1000
    return list(times.values()), wrong, seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codes", type=int, default=30)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    options = parser.parse_args()
    foods = invented(options.codes)
    numbers = list(foods)
    daemon = Daemon(options.program.resolve(), foods=list(foods.values()))
    with tempfile.TemporaryDirectory() as folder, daemon:
        video = Path(folder) / "camera.mjpeg"
        with chromium() as browser:
            film(browser, numbers, video)
        daemon.store_people()
        with chromium(**launching(video)) as browser:
            app = App(browser.new_context, daemon, SMALL)
            app.sign_in()
            start(app)
            app.page.wait_for_function("() => Object.keys(seen).length > 1")
            begun, daemon_begun, page_begun = (
                time.monotonic(),
                family_seconds(daemon.process.pid),
                renderer_seconds(browser),
            )
            app.page.wait_for_timeout((HELD + APART) * len(numbers) * 1000)
            spent = time.monotonic() - begun
            daemon_spent = family_seconds(daemon.process.pid) - daemon_begun
            page_spent = renderer_seconds(browser) - page_begun
            read = int(app.find("#code").get_attribute("data-read") or 0)
            times, wrong, seen = result(app.page, numbers)
    print(f"{len(times)} of {len(numbers)} codes found, {len(seen) - 1} shown, wrong {len(wrong)} {wrong}")
    print(f"time to the product: median {statistics.median(times):.2f} s, p95 {percentile(times, 0.95):.2f}")
    print(f"most {max(times):.2f} s; {read} pictures, {read / spent:.1f} a second")
    print(f"processor: daemon with worker {daemon_spent / spent:.0%} of a core, page {page_spent / spent:.0%}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
