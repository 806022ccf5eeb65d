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

    def test_pages_without_a_right_candidate_may_weigh_less(self) -> None:
        import numpy as np

        from tablesight_tools.training import documents

        pages = [(np.array([[1.0, 1.0]]), [number % 2 == 0]) for number in range(50)]
        even, light = (documents.fit_choice(pages, np.zeros(2), 0.01, empty).sum() for empty in (1.0, 0.25))
        self.assertAlmostEqual(even, 0, delta=0.05)
        self.assertAlmostEqual(light, float(np.log(4)), delta=0.1)

    def test_a_fit_of_one_half_keeps_the_models_without_photos(self) -> None:
        import json
        import tempfile
        from pathlib import Path
        from unittest import mock

        from tablesight_tools.training import documents

        with tempfile.TemporaryDirectory() as folder:
            out, trace, truth = (Path(folder) / name for name in ("out.json", "trace.ndjson", "truth.json"))
            same = "SAME = {name: lambda one, other: one == other for name in ('total', 'merchant', 'date')}\n"
            (Path(folder) / "score_documents.py").write_text(same)
            features = list(documents.VALUES["date"][1])
            kept = {"features": features, "weights": [7.0] * len(features), "bias": 7.0}
            start = {
                "models": {"date": kept},
                "calibrations": {"date": [[0, 0.1], [1, 0.9]]},
                "source": "date 14 of 18",
            }
            out.write_text(json.dumps(start))
            pages = [f"photos/{number}.jpg" for number in range(40)]
            entry = {"model": "receipt.total", "features": [{"marked": 1}, {}], "notes": ["6.70", "10.00"]}
            trace.write_text("\n".join(json.dumps({"source": {"path": one}, "trace": [entry]}) for one in pages))
            truth.write_text(json.dumps({"images": dict.fromkeys(pages, {"total": "6.70"})}))
            arguments = ["x", "--scorer", folder, "--out", str(out), "--half", "0"]
            with mock.patch("sys.argv", [*arguments, "--set", "receipt", str(trace), str(truth)]):
                self.assertEqual(documents.main(), 0)
            data = json.loads(out.read_text())
            self.assertEqual(data["models"]["date"], kept)
            self.assertEqual(data["calibrations"]["date"], [[0, 0.1], [1, 0.9]])
            self.assertIn("date 14 of 18", data["source"])
            half = sum(documents.half(one) == 0 for one in pages)
            self.assertIn(f"receipt.total {half} of {half}", data["source"])
            self.assertTrue(0 < half < 40)

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
