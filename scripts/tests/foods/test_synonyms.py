"""The English name of an entry of a taxonomy must say what the food of USDA is."""

import unittest

from tablesight_tools.foods.synonyms import Foods, is_name


class SynonymsTest(unittest.TestCase):
    def test_a_description_names_a_food_by_its_head(self) -> None:
        for description, name, is_head in [
            ("Apricots, canned, juice pack", "Canned apricots", True),
            ("Cake, gingerbread, dry mix", "Gingerbread", True),
            ("Sweet potato, canned, mashed", "Canned potatoes", False),
            ("Nuts, pecans, oil roasted, with salt added", "Pecan oils", False),
            ("Corn dogs, frozen, prepared", "Frozen corn", False),
        ]:
            self.assertEqual(Foods.is_head(description, name), is_head, name)

    def test_english_names_mean_one_food(self) -> None:
        foods = Foods()
        self.assertEqual(foods.named(["Hen eggs", "eggs"]), 171287)
        self.assertIsNone(foods.named(["Fresh foods", "Fresh"]))
        self.assertIsNone(foods.named([]))

    def test_sentences_and_figures_are_no_names(self) -> None:
        self.assertTrue(is_name("crème fraîche"))
        self.assertFalse(is_name("lait à 3,5 %"))
        self.assertFalse(is_name("Beurres doux sans sel ajouté"))


if __name__ == "__main__":
    unittest.main()
