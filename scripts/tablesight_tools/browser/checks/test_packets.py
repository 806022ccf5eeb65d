"""Checks of packets, saved items, the history and people on a phone: screens to scroll, taps, and what is cut off."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tablesight_tools.browser.app import NO_SCRIPT, SMALL, ZOOMED, App, Figure, Look
from tablesight_tools.browser.checks import test_access as access
from tablesight_tools.browser.checks.homes import BEGUN, LABEL, LONG_MENU, MENU, MUSSELS, RECEIPT, SCATTERED
from tablesight_tools.browser.checks.test_play import CHILD
from tablesight_tools.browser.daemon import READING, wait_until

pytestmark = pytest.mark.home("read")

# Sixty ingredients of a ready meal. The label is drawn here, so that no photo of a real packet is needed.
INGREDIENTS = (
    "Wheat flour, water, tomatoes 12 %, mozzarella cheese (milk), rapeseed oil, onions, sugar, modified maize starch, "
    "pork 4 %, yeast, salt, skimmed milk powder, whey powder (milk), butter (milk), egg yolk powder, palm oil, "
    "barley malt extract, oat flakes, rye flour, soya protein, mustard seed, celery, garlic, parsley, basil, oregano, "
    "black pepper, paprika, turmeric, nutmeg, glucose syrup, dextrose, maltodextrin, lactose, spirit vinegar, "
    "lemon juice, carrots, leek, peas, sweetcorn, spinach, rice flour, potato starch, gelatine, honey, sesame seeds, "
    "sunflower seeds, hazelnuts, emulsifier (E471), stabiliser (E412), thickener (E407), preservative (E250), "
    "antioxidant (E300), flavour enhancer (E621), colour (E150d), sweetener (E951), raising agent (E500), "
    "acidity regulator (E330), flavouring, smoke flavouring"
)
PAPER = f"""<body style="margin:0;background:#fff;color:#000;font:30px/1.5 'DejaVu Sans',sans-serif">
<div style="padding:70px 90px;width:1320px"><h1 style="font-size:56px">Farmhouse Pizza</h1>
<p><b>Ingredients:</b> {INGREDIENTS}.</p></div></body>"""

# Parts that are wider than their place and do not scroll by themselves, also inside cards.
SQUEEZED = """() => [...document.querySelectorAll("main *")].filter((part) => {
  if (!(part instanceof HTMLElement) || !part.checkVisibility() || part.closest(".vh, .menu")) return false;
  const style = getComputedStyle(part);
  if (part.scrollWidth <= part.clientWidth + 1 || part.clientWidth === 0 || style.display === "inline") return false;
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  // A frame that scrolls must be reached by keyboard; a field scrolls what is typed.
  if (scrolls(part)) return part.tabIndex < 0 && !part.querySelector("a, button, input");
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(part.tagName)) return false;
  for (let one = part.parentElement; one && one.tagName !== "MAIN"; one = one.parentElement) {
    if (scrolls(one)) return false;
  }
  return ![...part.children].some((child) => child.scrollWidth > child.clientWidth + 1 && child.clientWidth > 0
    && getComputedStyle(child).display !== "inline");
}).map((part) => part.outerHTML.slice(0, 90))"""
# Controls and texts beyond the right edge of the window.
CUT = """() => [...document.querySelectorAll("main a, main button, main input, main h1, main h2, main p")]
  .filter((item) => item.checkVisibility() && !item.closest(".tablewrap, .vh, .skip") && !item.matches(".vh")
    && item.getBoundingClientRect().right > innerWidth + 1)
  .map((item) => item.outerHTML.slice(0, 80))"""
# Plots whose marks or words leave the plot.
CUT_PLOTS = """() => [...document.querySelectorAll("main svg:not(.icon)")].filter((plot) => plot.checkVisibility())
  .flatMap((plot) => [...plot.querySelectorAll("text")].filter((text) => {
    const [inner, outer] = [text.getBoundingClientRect(), plot.getBoundingClientRect()];
    return inner.left < outer.left - 1 || inner.right > outer.right + 1;
  }).map((text) => `${plot.getAttribute("aria-label") ?? plot.getAttribute("class")}: ${text.textContent}`))"""


def label(app: App) -> str:
    """Has a photo of a label with sixty ingredients read; gives the address of its page."""
    file = app.daemon.place / "sixty.png"
    page = app.another(Look("paper", 1500, 1700)).page
    page.set_content(PAPER)
    page.screenshot(path=file)
    page.close()
    return f"/photos/{app.daemon.upload(file)}"


def screens(app: App, path: str) -> float:
    """How many screens a page is high."""
    app.open(path)
    height: int = app.page.evaluate("document.documentElement.scrollHeight")
    return height / app.look.height


@pytest.mark.home("full")
def test_what_screens_a_phone_scrolls(app: App, figure: Figure) -> None:
    """Two screens for a packet of sixty ingredients, a scanned number, and people."""
    pages = {
        "60 ingredients": label(app),
        "scanned number": f"/photos/{app.daemon.upload(MUSSELS)}",
        "people": "/people",
        "a person": "/people?name=Ada",
    }
    free = {"fish pie": f"/photos/{app.daemon.upload(LABEL)}", "menu": f"/photos/{app.daemon.upload(LONG_MENU)}"}
    free |= {"list": "/list", "more": "/more", "history": "/history"}
    small = app.again(SMALL)
    found = {name: screens(small, path) for name, path in (pages | free).items()}
    heights = ", ".join(f"{name} {height:.2f}" for name, height in found.items())
    assert all(found[name] <= 2 for name in pages), heights
    figure(f"screens of 390 × 844: {heights}")


def test_a_menu_answers_with_one_tap(app: App) -> None:
    """Who may eat the third dish: its chips name the people; a tap opens why."""
    menu = app.daemon.upload(MENU)
    small = app.again(SMALL)
    small.open(f"/photos/{menu}")
    third = small.link(re.compile("^Dish 3:"))
    expect(third.locator(".chip").first).to_be_visible()
    third.click()
    expect(small.find("article.is-open")).to_be_visible()


def test_a_packet_says_what_is_risky_and_why(app: App) -> None:
    """What is risky without a tap, why with one."""
    small = app.again(SMALL)
    small.open(label(app))
    first = small.find(".conc").first
    expect(first).to_contain_text(re.compile("high|moderate|low"))
    first.click()
    sheet = small.page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", level=2).first).to_be_visible()
    expect(sheet.locator("sup").first, "a reference").to_be_visible()
    small.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(first, "the focus comes back").to_be_focused()
    small.page.evaluate("history.forward()")


def test_a_scanned_number_is_shown_like_a_packet(app: App) -> None:
    """The record's ingredients have the same parts, also where no label was read."""
    photo = app.daemon.upload(MUSSELS)
    small = app.again(SMALL)
    small.open(f"/photos/{photo}")
    small.expect_text("What stands out")
    expect(small.link("Add to list")).to_be_visible()
    small.find(".conc").first.click()
    expect(small.page.get_by_role("dialog")).to_be_visible()
    small.page.keyboard.press("Escape")
    # Without script it is a page.
    address = small.find(".conc").first.get_attribute("href")
    assert address
    small.open(address)
    small.follow("Back to the packet")
    small.expect_text("What stands out")


