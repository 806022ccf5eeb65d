"""JSON files of the repository."""

import json
import subprocess
import unittest
from typing import Any

from tablesight_tools.paths import REPOSITORY


def doubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of the pairs. A key that stands twice is an error, because readers keep the last one silently."""
    keys = [key for key, _ in pairs]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise ValueError(f"given twice: {', '.join(twice)}")
    return dict(pairs)


class JSONFileTests(unittest.TestCase):
    def test_no_object_gives_a_key_twice(self) -> None:
        listed = subprocess.run(["git", "ls-files", "-z", "*.json"], cwd=REPOSITORY, capture_output=True, check=True)
        files = [name for name in listed.stdout.decode().split("\0") if name]
        self.assertGreater(len(files), 50)
        for name in files:
            with self.subTest(name):
                json.loads((REPOSITORY / name).read_text(encoding="utf-8"), object_pairs_hook=doubled)

    def test_a_doubled_key_is_found(self) -> None:
        with self.assertRaisesRegex(ValueError, "given twice: a"):
            json.loads('{"a": 1, "b": {"a": 1}, "a": 2}', object_pairs_hook=doubled)


if __name__ == "__main__":
    unittest.main()
