"""Words of made-up menus: dish names, descriptions, headings, notes and legends in 13 languages.

The lists of `words.json` were written for this package. Recipe files (`title`, `ingredients`) and dish files (`name`,
`description`) add names and descriptions. Headings, drinks, notes and sizes always come from `words.json`.
"""

import gzip
import json
import re
from pathlib import Path
from random import Random

Lists = dict[str, list[str]]
NO_LANGUAGE = ("wine", "other")
QUANTITY = re.compile(r"^[\d\s.,/½¼¾–-]+|\b\d+[\d.,/]*\s?(?:g|kg|ml|cl|l|dl|dag|gr|gramm?|q\.?b)?\b\.?", re.I)
MEASURE = re.compile(
    r"\b(?:tbsp|tsp|tablespoons?|teaspoons?|pounds?|ounces?|cups?|cuill\w+|gousses?|pinc\w+|el|tl|kg|dag|g"
    r"|ml|cl|dl|litr\w*|szklank\w+|ły\w+|colher\w*|xícaras?|cucharad\w+|taza|q\.b\.?|ks|op|poignées?|brins?|tranches?)\b",
    re.I,
)


def built_in() -> dict[str, Lists]:
    """The lists of words.json: {language: {kind: [text]}}."""
    raw = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
    return {
        name: {
            kind: [word.strip() for line in lines for word in line.split(";") if word.strip()]
            for kind, lines in kinds.items()
        }
        for name, kinds in raw.items()
    }


def ingredient_of(text: str) -> str | None:
    """The bare name of a recipe's ingredient, or None where little of it is left."""
    text = MEASURE.sub(" ", QUANTITY.sub(" ", text.split("(", maxsplit=1)[0].split(",", maxsplit=1)[0]))
    text = " ".join(re.sub(r"[^\w\s'’-]", " ", text).split()).strip(" -")
    text = re.sub(r"^(?:de|d|of|di|do|da)\s+", "", text)
    return text.lower() if 2 < len(text) < 24 and len(text.split()) < 4 and not any(c.isdigit() for c in text) else None


def read_recipes(folder: Path, limit: int) -> tuple[Lists, Lists]:
    """(names, ingredients) by language from `LANGUAGE.jsonl.gz` files."""
    names, parts = {}, {}
    for file in sorted(folder.glob("*.jsonl.gz")):
        language = file.name.split(".")[0]
        step = 12 if language in ("en", "de") else 1
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number % step or number >= limit * step:
                    continue
                row = json.loads(line)
                title = " ".join(row["title"].strip(" \"'.,„“”").split())
                if 3 < len(title) < 90 and sum(c.isalpha() for c in title) > 0.7 * len(title):
                    names.setdefault(language, []).append(title)
                found = (ingredient_of(text) for text in row.get("ingredients") or ())
                parts.setdefault(language, []).extend(text for text in found if text)
    return names, parts


