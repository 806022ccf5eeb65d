"""Rendered lines of dates."""

import unittest

from tests.needs import packages


@packages("numpy")
class TestTexts(unittest.TestCase):
    def test_a_line_has_only_letters_that_the_reader_knows_and_is_no_longer_than_its_picture(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.dates import texts

        lines = [texts.line(np.random.default_rng([7, number])) for number in range(2000)]
        self.assertEqual({c for line in lines for c in line} - set(texts.LETTERS), set())
        self.assertLessEqual(max(map(len, lines)), texts.LONGEST)
        self.assertGreater(len(set(lines)), 1900)

    def test_most_lines_hold_a_date(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.dates import texts

        draw = np.random.default_rng(3)
        dated = sum(sum(c.isdigit() for c in texts.line(draw)) >= 4 for _ in range(500))
        self.assertGreater(dated, 350)


@packages("numpy", "cv2", "PIL")
class TestPictures(unittest.TestCase):
    def test_outlined_print_is_a_picture_of_the_reader_s_height_and_the_same_for_the_same_seed(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.dates import photo
        from tablesight_tools.rendering.dates.print import DOTS, OUTLINES, outlined

        if not (OUTLINES / "dejavu").is_dir() or not DOTS.is_dir():
            self.skipTest("no fonts: apt-get install xfonts-base fonts-dejavu-core fonts-liberation")
        mask = outlined("EXP 01/02/26", np.random.default_rng(1))
        self.assertTrue(0 <= mask.min() and mask.max() <= 1 and mask.max() > 0.5)
        first, second = (photo.line("EXP 01/02/26", np.random.default_rng(4)) for _ in range(2))
        self.assertEqual(first.shape[0], photo.HEIGHT)
        self.assertLessEqual(first.shape[1], photo.WIDTH)
        self.assertTrue((first == second).all())
        self.assertGreater(int(first.max()) - int(first.min()), 20)


if __name__ == "__main__":
    unittest.main()
