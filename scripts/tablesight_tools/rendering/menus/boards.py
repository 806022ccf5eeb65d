"""Templates of boards and screens: chalkboards, screens above a counter, screenshots of web menus, ice-cream cards."""

from dataclasses import replace

from tablesight_tools.rendering.menus import blocks
from tablesight_tools.rendering.menus.content import Desk
from tablesight_tools.rendering.menus.entries import lay_dish
from tablesight_tools.rendering.menus.looks import Look, look
from tablesight_tools.rendering.menus.page import BODY, Span, Style


def chalkboard(desk: Desk) -> None:
    """A board: few words, big letters, centred or uneven, in chalk or felt pen."""
    rng, page = desk.rng, desk.page
    page.dark, page.look = rng.random() < 0.75, "board"
    desk.refit("0", "m", "h", "2")
    desk.habits.described, desk.habits.coded, desk.habits.many = rng.choice((0, 0, 0.3, 0.7)), "", 3
    style = look(rng, display=True, align=rng.choice(("left", "centre")))
    hand = rng.choice(("hand", "script", "hand", "display"))
    case = "as" if hand == "script" else style.name.case
    style = replace(
        style,
        icons="",
        name=replace(style.name, face=hand, case=case, size=BODY * rng.uniform(1.2, 1.9)),
        text=replace(style.text, face=hand, case="as"),
        price=replace(style.price, face=hand, size=BODY * rng.uniform(1.2, 2)),
    )
    width = rng.uniform(18, 34) * BODY
    y = blocks.house(desk, style, width)
    for _ in range(rng.choice((1, 1, 2, 3))):
        section = page.new_section()
        if rng.random() < 0.75:
            kind = rng.choice(("food", "sets", "title", "drink_heads")) if rng.random() < 0.5 else "dishes"
            y = blocks.heading(desk, style, 0, y, width, section, kind, intro=0.05)
        for _ in range(rng.randint(2, 7)):
            shift = rng.gauss(0, 0.4) * BODY if rng.random() < 0.4 else 0
            y = lay_dish(desk, desk.dish(), style, shift, y, width, section) + rng.uniform(0, 0.5) * BODY
    blocks.notes(desk, style, width, y, 2)


def icecream(desk: Desk) -> None:
    """An ice-cream or dessert card: centred or in two columns with pictures, sundae names, scoops, toppings."""
    rng, page = desk.rng, desk.page
    desk.habits.described, desk.habits.many = rng.choice((0.7, 1, 1)), rng.choice((2, 3, 4))
    places = ("inline", "below", "inline", "desc_end", "right", "middle")
    style = look(rng, display=True, align=rng.choice(("centre", "left")), places=places)
    number = rng.choice((1, 1, 2))
    pictures = rng.random() < 0.5
    width, gutter, bottom = rng.uniform(14, 26) * BODY, (8 if pictures else 3) * BODY, 0.0
    y = blocks.house(desk, style, number * width)
    for column in range(number):
        x, top = column * (width + gutter), y
        section = page.new_section()
        if column == 0 or rng.random() < 0.6:
            top = blocks.heading(desk, style, x, top, width, section, "sweets")
        for _ in range(rng.randint(3, 9)):
            dish = desk.dish("sweets", described=None)
            dish.text = dish.text or (desk.text(kind="sweets") if rng.random() < desk.habits.described else "")
            if pictures and rng.random() < 0.6:
                page.shape("picture", x - 6 * BODY, top, x - BODY, top + 4 * BODY)
            top = lay_dish(desk, dish, style, x, top, width, section)
        bottom = max(bottom, top)
    blocks.notes(desk, style, width, bottom)


def screen(desk: Desk) -> None:
    """A screen above a counter: two or three columns, big names, prices at the edge, icons below, calories."""
    rng, page = desk.rng, desk.page
    page.dark, page.look = rng.random() < 0.8, "screen"
    desk.habits.described = rng.choice((0, 0, 0.3, 0.8))
    style = look(rng, align="left", places=("right", "right", "right", "below", "inline"))
    style = replace(
        style, icons=rng.choice(("below", "below", "", "after")), inline=False, gap=BODY * rng.uniform(0.3, 1.6)
    )
    number, kcal = rng.choice((2, 2, 3)), rng.random() < 0.3
    width, gutter, bottom = rng.uniform(13, 20) * BODY, rng.uniform(1.5, 4) * BODY, 0.0
    y = blocks.house(desk, style, number * (width + gutter))
    for column in range(number):
        x, top = column * (width + gutter), y
        for _ in range(rng.choice((1, 1, 2))):
            section = page.new_section()
            used = blocks.with_heads(desk, style) if rng.random() < 0.25 else style
            kind = blocks.kind_of(desk)
            if rng.random() < 0.75:
                top = blocks.heading(desk, used, x, top, width, section, kind, intro=0.05)
            for _ in range(rng.randint(2, 8)):
                dish = desk.dish(kind, max(1, len(used.heads)), blocks.FACTORS[kind])
                if kcal:
                    energy = "%d %s" % (rng.randint(90, 1200), rng.choice(("kcal", "Cal", "cal")))
                    dish.text = f"{dish.text} {energy}" if dish.text else energy
                top = lay_dish(desk, dish, used, x, top, width, section)
        bottom = max(bottom, top)
    blocks.notes(desk, style, number * width, bottom)


