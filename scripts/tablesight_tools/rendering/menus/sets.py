"""Templates with group prices or titles: set meals, canteens, children's menus, groups with one price."""

from dataclasses import replace

from tablesight_tools.rendering.menus import blocks, lists
from tablesight_tools.rendering.menus.content import Desk, Variant
from tablesight_tools.rendering.menus.entries import lay_dish
from tablesight_tools.rendering.menus.looks import Look, look
from tablesight_tools.rendering.menus.page import BODY, Span


def setmeal(desk: Desk) -> None:
    """Set meals: courses joined by "or", one price at the heading, below or nowhere."""
    rng, page = desk.rng, desk.page
    desk.habits.described, desk.habits.variants = rng.choice((0, 0.3, 0.8)), 0
    style = replace(look(rng, align=rng.choice(("centre", "centre", "left")), places=("none",)), icons="")
    width = rng.uniform(18, 34) * BODY
    y = blocks.house(desk, style, width)
    where, titled = rng.choice(("head", "head", "end", "none", "under")), rng.random() < 0.5
    for _ in range(rng.choice((1, 1, 2, 3))):
        section = page.new_section()
        amounts = [desk.amount(1.8)]
        y += BODY * rng.uniform(0.3, 1.2)
        head = [Span(desk.filled(desk.language, "sets"), "H", style.head)]
        price = desk.price(amounts, style.head.scaled(rng.choice((1, 0.8))))
        spans = blocks.fit(desk, head + ([price] if where == "head" else []), width)
        page.put(spans, 0, y, style.align, width, section=section)
        y += 1.4 * style.head.size
        if where == "under":
            page.put(price, 0, y, style.align, width, section=section)
            y += 1.4 * price.style.size
        y = courses(desk, style, y, width, section, titled)
        if where == "end":
            page.put(price, 0, y, style.align, width, section=section)
            y += 1.5 * price.style.size
    blocks.notes(desk, style, width, y)


def courses(desk: Desk, style: Look, y: float, width: float, whole: int, titled: bool) -> float:
    """The courses of a set meal with their choices; titled courses are sections of their own."""
    rng, page, section = desk.rng, desk.page, whole
    small = replace(style.head, size=style.name.size * rng.choice((0.9, 1, 1.15)))
    word = desk.words.pick(rng, desk.language, "or")
    loose = replace(style, gap=style.gap * 0.4)
    kinds = ("dishes", "dishes", "sweets")[: rng.randint(2, 3)]
    for n, kind in enumerate(kinds):
        if titled:
            section = page.new_section(whole)
            title = Span(desk.words.pick(rng, desk.language, "courses"), "H", small)
            page.put(title, 0, y, style.align, width, section=section)
            y += 1.5 * small.size
        choices = rng.choice((1, 2, 2, 3))
        for choice in range(choices):
            y = lay_dish(desk, desk.dish(kind, 0), loose, 0, y, width, section)
            if choice < choices - 1 and rng.random() < 0.85:
                page.put(Span(word, "O", style.text), 0, y, style.align, width)
                y += 1.3 * style.text.size
        if n < len(kinds) - 1 and rng.random() < 0.4:
            decor = Span(desk.words.pick(rng, "other", "decor"), "O", style.text, tag="icon")
            page.put(decor, 0, y, style.align, width)
            y += 1.4 * BODY
        y += rng.uniform(0.3, 1) * BODY
    return y


def canteen(desk: Desk) -> None:
    """A weekly menu: days as headings or at the left edge, lines of menus with codes, prices once, each or never."""
    rng, page, words = desk.rng, desk.page, desk.words
    desk.habits.coded = rng.choice(("letters", "mixed", "digits", ""))
    desk.habits.described, desk.habits.variants, desk.habits.numbered = rng.choice((0, 0.3)), 0, ""
    style = look(rng, align="left", places=("right", "right", "none", "last", "desc_right"))
    style = replace(style, icons="", inline=False, gap=BODY * 0.4)
    width, side = rng.uniform(24, 38) * BODY, rng.random() < 0.4
    lines, tagged = rng.randint(1, 4), rng.random() < 0.6
    tags = rng.sample(words.lists[desk.language]["courses"], min(lines, len(words.lists[desk.language]["courses"])))
    if rng.random() < 0.3:
        return week_grid(desk, style, tags)
    y = blocks.house(desk, style, width)
    side_head = style.head.scaled(min(1.0, BODY / style.head.size))
    indent = desk.page.measure("Mercoledì 00.00. ", side_head) * 1.25 if side else 0
    for day in words.lists[desk.language]["days"][: rng.choice((3, 5, 5, 5, 6))]:
        section = page.new_section()
        text = day
        if rng.random() < 0.4:
            text += rng.choice((", ", " ")) + "%02d.%02d." % (rng.randint(1, 28), rng.randint(1, 12))
        if side:
            page.put(Span(text, "H", side_head), 0, y, section=section)
        else:
            page.put(Span(text, "H", style.head), 0, y, section=section)
            y += 1.4 * style.head.size
        for n in range(lines):
            x = indent
            if tagged:
                end = page.put(Span(tags[n % len(tags)] + rng.choice((":", "")), "O", style.small), indent, y)
                x = max(end + 0.6 * BODY, indent + 5.5 * BODY)
            y = lay_dish(desk, desk.dish(), style, x, y, indent + width - x, section)
        y += rng.uniform(0.3, 1.5) * BODY
    blocks.notes(desk, style, width, y)