def test_a_dish_is_saved_with_one_tap(app: App) -> None:
    """Saved by one person, found in the history, and gone with the photo."""
    menu = app.daemon.upload(MENU)
    packet = app.daemon.upload(LABEL)
    app.open(f"/photos/{menu}")
    name = app.find(".fixrow .name").nth(2).inner_text().strip()
    name = name.split(":")[-1].strip()
    button = app.button(f"Save {name}")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    app.open(f"/photos/{packet}")
    app.button(re.compile("^Save ")).first.click()
    app.open("/history")
    app.follow("Saved", "2 saved items")
    expect(app.find(".rowitem__title")).to_have_text([re.compile("Pie"), name])
    app.send("Search", {"Words on the photo": name.split()[0]}, "1 saved item")
    app.link(name).click()
    expect(app.find("article.is-open .name")).to_contain_text(name)
    app.use("Ben")
    app.open("/history?saved=yes", "Nothing is saved")
    app.use("Ada")
    app.open("/history?saved=yes")
    app.button(f"Save {name}").click()
    app.expect_text("1 saved item")
    app.button(re.compile("^Save ")).first.click()
    app.expect_text("Nothing is saved")


@pytest.mark.looks(NO_SCRIPT)
def test_saving_and_people_work_without_script(app: App) -> None:
    menu = app.daemon.upload(MENU)
    app.open(f"/photos/{menu}")
    button = app.button("Save Mushroom risotto")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    app.open("/people")
    app.field("Name").fill("Dora")
    app.field("Search, or type a word of your own").fill("Erdnuss, mango")
    app.find(".pick label").filter(has_text="Milk").click()
    app.press("Save", "Dora is saved.")
    expect(app.field("Milk")).to_have_value("high")
    expect(app.field("Peanuts")).to_have_value("high")
    expect(app.field("mango")).to_be_checked()


