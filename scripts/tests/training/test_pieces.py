"""The fit of the probability of pieces."""

import random
import unittest

from tablesight_tools.training import pieces


class Fit(unittest.TestCase):
    def rows(self) -> list[pieces.Sample]:
        generator = random.Random(1)
        rows: list[pieces.Sample] = []
        for number in range(400):
            edges, noise = generator.random(), generator.random()
            right = generator.random() < edges**2
            rows.append((f"{number}.jpg", {"edges": edges, "noise": 0.5 + noise / 2}, edges, right))
        return rows

    def test_evidence_counts_and_noise_does_not(self) -> None:
        weights, bias = pieces.fit(self.rows())
        self.assertGreater(weights["edges"], 1.2)
        self.assertLess(weights["noise"], weights["edges"])
        model = (weights, bias)
        good = pieces.probability(model, {"edges": 1, "noise": 1})
        self.assertGreater(good, 0.75)
        self.assertLess(pieces.probability(model, {"edges": 0.3, "noise": 1}), 0.5)
        self.assertEqual(pieces.probability(model, {"noise": 1}), pieces.LOWEST)

    def test_a_turned_list_of_corners_is_the_same_polygon(self) -> None:
        square = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]
        self.assertEqual(pieces.corners_apart(square, square[2:] + square[:2]), 0)
        self.assertEqual(pieces.corners_apart(square, square[:3]), float("inf"))

    def test_a_true_piece_is_taken_once(self) -> None:
        truth = [{"type": "tile", "symbol": "A", "polygon_px": [[0, 0], [10, 0], [10, 10], [0, 10]]}]
        answer = {"type": "tile", "symbol": "A", "polygon_px": [[1, 0], [11, 0], [11, 10], [1, 10]]}
        self.assertTrue(pieces.is_right(answer, truth))
        self.assertFalse(pieces.is_right(answer, truth))


if __name__ == "__main__":
    unittest.main()
