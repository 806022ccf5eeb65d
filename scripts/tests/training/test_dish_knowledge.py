"""Tests of the rows that teach dish knowledge: licences, operators, translated titles."""

import json
import random
import tempfile
import unittest
from pathlib import Path

from tests.needs import packages


@packages("numpy", "scipy")
class RowsTests(unittest.TestCase):
    def row(self, **changes: object) -> object:
        from tablesight_tools.training.dish_knowledge import rows

        values = dict(
            text="Soup", language="en", kind="menu", source="muety/kit-mensa-scraper", operator="kit", present={},
            covered=set(),
        )  # fmt: skip
        return rows.Row(**{**values, **changes})

    def test_only_licensed_rows_of_other_operators_teach(self) -> None:
        from tablesight_tools.training.dish_knowledge.train import taught

        licensed = self.row()
        unlicensed = self.row(source="HAWHHCalendarBot/mensa-data", operator="hamburg")
        munich = self.row(source="TUM-Dev/eat-api (English)", operator="munich-en")
        development = self.row(source="TUM-Dev/eat-api", operator="munich-dev")
        rows = [licensed, unlicensed, munich, development]
        self.assertEqual(taught(rows, None), [licensed, munich])
        self.assertEqual(taught(rows, "munich"), [licensed])
        self.assertEqual(taught(rows, "kit"), [munich])

    def test_what_a_source_does_not_cover_is_unknown(self) -> None:
        from tablesight_tools.training.dish_knowledge.rows import ALLERGENS, covered_keys, targets

        covered = covered_keys(["en:milk", "en:sesame-seeds", "us:shellfish"], {"shellfish"})
        self.assertEqual(covered, {"milk", "sesame"})
        self.assertEqual(covered_keys(["shellfish"], set()), {"crustaceans", "molluscs"})
        truth, mask = targets([self.row(present={"milk": 0.75}, covered=covered)])
        self.assertEqual(truth[0, ALLERGENS.index("milk")], 0.75)
        self.assertEqual(mask[0].sum(), 2)

    def test_the_glossary_has_all_languages_and_the_national_dishes_real_allergens(self) -> None:
        from tablesight_tools.training.dish_knowledge import examples
        from tablesight_tools.training.dish_knowledge.rows import ALLERGENS, LANGUAGES

        for cells in examples.lines("glossary.tsv"):
            self.assertEqual(len(cells), len(LANGUAGES), cells[0])
            self.assertTrue(all(word.strip() for cell in cells for word in cell.split("|")), cells[0])
        for language in LANGUAGES:
            rows = list(examples.national(language))
            self.assertGreater(len(rows), 5, language)
            self.assertLessEqual({name for row in rows for name in row.present}, set(ALLERGENS))

    def test_plain_food_has_no_allergens_and_leaves_open_what_kitchens_add(self) -> None:
        from tablesight_tools.training.dish_knowledge import examples
        from tablesight_tools.training.dish_knowledge.rows import LANGUAGES

        for language in LANGUAGES:
            rows = list(examples.plain(language))
            self.assertGreater(len(rows), 500, language)
            self.assertTrue(all(not row.present for row in rows), language)
            self.assertFalse({"celery", "mustard", "soybeans", "sulphites"} & rows[0].covered, language)
            self.assertIn("milk", rows[0].covered, language)

    def test_an_operator_is_calibrated_by_the_others(self) -> None:
        from tablesight_tools.training.dish_knowledge.measure import calibrate

        key = {"kind": "dish", "strength": "dishKnowledge", "polarity": "likely"}
        pairs = [
            key | {"group": group, "probability": p / 100, "holds": holds}
            for group, holds in (("munich-en", True), ("munich-dev", True), ("kit", False))
            for p in range(10, 90)
        ]
        with tempfile.TemporaryDirectory() as folder:
            for operator, low in (("munich-dev", True), ("kit", False)):
                path = Path(folder) / "allergens.json"
                label = {"kind": "label", "strength": "declared", "polarity": "contains", "points": [[0.99, 0.96]]}
                path.write_text(json.dumps({"tables": [key | {"points": [[0.5, 0.5]]}, label]}))
                calibrate(path, operator, pairs)
                tables = json.loads(path.read_text())["tables"]
                self.assertEqual(tables[0]["points"][8][1] < 0.1, low, operator)
                self.assertEqual(tables[1], label)

    def test_titles_are_translated_where_most_words_are_known(self) -> None:
        from tablesight_tools.training.dish_knowledge.examples import Glossary

        glossary = Glossary()
        text = glossary.translated("Chicken with mushrooms", "de", {"with"}, random.Random(1))
        self.assertIn(text.split()[0], ("hähnchen", "huhn", "hühnchen", "hühner"))
        self.assertEqual(len(text.split()), 2)
        self.assertIsNone(glossary.translated("Grandma's zorble wumpus", "de", set(), random.Random(1)))

    def test_ingredients_lose_amounts_and_preparation(self) -> None:
        from tablesight_tools.training.dish_knowledge.examples import plain_ingredient

        self.assertEqual(plain_ingredient("2 1/2 cups broccoli (about 1 lb), chopped"), "broccoli")
        self.assertEqual(plain_ingredient("1 tablespoon smooth peanut butter"), "smooth peanut butter")


@packages("numpy", "scipy")
class MeasureTests(unittest.TestCase):
    def test_recall_at_a_precision_counts_what_is_shown(self) -> None:
        import numpy

        from tablesight_tools.training.dish_knowledge.measure import recall_at

        said = numpy.array([[0.9], [0.8], [0.7], [0.6], [0.0]])
        present = numpy.array([[True], [True], [False], [True], [True]])
        known = numpy.ones_like(present)
        self.assertAlmostEqual(recall_at(0.7, said, present, known), 0.75)
        self.assertAlmostEqual(recall_at(0.9, said, present, known), 0.5)

    def test_the_bias_of_a_kitchen_follows_its_declarations_and_is_shrunk(self) -> None:
        import numpy

        from tablesight_tools.training.dish_knowledge.measure import bias_of

        chances = numpy.full(200, 0.2)
        self.assertAlmostEqual(bias_of(chances, numpy.arange(200) < 40), 0, delta=0.05)
        self.assertGreater(bias_of(chances, numpy.arange(200) < 120), 1.5)
        few = bias_of(chances[:2], numpy.array([True, True]))
        self.assertLess(abs(few), bias_of(chances, numpy.ones(200, bool)))


if __name__ == "__main__":
    unittest.main()
