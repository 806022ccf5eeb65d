"""How a block of a page looks: styles of names, descriptions, prices and headings, and where prices stand."""

from dataclasses import dataclass
from random import Random

from tablesight_tools.rendering.menus.page import BODY, Style

LEFT_PLACES = ("right",) * 8 + ("leader",) * 3 + ("inline",) * 3 + ("desc_end",) * 2
LEFT_PLACES += ("desc_right", "below", "below_right", "front", "middle", "last", "none", "above")
CENTRE_PLACES = ("inline", "inline", "below", "below", "desc_end", "desc_end", "none", "above")
FACES = ("sans", "sans", "sans", "serif", "serif", "condensed")


@dataclass(frozen=True)
class Look:
    """The choices for one block. lead: line step as a share of the size; gap: space between dishes in units."""

    name: Style
    text: Style
    price: Style
    head: Style
    small: Style
    align: str = "left"
    place: str = "right"
    lead: float = 1.3
    gap: float = 12.0
    glue: str = ""
    bracket: bool = False
    inline: bool = False
    icons: str = ""
    bullet: str = ""
    leader: str = "."
    heads: tuple[str, ...] = ()
    step: float = 80.0
    share: float = 1.0


def styles(rng: Random, display: bool = False) -> dict[str, Style]:
    """Styles of one page: faces, sizes, capitals and inks that go together."""
    face = rng.choice(FACES)
    fancy = (
        rng.choice(("script", "display", "hand", "serif", "condensed", face, face))
        if display or rng.random() < 0.4
        else face
    )
    text = BODY * rng.uniform(0.78, 1.0)
    name = text if rng.random() < 0.25 else BODY * rng.uniform(0.95, 1.45)
    case = rng.choice(("as", "as", "as", "title", "upper", "upper", "upper"))
    text_case = rng.choice(
        ("as", "as", "as", "as", "lower", "upper" if case != "upper" or rng.random() < 0.4 else "lower")
    )
    head = rng.choice((name, BODY * 1.2, BODY * 1.6, BODY * 2.0, BODY * 2.6))
    bold = rng.random() < 0.6
    fancy_cases = ("as", "title") if fancy in ("script", "hand") else ("upper", "upper", "title", "as")
    case = "as" if display and fancy in ("script", "hand") and case == "upper" else case
    return {
        "name": Style(
            name, fancy if display else face, bold, rng.random() < 0.07, case, rng.choice(("text", "text", "accent"))
        ),
        "text": Style(text, face, False, rng.random() < 0.25, text_case, rng.choice(("text", "soft", "soft"))),
        "price": Style(
            rng.choice((name, name, text, name * 1.15)),
            face,
            bold and rng.random() < 0.6,
            False,
            "as",
            rng.choice(("text", "text", "accent")),
        ),
        "head": Style(
            head,
            fancy,
            head <= name * 1.2 or rng.random() < 0.6,
            rng.random() < 0.1,
            rng.choice(fancy_cases),
            rng.choice(("accent", "accent", "text")),
            rng.choice((0, 0, 0, 0.12)),
        ),
        "small": Style(
            text * rng.uniform(0.8, 1.0),
            face,
            False,
            rng.random() < 0.3,
            rng.choice(("as", "as", "as", "upper")),
            "soft",
        ),
    }


def look(rng: Random, display: bool = False, align: str | None = None, places: tuple[str, ...] = ()) -> Look:
    """A random look; `places` restricts where prices may stand."""
    align = align or rng.choice(("left",) * 17 + ("centre",) * 6 + ("right",))
    place = rng.choice(places or (LEFT_PLACES if align == "left" else CENTRE_PLACES))
    return Look(
        **styles(rng, display),
        align=align,
        place=place,
        lead=rng.uniform(1.12, 1.5),
        gap=BODY * rng.choice((0.1, 0.3, 0.6, 1.0, 1.6, 2.4)),
        glue=rng.choice(("", "", "", "-", "–", "|", "...", "~", ":", "•")),
        bracket=rng.random() < 0.12,
        inline=rng.random() < 0.12,
        icons=rng.choice(("",) * 9 + ("below", "after")),
        bullet=rng.choice(("",) * 12 + ("-", "•", "*")),
        leader=rng.choice((".", ".", ".", "…", "_", ". ", "-", "·")),
        step=BODY * rng.uniform(2.8, 4.5),
        share=rng.choice((1, 1, 0.85, 0.7)),
    )
