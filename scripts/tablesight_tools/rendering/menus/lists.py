"""Templates that list dishes in columns."""

from dataclasses import replace

from tablesight_tools.rendering.menus import blocks
from tablesight_tools.rendering.menus.content import Desk
from tablesight_tools.rendering.menus.entries import numbered
from tablesight_tools.rendering.menus.looks import Look, look
from tablesight_tools.rendering.menus.page import BODY, Span


def shares(desk: Desk, total: int, parts: int) -> list[int]:
    """`total` dishes split into `parts` uneven sections of at least one."""
    cuts = sorted(desk.rng.randint(1, max(1, total - 1)) for _ in range(parts - 1))
    return [max(1, b - a) for a, b in zip([0, *cuts], [*cuts, total])]


def stack(
    desk: Desk,
    style: Look,
    x: float,
    y: float,
    width: float,
    total: int,
    parts: int,
    first: bool = True,
    kinds: tuple[str, ...] = (),
) -> float:
    """Sections below each other in one column."""
    for number, count in enumerate(shares(desk, total, parts)):
        kind = desk.rng.choice(kinds) if kinds else None
        headed = (number > 0 or first) and desk.rng.random() < 0.95
        y = blocks.section(desk, style, x, y, width, count, kind, headed)
    return y


def single(desk: Desk) -> None:
    """One column, one to four sections."""
    rng, style = desk.rng, look(desk.rng)
    if rng.random() < 0.1:
        style = blocks.with_heads(desk, style)
    width = rng.uniform(20, 52) * BODY
    y = blocks.house(desk, style, width)
    y = stack(desk, style, 0, y, width, rng.randint(4, 24), rng.randint(1, 4), rng.random() < 0.85)
    blocks.notes(desk, style, width, y)


def columns(desk: Desk) -> None:
    """Two or three columns, each with its sections; sometimes a wide block above or below."""
    rng, style = desk.rng, look(desk.rng, align=desk.rng.choice(("left", "left", "left", "left", "centre")))
    number = rng.choice((2, 2, 2, 3))
    width, gutter = rng.uniform(14, 26) * BODY, rng.choice((1.2, 2, 3, 5)) * BODY
    whole = number * width + (number - 1) * gutter
    y = blocks.house(desk, style, whole)
    if rng.random() < 0.15:
        y = stack(desk, style, 0, y, whole, rng.randint(2, 5), 1) + BODY
    total, bottom = rng.randint(4, 16), y
    for column in range(number):
        x = column * (width + gutter)
        top = y + rng.choice((0, 0, 0.5, 2)) * BODY * (column > 0)
        other = replace(look(rng), name=style.name, text=style.text, head=style.head, price=style.price)
        used = other if rng.random() < 0.15 else style
        used = blocks.with_heads(desk, used) if rng.random() < 0.06 else used
        count, parts = max(2, total + rng.randint(-2, 2)), rng.randint(1, 3)
        bottom = max(bottom, stack(desk, used, x, top, width, count, parts, column == 0 or rng.random() < 0.8))
        if column and rng.random() < 0.2:
            desk.page.shape("rule", x - gutter / 2, y, x - gutter / 2 + 1, bottom)
    blocks.notes(desk, style, whole, bottom)


def drinks(desk: Desk) -> None:
    """A price list: short names, sizes under heads, few descriptions."""
    rng = desk.rng
    desk.habits.described, desk.habits.volumes = rng.choice((0, 0, 0.2, 0.5)), rng.choice((0, 0, 0.6, 0.95))
    style = look(rng, align="left", places=("right", "right", "right", "leader", "inline", "last"))
    style = replace(style, gap=BODY * rng.choice((0.05, 0.2, 0.5)), step=BODY * rng.uniform(3, 4.2))
    number = rng.choice((1, 1, 2, 3))
    width, gutter = rng.uniform(15, 28) * BODY, rng.choice((2, 4)) * BODY
    whole, bottom = number * (width + gutter) - gutter, 0.0
    y = blocks.house(desk, style, whole)
    for column in range(number):
        top = y
        for _ in range(rng.randint(1, 3)):
            used = blocks.with_heads(desk, style) if rng.random() < 0.45 else style
            kind = rng.choice(("drinks", "drinks", "drinks", "drinks", "sweets"))
            top = blocks.section(desk, used, column * (width + gutter), top, width, rng.randint(3, 10), kind)
        bottom = max(bottom, top)
    blocks.notes(desk, style, whole, bottom)


