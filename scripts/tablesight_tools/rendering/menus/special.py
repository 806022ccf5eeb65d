"""Templates of special menus: two languages, burgers, breakfast, tapas, mixtures."""

from dataclasses import replace

from tablesight_tools.rendering.menus import blocks, lists
from tablesight_tools.rendering.menus.content import Desk
from tablesight_tools.rendering.menus.entries import lay_dish, numbered
from tablesight_tools.rendering.menus.looks import Look, look
from tablesight_tools.rendering.menus.page import BODY, Span


def bilingual(desk: Desk) -> None:
    """Two languages: lines below each other, in brackets, behind each other or in two columns."""
    rng = desk.rng
    desk.add_second()
    desk.habits.variants = rng.choice((0, 0, 0.15))
    mode = rng.choice(("below", "below", "below", "bracket", "inline", "side"))
    style = replace(
        look(rng, align=rng.choice(("left", "left", "left", "centre"))),
        bracket=mode == "bracket" or rng.random() < 0.1,
        inline=mode == "inline",
    )
    if mode == "side":
        return side_by_side(desk, style)
    number = rng.choice((1, 1, 2, 2))
    width, gutter, bottom = rng.uniform(15, 28) * BODY, rng.uniform(2, 4) * BODY, 0.0
    y = blocks.house(desk, style, number * width)
    for column in range(number):
        used = blocks.with_heads(desk, style) if rng.random() < 0.12 else style
        x = column * (width + gutter)
        bottom = max(bottom, lists.stack(desk, used, x, y, width, rng.randint(3, 12), rng.randint(1, 3)))
    blocks.notes(desk, style, number * width, bottom)


def side_by_side(desk: Desk, style: Look) -> None:
    """The first language in the left column, the second in the right one, the price at the edge or between."""
    rng, page = desk.rng, desk.page
    width, middle = rng.uniform(12, 18) * BODY, rng.random() < 0.4
    price_x = width + BODY if middle else 2 * width + 2 * BODY
    right = width + (6 * BODY if middle else BODY)
    y = blocks.house(desk, style, 2 * width + 5 * BODY)
    other = replace(style.text, size=style.name.size, case=style.name.case) if rng.random() < 0.6 else style.text
    for _ in range(rng.randint(1, 3)):
        section = page.new_section()
        y = blocks.heading(desk, replace(style, heads=(), align="left"), 0, y, 2 * width, section, intro=0)
        for _ in range(rng.randint(3, 8)):
            dish = desk.dish()
            entry = page.new_entry(section)
            low = page.block(numbered(dish, style), 0, y, width, 1.2, "left", entry)
            low = max(low, page.block([Span(dish.text or dish.name, "D", other)], right, y, width, 1.2, "left", entry))
            if dish.amounts:
                page.put(desk.price(dish.amounts[:1], style.price), price_x, y, "right", 4 * BODY, entry)
            y = low + rng.uniform(0.2, 0.8) * BODY
    blocks.notes(desk, style, 2 * width, y)


def burgers(desk: Desk) -> None:
    """A burger board: long descriptions, extras with prices, combos, single and double."""
    rng, page = desk.rng, desk.page
    page.dark = rng.random() < 0.4
    desk.habits.described, desk.habits.many = 0.97, rng.choice((4, 6, 9))
    desk.habits.variants, desk.habits.glue = rng.choice((0.1, 0.4, 0.8)), rng.choice((", ", ", ", " + ", " / "))
    style = replace(look(rng, display=True), icons="")
    number = rng.choice((1, 2, 2))
    width, gutter, bottom = rng.uniform(15, 24) * BODY, 3 * BODY, 0.0
    y = blocks.house(desk, style, number * width)
    for column in range(number):
        used = style
        if style.align == "left" and rng.random() < 0.35:
            heads = rng.choice((("Single", "Double"), ("Solo", "Menu"), ("150 g", "300 g")))
            used = blocks.with_heads(desk, style, heads)
        x, count, parts = column * (width + gutter), rng.randint(3, 7), rng.choice((1, 1, 2))
        kinds = ("dishes", "dishes", "drinks")
        bottom = max(bottom, lists.stack(desk, used, x, y, width, count, parts, kinds=kinds))
    if rng.random() < 0.45:
        bottom = lists.extras(desk, replace(style, heads=()), 0, bottom, width)
    if rng.random() < 0.4:
        bottom = combos(desk, replace(style, heads=()), bottom, width)
    blocks.notes(desk, style, number * width, bottom)


