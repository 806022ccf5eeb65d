"""Templates with cards, pictures and bubbles."""

from dataclasses import replace
from decimal import Decimal

from tablesight_tools.rendering.menus import blocks
from tablesight_tools.rendering.menus.content import Desk
from tablesight_tools.rendering.menus.entries import lay_dish, lay_variants, name_spans, text_spans
from tablesight_tools.rendering.menus.looks import Look, look
from tablesight_tools.rendering.menus.page import BODY, Span, Style


def cards(desk: Desk) -> None:
    """A grid of cards with pictures: names below, above or beside them; price below, in a corner or in a bubble."""
    rng, page = desk.rng, desk.page
    desk.habits.described = rng.choice((0, 0.5, 0.9, 1))
    if rng.random() < 0.2:
        desk.add_second()
    style = look(rng, align=rng.choice(("centre", "centre", "left")))
    style = replace(style, icons="", gap=0, inline=False)
    number, rows = rng.choice((2, 2, 3, 4)), rng.randint(1, 5)
    width, gutter = rng.uniform(9, 16) * BODY, rng.uniform(1, 4) * BODY
    whole = number * (width + gutter) - gutter
    picture = rng.choice((0, 0, 4, 6, 9)) * BODY
    mode = rng.choice(("below", "below", "corner", "bubble", "inline", "beside", "under"))
    y = blocks.house(desk, style, whole)
    section = None
    for row in range(rows):
        if section is None or rng.random() < 0.2:
            section = page.new_section()
            if rng.random() < 0.7:
                y = blocks.heading(desk, style, 0, y, whole, section)
        tops = [
            card(desk, style, column * (width + gutter), y, width, picture, mode, section)
            for column in range(number if row < rows - 1 else rng.randint(1, number))
        ]
        for column in range(len(tops)):
            left, edge = column * (width + gutter), 0.4 * BODY
            page.shape("frame", left - edge, y - edge, left + width + edge, max(tops) + 0.3 * BODY)
        y = max(tops) + rng.uniform(0.8, 3) * BODY
    blocks.notes(desk, style, whole, y)


def card(desk: Desk, style: Look, x: float, y: float, width: float, picture: float, mode: str, section: int) -> float:
    """One card; returns its lower end."""
    page, rng, price = desk.page, desk.rng, style.price
    dish = desk.dish(blocks.kind_of(desk) if rng.random() < 0.3 else "dishes")
    above = picture and mode != "under"
    if above:
        page.shape("picture", x, y, x + width, y + picture)
    if mode in ("below", "inline"):
        return lay_dish(
            desk, dish, replace(style, place=mode), x, y + (picture + 0.4 * BODY if above else 0), width, section
        )
    entry = page.new_entry(section)
    side = 3.6 * BODY if mode in ("bubble", "beside") else 0
    text_y = y + (picture + 0.4 * BODY if above else 0)
    if mode == "corner" and dish.amounts:
        middle = x + (width - 1.5 * BODY if rng.random() < 0.4 else 1.2 * BODY)
        disc(desk, dish.amounts, price, middle, y + 0.7 * BODY, entry)
        text_y = max(text_y, y + 2.4 * BODY)
    room = max(4 * BODY, width - side)
    low = page.block(name_spans(desk, dish, style), x, text_y, room, 1.2, style.align, entry)
    if dish.text:
        low = page.block(text_spans(dish.text, style), x, low, room, 1.2, style.align, entry)
    low = lay_variants(desk, dish.variants, style, x, low, room, entry)
    if side and dish.amounts:
        middle = (text_y + low) / 2
        if mode == "bubble":
            disc(desk, dish.amounts, price, x + room + side / 2, middle, entry)
        else:
            page.put(desk.price(dish.amounts, price), x + room, middle - price.size / 2, "right", side, entry)
    if mode == "under":
        if picture:
            page.shape("picture", x, low + 0.3 * BODY, x + width, low + 0.3 * BODY + picture)
            low += picture + 0.6 * BODY
        if dish.amounts:
            page.put(desk.price(dish.amounts, price), x, low, style.align, width, entry)
            low += 1.3 * price.size
    return low


