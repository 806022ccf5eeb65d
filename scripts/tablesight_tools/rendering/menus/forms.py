"""Price forms: how a page writes its amounts.

A form is a pattern with one number in braces:
{2.} 19.00  {2,} 19,00  {0} 19  {1.} 7.5  {1,} 7,5  {m.} 9.5 or 12  {m,} 9,5 or 12  {h} 9½ or 9  {t.} 4.000  {t,} 4,000
{t_} 1 200  {n} 4000  {k} the amount in thousands (55 for 55000)
"""

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Form:
    """How a page writes its prices. `scale` names the range amounts are drawn from."""

    pattern: str
    currency: str
    scale: str
    languages: str = ""

    def write(self, amount: Decimal) -> str:
        """The amount in this form."""
        start, end = self.pattern.index("{"), self.pattern.index("}")
        return self.pattern[:start] + number(self.pattern[start + 1 : end], amount) + self.pattern[end + 1 :]

    def truth(self, amount: Decimal) -> str:
        """The amount as the truth has it: a price in thousands keeps its k."""
        if "{k}" in self.pattern:
            return f"{plain(amount / 1000)}k"
        return plain(amount)

    def draw(self, rng: Random, factor: float = 1.0) -> Decimal:
        """A likely amount that this form can write."""
        low, high, _ = SCALES[self.scale]
        return self.rounded(rng, factor * low * (high / low) ** rng.betavariate(1.6, 2.2))

    def rounded(self, rng: Random, amount: float) -> Decimal:
        """An amount near this one that the form can write."""
        step = SCALES[self.scale][2]
        kind = self.pattern[self.pattern.index("{") + 1 : self.pattern.index("}")]
        if self.scale in ("low", "dollar"):
            return small(rng, amount, kind)
        if self.scale == "mid" and kind[0] == "2" and rng.random() < 0.4:
            return Decimal(round(amount)) + rng.choice((Decimal("0.50"), Decimal("0.90"), Decimal("0")))
        return Decimal(max(step, round(amount / step) * step) - (rng.choice((0, 0, 0, 1)) if step == 10 else 0))


SCALES = {
    "low": (4.2, 36.0, 1),
    "dollar": (5.0, 38.0, 1),
    "mid": (18, 150, 1),
    "kr": (65, 395, 1),
    "czk": (85, 450, 5),
    "tens": (60, 620, 10),
    "huf": (1290, 7900, 10),
    "kilo": (20000, 290000, 1000),
    "rupiah": (9000, 95000, 500),
    "clp": (2200, 17900, 100),
    "cop": (4500, 62000, 500),
    "try": (45, 890, 5),
}


def small(rng: Random, amount: float, kind: str) -> Decimal:
    """A price of a few units, rounded as menus round."""
    whole = max(1, int(amount))
    if kind == "0":
        return Decimal(whole)
    if kind == "h":
        return Decimal(whole) + (Decimal("0.5") if rng.random() < 0.5 else 0)
    if kind[0] == "m":
        return Decimal(whole) + (Decimal("0.5") if rng.random() < 0.45 else 0)
    if kind[0] == "1":
        return Decimal(whole) + Decimal(rng.choice((0, 2, 3, 5, 5, 5, 8))) / 10
    ends = rng.choice(("00", "50", "90", "95", "99", "20", "80", "25", "75", "40", "60", "30"))
    return Decimal("%d.%s" % (whole, ends))


def plain(amount: Decimal) -> str:
    """12.5 → "12.50", 12 → "12"."""
    return str(int(amount)) if amount == int(amount) else f"{amount:.2f}"


def number(kind: str, amount: Decimal) -> str:
    """The number of a pattern; see the module's text for the kinds."""
    if kind == "k":
        return plain(amount / 1000).replace(".00", "")
    if kind in ("0", "n"):
        return str(int(amount))
    if kind[0] == "t":
        return f"{int(amount):,}".replace(",", {"_": " "}.get(kind[1], kind[1]))
    if kind == "h":
        return str(int(amount)) + ("½" if amount != int(amount) else "")
    if kind[0] == "m":
        return (str(int(amount)) if amount == int(amount) else f"{amount:.1f}").replace(".", kind[1])
    return ("%.*f" % (int(kind[0]), amount)).replace(".", kind[1])


# Pattern, currency, scale, languages. A form that stands twice is drawn twice as often.
FORMS = [Form(*row) for row in json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))]


def form_for(rng: Random, language: str) -> Form:
    """A form that menus in this language use."""
    fitting = [form for form in FORMS if language in form.languages.split()]
    return rng.choice(fitting)


def joined(rng: Random, form: Form, amounts: list[Decimal]) -> str:
    """Several prices in one text: "12/14 €", "80 140 180", "5,50 | 9,00"."""
    texts = [form.write(amount) for amount in amounts]
    glue = rng.choice(("/", " / ", " | ", " - ", "/"))
    start, end = form.pattern.index("{"), form.pattern.index("}") + 1
    if rng.random() < 0.5 and (form.pattern[end:].strip() or form.pattern[:start].strip()):
        kind = form.pattern[start + 1 : end - 1]
        middle = glue.join(number(kind, amount) for amount in amounts)
        return form.pattern[:start] + middle + form.pattern[end:]
    return glue.join(texts)
