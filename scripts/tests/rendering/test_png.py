"""Tests of the PNG writer and of the templates of piece sets."""

import struct
import unittest
import zlib

from tablesight_tools.rendering.samples.png import bomb, chunk
from tests import needs


class PngTests(unittest.TestCase):
    def test_a_chunk_has_length_and_checksum(self) -> None:
        made = chunk(b"tEXt", b"abc")
        self.assertEqual(made[:11], b"\x00\x00\x00\x03tEXtabc")
        self.assertEqual(struct.unpack(">I", made[11:])[0], zlib.crc32(b"tEXtabc"))

    def test_a_bomb_is_small_and_says_its_size(self) -> None:
        made = bomb(4000)
        self.assertLess(len(made), 10_000)
        self.assertEqual(struct.unpack(">II", made[16:24]), (4000, 4000))
        length = struct.unpack(">I", made[33:37])[0]
        self.assertEqual(zlib.decompress(made[41 : 41 + length]), bytes(4000 * 501))

    @needs.packages("PIL")
    def test_a_library_reads_it(self) -> None:
        import io

        from PIL import Image

        with Image.open(io.BytesIO(bomb(20))) as image:
            self.assertEqual((image.size, image.getextrema()), ((20, 20), (0, 0)))


@needs.packages("numpy", "PIL")
class TemplateTests(unittest.TestCase):
    def test_a_template_has_24_rows_of_24_cells(self) -> None:
        import numpy as np

        from tablesight_tools.rendering.boards.make_sets import cells

        picture = np.zeros((100, 100), bool)
        picture[10:58, 30:54] = True  # twice as high as wide: the middle half of the columns
        self.assertEqual(cells(picture), "03ffc0" * 24)

    def test_shapes_fill_their_box(self) -> None:
        from tablesight_tools.rendering.boards import make_sets

        for name, picture in make_sets.SYMBOLS:
            rows, columns = picture.nonzero()
            self.assertGreater(min(rows.max() - rows.min(), columns.max() - columns.min()), 0.6 * make_sets.FINE, name)