def combos(desk: Desk, style: Look, y: float, width: float) -> float:
    """Numbered combinations: a name like "Combo 1", what is in it, one price."""
    rng, section = desk.rng, desk.page.new_section()
    y = blocks.heading(desk, style, 0, y, width, section, "food", rng.choice(("Combos", "Menus", "Specials", "Deals")))
    plus = rng.choice((" + ", " & ", ", "))
    for n in range(rng.randint(1, 4)):
        dish = desk.dish("dishes", 1, 1.3, 0)
        dish.name = "%s %d" % (rng.choice(("Combo", "Menu", "Deal", "Box")), n + 1)
        dish.text = plus.join((desk.name()[0], desk.words.ingredient(rng, desk.language), desk.name("drinks")[0]))
        dish.number, dish.codes, dish.variants = "", "", []
        y = lay_dish(desk, dish, style, 0, y, width, section)
    return y


def breakfast(desk: Desk) -> None:
    """Breakfast or brunch: items counted in descriptions, times of serving, extras, drinks beside."""
    rng = desk.rng
    desk.habits.counted, desk.habits.described, desk.habits.variants = (
        rng.choice((0.4, 0.8)),
        0.95,
        rng.choice((0, 0.25, 0.5)),
    )
    desk.habits.glue = rng.choice((", ", ", ", " + ", " | "))
    style = look(rng)
    number = rng.choice((1, 1, 2))
    width, gutter, bottom = rng.uniform(17, 30) * BODY, rng.uniform(2, 4) * BODY, 0.0
    whole = number * (width + gutter) - gutter
    y = blocks.house(desk, style, whole)
    for column in range(number):
        x, top = column * (width + gutter), y
        for _ in range(rng.choice((1, 1, 2))):
            text = desk.words.pick(rng, desk.language, "morning_heads")
            kind = "drinks" if column and rng.random() < 0.5 else "dishes"
            top = blocks.section(
                desk, style, x, top, width, rng.randint(2, 8), kind, True, text=None if kind == "drinks" else text
            )
        bottom = max(bottom, top)
    if rng.random() < 0.4:
        bottom = lists.extras(desk, replace(style, heads=()), 0, bottom, width)
    blocks.notes(desk, style, whole, bottom)


def tapas(desk: Desk) -> None:
    """Small plates: many short names, few descriptions, narrow or centred, portions as price heads."""
    rng = desk.rng
    desk.habits.described, desk.habits.many = rng.choice((0, 0.2, 0.6)), rng.choice((2, 3))
    desk.refit(*rng.choice((("0", "m"), ("1", "m"), ("2",), ("2", "1"))))
    style = replace(look(rng, display=rng.random() < 0.4), gap=BODY * rng.choice((0.2, 0.6, 1.2)))
    if style.align == "left" and rng.random() < 0.3:
        style = blocks.with_heads(desk, style)
    number = rng.choice((1, 2, 3))
    width, gutter, bottom = rng.uniform(11, 18) * BODY, rng.uniform(2, 4) * BODY, 0.0
    y = blocks.house(desk, style, number * width)
    for column in range(number):
        end = lists.stack(
            desk,
            style,
            column * (width + gutter),
            y,
            width,
            rng.randint(4, 12),
            rng.choice((1, 1, 2)),
            column == 0 or rng.random() < 0.7,
        )
        bottom = max(bottom, end)
    blocks.notes(desk, style, number * width, bottom, 2)


def mixed(desk: Desk) -> None:
    """Blocks of different kinds on one page: a wide list, columns, a boxed set meal, a row of cards."""
    rng, page = desk.rng, desk.page
    whole = rng.uniform(34, 56) * BODY
    style = look(rng)
    y = blocks.house(desk, style, whole)
    for _ in range(rng.randint(2, 3)):
        other = look(rng, display=rng.random() < 0.3)
        used = replace(other, name=style.name, text=style.text, head=style.head) if rng.random() < 0.7 else other
        number = rng.choice((1, 2, 2, 3))
        width, bottom = (whole - (number - 1) * 3 * BODY) / number, y
        for column in range(number):
            x = column * (width + 3 * BODY)
            bottom = max(
                bottom, lists.stack(desk, used, x, y, width, rng.randint(2, 6), 1, column == 0 or rng.random() < 0.6)
            )
        if rng.random() < 0.3:
            page.shape("frame", -0.5 * BODY, y - 0.3 * BODY, whole + 0.5 * BODY, bottom + 0.3 * BODY)
        y = bottom + rng.uniform(0.5, 2) * BODY
    blocks.notes(desk, style, whole, y)
