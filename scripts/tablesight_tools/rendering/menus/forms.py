"""Price forms: how a page writes its amounts.

A form is a pattern with one number in braces:
{2.} 19.00  {2,} 19,00  {0} 19  {1.} 7.5  {1,} 7,5  {m.} 9.5 or 12  {m,} 9,5 or 12  {h} 9½ or 9  {t.} 4.000  {t,} 4,000
{t_} 1 200  {n} 4000  {k} the amount in thousands (55 for 55000)
"""

from dataclasses import dataclass
from decimal import Decimal
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


EURO = "de fr es it nl pt en hu pl cs"
FORMS = [
    Form(*row)
    for row in (
        ("{2.}", "EUR", "low", "en de it nl"),
        ("{2,}", "EUR", "low", "de fr es it nl pt"),
        ("{2,} €", "EUR", "low", EURO),
        ("{2.} €", "EUR", "low", EURO),
        ("{2,}€", "EUR", "low", EURO),
        ("{2.}€", "EUR", "low", EURO),
        ("€{2.}", "EUR", "low", "en nl it de"),
        ("€ {2,}", "EUR", "low", "de it nl pt"),
        ("€ {2.}", "EUR", "low", "it en"),
        ("€. {2,}", "EUR", "low", "it"),
        ("EUR {2,}", "EUR", "low", "de fr"),
        ("{2,} EUR", "EUR", "low", "de"),
        ("{0},-", "EUR", "low", "de nl"),
        ("{0},- €", "EUR", "low", "de"),
        ("{0}€", "EUR", "low", EURO),
        ("{0} €", "EUR", "low", EURO),
        ("€{0}", "EUR", "low", "en"),
        ("{m.}", "EUR", "low", "en nl de it"),
        ("{m,}", "EUR", "low", "de fr nl it es"),
        ("{1,} €", "EUR", "low", "de es"),
        ("{1.}", "EUR", "low", "nl en"),
        ("{0}", "EUR", "low", "de fr it nl es"),
        ("{h}", "EUR", "low", "nl en de"),
        ("£{2.}", "GBP", "low", "en"),
        ("£{2.}", "GBP", "low", "en"),
        ("£{0}", "GBP", "low", "en"),
        ("{h}", "GBP", "low", "en"),
        ("£{m.}", "GBP", "low", "en"),
        ("{1.}", "GBP", "low", "en"),
        ("${2.}", "USD", "dollar", "en"),
        ("${2.}", "USD", "dollar", "en es"),
        ("${0}", "USD", "dollar", "en"),
        ("$ {2.}", "USD", "dollar", "en"),
        ("${0}-", "USD", "dollar", "en"),
        ("{0}", "USD", "dollar", "en"),
        ("{2.}", "USD", "dollar", "en"),
        ("${m.}", "USD", "dollar", "en"),
        ("- {0}", "USD", "dollar", "en"),
        ("{0}.", "USD", "dollar", "en"),
        ("CHF {2.}", "CHF", "low", "de fr it"),
        ("{2.}", "CHF", "low", "de fr"),
        ("Fr. {2.}", "CHF", "low", "de"),
        ("{0}.-", "CHF", "low", "de fr"),
        ("Fr. {0}.-", "CHF", "low", "de"),
        ("S/{2.}", "PEN", "mid", "es"),
        ("S/ {2.}", "PEN", "mid", "es"),
        ("S/. {0}", "PEN", "mid", "es"),
        ("${t.}", "CLP", "clp", "es"),
        ("$ {t.}", "CLP", "clp", "es"),
        ("{t.}", "CLP", "clp", "es"),
        ("${t.}", "COP", "cop", "es"),
        ("{t,}", "COP", "cop", "es"),
        ("${0}", "MXN", "tens", "es"),
        ("${2.}", "MXN", "tens", "es"),
        ("$ {n}", "ARS", "clp", "es"),
        ("R$ {2,}", "BRL", "mid", "pt"),
        ("R${2,}", "BRL", "mid", "pt"),
        ("{2,}", "BRL", "mid", "pt"),
        ("R$ {0}", "BRL", "mid", "pt"),
        ("{2,} €", "EUR", "low", "pt"),
        ("€{2.}", "EUR", "low", "pt"),
        ("{0} kr", "SEK", "kr", "sv"),
        ("{0}:-", "SEK", "kr", "sv"),
        ("{0}", "SEK", "kr", "sv"),
        ("kr {0}", "NOK", "kr", "sv"),
        ("{0} kr.", "DKK", "kr", "sv"),
        ("{0},-", "NOK", "kr", "sv"),
        ("{0} Kč", "CZK", "czk", "cs"),
        ("{0},-", "CZK", "czk", "cs"),
        ("{0},- Kč", "CZK", "czk", "cs"),
        ("{0}", "CZK", "czk", "cs"),
        ("{2,} Kč", "CZK", "czk", "cs"),
        ("{0} zł", "PLN", "mid", "pl"),
        ("{2,} zł", "PLN", "mid", "pl"),
        ("{0}", "PLN", "mid", "pl"),
        ("{0},-", "PLN", "mid", "pl"),
        ("{2.} PLN", "PLN", "mid", "pl"),
        ("{t_} Ft", "HUF", "huf", "hu"),
        ("{t.} Ft", "HUF", "huf", "hu"),
        ("{n} Ft", "HUF", "huf", "hu"),
        ("{t.},-", "HUF", "huf", "hu"),
        ("{n}", "HUF", "huf", "hu"),
        ("{t_},- Ft", "HUF", "huf", "hu"),
        ("{0} TL", "TRY", "try", "tr"),
        ("{2,} TL", "TRY", "try", "tr"),
        ("₺{0}", "TRY", "try", "tr"),
        ("{0}₺", "TRY", "try", "tr"),
        ("{0}", "TRY", "try", "tr"),
        ("{2,} ₺", "TRY", "try", "tr"),
        ("{k}k", "VND", "kilo", "vi"),
        ("{k}K", "VND", "kilo", "vi"),
        ("{k}k", "VND", "kilo", "vi"),
        ("{t.}", "VND", "kilo", "vi"),
        ("{t.}đ", "VND", "kilo", "vi"),
        ("{t,}", "VND", "kilo", "vi"),
        ("{t.} đ", "VND", "kilo", "vi"),
        ("{t.} VND", "VND", "kilo", "vi"),
        ("{t,}đ", "VND", "kilo", "vi"),
        ("Rp {t.}", "IDR", "rupiah", "en"),
        ("{k}K", "IDR", "rupiah", "en"),
        ("RM {2.}", "MYR", "mid", "en"),
        ("RM{2.}", "MYR", "mid", "en"),
        ("₱{0}", "PHP", "tens", "en"),
        ("P{0}", "PHP", "tens", "en"),
        ("₹{0}", "INR", "tens", "en"),
        ("Rs. {0}", "INR", "tens", "en"),
        ("{0}/-", "INR", "tens", "en"),
        ("S${2.}", "SGD", "dollar", "en"),
        ("{0} AED", "AED", "mid", "en"),
        ("R{0}", "ZAR", "tens", "en"),
        ("฿{0}", "THB", "tens", "en"),
        ("{0}.-", "THB", "tens", "en"),
        ("A${2.}", "AUD", "dollar", "en"),
        ("{n}", "JPY", "tens", "en"),
    )
]


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
