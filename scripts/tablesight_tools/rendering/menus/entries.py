"""Lays out one dish: name, price, description, icons, codes and variants."""

from dataclasses import replace

from tablesight_tools.rendering.menus.content import Desk, Dish, Variant
from tablesight_tools.rendering.menus.forms import joined
from tablesight_tools.rendering.menus.looks import Look
from tablesight_tools.rendering.menus.page import BODY, Span, Style

ROW_PLACES = ("right", "leader", "middle", "last", "desc_right")


def numbered(dish: Dish, look: Look) -> list[Span]:
    """A name with its number, where it has one."""
    number = [Span(dish.number, "N", look.name, tag="number")] if dish.number else []
    return [*number, Span(dish.name, "N", look.name)]


def name_spans(desk: Desk, dish: Dish, look: Look) -> list[Span]:
    """The spans of a name: bullet, number, name, size, codes, mark."""
    spans = [Span(look.bullet, "N", look.name, tag="code")] if look.bullet else []
    spans += numbered(dish, look)
    if dish.size:
        spans.append(Span(dish.size, "N", look.name.scaled(desk.rng.choice((1, 0.8))), tag="size"))
    if dish.codes:
        small = look.name.scaled(0.62 if desk.habits.coded == "raised" else 0.85)
        spans.append(Span(dish.codes, "N", small, tag="code"))
    if dish.mark:
        spans.append(Span(dish.mark, "N", look.name, tag="code"))
    if look.icons == "after" and desk.rng.random() < 0.6:
        spans.append(Span(desk.words.pick(desk.rng, "other", "junk"), "O", look.name, tag="glyph"))
    return spans


def price_spans(desk: Desk, dish: Dish, look: Look) -> list[Span]:
    """The dish's prices as spans on one line: one text, or several with a gap."""
    if not dish.amounts or look.place == "none":
        return []
    if len(dish.amounts) == 1:
        return [desk.price(dish.amounts, look.price)]
    if look.step > 3.6 * BODY or look.heads:
        return [desk.price([amount], look.price) for amount in dish.amounts]
    return [desk.price(dish.amounts, look.price, joined(desk.rng, desk.form, dish.amounts))]


def spread(desk: Desk, spans: list[Span], look: Look, x: float, y: float, width: float, entry: int) -> None:
    """Prices at the right edge, each in its column."""
    for k, span in zip(range(len(spans) - 1, -1, -1), spans):
        desk.page.put(span, x, y, "right", width - k * look.step, entry)


def room_for(desk: Desk, spans: list[Span], look: Look, width: float) -> float:
    """What prices at the right edge leave for the name."""
    if not spans or look.place not in ROW_PLACES:
        return width
    last = desk.page.width_of(spans[-1:])
    return max(width * 0.4, width - last - (len(spans) - 1) * look.step - 0.8 * BODY)


def lay_dish(desk: Desk, dish: Dish, look: Look, x: float, y: float, width: float, section: int | None) -> float:
    """Places a dish below `y` and returns the y of what follows."""
    page, entry = desk.page, desk.page.new_entry(section)
    prices = price_spans(desk, dish, look)
    place, start = look.place, y
    room = room_for(desk, prices, look, width)
    if place == "above" and prices:
        page.put(prices, x, y, look.align, width, entry)
        y += look.lead * look.price.size
    spans = name_spans(desk, dish, look)
    if place == "front" and prices:
        spans = prices + spans
    if look.inline and dish.text:
        page.inline = True
        spans += text_spans(dish.text, look)
    if place == "inline" and prices:
        spans += glued(look, prices)
    rows = page.wrap(spans, room)
    for number, row in enumerate(rows):
        end = page.put(row, x, y, look.align, width, entry)
        first, last = number == 0, number == len(rows) - 1
        if prices and (place == "right" and first or place in ("last", "leader") and last):
            if place == "leader":
                to = x + width - page.width_of(prices[-1:]) - (len(prices) - 1) * look.step
                leader(desk, look, end, to, y, entry)
            spread(desk, prices, look, x, y, width, entry)
        y += look.lead * max(span.style.size for span in row)
    y = lay_text(desk, dish, look, x, y, width, room, entry, prices)
    if place == "middle" and prices:
        spread(desk, prices, look, x, start + max(0.0, y - start - look.lead * look.price.size) / 2, width, entry)
    y = lay_variants(desk, dish.variants, look, x, y, width, entry)
    if place in ("below", "below_right") and prices:
        y += look.text.size * desk.rng.choice((0, 0.2, 0.5))
        if place == "below_right" and desk.rng.random() < 0.4:
            leader(desk, look, x, x + width - page.width_of(prices), y, entry)
        page.put(prices, x, y, "right" if place == "below_right" else look.align, width, entry)
        y += look.lead * look.price.size
    return y + look.gap


