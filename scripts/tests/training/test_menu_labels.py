"""Tests of the labels of texts and of the score of menus."""

import unittest
from typing import Any

from tablesight_tools.training.menus import labels, matching


def menu(*names: str) -> dict[str, Any]:
    return {"language": "en", "sections": [{"title": "Soups", "items": [{"name": name} for name in names]}]}


def outcome(*names: str) -> dict[str, Any]:
    return {"menu": {"sections": [{"items": [{"name": name} for name in names]}]}}


class LabelTests(unittest.TestCase):
    def test_plain_text_has_no_case_accents_and_marks(self) -> None:
        self.assertEqual(labels.plain("Crème brûlée — Øl & Łosoś!"), "creme brulee ol losos")

    def test_a_line_that_begins_with_a_name_is_a_name(self) -> None:
        words = [("Soup", "N"), ("with", "D"), ("leeks", "D"), ("and", "D"), ("4.50", "P")]
        page = {"lines": [{"words": [{"text": text, "role": role} for text, role in words]}]}
        texts = [{"words": [[0, n] for n in range(5)]}, {"words": [[0, 1], [0, 2]]}, {"words": [[0, 4]]}]
        self.assertEqual(labels.of_generated(page, texts), ["N", "D", "O"])

    def test_typed_texts_get_the_role_of_the_most_similar_text(self) -> None:
        truth = {**menu("Tomato soup"), "notDishes": ["Closed on Mondays and on all Tuesdays"]}
        texts = [{"text": text, "confidence": 0.9} for text in ("T0mato soup", "SOUPS", "Closed on Mondays", "xq")]
        self.assertEqual(labels.of_typed(truth, texts), ["N", "H", "T", "O"])


class MatchingTests(unittest.TestCase):
    def test_all_dishes_found(self) -> None:
        self.assertEqual(matching.dish_f1(menu("Soup", "Salad"), outcome("Salad", "Soup")), 1)

    def test_a_missing_and_a_false_dish(self) -> None:
        self.assertAlmostEqual(matching.dish_f1(menu("Soup", "Salad"), outcome("Soup", "Opening hours")), 0.5)

    def test_numbers_and_brackets_do_not_matter(self) -> None:
        self.assertEqual(matching.dish_f1(menu("12 Soup (hot)"), outcome("Soup")), 1)

    def test_optional_dishes_do_not_count(self) -> None:
        truth = menu("Soup", "Extra cheese")
        truth["sections"][0]["items"][1]["optional"] = True
        self.assertEqual(matching.dish_f1(truth, outcome("Soup")), 1)
        self.assertEqual(matching.dish_f1(truth, outcome("Soup", "Extra cheese")), 1)
