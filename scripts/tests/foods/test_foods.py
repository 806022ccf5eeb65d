"""The data of generic foods, and the score of a list of typed words."""

import json
import tempfile
import unittest
from pathlib import Path

from tablesight_tools.foods.build import FOODS, disagreements, is_generic, name_rows, portions, stated
from tablesight_tools.foods.score_words import is_right, stems


class BuildTests(unittest.TestCase):
    def written(self, name: str, text: str) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_a_zero_that_the_release_does_not_state_is_unknown(self) -> None:
        old = {"208": 83.0, "203": 0.07, "205": 2.6, "204": 0.0, "606": 0.0, "307": 4.0}
        kept, saturated = stated((83.0, 0.07, 2.6, 0, 0, 0, 4.0), old)
        self.assertEqual(kept, (83.0, 0.07, 2.6, 0, None, None, 4.0))
        self.assertEqual(saturated, 0.0)
        self.assertEqual(stated((83.0, 0.07, 2.6, 0, 0, 1.5, 0), None), ((83.0, 0.07, 2.6, 0, None, 1.5, None), None))

    def test_saturated_fat_of_a_food_that_changed_is_not_taken(self) -> None:
        old = {"208": 90.0, "203": 1.0, "205": 2.0, "204": 3.0, "606": 1.0}
        self.assertIsNone(stated((91.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0), old)[1])

    def test_a_figure_that_differs_between_the_copies_is_found(self) -> None:
        check = self.written("check.json", json.dumps([{"id": "sr-1", "cal": 143, "p": 12.6, "cb": 0.7, "f": 9.5}]))
        self.assertEqual(disagreements({1: (143, 12.56, 0.72, 9.51)}, check), (4, []))
        self.assertEqual(disagreements({1: (143, 12.56, 0.72, 9.8)}, check), (4, [1]))

    def test_brands_and_foods_of_restaurants_are_not_generic(self) -> None:
        self.assertTrue(is_generic("Egg, whole, raw, fresh", "1"))
        self.assertFalse(is_generic("Yogurt, Greek, CHOBANI", "1"))
        self.assertFalse(is_generic("Restaurant, Chinese, fried rice", "25"))

    def test_portions_of_food_labels_are_dropped(self) -> None:
        rows = 'fdc_id,amount,modifier,gram_weight\n1,1,large,50\n1,1,NLEA serving,50\n1,0.5,"cup; chopped",60\n'
        self.assertEqual(portions(self.written("p.csv", rows))[1], [("1 large", 50.0), ("0.5 cup chopped", 60.0)])

    def test_the_names_of_the_repository_have_ten_languages(self) -> None:
        self.assertGreater(len(name_rows(FOODS / "names.json")), 300)
        with self.assertRaises(ValueError):
            name_rows(self.written("names.json", json.dumps({"foods": ["1|1 large|egg|Ei"]})))


class ScoreTests(unittest.TestCase):
    def test_a_result_is_right_by_name_by_its_english_names_or_by_its_id(self) -> None:
        known = {"fdc:1": [stems("Apples, raw, with skin"), stems("apple")]}
        apple = {"id": "fdc:1", "name": "Äpfel"}
        self.assertTrue(is_right(apple, ["apple"], known))
        self.assertTrue(is_right(apple, ["fdc:1"], known))
        self.assertFalse(is_right(apple, ["apple juice"], known))
        self.assertTrue(is_right({"id": "off:4", "name": "Granola", "brand": "Kornmark"}, ["granola kornmark"], known))

    def test_plurals_are_equal(self) -> None:
        self.assertEqual(stems("Cherries, Tomatoes"), stems("cherry tomato"))


if __name__ == "__main__":
    unittest.main()
