"""Accessibility checks: axe-core on every page, 200 % zoom, and every control by keyboard."""

from __future__ import annotations

import sys
from typing import Any

from tablesight_tools.browser.driver import Browser
from tablesight_tools.paths import REPOSITORY

AXE = REPOSITORY / ".build-tools/axe/axe.min.js"

RUN = """
return window.axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}).then((result) => result.violations.map((found) => [
  found.id, found.impact, found.nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; "),
]));
"""

# What a person can do on a page: the visible controls that take the focus.
CONTROLS = """
const visible = (item) => item.checkVisibility({ visibilityProperty: true }) && !item.closest("[hidden]");
const name = (item) => item.tagName.toLowerCase() + ":" + (item.id || item.getAttribute("href") || item.name
  || item.getAttribute("aria-label") || item.textContent.trim().slice(0, 40));
"""
LIST = (
    CONTROLS
    + """
return [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((item) => visible(item) && !item.disabled && item.type !== "hidden" && item.tabIndex >= 0).map(name);
"""
)
FOCUSED = (
    CONTROLS
    + """
const item = document.activeElement;
if (!item || item === document.body) return null;
const seen = (part) => {
  const style = getComputedStyle(part);
  return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
};
// A hidden file field shows its focus on its label, a dot of the photo on its circle.
const shown = seen(item) || (item.nextElementSibling && seen(item.nextElementSibling))
  || [...(item.labels ?? [])].some(seen) || !!item.querySelector("circle");
return [name(item), shown];
"""
)


def findings(browser: Browser) -> list[tuple[str, str, str]]:
    """Serious and critical findings of axe-core on the open page: rule, impact, places."""
    browser.run(AXE.read_text() + "\nwindow.axe = axe;")
    found: list[list[Any]] = browser.run(RUN)
    return [(rule, impact, places) for rule, impact, places in found if impact in ("serious", "critical")]


def check_axe(browser: Browser, address: str, paths: list[str], where: str) -> None:
    """Fails if axe-core has a serious or critical finding on a page."""
    if not AXE.exists():
        raise AssertionError(f"{AXE.name} is missing: scripts/setup --with-browser")
    wrong: list[str] = []
    for path in paths:
        browser.open(address + path)
        wrong += [f"{path[:24]} {where}: {rule} ({impact}) at {places}" for rule, impact, places in findings(browser)]
    print(f"  axe-core on {len(paths)} pages, {where}: {len(wrong)} serious or critical", file=sys.stderr)
    assert not wrong, "\n".join(wrong)


def check_zoom(browser: Browser, address: str, paths: list[str]) -> None:
    """At 200 % a window of 1,280 pixels shows 640: nothing may be cut off or scroll sideways."""
    browser.tools(
        "Emulation.setDeviceMetricsOverride", {"width": 640, "height": 400, "deviceScaleFactor": 2, "mobile": False}
    )
    try:
        for path in paths:
            browser.open(address + path)
            width = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert width[0] <= width[1], f"{path} scrolls sideways at 200 %: {width}"
            cut = browser.run(
                "return [...document.querySelectorAll('main a, main button, main input, main h1, main h2, main p')]"
                ".filter((item) => item.checkVisibility() && !item.closest('.tablewrap, .vh, .skip') "
                "&& !item.matches('.vh') && item.getBoundingClientRect().right > innerWidth + 1)"
                ".map((item) => item.outerHTML.slice(0, 80))"
            )
            assert not cut, f"{path}: cut off at 200 %: {cut}"
    finally:
        browser.tools("Emulation.clearDeviceMetricsOverride", {})


def check_keyboard(browser: Browser, address: str, paths: list[str]) -> None:
    """Tab reaches every control of a page and shows where it is."""
    for path in paths:
        browser.open(address + path)
        wanted = set(browser.run(LIST))
        reached: set[str] = set()
        for _ in range(len(browser.run(LIST)) + 5):
            browser.press("tab")
            focused = browser.run(FOCUSED)
            if focused is None:
                continue
            assert focused[1], f"{path}: no sign of the focus on {focused[0]}"
            reached.add(focused[0])
        assert wanted <= reached, f"{path}: Tab does not reach {sorted(wanted - reached)}"
