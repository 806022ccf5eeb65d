"""Blocks of a page: house name, headings, notes, legends, columns of dishes."""

import re
from collections.abc import Callable
from dataclasses import replace

from tablesight_tools.rendering.menus.content import Desk
from tablesight_tools.rendering.menus.entries import lay_dish
from tablesight_tools.rendering.menus.forms import SCALES
from tablesight_tools.rendering.menus.looks import Look
from tablesight_tools.rendering.menus.page import BODY, Span

WINES = re.compile(
    r"\b(?:win|vin|vín|wein|bor|şarap|rosé|white|red\b|bollicine|champagne|sparkling)|wijn|wein|vitt|rött", re.I
)
HEAD_KINDS = {"dishes": "food", "sweets": "sweet_heads", "drinks": "drink_heads", "wines": "drink_heads"}
FACTORS = {"dishes": 1.0, "sweets": 0.6, "drinks": 0.4}
Kind = str


def kind_of(desk: Desk) -> Kind:
    """What a section lists."""
    return desk.rng.choices(("dishes", "sweets", "drinks"), (7, 1.2, 1.8))[0]


def title(desk: Desk, kind: Kind) -> str:
    """A heading's text that the page does not have yet; sometimes in English, sometimes with a second word."""
    rng = desk.rng
    language = "en" if rng.random() < 0.06 else desk.language
    fitting = desk.words.lists[language][HEAD_KINDS.get(kind, kind)]
    if kind == "wines":
        fitting = [text for text in desk.words.lists[language]["drink_heads"] if WINES.search(text)] or fitting
    text = rng.choice([text for text in fitting if text not in desk.used] or fitting)
    desk.used.add(text)
    if desk.second and rng.random() < 0.6:
        text += rng.choice((" / ", " - ", " | ", " ")) + desk.words.pick(rng, desk.second, HEAD_KINDS.get(kind, kind))
    elif rng.random() < 0.05:
        text += " & " + desk.words.pick(rng, language, HEAD_KINDS.get(kind, kind))
    return text


def heading(
    desk: Desk,
    look: Look,
    x: float,
    y: float,
    width: float,
    section: int,
    kind: Kind = "dishes",
    text: str | None = None,
    intro: float = 0.15,
) -> float:
    """A section's heading, with ornaments, column heads, a group price or a sentence below."""
    page, rng, style = desk.page, desk.rng, look.head
    y += rng.uniform(0.2, 1.2) * BODY
    align = look.align if look.heads or rng.random() < 0.85 else "centre"
    spans = [Span(text or title(desk, kind), "H", style)]
    if rng.random() < 0.05:
        decor = Span(desk.words.pick(rng, "other", "decor"), "O", style.scaled(0.8), tag="icon")
        spans = [decor, *spans, decor]
    if look.place == "none" and rng.random() < 0.2:
        spans.append(desk.price([desk.amount()], style.scaled(rng.choice((1, 0.8)))))
    rows = page.wrap(spans, max(width, style.size * 4))
    for row in rows:
        row = [replace(span, role="H") if span.role == "C" else span for span in row]
        page.put(row, x, y, align, width, section=section)
        y += 1.25 * style.size
    if look.heads:
        room = width - len(look.heads) * look.step
        beside = align == "left" and page.width_of(rows[-1]) < room and rng.random() < 0.85
        base = y - (1.25 - rng.choice((0, 0.25))) * style.size if beside else y
        y += 0 if beside else 1.3 * look.small.size
        for k, head in enumerate(reversed(look.heads)):
            page.put(Span(head, "S", look.small), x, base, "right", width - k * look.step)
    if rng.random() < 0.25:
        page.shape("rule", x, y, x + width, y + 2, "accent")
        y += 0.3 * BODY
    y += rng.uniform(0.1, 0.6) * BODY
    if rng.random() < intro:
        sentence = desk.words.filled(rng, desk.plain, "intros") if rng.random() < 0.8 else desk.text(4) + "."
        y = page.block([Span(sentence, "T", look.text)], x, y, width, look.lead, align) + 0.3 * BODY
    return y


def fit(desk: Desk, spans: list[Span], width: float) -> list[Span]:
    """Spans set smaller where they are wider than `width`."""
    factor = min(1.0, width / max(1.0, desk.page.width_of(spans)))
    return [replace(span, style=span.style.scaled(factor)) for span in spans] if factor < 1 else spans


