"""Tests of how answers of `tablesight pieces` are scored."""

import math
import unittest
from typing import Any

from tablesight_tools.evaluation import score
from tablesight_tools.measures import calibration_error, percentile


def tally() -> dict[str, Any]:
    counts = dict.fromkeys(("answered", "right", "strict", "true", "wrong", "hidden", "hidden_wrong"), 0)
    return {**counts, "offs": [], "turns": [], "confidences": []}


def true_piece(**changes: Any) -> dict[str, Any]:
    piece = {"type": "square", "colour": None, "x": 100.0, "y": 50.0, "angle": 10.0, "flipped": False, "visible": 1.0}
    return {**piece, **changes}


def found_piece(**changes: Any) -> dict[str, Any]:
    piece = {"type": "square", "x_mm": 100.5, "y_mm": 50.0, "angle_deg": 11.0, "flipped": False, "confidence": 0.9}
    return {**piece, **changes}


class ScoreTests(unittest.TestCase):
    def test_angles_are_compared_within_the_symmetry_of_a_piece(self) -> None:
        self.assertAlmostEqual(score.apart("square", 1, 89), 2)
        self.assertAlmostEqual(score.apart("parallelogram", 1, 179), 2)
        self.assertAlmostEqual(score.apart("largeTriangle", 1, 179), 178)

    def test_share_is_a_value_of_the_list(self) -> None:
        self.assertEqual(percentile([3, 1, 2], 0.5), 2)
        self.assertEqual(percentile([3, 1, 2], 0.95), 3)
        self.assertTrue(math.isnan(percentile([], 0.5)))

    def test_f1(self) -> None:
        self.assertEqual(score.f1(2, 2, 2), 1)
        self.assertEqual(score.f1(1, 2, 2), 0.5)
        self.assertTrue(math.isnan(score.f1(0, 0, 0)))

    def test_calibration_error(self) -> None:
        self.assertAlmostEqual(calibration_error([(0.75, True)] * 3 + [(0.75, False)]), 0)
        self.assertAlmostEqual(calibration_error([(0.95, False)]), 0.95)

    def test_a_close_pose_is_right_and_strict(self) -> None:
        counts = tally()
        score.score_still([found_piece()], [true_piece()], 0.5, counts)
        self.assertEqual([counts[key] for key in ("answered", "right", "strict", "wrong", "true")], [1, 1, 1, 0, 1])
        self.assertAlmostEqual(counts["offs"][0], 0.5)

    def test_a_flipped_piece_is_wrong(self) -> None:
        counts = tally()
        score.score_still([found_piece(flipped=True)], [true_piece()], 0.5, counts)
        self.assertEqual([counts[key] for key in ("right", "strict", "wrong")], [0, 0, 1])

    def test_an_answer_for_an_occluded_piece_is_counted_apart(self) -> None:
        counts = tally()
        score.score_still([found_piece()], [true_piece(visible=0.2)], 0.5, counts)
        self.assertEqual([counts[key] for key in ("answered", "true", "hidden", "hidden_wrong")], [0, 0, 1, 0])

    def test_each_true_piece_is_found_once(self) -> None:
        counts = tally()
        score.score_still([found_piece(), found_piece()], [true_piece()], 0.5, counts)
        self.assertEqual([counts[key] for key in ("answered", "right")], [2, 1])

    def test_a_domino_reads_both_ways(self) -> None:
        true = {"type": "domino", "values": [2, 5]}
        self.assertTrue(score.like(true, {"type": "domino", "values": [5, 2]}))
        self.assertFalse(score.like(true, {"type": "domino", "values": [5, 3]}))

    def test_colour_counts_where_the_truth_has_one(self) -> None:
        found = {"type": "tile", "symbol": "star", "colour": "red"}
        self.assertTrue(score.like({"type": "tile", "symbol": "star"}, found))
        self.assertFalse(score.like({"type": "tile", "symbol": "star", "colour": "blue"}, found))
