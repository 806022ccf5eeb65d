"""Checks of the pages of lists and prices: an account, a list, a comparison, and a receipt that becomes prices."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.error
from pathlib import Path

from tablesight_tools.browser.app import App
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.driver import Browser
from tablesight_tools.browser.groceries import PASSWORD, PIE, Client, buy
from tablesight_tools.paths import REPOSITORY

BARCODE = REPOSITORY / "samples/barcodes/spread-ean13.jpg"
RECEIPT = REPOSITORY / "samples/documents/receipt-baeckerei.jpg"
PAGES = (
    "/list", "/compare", "/goods", "/goods?q=milk", "/goods/1", "/prices", "/prices?product=1", "/feed", "/feed/1",
    "/me", "/me/open", "/me/password",
)  # fmt: skip
PRICES = {
    "Milk": {"Greenfield Market": "1.19", "Harbour Foods": "1.29", "Corner Shop": "1.49"},
    "Bread": {"Greenfield Market": "2.49", "Harbour Foods": "1.89", "Corner Shop": "2.79"},
    "Oats": {"Greenfield Market": "0.95", "Harbour Foods": "1.15"},
    "Cheddar": {"Greenfield Market": "3.95", "Harbour Foods": "3.85", "Corner Shop": "4.20"},
    "Tomatoes": {"Greenfield Market": "2.20", "Harbour Foods": "2.30", "Corner Shop": "2.60"},
    "Butter": {"Greenfield Market": "2.05", "Harbour Foods": "1.95", "Corner Shop": "2.25"},
    "Eggs": {"Greenfield Market": "2.85", "Harbour Foods": "2.75", "Corner Shop": "3.10"},
}

PICTURES = {
    "list": "/list", "compare": "/compare", "goods": "/goods", "item": "/goods/1", "prices": "/prices",
    "feed": "/feed", "me": "/me",
}  # fmt: skip

# MARK: data


def fill(daemon: Daemon, name: str = "Ada") -> Client:
    """An account with a list, prices in three shops and an experience."""
    client = Client(daemon, name)
    shops = {
        shop: client.call("POST", "/v1/places", {"name": shop})["id"]
        for shop in ("Greenfield Market", "Harbour Foods", "Corner Shop")
    }
    number = client.call("POST", "/v1/lists", {"name": "Shopping list"})["id"]
    for product, amounts in PRICES.items():
        entry = client.call("POST", "/v1/items", {"list": number, "name": product, "anyway": True})
        for shop, amount in amounts.items():
            price = {"amount": amount, "currency": "GBP"}
            client.call("POST", "/v1/prices", {"product": entry["product"], "place": shops[shop], "price": price})
    about = {"kind": "store_review", "rating": 4, "comment": "Fresh bread until noon.", "place": shops["Corner Shop"]}
    posted = client.call("POST", "/v1/experiences", about)["id"]
    for text in ("Sold out at eleven today.", "The second oven is new."):
        answers = client.call("POST", f"/v1/experiences/{posted}/comments", {"text": text})["comments"]
    client.call("POST", f"/v1/experiences/{posted}/comments", {"text": "It is.", "answering": answers[0]["id"]})
    return client


def invented(daemon: Daemon) -> Client:
    """The sample data in an account, some of it changed for the pictures."""
    database = daemon.results / "tablesight.sqlite"
    command = [daemon.program, "sample-data", "--database", database, "--person", "Ada"]
    subprocess.run(command, check=True, cwd=REPOSITORY, capture_output=True)
    client = Client(daemon, "Ada")
    entries = client.call("GET", f"/v1/items?list={client.call('GET', '/v1/lists')[0]['id']}")
    for entry in entries[:2]:
        client.call("PATCH", f"/v1/items/{entry['id']}", {"isCompleted": True})
    client.call("PATCH", f"/v1/items/{entries[2]['id']}", {"isFavorite": True, "quantity": 2000})
    number = client.call("GET", "/v1/lists")[0]["id"]
    other = client.call("POST", "/v1/lists", {"name": "Last month"})["id"]
    for days_ago in (21, 14, 7):
        buy(client, other, ("Rusks", "Fig jam"), days_ago)
    place = client.call("GET", "/v1/places")[0]["id"]
    for wanted in ({"name": "Rusks"}, {"gtin": PIE}, {"gtin": "9520100001024"}):
        added = client.call("POST", "/v1/items", {"list": number, **wanted})
        client.call("POST", f"/v1/items/{added['id']}/move", {"after": None})
        price = {"amount": "2.79", "currency": "EUR"}
        client.call("POST", "/v1/prices", {"product": added["product"], "place": place, "price": price})
    drop(daemon, RECEIPT)
    for _ in range(600):
        if client.call("GET", "/v1/prices/reviews"):
            break
        time.sleep(0.1)
    return client


def keep(browser: Browser, client: Client) -> None:
    """Gives the browser a session, as the page that opens one does."""
    cookie = {
        "name": "tablesight-session", "value": client.session, "url": client.daemon.address, "httpOnly": True,
        "sameSite": "Strict",
    }  # fmt: skip
    browser.tools("Network.setCookie", cookie)


STATE: dict[str, Client] = {}


def client_of(daemon: Daemon) -> Client:
    """The account that the checks made, or a new one."""
    if "client" not in STATE:
        STATE["client"] = fill(daemon)
    return STATE["client"]


def session(daemon: Daemon) -> str:
    return client_of(daemon).session


def entry_page(daemon: Daemon) -> str:
    """The address of an entry of the account's list."""
    client = client_of(daemon)
    number = client.call("GET", "/v1/lists")[0]["id"]
    return f"/list/entries/{client.call('GET', f'/v1/items?list={number}')[0]['id']}"