def web(desk: Desk) -> None:
    """A screenshot of a web menu or a delivery app: name, description, price, buttons, icons, navigation."""
    rng, page, words = desk.rng, desk.page, desk.words
    page.look = "web"
    desk.habits.described, desk.habits.many, desk.habits.numbered = rng.choice((0.8, 0.97)), rng.choice((4, 7, 10)), ""
    style = replace(
        look(rng, align="left", places=("below", "below", "below_right", "right", "below")),
        icons="",
        bracket=False,
        inline=False,
        bullet="",
        name=Style(BODY * rng.uniform(1, 1.2), "sans", rng.random() < 0.7, ink="text"),
        text=Style(BODY * rng.uniform(0.85, 0.95), ink="soft"),
        price=Style(BODY, "sans", rng.random() < 0.5),
        head=Style(BODY * rng.uniform(1.2, 1.9), "sans", True),
        gap=BODY * rng.uniform(0.8, 2),
    )
    number = rng.choice((1, 1, 1, 2, 3))
    width, gutter = rng.uniform(16, 32) * BODY, 3 * BODY
    y, button = bar(desk, style, width), rng.random() < 0.55
    for _ in range(rng.randint(1, 3)):
        section = page.new_section()
        if rng.random() < 0.85:
            y = blocks.heading(desk, replace(style, align="left"), 0, y, width, section)
        for _ in range(rng.randint(1, 5)):
            tops = [tile(desk, style, column * (width + gutter), y, width, section, button) for column in range(number)]
            rule = max(tops) + 0.4 * BODY
            page.shape("rule", 0, rule, number * (width + gutter) - gutter, rule + 1)
            y = max(tops) + BODY
    if rng.random() < 0.5:
        count, button = rng.randint(1, 4), words.pick(rng, desk.language, "buttons")
        text = "%d %s   %s" % (count, button, desk.form.write(desk.amount(2)))
        page.put(Span(text, "O", style.name), 0, y + BODY, "centre", width)


def bar(desk: Desk, style: Look, width: float) -> float:
    """The head of a web page: a clock, the house, navigation, tabs of sections."""
    rng, page, words, y = desk.rng, desk.page, desk.words, 0.0
    if rng.random() < 0.4:
        page.put(Span("%d:%02d" % (rng.randint(8, 22), rng.randint(0, 59)), "O", style.text), 0, y)
        page.put(Span(rng.choice(("5G 87%", "LTE", "100%", "4G")), "O", style.text, tag="icon"), 0, y, "right", width)
        y += 1.8 * BODY
    if rng.random() < 0.6:
        page.put(Span(words.filled(rng, desk.language, "houses"), "O", style.head), 0, y)
        y += 1.5 * style.head.size
    if rng.random() < 0.5:
        x = 0.0
        for _ in range(rng.randint(3, 5)):
            x = page.put(Span(words.pick(rng, desk.language, "food"), "O", style.text), x, y) + 1.8 * BODY
        y += 2 * BODY
    return y + 0.5 * BODY


def tile(desk: Desk, style: Look, x: float, y: float, width: float, section: int, button: bool) -> float:
    """One dish of a web menu, with a picture or a button beside it."""
    rng, page = desk.rng, desk.page
    side = rng.choice((0, 0, 5)) * BODY
    if side:
        page.shape("picture", x + width - side, y, x + width, y + side)
    low = lay_dish(desk, desk.dish(), replace(style, gap=0), x, y, width - side - (BODY if side else 0), section)
    if button and rng.random() < 0.85:
        text = rng.choice(("+", "Add", desk.words.pick(rng, desk.language, "buttons")))
        where = x + width - 5 * BODY
        if style.place in ("right", "below_right"):
            low += 1.4 * BODY
        line = low - 1.3 * BODY
        page.shape("button", where, line - 0.3 * BODY, x + width, line + 1.2 * BODY, "accent")
        page.put(Span(text, "O", replace(style.text, ink="paper"), tag="icon"), where, line, "centre", 5 * BODY)
    if rng.random() < 0.1:
        page.put(Span(desk.words.pick(rng, desk.language, "buttons"), "O", style.small, tag="icon"), x, low)
        low += 1.3 * BODY
    return max(low, y + side)
