"""Tests of the fits of documents: choices, values, and curves that rise."""

import unittest

from tests.needs import packages


@packages("numpy")
class DocumentFitTests(unittest.TestCase):
    def test_a_choice_learns_the_feature_that_decides(self) -> None:
        import numpy as np

        from tablesight_tools.training import documents

        rows = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
        weights = documents.fit_choice([(rows, [True, False])] * 50, np.zeros(3), 1.0)
        self.assertGreater(weights[0], weights[1] + 2)

    def test_without_a_right_candidate_none_wins(self) -> None:
        import numpy as np

        from tablesight_tools.training import documents

        weights = documents.fit_choice([(np.array([[1.0, 1.0]]), [False])] * 50, np.zeros(2), 1.0)
        self.assertLess(weights.sum(), -2)

    def test_a_strong_pull_keeps_the_start(self) -> None:
        import numpy as np

        from tablesight_tools.training import documents

        start = np.array([2.0, -1.0])
        rows = np.array([[1.0, 1.0]] * 20)
        weights = documents.fit_logistic(rows, np.zeros(20), start, 1e6)
        self.assertTrue(np.allclose(weights, start, atol=0.01))

    def test_an_isotonic_curve_rises(self) -> None:
        import numpy as np

        from tablesight_tools.training import documents

        random = np.random.default_rng(3)
        scores = random.random(500)
        knots = documents.isotonic(scores, (random.random(500) < scores).astype(float))
        self.assertEqual(knots, sorted(knots))
        self.assertTrue(all(one[1] <= other[1] for one, other in zip(knots, knots[1:])))