def use_the_account(app: App) -> None:
    """The pages that follow show what the checks made."""
    keep(app.browser, client_of(app.daemon))


def press(app: App, selector: str, what: str, shown: str, seconds: float = 10) -> None:
    """Presses a button and waits for the text that it leads to."""
    app.browser.one(selector).click()
    app.browser.wait(lambda: shown in app.browser.text("main"), what, seconds)


def names(app: App, where: str = "") -> list[str]:
    return [item.text for item in app.browser.all(f"main {where} .item__name")]


# MARK: checks


def an_account_is_made_and_signs_in(app: App) -> None:
    app.open("/list")
    assert app.browser.text("h1") == "Account", "a list needs an account"
    app.browser.one("#nn").type("Quentin")
    app.browser.one("#np").type(PASSWORD)
    app.browser.one("form[action='/me/new'] button").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Shopping list", "the page that was asked for", 15)
    assert app.browser.address_bar.endswith("/list")
    assert not app.browser.run("return document.cookie"), "the session is for the server only"
    app.open("/me")
    press(app, "form[action='/me/close'] button", "signed out", "New account")
    app.browser.one("#an").type("quentin")
    app.browser.one("#ap").type("a wrong password")
    press(app, "form[action='/me/open'] button", "the refusal", "name or password is wrong", 15)
    app.browser.one("#ap").type(PASSWORD)
    app.browser.one("form[action='/me/open'] button").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Shopping list", "signed in again", 15)


def a_list_is_filled_and_asks_about_duplicates(app: App) -> None:
    app.open("/list")
    app.browser.one("form[action='/list/new'] button").click()
    app.browser.wait(lambda: bool(app.browser.all("#ad")), "the new list", 10)
    for name in ("Milk", "9520100001116", "Bread"):
        before = len(names(app))
        app.browser.one("#ad").type(name)
        app.browser.press("enter")
        app.browser.wait(lambda before=before: len(names(app)) == before + 1, name, 10)
        assert app.browser.run("return document.activeElement.id") == "ad", "the next name can be typed at once"
    assert names(app) == ["Milk", "Rolled Oats", "Bread"], "the number has the catalogue's name"
    app.browser.one("#ad").type("milk")
    app.browser.press("enter")
    app.browser.wait(lambda: bool(app.browser.all("[role=alert]")), "the question", 10)
    assert "“Milk” is already on the list" in app.browser.text("[role=alert]")
    assert len(names(app)) == 3
    app.browser.press("enter")
    app.browser.wait(lambda: names(app).count("Milk") == 2, "the focused button adds it anyway", 10)
    press(app, "button[value=undo]", "undone", "3 items to buy")
    app.browser.one("#ad").type("Roled Oats")
    app.browser.press("enter")
    app.browser.wait(lambda: "similar name" in app.browser.text("main"), "the question about a near name", 10)
    app.browser.one("[role=alert] a").click()
    app.browser.wait(lambda: not app.browser.all("[role=alert]"), "left as it is", 10)
    assert len(names(app)) == 3