def house(desk: Desk, look: Look, width: float, y: float = 0.0) -> float:
    """Lines above the dishes: the house's name, a slogan, "Menu", an address."""
    page, rng = desk.page, desk.rng
    align = rng.choice(("left", "centre", "centre"))
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        kind = rng.choice(("houses", "houses", "title", "slogans", "notes"))
        text = desk.filled(desk.language, kind)
        big = kind in ("houses", "title")
        size = BODY * (rng.choice((1.6, 2.4, 3.2, 4.2)) if big else rng.choice((0.8, 1, 1.3)))
        style = replace(look.head if big else look.small, size=size)
        style = style.scaled(min(1.0, width / max(1.0, page.measure(style.write(text), style)))) if big else style
        y = page.block([Span(text, "O" if kind != "notes" else "T", style)], 0, y, width, 1.25, align)
        y += rng.uniform(0.1, 0.8) * BODY
    return y + rng.uniform(0.2, 1.5) * BODY


def notes(desk: Desk, look: Look, width: float, y: float, most: int = 3) -> float:
    """Lines below the dishes: opening hours, taxes, allergens, address."""
    page, rng = desk.page, desk.rng
    align = rng.choice(("left", "centre", "centre"))
    if desk.habits.coded and rng.random() < 0.75:
        y = legend(desk, look, width, y)
    if rng.random() < 0.08:
        text = rng.choice(("{}", "- {} -", "{}/13", "p. {}")).format(rng.randint(1, 12))
        desk.page.put(Span(text, "O", look.small), 0, y + 2 * BODY, rng.choice(("left", "centre", "right")), width)
        y += 3 * BODY
    for _ in range(rng.choice((0, 1, 1, 2, most))):
        kind = rng.choice(("notes", "notes", "notes", "slogans"))
        text = desk.filled(desk.plain, kind)
        y += rng.uniform(0.1, 1.0) * BODY
        role = "T" if kind == "notes" else "O"
        small = replace(look.small, size=look.small.size * rng.uniform(0.8, 1.2))
        y = page.block([Span(text, role, small)], 0, y, width, 1.3, align)
    return y


def legend(desk: Desk, look: Look, width: float, y: float) -> float:
    """What the codes behind names mean."""
    rng, lists = desk.rng, desk.words.lists[desk.plain]
    digits = desk.habits.coded in ("digits", "raised")
    terms = lists["additives"] + lists["legend"] if digits else lists["legend"]
    keys = [str(n) for n in range(1, 20)] if digits else list("ABCDFGHLMNOPRS")
    sign = rng.choice((" = ", " ", ": ", " - ", ") "))
    text = rng.choice((", ", ", ", " · ", " | ")).join(
        key + sign + term for key, term in zip(keys, terms[: rng.randint(5, 14)])
    )
    text = "{}: {}".format(desk.words.pick(rng, desk.plain, "legend_title"), text) if rng.random() < 0.7 else text
    return desk.page.block([Span(text, "L", look.small.scaled(0.9))], 0, y + BODY, width, 1.25, look.align)


def section(
    desk: Desk,
    look: Look,
    x: float,
    y: float,
    width: float,
    count: int,
    kind: Kind | None = None,
    headed: bool = True,
    lay: Callable[..., float] = lay_dish,
    text: str | None = None,
) -> float:
    """A heading and `count` dishes in one column."""
    kind, look = kind or kind_of(desk), fitted(desk, look)
    number = desk.page.new_section()
    many = len(look.heads) or desk.rng.choice((1,) * 14 + (2,))
    if headed:
        y = heading(desk, look, x, y, width, number, kind, text)
    for _ in range(count):
        y = lay(desk, desk.dish(kind, many, FACTORS.get(kind, 1.0)), look, x, y, width, number)
    return y


def with_heads(desk: Desk, look: Look, heads: tuple[str, ...] | None = None) -> Look:
    """The same look with heads over two or three columns of prices."""
    heads = heads or tuple(desk.words.pick(desk.rng, desk.language, "heads").split("/"))
    return fitted(desk, replace(look, heads=heads[:3], place="right", align="left", inline=False))


def fitted(desk: Desk, look: Look) -> Look:
    """The same look with columns of prices wide enough for the page's prices and the heads above them."""
    sample = desk.form.write(desk.form.rounded(desk.rng, 0.9 * SCALES[desk.form.scale][1]))
    widths = [desk.page.measure(sample, look.price) + 0.3 * look.price.size * sample.count(" ")]
    widths += [desk.page.measure(head, look.small) for head in look.heads]
    return replace(look, step=max(look.step, max(widths) + 0.6 * BODY))