def test_the_colours_are_chosen(app: App) -> None:
    """The device's colours, or light, or dark; the choice stays on other pages."""
    paper = "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
    app.open("/more")
    for button, colour in (("Dark", "#141412"), ("Light", "#f8f6f2"), ("As the device", "#f8f6f2")):
        app.press(button)
        expect(app.button(button)).to_have_attribute("aria-pressed", "true")
        app.open("/history")
        assert app.page.evaluate(paper) == colour, button
        app.open("/more")


def test_a_phone_answers_the_finger(app: App) -> None:
    """A buzz where something is added or refused, and none where motion is reduced."""
    record = "navigator.vibrate = (pattern) => { (globalThis.buzzes ??= []).push(pattern); return true; };"
    menu = app.daemon.upload(MENU)
    for motion, wanted in (("no-preference", [[15], [40, 60, 40]]), ("reduce", [])):
        small = app.again(SMALL)
        small.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        small.context.add_init_script(record)
        small.open(f"/photos/{menu}")
        button = small.button("Save Mushroom risotto")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        buzzes = list(small.page.evaluate("globalThis.buzzes ?? []"))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "false")
        small.open("/people")
        small.button("Save").click()
        buzzes += small.page.evaluate("globalThis.buzzes ?? []")
        assert buzzes == wanted, f"{motion}: {buzzes}"


def test_a_receipt_is_found_with_three_taps(app: App) -> None:
    receipt = app.daemon.upload(RECEIPT)
    small = app.again(SMALL)
    small.open("/")
    small.page.get_by_role("link", name="History", exact=True).last.click()
    small.link("Receipts").click()
    row = small.find(".rowitem").filter(has=small.page.locator(f'a[href="/photos/{receipt}"]'))
    expect(row).to_contain_text(re.compile(r"today, \d\d:\d\d"))
    row.get_by_role("link").first.click()
    small.page.wait_for_url(f"**/receipts/{receipt}")


def test_a_game_is_one_entry_of_the_history(app: App) -> None:
    """The frames of a game are one entry, which leads to all of them."""
    app.daemon.call("PUT", f"/v1/people/{CHILD}", {"allergens": {}, "role": "child"})
    app.daemon.call("POST", "/v1/plays", {"game": "tangram", "puzzle": "square"}, member=CHILD)
    app.daemon.drop(SCATTERED, f"play/{CHILD}")
    sidecars = app.daemon.results / "outcomes"
    wait_until(lambda: bool(list(sidecars.rglob(f"{CHILD}/*.json"))), "the outcome of the child's photo", READING)
    for frames, photo in enumerate((SCATTERED, BEGUN), 1):
        app.daemon.drop(photo, "table")
        app.daemon.board(frames)
    app.open("/history?domain=board")
    # A photo that a child played stands alone.
    expect(app.find(".rowitem").filter(has_text=f"{frames} photos")).to_have_count(1)
    app.follow(f"{frames} photos")
    expect(app.find(".rowitem__title")).to_have_count(frames)


@pytest.mark.home("full")
def test_nothing_is_cut_off(app: App, figure: Figure) -> None:
    """No part is wider than its card, and no word leaves its plot, at three widths and zoomed to 200 %."""
    paths, wrong = access.every_page(app), []
    broken = app.daemon.place / f"{'0123456789abcdef' * 4}.jpg"
    broken.write_bytes(b"\xff\xd8\xff" + bytes(99))
    paths += [label(app), f"/photos/{app.daemon.upload(MUSSELS)}", "/history?saved=yes"]
    paths.append(f"/photos/{app.daemon.receive(broken)}")
    for looks in ((Look("360 pixels", 360, 844), SMALL), (Look("768 pixels", 768, 844), ZOOMED)):
        window = app.again(looks[0])
        for page in access.opened(window, paths):
            window.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
            for look in looks:
                window.page.set_viewport_size({"width": look.width, "height": look.height})
                at = f"{page}, {look.name},"
                if access.scrolls_sideways(window):
                    wrong.append(f"{at} scrolls sideways")
                for script in (SQUEEZED, CUT, CUT_PLOTS):
                    wrong += [f"{at} cuts off {part}" for part in window.page.evaluate(script)]
    figure(access.counted("parts that are cut off at 360, 390 or 768 pixels or zoomed", paths, wrong, app))
