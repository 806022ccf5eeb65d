"""What stands on a made-up page: its dishes with descriptions, prices, variants, codes and marks."""

from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

from tablesight_tools.rendering.menus.forms import FORMS, Form, form_for
from tablesight_tools.rendering.menus.page import Page, Span, Style
from tablesight_tools.rendering.menus.words import Words


@dataclass
class Variant:
    """A size, choice or extra of a dish. extra: its price is added to the dish's own."""

    text: str
    amount: Decimal | None
    extra: bool


@dataclass
class Dish:
    """A dish before it is laid out."""

    name: str
    text: str = ""
    amounts: list[Decimal] = field(default_factory=list)
    variants: list[Variant] = field(default_factory=list)
    codes: str = ""
    mark: str = ""
    number: str = ""
    size: str = ""


@dataclass
class Habits:
    """Shares and counts that hold for a whole page."""

    described: float
    many: int
    glue: str
    coded: str
    marked: float
    numbered: str
    variants: float
    unpriced: float
    volumes: float
    counted: float
    ends: str


def habits(rng: Random) -> Habits:
    """Random habits of a page."""
    return Habits(
        described=rng.choice((0, 0.3, 0.7, 0.9, 0.97, 1, 1)),
        many=rng.choice((2, 3, 4, 5, 7, 10)),
        glue=rng.choice((", ", ", ", ", ", ", ", ", ", " + ", " · ", " / ", " | ", " • ", " - ")),
        coded=rng.choice(("",) * 9 + ("letters", "digits", "mixed", "raised")),
        marked=rng.choice((0, 0, 0, 0.15, 0.4)),
        numbered=rng.choice(("",) * 7 + ("{}.", "{}.", "{}", "{})")),
        variants=rng.choice((0, 0, 0, 0.12, 0.3)),
        unpriced=rng.choice((0, 0, 0, 0.04, 0.15)),
        volumes=rng.choice((0, 0, 0.5)),
        counted=rng.choice((0, 0, 0, 0.15)),
        ends=rng.choice(("", "", "", "", ".")),
    )


