"""Checks of a list and of a diary on phones while the daemon is away."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from playwright.sync_api import expect

from tablesight_tools.browser.app import PHONE, App
from tablesight_tools.browser.checks.homes import MENU
from tablesight_tools.browser.daemon import wait_until
from tablesight_tools.browser.invented import Member

OFFLINE = "There is no network."
# On each phone: goods to add, some of which are ticked and removed again.
ADDED = 15
GONE = 5


def wait_in(phone: App, expression: str) -> None:
    """Waits until an expression of the page holds. `wait_for_function` takes the promise itself for an answer."""
    wait_until(lambda: bool(phone.page.evaluate(f"async () => Boolean({expression})")), expression)


def test_a_list_is_changed_on_two_phones_without_the_daemon(app: App) -> None:
    """50 changes, 25 on each phone: nothing is lost or doubled, and both phones show the same order in the end."""
    vera = Member(app.daemon, "Vera")
    number = vera.make_list("Offline")
    known = [f"Known {index}" for index in range(10)]
    for name in known:
        vera.add(number, name=name, anyway=True)
    port = app.daemon.listens[1]  # behind a proxy the daemon keeps its own
    one, two = (app.another(PHONE, "Vera") for _ in range(2))
    phones = {"one": one, "two": two}
    for phone in phones.values():
        phone.open(f"/list?list={number}", "Known 9")
        wait_in(phone, "(await (await caches.open('list')).keys()).length > 5")
    app.daemon.stop()
    for index, (name, phone) in enumerate(phones.items()):
        # The page opens without the daemon.
        phone.open(f"/list?list={number}", "Known 9")
        for added in range(ADDED):
            phone.find("#ad").fill(f"Goods {name} {added}")
            phone.find("#ad").press("Enter")
            phone.expect_item(f"Goods {name} {added}")
        row = phone.find(".lrow")
        for tick in range(GONE):
            row.filter(has_text=known[5 * index + tick]).locator(".tick").click()
        for removed in range(GONE):
            row.filter(has=phone.page.get_by_text(f"Goods {name} {removed}", exact=True)).locator(
                "[name=remove]"
            ).click()
        phone.expect_status(OFFLINE)
        phone.expect_status(str(ADDED + 2 * GONE))
        # Opened again, the page shows what waits.
        phone.open(f"/list?list={number}", f"Goods {name} {ADDED - 1}")
        expect(phone.find(".lrow--done")).to_have_count(GONE)
    app.daemon.start(port)
    for phone in phones.values():
        expect(phone.find("#offline")).to_be_hidden(timeout=60_000)
    entries = vera.call("GET", f"/v1/items?list={number}")
    names = [entry["name"] for entry in entries]
    wanted = {*known, *(f"Goods {name} {added}" for name in phones for added in range(GONE, ADDED))}
    assert len(names) == len(set(names)), f"doubled: {names}"
    assert set(names) == wanted, f"lost {wanted - set(names)}, too many {set(names) - wanted}"
    assert all(entry["isCompleted"] == entry["name"].startswith("Known") for entry in entries), "ticks are lost"
    for name in phones:
        own = [entry for entry in names if entry.startswith(f"Goods {name}")]
        assert own == [f"Goods {name} {added}" for added in range(GONE, ADDED)], f"another order: {own}"
    shown = []
    for phone in phones.values():
        phone.open(f"/list?list={number}")
        shown.append(phone.items.all_inner_texts())
    assert shown[0] == shown[1], "the phones show different orders"
    # Nothing of the list is left after somebody else takes the phone.
    one.open("/who")
    one.page.get_by_role("button", name="Ada").first.click()
    one.page.wait_for_url(lambda url: not url.endswith("/who"))
    # What the other person opens may be kept meanwhile.
    left = """async () => {
        const kept = [];
        for (const name of await caches.keys()) kept.push(...await (await caches.open(name)).keys());
        const lists = kept.filter(({ url }) => new URL(url).pathname === "/list");
        return [lists.length, (await indexedDB.databases()).length];
    }"""
    assert one.page.evaluate(left) == [0, 0], "the list of Vera is still on the phone"


# What is eaten: name, and the text that finds it.
EATEN = {"Rye porridge": "rye po", "Crème brûlée": "creme", "Pea soup": "soup", "Oat bar": "bar", "Lemon tea": "lem"}
LOGGED = 25
QUICK = 5


# The foods for the first letter come after those for the whole word.
FIRST_ANSWER_LAST = """() => {
  const real = window.fetch;
  let count = 0;
  window.fetch = async (...request) => {
    const answer = await real(...request);
    if (!String(request[0]).endsWith("/foods") || count++) return answer;
    await new Promise((done) => setTimeout(done, 3000));
    setTimeout(() => { window.isLate = true; }, 300);
    return answer;
  };
}"""


def test_thirty_entries_are_made_without_the_daemon(app: App) -> None:
    """25 foods found among those that were eaten before, and energy alone 5 times: nothing is lost or doubled."""
    ottilie = Member(app.daemon, "Ottilie")
    yesterday = str(app.daemon.today() - timedelta(days=1))
    for number, name in enumerate(EATEN):
        serving = {"sizeLabel": "100 g", "grams": 100, "multiplier": 1}
        food = {"id": f"own:{number}", "name": name, "calories": 100 + number, "protein": 1, "carbs": 2, "fat": 3}
        food |= {"defaultServing": serving, "altServings": [], "source": "userCreated"}
        ottilie.call("POST", f"{ottilie.address}/entries", {"food": food, "day": yesterday, "meal": "lunch"})
    port = app.daemon.listens[1]
    phone = app.another(PHONE, "Ottilie")
    phone.open("/today", heading="Today")
    kept = "(await (await caches.open('list')).keys()).filter(({url}) => /foods|today|away.js/.test(url))"
    wait_in(phone, f"navigator.serviceWorker.controller && {kept}.length == 4")
    app.daemon.stop()
    phone.open("/today/add?meal=dinner", heading="Add food")
    phone.page.evaluate(FIRST_ANSWER_LAST)
    # Two foods have a word with the first letter.
    phone.find("#q").press_sequentially("bar", delay=500)
    phone.page.wait_for_function("() => window.isLate")
    expect(phone.find("#results .item__name")).to_have_text(["Oat bar"])
    wanted = {}
    for number in range(LOGGED):
        name, words = list(EATEN.items())[number % len(EATEN)]
        phone.open("/today/add?meal=dinner", heading="Add food")
        phone.find("#q").press_sequentially(words)
        expect(phone.find("#results li")).to_have_count(1)
        expect(phone.find("#results .item__name")).to_have_text(name)
        phone.find("#results .portion").fill(f"{number + 1} g")
        phone.find("#results .portion").press("Enter")
        wanted[f"{name}, {number + 1} g"] = 1
        expect(phone.find("#away li")).to_have_count(number + 1)
    for number in range(QUICK):
        phone.open("/today/add", heading="Add food")
        phone.find("#qk").fill(str(200 + number))
        phone.find("#qn").fill(f"Snack {number}")
        phone.find("#qn").press("Enter")
        expect(phone.find("#away li")).to_have_count(LOGGED + number + 1)
        wanted[f"Snack {number}, 1 serving"] = 1
    app.daemon.start(port)
    expect(phone.find("#away")).to_be_hidden(timeout=60_000)
    entries = ottilie.call("GET", f"{ottilie.address}/entries")["entries"]
    found = Counter(f"{entry['food']['name']}, {entry['serving']['sizeLabel']}" for entry in entries)
    assert found == wanted, f"lost or doubled: {found - Counter(wanted)}, {Counter(wanted) - found}"
    meals = Counter(entry["meal"] for entry in entries if entry["food"]["name"] in EATEN)
    assert meals == {"dinner": LOGGED}, f"the meal that was chosen is lost: {meals}"
    phone.open("/today", heading="Today")
    expect(phone.find(".meal li")).to_have_count(LOGGED + QUICK)


def test_a_menu_is_read_without_the_daemon(app: App) -> None:
    """A menu that the history lists opens with its answers, and says how old they are."""
    photo = app.daemon.upload(MENU)
    port = app.daemon.listens[1]
    phone = app.another(PHONE, "Ada")
    phone.open("/history", heading="History")
    kept = f"(await caches.match('/photos/{photo}', {{ignoreVary: true}}))"
    wait_in(phone, f"navigator.serviceWorker.controller && {kept}")
    phone.open(f"/photos/{photo}", heading="The Crooked Billet")
    cards = "(await (await caches.open('list')).keys()).filter(({url}) => /\\/staff/.test(url))"
    wait_in(phone, f"{cards}.length >= 1")
    views = f"(await (await caches.open('list')).keys()).filter(({{url}}) => url.includes('/photos/{photo}?for='))"
    wait_in(phone, f"{views}.length >= 3")
    app.daemon.stop()
    phone.open("/history", heading="History")
    phone.follow("The Crooked Billet", heading="The Crooked Billet")
    phone.expect_status(OFFLINE)
    # A tap on a person shows the menu for that person.
    choices = phone.role("navigation", "Show for")
    choices.get_by_role("link").filter(has_text="Ben").click()
    expect(choices.locator("[aria-current]")).to_contain_text("Ben")
    phone.expect_status(OFFLINE)
    expect(phone.find("#kept time")).to_contain_text("this minute")
    expect(phone.find("[data-box], .dish").first).to_be_visible()
    notice = phone.find("#kept").bounding_box()
    assert notice["height"] < 120, f"the notice hides the answers: {notice}"
    # What is shown to staff opens too, and nobody gets the card of another person.
    phone.find("a[data-card]").first.click()
    phone.expect_page("staff")
    phone.expect_status(OFFLINE)
    card = phone.page.url.split("?")[0]
    other = "async (card) => (await fetch(`${card}?for=Nobody`).catch(() => null))?.status ?? 0"
    assert phone.page.evaluate(other, card) == 0, "the card of another person is shown"
    # Of a page that is not kept the app says so, and leads to those that are.
    for path in (f"/photos/sha256:{'0' * 64}", f"/photos/{photo}?for=Nobody", "/goal"):
        phone.open(path, "This page was not kept on this phone", heading="Offline")
        expect(phone.find("#keptpages")).to_contain_text("The Crooked Billet: Ben")
    phone.find("#keptpages").get_by_role("link", name="The Crooked Billet", exact=True).click()
    phone.leads_to(heading="The Crooked Billet")
    app.daemon.start(port)
    phone.open(f"/photos/{photo}", heading="The Crooked Billet")
    expect(phone.find("#kept")).to_be_hidden()


# The page that follows the sending of what waited comes when the check lets it.
HOLD = """() => {
  const real = window.fetch;
  const isHeld = new Promise((done) => { window.release = done; });
  window.fetch = async (...request) => {
    const answer = await real(...request);
    if (request[0] !== location.href || request[1]) return answer;
    window.isAsked = true;
    await isHeld;
    setTimeout(() => { window.isShown = true; }, 300);
    return answer;
  };
}"""


def test_what_is_typed_stays_when_the_page_follows_what_was_sent(app: App) -> None:
    """A word that somebody types, and the question that answers a word, are there after the page has followed."""
    vera = Member(app.daemon, "Vera")
    number = vera.make_list("Typed")
    vera.add(number, name="Butter")
    for word, answer in (("Pears", ""), ("Butter", "“Butter” is already on the list")):
        phone = app.another(PHONE, "Vera")
        phone.open(f"/list?list={number}", "Butter")
        wait_in(phone, f"await caches.match('/list?list={number}', {{ignoreVary: true}})")
        phone.context.set_offline(True)
        phone.enter("Name or number", f"Before {word}")
        phone.expect_status(OFFLINE)
        phone.page.evaluate(HOLD)
        phone.context.set_offline(False)
        phone.page.wait_for_function("() => window.isAsked")
        phone.find("#ad").fill(word)
        if answer:
            phone.find("#ad").press("Enter")
            phone.expect_alert(answer)
        phone.page.evaluate("() => window.release()")
        phone.page.wait_for_function("() => window.isShown")
        if answer:
            phone.expect_alert(answer)
        else:
            expect(phone.find("#ad")).to_have_value(word)
            expect(phone.find("#ad")).to_be_focused()
            phone.find("#ad").press("Enter")
            phone.expect_item(word)
        expect(phone.find("#offline")).to_be_hidden()


# Pages of each part of the app, and fields in which somebody types.
PAGES = "/prices /goods /feed /me /people /more /devices /goal /diary /today /games /scan /who".split()
FORMS = {path: {} for path in PAGES} | {"/goods": {"#gn": "Jam"}}
# Sends the form of this number as a press of its first button does; false if there is no such form.
SUBMIT = """(index) => {
  const form = [...document.forms].filter(({ method, dataset }) => method === "post" && !("live" in dataset))[index];
  if (!form) return false;
  form.noValidate = true;
  form.requestSubmit(form.querySelector("button:not([type=button]):not([formnovalidate])"));
  return true;
}"""


def test_forms_without_a_network_say_so_and_keep_what_was_typed(app: App) -> None:
    number = Member(app.daemon, "Ada").make_list("Forms")
    sent = 0
    for path, fields in {**FORMS, f"/list?list={number}": {}}.items():
        app.open(path)
        for field, text in fields.items():
            app.find(field).fill(text)
        app.context.set_offline(True)
        index, before = 0, app.page.url
        while app.page.evaluate(SUBMIT, index):
            expect(app.page.locator(".unsent")).to_contain_text("There is no network", timeout=20_000)
            assert app.page.url == before, f"{path}: form {index} leads to {app.page.url}"
            app.page.evaluate("() => document.querySelector('.unsent').remove()")
            index += 1
        sent += index
        for field, text in fields.items():
            expect(app.find(field)).to_have_value(text)
        # The page itself opens again as soon as there is a network.
        app.page.goto("about:blank")
        app.context.set_offline(False)
    assert sent >= 20, f"only {sent} forms"


def test_a_list_that_is_not_kept_is_no_other_list(app: App) -> None:
    ada = Member(app.daemon, "Ada")
    one, two = ada.make_list("One"), ada.make_list("Two")
    ada.add(one, name="Oats")
    phone = app.another(PHONE, "Ada")
    phone.open(f"/list?list={one}", "Oats")
    wait_in(phone, f"await caches.match('/list?list={one}', {{ignoreVary: true}})")
    app.daemon.stop()
    phone.open(f"/list?list={two}", "This page was not kept on this phone", heading="Offline")
    phone.open(f"/list?list={one}", "Oats")
