"""Tests of the deliberate faults."""

import unittest

from tablesight_tools.loop.mutations import GUARD, listed
from tablesight_tools.paths import REPOSITORY


class MutationTests(unittest.TestCase):
    def test_each_fault_still_has_its_place_in_the_code(self) -> None:
        mutations = listed()
        self.assertGreaterEqual(len(mutations), 30)
        for number, mutation in enumerate(mutations, 1):
            with self.subTest(number=number, file=mutation.file):
                text = (REPOSITORY / mutation.file).read_text(encoding="utf-8")
                made = mutation.made(text, number)
                self.assertTrue(made.endswith(GUARD))
                self.assertIn(f"faultOfThisRun == {number} ? ({mutation.fault})", made)

    def test_a_place_that_is_not_unique_is_refused(self) -> None:
        mutation = listed()[0]
        text = (REPOSITORY / mutation.file).read_text(encoding="utf-8")
        with self.assertRaises(ValueError):
            mutation.made(text + text, 1)
