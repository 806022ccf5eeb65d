"""The templates by name, and the making of one page."""

from collections.abc import Callable
from random import Random

from tablesight_tools.rendering.menus import boards, cards, lists, sets, special
from tablesight_tools.rendering.menus.content import Desk, new_desk
from tablesight_tools.rendering.menus.page import Page, Style, estimated
from tablesight_tools.rendering.menus.words import Words

TEMPLATES: dict[str, Callable[[Desk], None]] = {
    "single": lists.single,
    "columns": lists.columns,
    "drinks": lists.drinks,
    "wine": lists.wine,
    "pizzeria": lists.pizzeria,
    "takeaway": lists.takeaway,
    "fine": lists.fine,
    "table": lists.table,
    "cards": cards.cards,
    "chalkboard": boards.chalkboard,
    "poster": cards.poster,
    "icecream": boards.icecream,
    "screen": boards.screen,
    "web": boards.web,
    "setmeal": sets.setmeal,
    "canteen": sets.canteen,
    "bilingual": special.bilingual,
    "burgers": special.burgers,
    "breakfast": special.breakfast,
    "tapas": special.tapas,
    "kids": sets.kids,
    "mixed": special.mixed,
    "groups": sets.priced_group,
}
OFTEN = {"single": 3, "columns": 4, "cards": 2, "bilingual": 2, "mixed": 2, "web": 1.5, "poster": 1.5, "screen": 1.5}


def choose(rng: Random) -> str:
    """A template at random; plain layouts come more often."""
    return rng.choices(list(TEMPLATES), [OFTEN.get(name, 1) for name in TEMPLATES])[0]


def make_page(
    seed: str,
    words: Words,
    template: str | None = None,
    measure: Callable[[str, Style], float] = estimated,
    language: str | None = None,
) -> Page:
    """The page of this seed."""
    rng = Random(seed)
    name = template or choose(rng)
    desk = new_desk(rng, words, name, measure, language)
    if name != "bilingual" and rng.random() < (0.3 if desk.language == "vi" else 0.04):
        desk.add_second()
    TEMPLATES[name](desk)
    return desk.page
