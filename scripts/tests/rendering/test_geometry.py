"""Tests of plane geometry: centroids, rotations, insets, the camera."""

import math
import unittest

from tests import needs


@needs.packages("numpy")
class PolygonTests(unittest.TestCase):
    def test_the_centroid_of_an_l_is_not_the_mean_of_its_corners(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.geometry import centroid

        shape = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 3], [0, 3]], float)
        np.testing.assert_allclose(centroid(shape), [0.75, 1.25])
        np.testing.assert_allclose(centroid(shape[::-1] + 10), [10.75, 11.25])

    def test_angles_turn_clockwise_on_a_picture(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.geometry import turned

        np.testing.assert_allclose(turned(np.array([[1.0, 0.0]]), 90), [[0, 1]], atol=1e-12)

    def test_a_grown_polygon_keeps_its_middle(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.geometry import grown

        square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]], float)
        np.testing.assert_allclose(grown(square, 2), [[-1, -1], [3, -1], [3, 3], [-1, 3]])


@needs.packages("numpy", "cv2", "PIL")
class BoardTests(unittest.TestCase):
    def test_an_inset_moves_each_side_inwards(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.boards.scene import inset

        square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], float)
        for points in (square, square[::-1]):
            inner = inset(points, 1)
            assert inner is not None
            self.assertEqual(sorted(map(tuple, inner.round(6).tolist())), [(1, 1), (1, 9), (9, 1), (9, 9)])
        self.assertIsNone(inset(square, 6))

    def test_the_tangram_pieces_fill_their_square(self) -> None:
        import cv2
        import numpy as np

        from tablesight_tools.rendering.boards import tangram

        areas = [cv2.contourArea(tangram.shape(kind).astype(np.float32)) for kind, _ in tangram.PIECES]
        self.assertAlmostEqual(sum(areas) / tangram.SIDE**2, 1, places=4)

    def test_scattered_pieces_do_not_overlap(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.boards import tangram

        pieces = tangram.scattered(np.random.default_rng(5))
        self.assertEqual(sorted(piece["index"] for piece in pieces), list(range(7)))
        for n, one in enumerate(pieces):
            for other in pieces[n + 1 :]:
                self.assertEqual(tangram.overlap(tangram.outline(one), tangram.outline(other)), 0)

    def test_the_camera_and_its_homography_agree(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.boards.mat import Camera

        camera = Camera(np.random.default_rng(6), (0, 35))
        points = np.array([[0, 0], [320, 0], [320, 220], [160, 110]], float)
        mapped = np.c_[points, np.ones(4)] @ camera.matrix().T
        np.testing.assert_allclose(camera.see(points), mapped[:, :2] / mapped[:, 2:])

    def test_the_same_seed_gives_the_same_table(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.boards.sets import SETS, maker
        from tablesight_tools.rendering.boards.table import Table

        make, pieces, tilt = maker("dice")
        photos = []
        for _ in range(2):
            table = Table(4, tilt)
            make(table, pieces)
            photos.append(table.photo())
        self.assertEqual((len(table.truth), "dice" in SETS), (6, True))
        np.testing.assert_array_equal(*photos)

    def test_marks_of_a_grid_lie_on_its_squares(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.grids.marks import filling

        rng = np.random.default_rng(7)
        self.assertEqual(filling(rng, 0), {})
        self.assertEqual(set(filling(rng, 1).values()), {"nought"})
        for number in range(3, 10):
            marks = list(filling(rng, number).values())
            self.assertLessEqual(abs(marks.count("cross") - marks.count("nought")), 1)


@needs.packages("numpy", "cv2", "PIL")
class PageTests(unittest.TestCase):
    def test_points_of_a_page_go_through_its_homography(self) -> None:
        import numpy as np

        from tablesight_tools.rendering import camera

        photo, matrix = camera.photograph(np.full((60, 80, 3), 200, np.uint8), (160, 120), seed=1, tilt=10)
        corners = camera.through(matrix, [[0, 0], [80, 0], [80, 60], [0, 60]])
        self.assertEqual(photo.shape, (120, 160, 3))
        for x, y in corners:
            self.assertTrue(0 < x < 160 and 0 < y < 120)

    def test_an_assembly_is_turned_around_its_middle(self) -> None:
        from tablesight_tools.rendering.samples.boards import moved

        pieces = [{"x_mm": 0.0, "y_mm": 0.0, "angle_deg": 350}, {"x_mm": 10.0, "y_mm": 0.0, "angle_deg": 0}]
        first, second = moved(pieces, 90, [100, 50], spread=2)
        self.assertAlmostEqual(math.dist((first["x_mm"], first["y_mm"]), (100, 40)), 0)
        self.assertAlmostEqual(math.dist((second["x_mm"], second["y_mm"]), (100, 60)), 0)
        self.assertEqual(first["angle_deg"], 80)

    def test_prices_have_the_form_of_their_menu(self) -> None:
        from tablesight_tools.rendering.samples.menus import money

        self.assertEqual(money("4.50", {"symbol": "€", "after": True, "comma": True}), "4,50 €")
        self.assertEqual(money("4.50", {"symbol": "$"}), "$4.50")
