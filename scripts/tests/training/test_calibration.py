"""Tests of the two calibrations: rising tables, values between their points, errors."""

import random
import tempfile
import unittest
from pathlib import Path

from tablesight_tools.measures import calibration_error
from tablesight_tools.training import calibration, text_calibration


def pairs(seed: int, count: int = 400) -> list[tuple[float, bool, float]]:
    rng = random.Random(seed)
    return [(x := rng.random(), rng.random() < x, 1.0) for _ in range(count)]


class FindingsTests(unittest.TestCase):
    def test_a_table_follows_the_shares_and_is_never_certain(self) -> None:
        points = calibration.fit(pairs(1, 4000))
        self.assertEqual([x for x, _ in points], sorted(x for x, _ in points))
        self.assertTrue(all(0 < y < 1 for _, y in points))
        for x in (0.2, 0.5, 0.8):
            self.assertAlmostEqual(calibration.value(points, x), x, delta=0.1)

    def test_ties_are_one_block(self) -> None:
        # The wrong half of the tie at .6 must not pull down the pairs at .5, of which 70 % hold.
        rows = [(0.5, i < 70, 1.0) for i in range(100)] + [(0.6, i < 80, 1.0) for i in range(100)]
        points = calibration.fit(rows)
        self.assertAlmostEqual(calibration.value(points, 0.5), 0.7, delta=0.01)
        self.assertAlmostEqual(calibration.value(points, 0.6), 0.8, delta=0.01)

    def test_a_table_never_falls(self) -> None:
        # 1,000 pairs that always hold, then 12 that always hold: fewer pairs shrink more.
        rows = [(0.5, True, 1.0)] * 1000 + [(0.2, False, 1.0)] * 50 + [(0.9, True, 9.0)] * 12
        shares = [share for _, share in calibration.fit(rows)]
        self.assertEqual(shares, sorted(shares))
        for seed in range(20):
            rng = random.Random(seed)
            rows = [(round(rng.random(), 1), rng.random() < 0.7, rng.choice((0.1, 1.0, 5.0))) for _ in range(60)]
            points = calibration.fit(rows)
            self.assertEqual(points, sorted(points))
            self.assertEqual([y for _, y in points], sorted(y for _, y in points))

    def test_a_curve_follows_the_shares_and_keeps_the_order(self) -> None:
        rng = random.Random(4)
        rows = [(x := rng.random(), rng.random() < x**2, 2.0) for _ in range(4000)]
        points = calibration.curve(rows)
        self.assertEqual(points, sorted(points))
        self.assertEqual(len({y for _, y in points}), len(points), "no two strengths have the same probability")
        for x in (0.3, 0.5, 0.7):
            self.assertAlmostEqual(calibration.value(points, x), x**2, delta=0.07)

    def test_values_between_points_are_interpolated(self) -> None:
        points = [[0.2, 0.4], [0.6, 0.8]]
        for x, y in ((0.1, 0.2), (0.2, 0.4), (0.4, 0.6), (0.9, 0.8)):
            self.assertAlmostEqual(calibration.value(points, x), y)

    def test_error_is_zero_for_perfect_probabilities(self) -> None:
        self.assertAlmostEqual(calibration_error([(0.5, True), (0.5, False)]), 0)
        self.assertAlmostEqual(calibration_error([(0.9, False)]), 0.9)

    def test_few_pairs_give_no_table(self) -> None:
        row = {
            "kind": "dish",
            "strength": "word",
            "polarity": "contains",
            "group": "a",
            "probability": 0.5,
            "holds": True,
        }
        self.assertEqual(calibration.tables_of([row] * (calibration.LEAST - 1)), {})
        self.assertEqual(list(calibration.tables_of([row] * calibration.LEAST)), [("dish", "word", "contains")])

    def test_a_group_is_judged_by_tables_that_did_not_see_it(self) -> None:
        row = {"kind": "dish", "strength": "word", "polarity": "contains", "probability": 0.5}
        rows = [{**row, "group": "a", "holds": True}] * 30 + [{**row, "group": "b", "holds": False}] * 30
        judged = list(calibration.judged_unseen(rows, "a"))
        self.assertEqual(len(judged), 30)
        self.assertLess(judged[0][2], 0.1)


class WordsTests(unittest.TestCase):
    def test_case_and_marks_at_the_ends_are_ignored(self) -> None:
        self.assertEqual(text_calibration.folded("(Straße,"), "strasse")
        self.assertEqual(text_calibration.folded("4.50"), "4.50")
        self.assertEqual(text_calibration.folded("***"), "***")

    def test_an_isotonic_map_rises(self) -> None:
        curve = text_calibration.isotonic(pairs(2))
        self.assertEqual([y for _, y in curve], sorted(y for _, y in curve))
        self.assertTrue(all(0.01 <= y <= text_calibration.CEILING for _, y in curve))

    def test_every_map_is_fitted_and_short(self) -> None:
        rows = [("photo", "known.none", value, right) for value, right, _ in pairs(3)]
        maps = text_calibration.fitted(rows)
        self.assertEqual(list(maps), text_calibration.NAMES)
        for curve in maps.values():
            self.assertLessEqual(len(curve), text_calibration.MOST_POINTS)
            self.assertEqual([x for x, _ in curve], sorted({x for x, _ in curve}))

    def test_each_word_of_a_transcript_counts_once(self) -> None:
        words = [
            ("p", "Soup", "known.none", 0.9),
            ("p", "soup", "known.none", 0.8),
            ("p", "tomatosoup", "known.none", 0.7),
        ]
        rows = text_calibration.judged(words, {"p": "tomato soup"})
        self.assertEqual([right for *_, right in rows], [True, False, True])

    def test_transcripts_of_both_formats_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("img", "box"):
                (Path(folder) / name).mkdir()
            photo = Path(folder) / "img/a.jpg"
            self.assertIsNone(text_calibration.transcript(photo))
            (Path(folder) / "box/a.csv").write_text("1,2,3,4,5,6,7,8,TOTAL, 4.50\n")
            self.assertEqual(text_calibration.transcript(photo), "TOTAL, 4.50")
            photo.with_suffix(".txt").write_text("as typed")
            self.assertEqual(text_calibration.transcript(photo), "as typed")
