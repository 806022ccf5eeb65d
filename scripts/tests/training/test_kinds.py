"""Tests of the fit of kinds: the decision, the held-out sources, and the curves of confidence."""

import unittest

from tests.needs import packages


@packages("numpy")
class KindFitTests(unittest.TestCase):
    def rows(self, count: int = 20) -> list:
        from tablesight_tools.training import kinds

        def row(kind: str, number: int, evidence: dict[str, float]) -> object:
            return kinds.Row(f"{kind}/{number}.jpg", kinds.known(kind, f"{kind} {number % 12}"), evidence, {})

        return [row("menu", number, {"m.dishes": 1.0, "new": 0.0}) for number in range(count)] + [
            row("none", number, {"m.dishes": 0.0, "new": 1.0}) for number in range(count)
        ]

    def test_the_decision_learns_the_feature_that_decides(self) -> None:
        from tablesight_tools.training import kinds

        fit = kinds.Fit(self.rows(), 0.1)
        said = fit.held_out().argmax(axis=1)
        self.assertEqual([kinds.KINDS[one] for one in said], ["menu"] * 20 + ["none"] * 20)

    def test_a_photo_without_print_is_none_without_a_model(self) -> None:
        from tablesight_tools.training import kinds

        rows = [*self.rows(), kinds.Row("x.jpg", kinds.known("menu", "x"), {"g.nothing": 1.0, "m.dishes": 1.0}, {})]
        self.assertEqual(kinds.Fit(rows, 0.1).held_out()[-1].tolist(), [0, 0, 0, 0, 1])

    def test_truth_follows_the_folder_and_samples_have_none(self) -> None:
        from tablesight_tools.training import kinds

        self.assertEqual(kinds.of_layout("/eval/menus-3/images/a.jpg").kind, "menu")
        self.assertEqual(kinds.of_layout("/eval/documents/dates/home-2/images/a.jpg").source, "dates home")
        self.assertEqual(kinds.of_layout("/eval/barcodes/zxing-java/upca-5/23.png").kind, "label")
        self.assertIsNone(kinds.of_layout("samples/menus/images/a.jpg"))

    def test_a_curve_rises_and_few_photos_prove_little(self) -> None:
        from tablesight_tools.training import kinds

        few = kinds.curve_of([(0.9, True)] * 3)
        many = kinds.curve_of([(0.2, False)] * 40 + [(0.9, True)] * 100)
        self.assertLess(few[-1][1], 0.85)
        self.assertGreater(many[-1][1], 0.95)
        self.assertEqual([one[1] for one in many], sorted(one[1] for one in many))