def text_spans(text: str, look: Look) -> list[Span]:
    """A description's span, in brackets where the look says so."""
    return [Span(f"({text})" if look.bracket else text, "D", look.text)]


def glued(look: Look, prices: list[Span]) -> list[Span]:
    """Prices behind a text on one line, after a dash, bar or dots where the look has them."""
    if not look.glue:
        return prices
    return [replace(prices[0], text=f"{look.glue} {prices[0].text}"), *prices[1:]]


def lay_text(
    desk: Desk, dish: Dish, look: Look, x: float, y: float, width: float, room: float, entry: int, prices: list[Span]
) -> float:
    """Places the description and prices that belong to it."""
    page, place = desk.page, look.place
    if look.icons == "below" and desk.rng.random() < 0.8:
        junk = " ".join(desk.words.pick(desk.rng, "other", "junk") for _ in range(desk.rng.choice((1, 1, 2, 3))))
        page.put(Span(junk, "O", look.small, tag="glyph"), x, y, look.align, width)
        y += look.lead * look.small.size * desk.rng.choice((0.8, 1.1))
    spans = text_spans(dish.text, look) if dish.text and not look.inline else []
    if place == "desc_end" and prices:
        spans += glued(look, prices)
    span = width if place != "right" else room
    inset = (width - span * look.share) / 2 if look.align == "centre" else 0
    rows = page.wrap(spans, span * look.share) if spans else []
    for number, row in enumerate(rows):
        page.put(row, x + inset, y, look.align, span * look.share, entry)
        if place == "desc_right" and prices and number == len(rows) - 1:
            spread(desk, prices, look, x, y, width, entry)
        y += look.lead * max(part.style.size for part in row)
    if not rows and place == "desc_right" and prices:
        spread(desk, prices, look, x, y - look.lead * look.name.size, width, entry)
    return y


def lay_variants(
    desk: Desk, variants: list[Variant], look: Look, x: float, y: float, width: float, entry: int
) -> float:
    """Places variants, each on a line of its own, with their prices beside them or at the edge."""
    page, rng = desk.page, desk.rng
    if not variants:
        return y
    bullet = rng.choice(("", "", "-", "•", "·", "+", "*"))
    away = look.place in ("right", "leader", "last") and look.align == "left" and rng.random() < 0.7
    plus = rng.random() < 0.6
    indent = rng.choice((0, 0, 1.0, 2.0)) * BODY if look.align == "left" else 0
    for variant in variants:
        own = page.new_entry(page.entries[entry].section, entry, variant.extra)
        spans = [Span(bullet, "V", look.text, tag="code")] if bullet and variant.text[0].isalpha() else []
        spans.append(Span(variant.text, "V", look.text))
        price = variant_price(desk, variant, look.text, plus)
        if price and not away:
            spans += glued(look, [price])
        end = page.put(spans, x + indent, y, look.align, width - indent, own)
        if price and away:
            if look.place == "leader":
                leader(desk, look, end, x + width - page.width_of([price]), y, own)
            page.put(price, x, y, "right", width, own)
        y += look.lead * look.text.size
    return y


def variant_price(desk: Desk, variant: Variant, style: Style, plus: bool) -> Span | None:
    """The price of a variant; extras often carry a plus sign."""
    if variant.amount is None:
        return None
    text = desk.form.write(variant.amount)
    return desk.price([variant.amount], style, "+" + text if variant.extra and plus else text)


def leader(desk: Desk, look: Look, start: float, end: float, y: float, entry: int) -> None:
    """Dots from the end of a name to its price."""
    style, gap = look.text, 0.35 * BODY
    free = end - start - 2 * gap
    if free < 1.5 * style.size:
        return
    long = desk.page.measure(look.leader, style)
    if " " in look.leader:
        text = look.leader * int(free / (long + 0.3 * style.size))
    else:
        text = look.leader * max(2, int(free / long))
    desk.page.put(Span(text, "P", style, tag="leader"), start + gap, y, entry=entry)