def an_entry_is_added_by_photo_of_its_barcode(app: App) -> None:
    app.open("/list")
    app.browser.run("document.getElementById('ph').closest('details').open = true")
    app.browser.one("#ph").type(str(BARCODE))
    app.browser.one("form[action^='/list/photo'] button").click()
    app.browser.wait(lambda: bool(app.browser.all("[role=alert]")), "the product of the photo", 90)
    assert "On the photo: Hazelnut Cocoa Spread" in app.browser.text("[role=alert]")
    press(app, "[role=alert] button", "the entry", "4 items to buy")
    assert names(app)[-1] == "Hazelnut Cocoa Spread"
    press(app, "button[value=undo]", "undone", "3 items to buy")


def entries_are_moved_completed_and_undone_by_keyboard(app: App) -> None:
    app.open("/list")
    app.browser.run("document.querySelector(\"[aria-label='Move Bread up']\").focus()")
    app.browser.press("enter")
    app.browser.wait(lambda: names(app) == ["Milk", "Bread", "Rolled Oats"], "Bread before the oats", 10)
    label = "return document.activeElement.ariaLabel"
    assert app.browser.run(label) == "Move Bread up", "the focus stays on the button"
    app.browser.press("enter")
    app.browser.wait(lambda: names(app) == ["Bread", "Milk", "Rolled Oats"], "Bread first", 10)
    app.browser.run("document.querySelector(\"[aria-label='Milk is in the basket']\").focus()")
    app.browser.press("enter")
    app.browser.wait(lambda: names(app, ".done") == ["Milk"], "Milk in the basket", 10)
    press(app, "button[value=undo]", "undone", "3 items to buy")
    press(app, "button[value=done][name=all]", "everything in the basket", "Nothing to buy")
    press(app, "button[value=undo]", "undone with one press", "3 items to buy")
    app.open("/list")
    app.browser.one("[aria-label='Edit Milk']").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Milk", "the entry", 10)
    app.browser.run("document.getElementById('qu').value = '2'")
    app.browser.one("input[name=favourite]").click()
    press(app, "button[value=save]", "the list", "2 ×")
    assert "favourite" in app.browser.text("main")


def a_price_is_typed_and_an_outlier_waits(app: App) -> None:
    app.open("/goods?q=milk")
    app.browser.one(".item__name").click()
    app.browser.wait(lambda: app.browser.text("h1") == "Milk", "the product", 10)
    for shop, amount in (("Greenfield Market", "1.19"), ("Harbour Foods", "1,29"), ("Corner Shop", "1.49")):
        app.browser.one("main .btn--primary").click()
        app.browser.wait(lambda: bool(app.browser.all("#pa")), "the form", 10)
        app.browser.run("document.getElementById('pl').value = ''")
        app.browser.one("#pl").type(shop)
        app.browser.one("#pa").type(amount)
        press(app, "form[action='/prices'] .btn--primary", f"the price at {shop}", shop)
    assert len(app.browser.all(".plot circle")) == 3, "the history has a point for each price"
    assert "Quentin" in app.browser.text("table") and "New Shopper" in app.browser.text("table")
    app.browser.one("main .btn--primary").click()
    app.browser.wait(lambda: bool(app.browser.all("#pa")), "the form", 10)
    app.browser.one("#pl").type("Harbour Foods")
    app.browser.one("#pa").type("119")
    press(app, "form[action='/prices'] .btn--primary", "the outlier", "waits until somebody checks it")
    assert "far from other prices" in app.browser.text("main")
    assert "Usual price: £1.29" in app.browser.text("main")
    press(app, "button[value=reject]", "the rejection", "The price is rejected")