def wine(desk: Desk) -> None:
    """A wine list: maker, vintage, region, tasting words; glass and bottle."""
    rng = desk.rng
    style = look(
        rng, align=rng.choice(("left", "left", "centre")), places=("right", "right", "leader", "inline", "desc_end")
    )
    if style.align == "left" and rng.random() < 0.5:
        sizes = (("0,1 l", "0,75 l"), ("Glass", "Bottle"), ("175ml", "250ml", "Bottle"), ("12 cl", "75 cl"), None)
        style = blocks.with_heads(desk, style, rng.choice(sizes))
    width = rng.uniform(20, 40) * BODY
    y = blocks.house(desk, style, width)
    vintage, region, taste = rng.random() < 0.6, rng.choice((0, 1, 2, 3)), rng.random() < 0.4
    for _ in range(rng.randint(1, 4)):
        number = desk.page.new_section()
        y = blocks.heading(desk, style, 0, y, width, number, "wines")
        for _ in range(rng.randint(2, 7)):
            dish = bottle(desk, vintage, region, taste, max(1, len(style.heads)))
            y = blocks.lay_dish(desk, dish, style, 0, y, width, number)
    blocks.notes(desk, style, width, y)


def bottle(desk: Desk, vintage: bool, region: int, taste: bool, prices: int) -> object:
    """A wine as a dish: the year and often the maker are part of its name."""
    rng, words = desk.rng, desk.words
    dish = desk.dish("drinks", prices, rng.choice((0.7, 1.4)), 0)
    name, place = words.pick(rng, "wine", "names"), words.pick(rng, "wine", "regions")
    maker = words.pick(rng, "wine", "makers").replace("{W}", words.place(rng))
    year = str(rng.randint(2009, 2024))
    country = place + ", " + words.pick(rng, "wine", "countries")
    dish.name = " ".join([name] + ([place] if region == 1 else []) + ([year] if vintage else []))
    if rng.random() < 0.2 and vintage:
        dish.name = f"{year} {name}"
    parts = {2: [country], 3: [maker + ", " + place]}.get(region, [])
    parts += [words.pick(rng, "wine", "tastes")] if taste else []
    dish.text, dish.size, dish.variants = " - ".join(parts), "", []
    return dish


def pizzeria(desk: Desk) -> None:
    """Numbers, names, ingredients on the name's line or below, one to three sizes of price."""
    rng = desk.rng
    desk.habits.described, desk.habits.many = rng.choice((0.9, 1, 1)), rng.choice((3, 4, 6))
    desk.habits.numbered, desk.habits.glue = rng.choice(("", "{}.", "{}", "{}")), rng.choice((", ", ", ", ", ", " - "))
    style = look(rng, align="left", places=("right", "right", "right", "leader", "last", "desc_right"))
    style = replace(style, inline=rng.random() < 0.45, gap=BODY * rng.choice((0.1, 0.3, 0.6)))
    if rng.random() < 0.5:
        sizes = (
            ("26 cm", "32 cm"),
            ("S", "M", "L"),
            ("Normale", "Maxi"),
            ('10"', '12"'),
            ("29 cm", "40 cm"),
            None,
            None,
        )
        inline = style.inline
        style = replace(blocks.with_heads(desk, style, rng.choice(sizes)), inline=inline)
    number = rng.choice((1, 1, 2))
    width, gutter, bottom = rng.uniform(20, 34) * BODY, 3 * BODY, 0.0
    y = blocks.house(desk, style, number * width)
    for column in range(number):
        x, top = column * (width + gutter), y
        for part in range(rng.randint(1, 2)):
            text = rng.choice(("Pizza", "Pizze", "Pizzas", None)) if part == 0 and column == 0 else None
            top = blocks.section(desk, style, x, top, width, rng.randint(4, 14), "dishes", True, text=text)
        bottom = max(bottom, top)
    if rng.random() < 0.4:
        bottom = extras(desk, style, 0, bottom, width)
    blocks.notes(desk, style, width, bottom)


def extras(desk: Desk, style: Look, x: float, y: float, width: float) -> float:
    """A list of extras with prices under a heading of its own; a reader may list them."""
    rng, page = desk.rng, desk.page
    number = page.new_section()
    text = desk.words.lists[desk.language]["extras_title"][0]
    y = blocks.heading(desk, replace(style, heads=()), x, y, width, number, "food", text, 0)
    for _ in range(rng.randint(2, 6)):
        dish = desk.dish("dishes", 1, 0.2, 0)
        dish.name, dish.number, dish.codes, dish.variants = unused_ingredient(desk), "", "", []
        y = blocks.lay_dish(desk, dish, style, x, y, width, number)
    return y


