"""Tests of what is trained: the network of die faces, the variants of networks."""

import base64
import unittest

from tests import needs


@needs.packages("numpy")
class DieFaceTests(unittest.TestCase):
    def test_gradients_reduce_the_loss(self) -> None:
        import numpy as np

        from tablesight_tools.training.die_faces.network import Net

        rng = np.random.default_rng(1)
        np.random.seed(1)
        net = Net(rng)
        x = rng.normal(0, 1, (32, 2, 28, 28)).astype(np.float32)
        y = (x[:, 0, 10:18, 10:18].mean((1, 2)) > 0).astype(np.float32)
        losses = [net.learn(x, y, np.ones(32, np.float32), 0.005, 1.0) for _ in range(15)]
        self.assertLess(losses[-1], 0.7 * losses[0])

    def test_windows_are_those_of_a_convolution(self) -> None:
        import numpy as np

        from tablesight_tools.training.die_faces.network import Net

        x = np.arange(2 * 7 * 7 * 3, dtype=np.float32).reshape(2, 7, 7, 3)
        made = Net.windows(x, 3)
        self.assertEqual(made.shape, (2, 3, 3, 27))
        np.testing.assert_array_equal(made[1, 1, 2], x[1, 2:5, 4:7].reshape(-1))

    def test_packed_weights_are_bytes_with_a_step(self) -> None:
        import numpy as np

        from tablesight_tools.training.die_faces.network import packed

        entry = packed([np.array([[1.0, -0.5]], np.float32), np.array([0.25], np.float32)])
        weights = np.frombuffer(base64.b64decode(entry["weights"]), np.int8) * entry["worth"]
        np.testing.assert_allclose(weights, [1, -0.5], atol=0.01)
        self.assertEqual(entry["biases"], [0.25])

    def test_eight_orientations_are_all_different(self) -> None:
        import numpy as np

        from tablesight_tools.training.die_faces.network import turned

        x = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
        self.assertEqual(len({turned(x, k).tobytes() for k in range(8)}), 8)


@needs.packages("numpy", "onnx", "onnxruntime", "PIL")
class VariantTests(unittest.TestCase):
    def test_areas_of_a_mask_are_boxed(self) -> None:
        import numpy as np

        from tablesight_tools.models.variants import components

        mask = np.zeros((5, 8), bool)
        mask[0:3, 0] = mask[2, 0:3] = mask[4, 6:8] = True
        self.assertEqual(sorted(components(mask)), [[0, 0, 3, 3], [6, 4, 8, 5]])

    def test_edit_distance(self) -> None:
        from tablesight_tools.models.variants import distance

        self.assertEqual([distance("soup", other) for other in ("soup", "soap", "sop", "soups", "")], [0, 1, 1, 1, 4])

    def test_greedy_decoding_drops_repetitions_and_blanks(self) -> None:
        import numpy as np

        from tablesight_tools.models.variants import best_path

        rows = np.full((6, 3), 0.05)
        for at, kind in enumerate((1, 1, 0, 1, 2, 2)):
            rows[at, kind] = 0.9
        text, sure = best_path(rows, ["a", "b"])
        self.assertEqual((text, round(sure, 3)), ("aab", 0.9))


if __name__ == "__main__":
    unittest.main()
