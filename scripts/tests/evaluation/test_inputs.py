"""Tests of the inputs that measurements make: invented products, copies of photos."""

import json
import random
import tempfile
import unittest
import zlib
from pathlib import Path
from unittest import mock

from tablesight_tools import pictures
from tablesight_tools.evaluation import make_catalogue, throughput
from tablesight_tools.rendering.samples.png import bomb


class CatalogueTests(unittest.TestCase):
    def test_codes_have_a_check_digit_and_differ(self) -> None:
        codes = {make_catalogue.code(number) for number in range(500)}
        self.assertEqual(len(codes), 500)
        for code in codes:
            digits = [int(digit) for digit in code]
            self.assertEqual((len(code), (sum(digits[::2]) + 3 * sum(digits[1::2])) % 10), (13, 0))

    def test_a_mistyped_word_differs_by_one_mistake(self) -> None:
        rng = random.Random(2)
        for _ in range(200):
            self.assertLessEqual(abs(len(make_catalogue.mistyped(rng, "hazelnut")) - 8), 1)

    def test_first_words_are_drawn_most(self) -> None:
        zipf = make_catalogue.Zipf(random.Random(3), ["first", *map(str, range(999))])
        drawn = [zipf.draw() for _ in range(2000)]
        self.assertGreater(drawn.count("first"), 3 * drawn.count("100"))

    def test_the_same_seed_gives_the_same_bytes(self) -> None:
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(
                make_catalogue,
                "words",
                side_effect=lambda rng, _: [f"{rng.choice('abc')}word{n}" for n in range(20_000)],
            ),
        ):
            texts = []
            for name, seed in (("a", 1), ("b", 1), ("c", 2)):
                arguments = [
                    "make-catalogue",
                    "30",
                    f"{folder}/{name}",
                    "--seed",
                    str(seed),
                    "--queries",
                    f"{folder}/q",
                ]
                with mock.patch("sys.argv", arguments):
                    make_catalogue.main()
                texts.append((Path(folder) / name).read_bytes())
            self.assertEqual(texts[0], texts[1])
            self.assertNotEqual(texts[0], texts[2])
            self.assertEqual(len((Path(folder) / "q.codes").read_text().split()), 30)
            self.assertEqual({"code", "product_name", "brands"} - set(json.loads(texts[0].splitlines()[0])), set())


class CopyTests(unittest.TestCase):
    def test_a_comment_goes_into_a_png_with_its_checksum(self) -> None:
        plain = bomb(8)
        changed = pictures.with_comment(plain, "copy 7")
        self.assertEqual((changed[:33], changed[-len(plain) + 33 :]), (plain[:33], plain[33:]))
        chunk = changed[33 : len(changed) - len(plain) + 33]
        self.assertEqual(int.from_bytes(chunk[:4], "big"), len(chunk) - 12)
        self.assertEqual(int.from_bytes(chunk[-4:], "big"), zlib.crc32(chunk[4:-4]))

    def test_a_comment_goes_behind_the_start_of_a_jpeg(self) -> None:
        changed = pictures.with_comment(b"\xff\xd8\xff\xe0rest", "abc")
        self.assertEqual(changed, b"\xff\xd8\xff\xfe\x00\x05abc\xff\xe0rest")

    def test_other_formats_are_left_out(self) -> None:
        with self.assertRaises(ValueError):
            pictures.with_comment(b"GIF89a", "abc")

    def test_photos_are_copied_in_turn(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "source"
            source.mkdir()
            for name in ("a.png", "b.png", "c.txt"):
                (source / name).write_bytes(bomb(8))
            (source / "d.png").write_bytes(b"GIF89a")
            self.assertEqual(throughput.sample([source], 5, Path(folder) / "out"), 2)
            copies = [file.read_bytes() for file in (Path(folder) / "out").iterdir()]
            self.assertEqual((len(copies), len(set(copies))), (5, 5))