def takeaway(desk: Desk) -> None:
    """A dense delivery leaflet: numbers, three or four narrow columns, small text."""
    rng = desk.rng
    desk.habits.numbered, desk.habits.described = rng.choice(("{}.", "{}", "{}.", "")), rng.choice((0, 0.1, 0.3))
    style = look(rng, align="left", places=("right", "right", "right", "leader"))
    lead, name = rng.uniform(1.08, 1.25), replace(style.name, size=BODY * rng.uniform(0.85, 1), face="condensed")
    style = replace(style, gap=BODY * 0.1, lead=lead, name=name)
    number = rng.choice((2, 3, 3, 4))
    width, gutter, bottom = rng.uniform(11, 17) * BODY, rng.choice((1, 1.5, 2)) * BODY, 0.0
    whole = number * (width + gutter) - gutter
    y = blocks.house(desk, style, whole)
    for column in range(number):
        x, count, parts = column * (width + gutter), rng.randint(5, 17), rng.randint(1, 3)
        bottom = max(bottom, stack(desk, style, x, y, width, count, parts, column == 0 or rng.random() < 0.8))
    blocks.notes(desk, style, whole, bottom, 5)


def fine(desk: Desk) -> None:
    """Centred fine dining: integers, no currency, descriptions below, price behind the description."""
    rng = desk.rng
    desk.refit("0", "m", "h")
    desk.habits.described, desk.habits.many, desk.habits.coded = 0.97, rng.choice((3, 4, 5)), ""
    style = look(
        rng, align=rng.choice(("centre", "centre", "left")), places=("desc_end", "desc_end", "inline", "below", "none")
    )
    style = replace(style, gap=BODY * rng.uniform(0.8, 2.4), bracket=False, inline=False)
    width = rng.uniform(20, 40) * BODY
    y = blocks.house(desk, style, width)
    y = stack(desk, style, 0, y, width, rng.randint(4, 13), rng.randint(1, 4), kinds=("dishes", "dishes", "sweets"))
    blocks.notes(desk, style, width, y)


def table(desk: Desk) -> None:
    """A table with ruled columns: number, name, size or description, one or two prices."""
    rng, page = desk.rng, desk.page
    style = replace(look(rng, align="left", places=("right",)), inline=False, icons="", bullet="")
    name_w, mid_w = rng.uniform(9, 15) * BODY, rng.choice((0, 4, 12, 16)) * BODY
    prices = rng.choice((1, 1, 2, 3))
    width = name_w + mid_w + prices * 4.5 * BODY
    y = blocks.house(desk, style, width)
    for _ in range(rng.choice((1, 1, 2))):
        number = page.new_section()
        y = blocks.heading(desk, style, 0, y, width, number, intro=0)
        if prices > 1:
            heads = desk.words.pick(rng, desk.language, "heads").split("/")
            heads = (heads if len(heads) >= prices else ["S", "M", "L"])[:prices]
            for k, head in enumerate(heads):
                page.put(Span(head, "S", style.small), name_w + mid_w + k * 4.5 * BODY, y, "right", 4 * BODY)
            y += 1.5 * BODY
        for _ in range(rng.randint(4, 12)):
            y = ruled_row(desk, style, y, name_w, mid_w, prices, number)
            page.shape("rule", 0, y - 0.2 * BODY, width, y - 0.2 * BODY + 1)
    blocks.notes(desk, style, width, y)


def ruled_row(desk: Desk, style: Look, y: float, name_w: float, mid_w: float, prices: int, section: int) -> float:
    """One row of a ruled table."""
    page, rng = desk.page, desk.rng
    dish = desk.dish("drinks" if mid_w < 5 * BODY and rng.random() < 0.5 else "dishes", prices)
    entry, low = page.new_entry(section), y
    low = max(low, page.block(numbered(dish, style), 0, y, name_w - 0.5 * BODY, 1.2, entry=entry))
    if mid_w > 5 * BODY:
        text = [Span(dish.text or desk.text(3), "D", style.text)]
        low = max(low, page.block(text, name_w, y, mid_w - BODY, 1.2, entry=entry))
    elif mid_w:
        page.put(Span(desk.volume(), "V", style.text), name_w, y)
    for k, amount in enumerate(dish.amounts):
        page.put(desk.price([amount], style.price), name_w + mid_w + k * 4.5 * BODY, y, "right", 4 * BODY, entry)
    return low + rng.uniform(0.4, 0.6) * BODY


def unused_ingredient(desk: Desk) -> str:
    """An ingredient as an extra that the page does not list yet."""
    for _ in range(6):
        text = desk.words.ingredient(desk.rng, desk.language).capitalize()
        if text not in desk.used:
            break
    desk.used.add(text)
    return text