def baskets_are_compared_fairly(app: App) -> None:
    use_the_account(app)
    client = client_of(app.daemon)
    app.open("/compare")
    text = app.browser.text("main")
    assert "7 of 7" in text and "6 of 7" in text, "places with at least 85 % of the items"
    assert "Without: Oats." in text, "missing items are named"
    assert "Common items are the 6" in text
    # Greenfield 15.68, Harbour 15.18; oats are 0.20 and milk 0.10 cheaper at Greenfield, tomatoes 0.10.
    assert "£15.18" in text and "£15.68" in text, text
    assert "Harbour Foods, most likely" in text, "typed prices are not sure enough for a ranking"
    assert "The second stop saves £0.40." in text, text
    assert len(app.browser.all(".plot rect")) == 3, "a range for each place"
    report = client.call("GET", "/v1/compare?list=2")
    assert report["currencies"][0]["split"]["saves"]["amount"] == "0.40", "the page and the API agree"


def people_share_a_list_and_talk(app: App) -> None:
    use_the_account(app)
    app.open("/list")
    press(app, "form[action='/list/share'] button", "shared", "Ada and Quentin")
    with Browser(360, 740) as phone:
        theirs = App(app.daemon, phone)
        theirs.sign_in()
        theirs.open("/list")
        phone.one("#an").type("Quentin")
        phone.one("#ap").type(PASSWORD)
        phone.one("form[action='/me/open'] button").click()
        phone.wait(lambda: phone.text("h1") == "Shopping list", "signed in", 15)
        theirs.open("/list?list=2")
        # The tabs at the bottom cover the end of the list until a person scrolls.
        phone.run("document.querySelector(\"[aria-label='Eggs is in the basket']\").click()")
        phone.wait(lambda: names(theirs, ".done") == ["Eggs"], "Eggs in the basket", 10)
        theirs.open("/list?list=999")
        assert "That did not work" in phone.text("h1")
        theirs.open("/feed")
        assert "Fresh bread until noon." in phone.text("main") and len(phone.all(".thread .thread")) >= 1
        phone.one("article li a").click()
        phone.wait(lambda: bool(phone.all("#tx")), "the thread", 10)
        phone.one("#tx").type("It was closed on Monday.")
        phone.one("#reply button").click()
        phone.wait(lambda: "closed on Monday" in phone.text("main"), "the answer", 10)
    app.open("/list")
    app.browser.wait(lambda: names(app, ".done") == ["Eggs"], "Ada sees it", 10)
    press(app, "button[value=clear]", "the basket is cleared", "6 items to buy")
    app.open("/feed")
    assert "Quentin" in app.browser.text("main")


def the_list_warns_compares_and_proposes(app: App) -> None:
    client = Client(app.daemon, "Uma")
    keep(app.browser, client)
    number = client.call("POST", "/v1/lists", {"name": "Uma's"})["id"]
    for days_ago in (14, 7):
        buy(client, number, ("Rusks", "Fig jam"), days_ago)
    pie = client.call("POST", "/v1/items", {"list": number, "gtin": PIE})["product"]
    client.call("POST", "/v1/items", {"list": number, "name": "Rusks"})
    place = client.call("POST", "/v1/places", {"name": "Uma's shop"})["id"]
    app.open(f"/list?list={number}")
    first, second = (item.text for item in app.browser.all("main .buy li")[:2])
    assert first.startswith("Creamy Fish Pie") and "Contains milk for Ada" in first, first
    assert "no product number, so no ingredients are known" in second, second
    assert "No price of these items is known." in app.browser.text("#cheapest")
    for product in (pie, client.call("GET", f"/v1/items?list={number}")[1]["product"]):
        price = {"amount": "2.50", "currency": "GBP"}
        client.call("POST", "/v1/prices", {"product": product, "place": place, "price": price})
    app.open(f"/list?list={number}")
    cheapest = app.browser.text("#cheapest")
    assert "Uma's shop, 2 of 2 items" in cheapest and "£" in cheapest, cheapest
    companions = app.browser.text("#companions")
    assert "Fig jam" in companions and "with Rusks on 2 of 2 shopping days" in companions, companions
    app.browser.one("#companions button").click()
    app.browser.wait(lambda: names(app)[-1:] == ["Fig jam"], "the proposed product", 10)
    assert not app.browser.all("#companions"), "what is on the list is not proposed"


