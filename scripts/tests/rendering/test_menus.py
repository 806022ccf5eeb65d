"""Tests of the generator of made-up menus."""

import json
import re
import unittest
from decimal import Decimal
from random import Random

from tablesight_tools.rendering.menus import forms
from tablesight_tools.rendering.menus.generate import boxed_page
from tablesight_tools.rendering.menus.page import Page
from tablesight_tools.rendering.menus.templates import TEMPLATES, make_page
from tablesight_tools.rendering.menus.truth import truth_of
from tablesight_tools.rendering.menus.words import Words

WORDS = Words()
ROLES = set("NCDHVSPLTO")


def amount_of(text: str, form: forms.Form) -> Decimal:
    """The amount that a written price says, read back by the rules of its pattern."""
    start, end = form.pattern.index("{"), form.pattern.index("}")
    kind, digits = form.pattern[start + 1 : end], text[start : len(text) - len(form.pattern) + end + 1]
    half = Decimal("0.5") if digits.endswith("½") else 0
    digits = digits.rstrip("½")
    if kind[0] == "t":
        digits = re.sub(r"[., ]", "", digits)
    number = Decimal(digits.replace(",", ".")) + half
    return number * 1000 if kind == "k" else number


def texts_by_entry(page: Page, roles: str) -> dict[int, str]:
    """The printed words of each entry that have one of these roles."""
    found: dict[int, list[str]] = {}
    for word in page.words:
        if word.entry is not None and word.role in roles and word.tag != "code":
            found.setdefault(word.entry, []).append(word.text)
    return {entry: " ".join(words) for entry, words in found.items()}


class Prices(unittest.TestCase):
    def test_there_are_forty_price_patterns(self) -> None:
        self.assertGreaterEqual(len({form.pattern for form in forms.FORMS}), 40)

    def test_forms_are_written_as_their_amounts_say(self) -> None:
        rng = Random(1)
        for form in forms.FORMS:
            for _ in range(30):
                amount = form.draw(rng)
                self.assertEqual(amount_of(form.write(amount), form), amount, form)

    def test_examples_of_forms(self) -> None:
        examples = {
            "{2.}": "19.00", "{2,} €": "19,00 €", "{0},-": "19,-", "€{0}": "€19", "S/{2.}": "S/19.00", "{1.}": "19.0",
            "R$ {2,}": "R$ 19,00", "RM {2.}": "RM 19.00", "{0} kr": "19 kr", "{0} Kč": "19 Kč", "₱{0}": "₱19",
        }  # fmt: skip
        for pattern, text in examples.items():
            self.assertEqual(forms.Form(pattern, "", "low").write(Decimal(19)), text)
        self.assertEqual(forms.Form("{h}", "", "low").write(Decimal("9.5")), "9½")
        self.assertEqual(forms.Form("{t_} Ft", "", "huf").write(Decimal(1200)), "1 200 Ft")
        self.assertEqual(forms.Form("Rp {t.}", "", "rupiah").write(Decimal(25000)), "Rp 25.000")
        self.assertEqual(forms.Form("{k}K", "", "kilo").write(Decimal(55000)), "55K")
        self.assertEqual(forms.Form("{k}K", "", "kilo").truth(Decimal(55000)), "55k")

    def test_several_prices_share_a_currency_or_repeat_it(self) -> None:
        form, rng = forms.Form("{0} €", "EUR", "low"), Random(2)
        texts = {forms.joined(rng, form, [Decimal(12), Decimal(14)]) for _ in range(60)}
        self.assertIn("12/14 €", texts)
        self.assertIn("12 €/14 €", texts)


class Pages(unittest.TestCase):
    def test_every_template_makes_pages_with_dishes(self) -> None:
        self.assertGreaterEqual(len(TEMPLATES), 14)
        for name in TEMPLATES:
            for number in range(12):
                page = make_page("template/%d" % number, WORDS, name)
                self.assertGreater(page.dishes(), 0, name)
                self.assertLessEqual({word.role for word in page.words}, ROLES)

    def test_every_language_has_its_words(self) -> None:
        for language in WORDS.languages:
            page = make_page("language", WORDS, "single", language=language)
            self.assertTrue(page.language.startswith(language))
        kinds = {language: set(WORDS.lists[language]) - {"syllables"} for language in WORDS.languages}
        for language in WORDS.languages:
            self.assertEqual(kinds[language], kinds["en"], language)

    def test_truth_has_the_words_of_each_role(self) -> None:
        for name in TEMPLATES:
            for number in range(8):
                page = make_page("truth/%d" % number, WORDS, name)
                truth = truth_of(page)
                items = [item for section in truth["sections"] for item in section["items"]]
                self.assertEqual(sorted(item["name"] for item in items), sorted(texts_by_entry(page, "NCV").values()))
                described = sorted(item["description"] for item in items if item["description"])
                self.assertEqual(described, sorted(texts_by_entry(page, "D").values()), name)

    def test_every_price_of_a_dish_is_printed_beside_it(self) -> None:
        for name in TEMPLATES:
            page = make_page("prices", WORDS, name)
            for number, entry in enumerate(page.entries):
                amounts = {amount for word in page.words if word.entry == number for amount in word.amounts}
                if entry.parent is None and amounts:
                    items = [item for section in truth_of(page)["sections"] for item in section["items"]]
                    self.assertTrue(any(amounts <= set(item["prices"]) for item in items), (name, amounts))

    def test_headings_are_titles_of_sections(self) -> None:
        page = make_page("headings", WORDS, "columns")
        printed = {word.text for word in page.words if word.role == "H"}
        titled = {text for section in truth_of(page)["sections"] for text in (section["title"] or "").split()}
        self.assertEqual(printed, titled)


class Boxes(unittest.TestCase):
    def test_the_same_seed_gives_the_same_page(self) -> None:
        for number in range(8):
            self.assertEqual(boxed_page(5, number, WORDS), boxed_page(5, number, WORDS))
        self.assertNotEqual(boxed_page(5, 1, WORDS)["lines"], boxed_page(6, 1, WORDS)["lines"])

    def test_lines_have_the_documented_fields(self) -> None:
        for number in range(20):
            page = json.loads(json.dumps(boxed_page(3, number, WORDS)))
            self.assertLessEqual({"id", "template", "language", "lines", "truth"}, set(page))
            for line in page["lines"]:
                self.assertEqual(line["text"], " ".join(word["text"] for word in line["words"]))
                for part in (line, *line["words"]):
                    self.assertEqual([len(point) for point in part["box"]], [2, 2, 2, 2])
                    self.assertTrue(0 <= part["confidence"] <= 1)
                    self.assertTrue(all(value >= 0 for point in part["box"] for value in point))
                self.assertLessEqual({word["role"] for word in line["words"]}, ROLES)

    def test_a_clean_reading_has_every_word_once(self) -> None:
        for name in TEMPLATES:
            page = boxed_page(4, 0, WORDS, name, clean=True)
            read = [word["text"] for line in page["lines"] for word in line["words"] if word["role"] in "NCV"]
            truth = [item["name"] for section in page["truth"]["sections"] for item in section["items"]]
            missing = set(" ".join(truth).split()) - set(read)
            self.assertFalse(missing, name)


if __name__ == "__main__":
    unittest.main()
