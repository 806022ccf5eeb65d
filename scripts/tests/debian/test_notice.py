"""The notices of the Debian package."""

import json
import tempfile
import unittest
from pathlib import Path

from tablesight_tools.debian import notice

ROOT = Path(__file__).resolve().parents[3]


class NoticeTests(unittest.TestCase):
    def test_names_pins_by_the_folder_of_their_checkout(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "Package.resolved"
            pin = {
                "identity": "grdb.swift",
                "location": "https://example.org/a/GRDB.swift.git",
                "state": {"version": "7.1.0"},
            }
            file.write_text(json.dumps({"pins": [pin]}))
            self.assertEqual(notice.pins(file), [notice.Pin("GRDB.swift", "7.1.0", pin["location"])])

    def test_refuses_a_package_without_a_licence(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(notice.Missing) as caught:
                notice.licence_file(Path(folder))
            self.assertEqual(caught.exception.code, 65)
            (Path(folder) / "LICENSE.md").write_text("Permission is hereby granted, free of charge, to any person")
            self.assertEqual(notice.licence_name(notice.licence_file(Path(folder)).read_text()), "MIT")

    def test_lists_only_packages_with_a_compiled_module(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            checkout, build = Path(folder) / "one", Path(folder) / "release"
            (checkout / "Sources/One").mkdir(parents=True)
            build.mkdir()
            self.assertFalse(notice.is_compiled(checkout, build))
            (build / "One.build").mkdir()
            self.assertTrue(notice.is_compiled(checkout, build))
            (Path(folder) / "two/TWO").mkdir(parents=True)
            self.assertFalse(notice.is_compiled(Path(folder) / "two", build))
            (build / "TWO.build").mkdir()
            self.assertTrue(notice.is_compiled(Path(folder) / "two", build), "its modules are not below Sources")

    def test_fills_every_placeholder_of_the_template(self) -> None:
        template = (ROOT / "scripts/packaging/notice").read_text()
        values = dict.fromkeys(["SWIFT", "ZXING", "ONNX", "RAPIDOCR", "PINS"], "1.2.3")
        self.assertNotIn("@", notice.filled(template, values))