def a_password_is_changed_and_other_devices_are_out(app: App) -> None:
    client = Client(app.daemon, "Pippa")
    keep(app.browser, client)
    app.open("/me")
    app.browser.one("a[href='/me/password']").click()
    app.browser.wait(lambda: bool(app.browser.all("#cp")), "the page", 10)

    def change(current: str, new: str, again: str, shown: str) -> None:
        for field, text in (("#cp", current), ("#np", new), ("#ra", again)):
            app.browser.one(field).type(text)
        press(app, "form[action='/me/password'] button", shown, shown, 20)

    change(PASSWORD, "another horse", "another hors!", "the two new passwords differ")
    change("not my password", "another horse", "another horse", "the current password is wrong")
    change(PASSWORD, "another horse", "another horse", "The password is changed")
    assert app.browser.text("h1") == "Pippa", "this device stays signed in"
    try:
        client.call("GET", "/v1/lists")
    except urllib.error.HTTPError as error:
        assert error.code == 403, error
    else:
        raise AssertionError("the session of the other device goes on")


def drop(daemon: Daemon, photo: Path) -> None:
    """Puts a photo in the watched folder, whole at once."""
    part = daemon.inbox / "part"
    shutil.copy(photo, part)
    part.rename(daemon.inbox / photo.name)


def a_person_takes_the_data_and_leaves(app: App) -> None:
    client = Client(app.daemon, "Passing Through")
    number = client.call("POST", "/v1/lists", {"name": "Xylophone parts"})["id"]
    client.call("POST", "/v1/items", {"list": number, "name": "Zweischneider"})
    keep(app.browser, client)
    exported = app.browser.run("return fetch('/me/export').then((answer) => answer.text())")
    assert "Zweischneider" in exported and json.loads(exported)["person"] == "Passing Through"
    app.open("/me")
    app.browser.one("#dp").type("not my password")
    press(app, "form[action='/me/delete'] button", "the refusal", "wrong", 15)
    app.browser.one("#dp").type(PASSWORD)
    press(app, "form[action='/me/delete'] button", "the page to sign in", "New account", 15)
    for part in (b"Passing Through", b"Xylophone parts", b"Zweischneider"):
        assert not app.daemon.holding(part), f"{part!r} in {app.daemon.holding(part)}"


def lists_work_without_script(app: App) -> None:
    use_the_account(app)
    app.open("/list?list=2")
    before = len(names(app))
    app.browser.one("#ad").type("Pepper")
    app.browser.one("form[action='/list/add'] .btn--primary").click()
    app.browser.wait(lambda: len(names(app)) == before + 1, "the entry", 10)
    app.browser.one("#ad").type("pepper")
    app.browser.one("form[action='/list/add'] .btn--primary").click()
    app.browser.wait(lambda: bool(app.browser.all("[role=alert] button")), "the question", 10)
    app.open("/list?list=2")
    app.browser.one("[aria-label='Pepper is in the basket']").click()
    app.browser.wait(lambda: names(app, ".done") == ["Pepper"], "in the basket", 10)
    app.open("/compare?list=2")
    assert "The second stop saves" in app.browser.text("main"), "the whole comparison is in the page"


CHECKS = [
    an_account_is_made_and_signs_in,
    a_list_is_filled_and_asks_about_duplicates,
    an_entry_is_added_by_photo_of_its_barcode,
    entries_are_moved_completed_and_undone_by_keyboard,
    a_price_is_typed_and_an_outlier_waits,
    baskets_are_compared_fairly,
    people_share_a_list_and_talk,
    the_list_warns_compares_and_proposes,
    a_password_is_changed_and_other_devices_are_out,
]