def read_dishes(files: list[Path]) -> tuple[Lists, Lists]:
    """(names, descriptions) by language from files with one dish a line."""
    names, texts = {}, {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            language = row.get("lang") or row.get("language") or "en"
            if 2 < len(row.get("name") or "") < 70:
                names.setdefault(language, []).append(" ".join(row["name"].split()))
            if row.get("description"):
                texts.setdefault(language, []).append(" ".join(row["description"].split()))
    return names, texts


class Words:
    """What may be printed on a menu, by language."""

    def __init__(self, recipes: Path | None = None, dishes: list[Path] = (), limit: int = 5000) -> None:
        self.lists = built_in()
        self.languages = [name for name in self.lists if name not in NO_LANGUAGE]
        self.titles, self.parts = read_recipes(recipes, limit) if recipes else ({}, {})
        more, self.texts = read_dishes(list(dishes))
        for language, names in more.items():
            self.titles.setdefault(language, []).extend(names)

    def pick(self, rng: Random, language: str, kind: str) -> str:
        """One text of a list of words.json."""
        return rng.choice(self.lists[language][kind])

    def cut(self, rng: Random, language: str, title: str) -> tuple[str, str]:
        """(name, rest) of a long title, cut before a comma or a word like "with"."""
        words = title.split()
        joins = self.lists[language]["starts"][:4]
        for at in range(1, len(words)):
            comma = words[at - 1].endswith(",")
            if comma or words[at].lower() in joins:
                if len(words) > 4 or rng.random() < 0.5:
                    return " ".join(words[:at]).rstrip(","), " ".join(words[at:])
        most = rng.choice((3, 4, 5, 6, 8))
        kept = words[:most]
        while len(kept) > 1 and (kept[-1].lower() in self.lists[language]["starts"] or not kept[-1][-1].isalnum()):
            kept.pop()
        return " ".join(kept), ""

    def composed(self, rng: Random, language: str) -> str:
        """A name made of a base, a way of cooking and an ingredient."""
        lists = self.lists[language]
        base, style = rng.choice(lists["bases"]), rng.choice(lists["styles"] or [""])
        name = " ".join((style, base)).strip()
        if rng.random() < 0.5:
            name += " {} {}".format(lists["glue"][0], rng.choice(lists["ingredients"]))
        return name[:1].upper() + name[1:]

    def name(self, rng: Random, language: str, kind: str = "dishes") -> tuple[str, str]:
        """(name, start of a description or "") of a dish, a sweet or a drink."""
        lists, titles = self.lists[language], self.titles.get(language, ())
        if kind != "dishes" and (not titles or rng.random() < 0.93):
            return rng.choice(lists[kind]), ""
        if len(titles) > 200 and rng.random() < 0.7:
            return self.cut(rng, language, rng.choice(titles))
        return (self.composed(rng, language) if rng.random() < 0.2 else rng.choice(lists["dishes"])), ""

    def ingredient(self, rng: Random, language: str) -> str:
        """One ingredient in lower case."""
        parts = self.parts.get(language, ())
        return rng.choice(parts) if len(parts) > 300 and rng.random() < 0.6 else self.pick(rng, language, "ingredients")

    def description(self, rng: Random, language: str, many: int, glue: str = ", ", sweet: bool = False) -> str:
        """About `many` ingredients as one text; sometimes a sentence of a dish file."""
        texts = self.texts.get(language)
        if sweet:
            parts = self.lists[language]["sweet_parts"]
            return glue.join(rng.sample(parts, min(many, 6)))
        if texts and rng.random() < 0.25:
            return " ".join(rng.choice(texts).split()[: many * 3]).rstrip(",")
        lists, text = self.lists[language], self.ingredient(rng, language)
        for number in range(1, many):
            roll = rng.random()
            last = number == many - 1 and many > 2 and glue == ", "
            join = " %s " % (
                lists["and"][0] if last and roll < 0.6 else rng.choice(lists["glue"]) if roll < 0.2 else ""
            )
            text += (join if join.strip() else glue) + self.ingredient(rng, language)
        return text

    def counted(self, rng: Random, language: str) -> str:
        """A list with numbers: "2 eggs, 2 sausages, 1 slice of toast"."""
        forms = rng.sample(self.lists[language]["count"], rng.randint(2, min(4, len(self.lists[language]["count"]))))
        texts = [form.replace("{n}", str(rng.choice((1, 2, 2, 2, 3, 4)))) for form in forms]
        texts += [self.ingredient(rng, language) for _ in range(rng.choice((0, 1, 2, 3)))]
        return ", ".join(texts)

    def place(self, rng: Random, language: str = "en") -> str:
        """A made-up proper name."""
        syllables = self.lists[language].get("syllables")
        if syllables and rng.random() < 0.8:
            return " ".join(rng.sample(syllables, 2)).title()
        return self.pick(rng, "other", "places")

    def filled(self, rng: Random, language: str, kind: str) -> str:
        """A text of a list, filled in: {W} {w} names, {n} number, {p} phone number, {t} time, {i} ingredient."""
        name = self.place(rng, language)
        text = self.pick(rng, language, kind).replace("{W}", name).replace("{w}", name.lower().replace(" ", ""))
        number = rng.randint(1, 9) if kind == "sets" else rng.randint(2, 199)
        text = text.replace("{n}", str(number)).replace("{i}", self.ingredient(rng, language))
        while "{p}" in text:
            text = text.replace("{p}", phone(rng), 1)
        for hours in ((6, 12), (14, 23), (6, 23)):
            text = text.replace("{t}", clock(rng, language, *hours), 1)
        return text


def phone(rng: Random) -> str:
    """A made-up phone number in one of the usual forms."""
    forms = "0## ### ####|0### ######|+## ### ### ###|0##-###-##-##|0####/#####|### ### ###|(###) ###-####|09########"
    form = rng.choice(forms.split("|"))
    return "".join(str(rng.randint(0, 9)) if c == "#" else c for c in form)


def clock(rng: Random, language: str, first: int, last: int) -> str:
    """A time of day between two hours."""
    hour, minute = rng.randint(first, last), rng.choice(("00", "00", "30", "15"))
    if language == "en" and rng.random() < 0.6:
        return "%d%s" % ((hour - 1) % 12 + 1, "am" if hour < 12 else "pm")
    return rng.choice(("%d:%s", "%d.%s", "%dh%s" if language in ("fr", "vi") else "%d:%s")) % (hour, minute)
