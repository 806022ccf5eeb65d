"""A page as placed words: the ground that templates draw on, and the truth that is read off it.

Lengths are in page units: body text has a font size of 20 units. The `y` of a line is the top of its em square. Every
word has a role and the number of the entry (dish or variant) it belongs to. The truth is computed from the same words.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

BODY = 20.0
BASELINE = 0.8
NARROW, WIDE = set("iljtfrI.,:;'|!()[]- "), set("mwMWÆŒ@%—…")
FACES = {"sans": 1.0, "serif": 0.96, "condensed": 0.8, "script": 0.84, "display": 1.08, "mono": 1.15, "hand": 0.98}


@dataclass(frozen=True)
class Style:
    """How a text is set. case: as, upper, title or lower; track: extra space between letters as a share of the size."""

    size: float
    face: str = "sans"
    bold: bool = False
    italic: bool = False
    case: str = "as"
    ink: str = "text"
    track: float = 0.0

    def write(self, text: str) -> str:
        """The text in this style's case."""
        if self.case == "upper":
            return text.upper()
        if self.case == "title":
            return " ".join(word[:1].upper() + word[1:] for word in text.split())
        return text.lower() if self.case == "lower" else text

    def scaled(self, factor: float) -> "Style":
        """The same style in another size."""
        return replace(self, size=self.size * factor)


@dataclass(frozen=True)
class Span:
    """Text of one role. amounts: what a price says; tag: code, number, size, leader, icon or empty."""

    text: str
    role: str
    style: Style
    amounts: tuple[str, ...] = ()
    tag: str = ""


@dataclass(slots=True)
class Word:
    """A placed word. `line` numbers the calls of `put`: words of one call stand on one line."""

    text: str
    x: float
    y: float
    width: float
    style: Style
    role: str
    line: int
    entry: int | None
    section: int | None
    amounts: tuple[str, ...]
    tag: str


@dataclass(slots=True)
class Entry:
    """A dish, or a variant (size, extra) of the dish `parent`."""

    section: int | None
    parent: int | None = None
    extra: bool = False


@dataclass(frozen=True)
class Shape:
    """Something drawn that is no text: rule, frame, fill, picture, disc or button, from corner to corner."""

    kind: str
    x0: float
    y0: float
    x1: float
    y1: float
    ink: str = "soft"


@lru_cache(maxsize=200_000)
def letters_width(text: str, face: str, bold: bool) -> float:
    """Width of a text as a share of its size: no font is read, letters are narrow, wide or usual."""
    total = 0.0
    for c in text:
        total += 0.3 if c in NARROW else 0.85 if c in WIDE else 0.55 if c.isdigit() else 0.66 if c.isupper() else 0.52
    return total * FACES[face] * (1.06 if bold else 1.0)


def estimated(text: str, style: Style) -> float:
    """Width of a text without a font."""
    return (letters_width(text, style.face, style.bold) + style.track * len(text)) * style.size


@dataclass
class Page:
    """Words, shapes, sections and entries of one page."""

    template: str
    language: str
    currency: str
    kind: str = "flat"
    measure: Callable[[str, Style], float] = estimated
    inline: bool = False
    dark: bool = False
    words: list[Word] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    parts: list[int | None] = field(default_factory=list)
    lines: int = 0
    look: str = "paper"

    def new_section(self, whole: int | None = None) -> int:
        """A section, as part of another or alone; its title is what is put with role H and its number."""
        self.parts.append(whole)
        return len(self.parts) - 1

    def new_entry(self, section: int | None, parent: int | None = None, extra: bool = False) -> int:
        """A dish, or with a parent one of its variants. extra: its price is added to the dish's own."""
        self.entries.append(Entry(section, parent, extra))
        return len(self.entries) - 1

    def width_of(self, spans: list[Span]) -> float:
        """Width of spans on one line."""
        return sum(self.measure(span.style.write(span.text), span.style) for span in spans) + sum(
            0.3 * span.style.size for span in spans[1:]
        )

    def put(
        self,
        spans: list[Span] | Span,
        x: float,
        y: float,
        align: str = "left",
        width: float = 0.0,
        entry: int | None = None,
        section: int | None = None,
    ) -> float:
        """Places spans on one line and returns its right end. align: left, centre or right within `width`."""
        spans = [span for span in ([spans] if isinstance(spans, Span) else spans) if span.text.strip()]
        if not spans:
            return x
        if align != "left":
            free = width - self.width_of(spans)
            x += free / 2 if align == "centre" else free
        base = y + BASELINE * max(span.style.size for span in spans)
        for span in spans:
            style = span.style
            for n, text in enumerate(style.write(span.text).split()):
                long = self.measure(text, style)
                owner = None if span.role in "OTLSH" else entry
                amounts, line = span.amounts if n == 0 else (), self.lines
                word = Word(text, x, base, long, style, span.role, line, owner, section, amounts, span.tag)
                self.words.append(word)
                x += long + 0.3 * style.size
        self.lines += 1
        return x - 0.3 * spans[-1].style.size

    def wrap(self, spans: list[Span], width: float) -> list[list[Span]]:
        """Spans broken into lines; prices and codes stay whole. From the second line on a name's role is C."""
        rows: list[list[Span]] = [[]]
        used = 0.0
        for span in spans:
            whole = span.amounts or span.tag in ("code", "size")
            for text in [span.text] if whole else span.text.split():
                long = self.measure(span.style.write(text), span.style)
                if rows[-1] and used + long > width:
                    rows.append([])
                    used = 0.0
                role = "C" if span.role == "N" and len(rows) > 1 else span.role
                rows[-1].append(replace(span, text=text, role=role))
                used += long + 0.3 * span.style.size
        return [joined(row) for row in rows if row]

    def block(
        self,
        spans: list[Span],
        x: float,
        y: float,
        width: float,
        lead: float,
        align: str = "left",
        entry: int | None = None,
        section: int | None = None,
    ) -> float:
        """Places spans on as many lines as they need and returns the next line's y."""
        for row in self.wrap(spans, width):
            self.put(row, x, y, align, width, entry, section)
            y += lead * max(span.style.size for span in row)
        return y

    def shape(self, kind: str, x0: float, y0: float, x1: float, y1: float, ink: str = "soft") -> None:
        """Adds something drawn that is no text."""
        self.shapes.append(Shape(kind, x0, y0, x1, y1, ink))

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all words and shapes."""
        if not self.words:
            return 0.0, 0.0, 10 * BODY, 10 * BODY
        return (
            min([w.x for w in self.words] + [s.x0 for s in self.shapes]),
            min([w.y - w.style.size for w in self.words] + [s.y0 for s in self.shapes]),
            max([w.x + w.width for w in self.words] + [s.x1 for s in self.shapes]),
            max([w.y + 0.3 * w.style.size for w in self.words] + [s.y1 for s in self.shapes]),
        )

    def dishes(self) -> int:
        """How many dishes the page has."""
        return sum(entry.parent is None for entry in self.entries)


def joined(row: list[Span]) -> list[Span]:
    """Neighbouring spans of a row that differ only in text as one span."""
    out: list[Span] = []
    for span in row:
        if out and not span.amounts and not span.tag and replace(out[-1], text="") == replace(span, text=""):
            out[-1] = replace(span, text=out[-1].text + " " + span.text)
        else:
            out.append(span)
    return out