class Desk:
    """The words, the form of prices and the habits with which one page is filled."""

    def __init__(self, rng: Random, words: Words, page: Page, language: str, form: Form) -> None:
        self.rng, self.words, self.page, self.language, self.form = rng, words, page, language, form
        self.habits = habits(rng)
        self.second: str | None = None
        self.number = rng.choice((1, 1, 1, 10, 20, 41, 100))
        self.used: set[str] = set()
        self.plain = "en" if language == "vi" and rng.random() < 0.3 else language

    def refit(self, *kinds: str) -> None:
        """Changes to a form whose number is of these kinds ("0", "m"), where the language has one."""
        fitting = [
            form
            for form in FORMS
            if self.language in form.languages.split() and form.pattern[form.pattern.index("{") + 1] in kinds
        ]
        if fitting:
            self.form = self.rng.choice(fitting)
            self.page.currency = self.form.currency

    def add_second(self) -> None:
        """Makes the page bilingual: descriptions become second names."""
        self.second = self.words.pick(self.rng, self.language, "seconds")
        self.page.language = f"{self.language}+{self.second}"
        self.plain = self.rng.choice((self.language, self.second))

    def amount(self, factor: float = 1.0) -> Decimal:
        """A likely price."""
        return self.form.draw(self.rng, factor)

    def filled(self, language: str, kind: str) -> str:
        """A filled text of words.json that the page does not have yet, if one is left."""
        for _ in range(6):
            text = self.words.filled(self.rng, language, kind)
            if text not in self.used:
                break
        self.used.add(text)
        return text

    def price(self, amounts: list[Decimal], style: Style, text: str | None = None) -> Span:
        """Prices as a span, written in the page's form unless `text` says how."""
        written = text or self.form.write(amounts[0])
        return Span(written, "P", style, tuple(self.form.truth(amount) for amount in amounts))

    def amounts(self, many: int, factor: float = 1.0) -> list[Decimal]:
        """Prices of growing sizes; sometimes one size is missing."""
        found = [self.amount(factor)]
        for _ in range(many - 1 if self.rng.random() < 0.88 else 0):
            found.append(self.form.rounded(self.rng, float(found[-1]) * self.rng.uniform(1.15, 2.0)))
        return sorted(set(found))

    def codes(self) -> str:
        """Allergen codes in the page's form."""
        rng, kind = self.rng, self.habits.coded
        if not kind or rng.random() < 0.2:
            return ""
        letters = {"digits": "1234567", "raised": "123457"}.get(kind, "ACDFGHLMNO" if kind == "letters" else "ACG137")
        chosen = sorted(rng.sample(letters, rng.randint(1, 4)))
        glue = rng.choice((",", ",", ", ", " ")) if kind != "raised" else ","
        text = glue.join(chosen)
        return text if kind == "raised" or rng.random() < 0.35 else f"({text})"

    def text(self, many: int | None = None, kind: str = "dishes") -> str:
        """A description."""
        rng, habit = self.rng, self.habits
        if kind == "dishes" and rng.random() < habit.counted:
            text = self.words.counted(rng, self.plain)
        else:
            text = self.words.description(
                rng, self.plain, many or rng.randint(1, habit.many), habit.glue, kind != "dishes"
            )
        text = text[:1].upper() + text[1:] if rng.random() < 0.6 else text
        if rng.random() < 0.03:
            text += rng.choice(
                (" (180 g)", " 250 g", " (2 pers.)", " 0,5 l", ", 540 kcal", " (min. 2)", " 28 cm", " 24 h", ", 1995")
            )
        return text + habit.ends

    def name(self, kind: str = "dishes", language: str | None = None) -> tuple[str, str]:
        """(name, start of a description) that the page does not have yet."""
        for _ in range(6):
            name, rest = self.words.name(self.rng, language or self.language, kind)
            if name.lower() not in self.used:
                break
        self.used.add(name.lower())
        return name[:1].upper() + name[1:], rest

    def portion(self) -> str:
        """A weight, length or count behind a dish's name."""
        pieces = self.words.pick(self.rng, self.language, "pieces")
        return self.rng.choice(
            ("250 g", "200g", "180 g", "350 g", "8oz", "12 oz", "6 " + pieces, "10 " + pieces, "30 cm")
        )

    def volume(self) -> str:
        """A volume behind a drink's name."""
        volumes = "0,2 l|0,3 l|0,5 l|0.33l|33 cl|25cl|4 cl|2cl|300ml|330 ml|0,75 l|12oz|1 l|500 ml|0,1 l"
        return self.rng.choice(volumes.split("|"))

    def dish(self, kind: str = "dishes", prices: int = 1, factor: float = 1.0, described: float | None = None) -> Dish:
        """A dish of the page's habits."""
        rng, habit = self.rng, self.habits
        name, rest = self.name(kind)
        dish = Dish(name, codes=self.codes())
        share = habit.described if described is None else described
        if self.second:
            dish.text = self.name(kind, self.second)[0]
        elif rng.random() < share * (1 if kind == "dishes" else 0.4):
            dish.text = rest if rest and rng.random() < 0.6 else self.text(kind=kind)
        elif rest and len(rest) < 25:
            dish.name += " " + rest
        if prices and rng.random() >= habit.unpriced:
            dish.amounts = self.amounts(prices, factor)
        if habit.numbered:
            dish.number = habit.numbered.replace("{}", str(self.number))
            self.number += 1
        if rng.random() < habit.marked:
            dish.mark = self.words.pick(rng, "other", "marks")
        if rng.random() < habit.volumes * (1 if kind == "drinks" else 0.15):
            dish.size = self.volume() if kind == "drinks" else self.portion()
        if rng.random() < habit.variants:
            dish.variants = self.variants(factor)
        return dish

    def variants(self, factor: float = 1.0) -> list[Variant]:
        """One to four sizes, choices or extras."""
        rng = self.rng
        kind = rng.choice(("sizes", "choices", "extras", "extras"))
        money = rng.random() < 0.75
        out, seen = [], set()
        for _ in range(rng.choice((1, 1, 2, 3, 4))):
            text = (
                self.words.filled(rng, self.plain, kind) if kind == "extras" else self.words.pick(rng, self.plain, kind)
            )
            if text not in seen:
                seen.add(text)
                amount = self.amount(factor * (0.2 if kind == "extras" else 1)) if money else None
                out.append(Variant(text, amount, kind == "extras"))
        return out


def new_desk(rng: Random, words: Words, template: str, measure: object, language: str | None = None) -> Desk:
    """A desk with an empty page in a random language."""
    weights = {"en": 9, "de": 4, "es": 4, "fr": 3, "it": 3, "vi": 3}
    names = words.languages
    language = language or rng.choices(names, [weights.get(name, 1.5) for name in names])[0]
    form = form_for(rng, language)
    page = Page(template, language, form.currency, measure=measure)
    return Desk(rng, words, page, language, form)