def disc(desk: Desk, amounts: list[Decimal], style: Style, x: float, y: float, entry: int) -> None:
    """A price in a coloured disc round x, y; long prices are set smaller."""
    span = desk.price(amounts, replace(style, ink="paper"))
    span = replace(span, style=span.style.scaled(min(1.0, 3.6 * BODY / desk.page.width_of([span]))))
    radius = max(0.5 * desk.page.width_of([span]) + 0.3 * BODY, 0.9 * span.style.size)
    desk.page.shape("disc", x - radius, y - radius, x + radius, y + radius, "accent")
    desk.page.put(span, x - radius, y - 0.5 * span.style.size, "centre", 2 * radius, entry)


def poster(desk: Desk) -> None:
    """Dishes scattered in cells: names in display type, descriptions beside or below, prices often in discs."""
    rng, page = desk.rng, desk.page
    desk.habits.described, desk.habits.numbered, desk.habits.coded = rng.choice((0.6, 1, 1)), "", ""
    style = look(rng, display=True, align="centre")
    name = replace(style.name, size=BODY * rng.uniform(1.3, 2.6), case=rng.choice(("upper", "upper", "as")))
    style = replace(style, inline=False, icons="", name=name)
    number, rows = rng.choice((1, 2, 2, 3)), rng.randint(2, 4)
    cell_w, cell_h = rng.uniform(13, 20) * BODY, rng.uniform(7, 13) * BODY
    y = blocks.house(desk, style, number * cell_w)
    section = page.new_section()
    if rng.random() < 0.6:
        y = blocks.heading(desk, style, 0, y, number * cell_w, section)
    beside = rng.choice((0, 0.3, 0.9))
    bottom = y
    for cell in range(number * rows - rng.randint(0, 1)):
        x = cell % number * cell_w + rng.uniform(0, 0.12) * cell_w
        top = max(y + cell // number * cell_h, 0) + rng.uniform(0, 0.2) * cell_h
        low = scattered(desk, style, x, top, cell_w * 0.82, section, rng.random() < beside)
        bottom = max(bottom, low)
    blocks.notes(desk, style, number * cell_w, bottom)


def scattered(desk: Desk, style: Look, x: float, y: float, width: float, section: int, beside: bool) -> float:
    """One dish of a poster."""
    page, rng, entry = desk.page, desk.rng, None
    dish = desk.dish("dishes")
    bubble, left_bubble = rng.random() < 0.4 and bool(dish.amounts), rng.random() < 0.5
    if bubble:
        width -= 3.8 * BODY
        x += 3.8 * BODY if left_bubble else 0
    entry, name_w = page.new_entry(section), width * (0.55 if beside else 1)
    low = page.block([Span(dish.name, "N", style.name)], x, y, name_w, rng.uniform(1.0, 1.2), "centre", entry)
    size = [Span(desk.portion(), "V", style.text)] if rng.random() < 0.25 else []
    if dish.amounts and not bubble:
        big = style.price.scaled(rng.uniform(0.9, 1.5))
        page.put([*size, desk.price(dish.amounts, big)], x, low, "centre", name_w, entry)
        low += 1.3 * big.size
    elif dish.amounts:
        middle = x - 2 * BODY if left_bubble else x + width + 2 * BODY
        disc(desk, dish.amounts, style.price.scaled(1.2), middle, y + rng.uniform(-0.4, 1.8) * BODY, entry)
    if dish.text and beside:
        top, align = y + rng.uniform(0, 1) * BODY, rng.choice(("left", "centre"))
        text = text_spans(dish.text, style)
        return max(low, page.block(text, x + name_w + BODY, top, width * 0.42, 1.2, align, entry))
    return page.block(text_spans(dish.text, style), x, low, width, 1.2, "centre", entry) if dish.text else low
