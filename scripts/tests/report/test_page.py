"""The page docs/accuracy.md."""

import json
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

from tablesight_tools.charts import Bar, Group, bar_chart
from tablesight_tools.report import page

DISHES = {"f1": 0.9, "recall": 0.8, "precision": 0.95}
MENUS = {"pages": 3, "dishes": DISHES, "priceExact": 0.7, "verdicts": {"recall": 0.6, "precision": 0.5}}
FIGURES = {
    "date": "2026-01-02",
    "machine": "two cores",
    "tablesight": "0.1.0",
    "commit": "abc",
    "tasks": {
        "text": {
            "readers": {
                "Tablesight": {"total": {"f1": 0.946, "cer": 0.1}, "sets": {"receipts": {"f1": 0.9, "images": 14}}},
                "Peer": {"total": {"f1": 0.86}, "sets": {"receipts": {"f1": 0.8, "images": 14}}},
            },
            "versions": {"Peer": "peer 3.10.0 (stored readings)"},
        },
        "menus": {"readers": {"Tablesight": {"sets": {"total": MENUS, "flat": MENUS, "photo": MENUS}}}},
        "barcodes": {
            "readers": {
                "Tablesight": {
                    "groups": {"total": {"codes": 464, "exact": 441, "wrong": 0}},
                    "negatives": {"pictures": 43, "falseReads": 0},
                }
            }
        },
    },
}


class PageTests(unittest.TestCase):
    @unittest.skipUnless(page.FIGURES.exists(), "docs/accuracy.json is not made yet: scripts/bench report EVAL")
    def test_page_and_plots_are_what_the_figures_say(self) -> None:
        figures = json.loads(page.FIGURES.read_text())
        self.assertEqual(page.differences(figures), [])

    def test_tables_hold_figures_of_every_reader_with_versions(self) -> None:
        text, plots = page.render(FIGURES)
        self.assertIn("| Tablesight | .946 | .900 |", text)
        self.assertIn("| Peer | .860 | .800 |", text)
        self.assertIn("| Peer (text) | peer 3.10.0 (stored readings) |", text)
        self.assertIn("| [words in photos, F1](#text) | .946 | .860 | Peer |", text)
        self.assertIn(".600 / .500", text)
        self.assertEqual(sorted(plots), ["barcodes-blur.svg", "barcodes.svg", "menus.svg", "text.svg"])
        for name in plots:
            self.assertIn(f"({page.PLOTS}/{name})", text)

    def test_an_edited_page_and_an_old_plot_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(page, "DOCS", Path(folder)):
            page.write(FIGURES)
            self.assertEqual(page.differences(FIGURES), [])
            place = Path(folder) / "accuracy.md"
            place.write_text(place.read_text().replace(".946", ".999"))
            self.assertEqual(page.differences(FIGURES), ["accuracy.md"])

    def test_a_task_without_figures_says_so(self) -> None:
        text, plots = page.render({"date": "d", "machine": "m", "tablesight": "0", "commit": "c", "tasks": {}})
        self.assertEqual(text.count("Not measured in this run."), len(page.PARTS))
        self.assertEqual(plots, {})
        self.assertNotIn("@", text)

    def test_charts_escape_labels_and_show_what_was_not_measured(self) -> None:
        picture = bar_chart("a & b", "<unit>", [Group("g", [Bar("one", 0.5, True), Bar("two", None, False)])])
        texts = [element.text for element in ElementTree.fromstring(picture).iter() if element.text]
        self.assertIn("a & b", texts)
        self.assertIn("not measured", texts)
        self.assertIn("0.500", texts)