def week_grid(desk: Desk, style: Look, tags: list[str]) -> None:
    """A week as a table: days down, menus across."""
    rng, page = desk.rng, desk.page
    width, left = rng.uniform(10, 14) * BODY, 6 * BODY
    y = blocks.house(desk, style, left + len(tags) * width)
    for n, tag in enumerate(tags):
        page.put(Span(tag, "O", style.head.scaled(0.7)), left + n * width, y, "centre", width - BODY)
    y += 1.2 * style.head.size + 0.5 * BODY
    style = replace(style, place=rng.choice(("below", "none")), name=replace(style.name, case="as", size=BODY * 0.9))
    for day in desk.words.lists[desk.language]["days"][:5]:
        section = page.new_section()
        page.put(Span(day, "H", style.head.scaled(min(1.0, 1.1 * BODY / style.head.size))), 0, y, section=section)
        low = [
            lay_dish(desk, desk.dish(described=0), style, left + n * width, y, width - BODY, section)
            for n in range(len(tags))
        ]
        page.shape("rule", 0, max(low), left + len(tags) * width, max(low) + 1)
        y = max(low) + 0.6 * BODY
    blocks.notes(desk, style, left + len(tags) * width, y)


def kids(desk: Desk) -> None:
    """A children's menu: a frame with few dishes, one price for all or each its own; sometimes beside other dishes."""
    rng, page = desk.rng, desk.page
    desk.habits.described, desk.habits.many, desk.habits.variants = rng.choice((0, 0.4, 0.8)), 2, rng.choice((0, 0.2))
    style = replace(look(rng, display=True), icons="")
    width = rng.uniform(16, 26) * BODY
    y = blocks.house(desk, style, width)
    if rng.random() < 0.3:
        y = lists.stack(desk, style, 0, y, width, rng.randint(2, 5), 1) + BODY
    section, top = page.new_section(), y
    head = desk.words.pick(rng, desk.language, "kids")
    one_price = rng.random() < 0.35
    used = replace(style, place="none") if one_price else style
    spans = [Span(head, "H", style.head)] + ([desk.price([desk.amount(0.6)], style.head)] if one_price else [])
    page.put(blocks.fit(desk, spans, width), 0, y, style.align, width, section=section)
    y += 1.5 * style.head.size
    if rng.random() < 0.4:
        intro = [Span(desk.words.filled(rng, desk.plain, "intros"), "T", style.text)]
        y = page.block(intro, 0, y, width, 1.3, style.align)
    for _ in range(rng.randint(3, 7)):
        y = lay_dish(desk, desk.dish("dishes", 1, 0.6), used, 0, y, width, section)
    page.shape("frame", -BODY, top - BODY, width + BODY, y + 0.5 * BODY, "accent")
    blocks.notes(desk, style, width, y + BODY, 2)


def priced_group(desk: Desk) -> None:
    """Groups with one price at the heading; other groups have dishes whose variants carry the prices."""
    rng, page = desk.rng, desk.page
    style = replace(look(rng), icons="")
    width = rng.uniform(18, 32) * BODY
    y = blocks.house(desk, style, width)
    for _ in range(rng.randint(1, 4)):
        section, one = page.new_section(), rng.random() < 0.55
        price = [desk.price([desk.amount()], style.head.scaled(rng.choice((1, 0.75))))] if one else []
        text = blocks.title(desk, "dishes")
        if price and rng.random() < 0.5 and style.align == "left":
            page.put(Span(text, "H", style.head), 0, y, section=section)
            page.put(price, 0, y, "right", width, section=section)
        else:
            spans = blocks.fit(desk, [Span(text, "H", style.head), *price], width)
            page.put(spans, 0, y, style.align, width, section=section)
        y += 1.45 * style.head.size
        used = replace(style, place="none") if one else style
        for _ in range(rng.randint(2, 6)):
            dish = desk.dish("dishes", 0 if one else 1)
            if not one and rng.random() < 0.3:
                dish.amounts = []
                dish.variants = [
                    Variant(desk.words.pick(rng, desk.plain, rng.choice(("choices", "sizes"))), desk.amount(), False)
                    for _ in range(rng.randint(2, 4))
                ]
            y = lay_dish(desk, dish, used, 0, y, width, section)
        y += rng.uniform(0.2, 1) * BODY
    blocks.notes(desk, style, width, y)
