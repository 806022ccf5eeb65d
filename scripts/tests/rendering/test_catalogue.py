"""Tests of the sample catalogue's export."""

import gzip
import json
import unittest

from tablesight_tools import paths
from tablesight_tools.rendering.samples import catalogue


class ExportTests(unittest.TestCase):
    def test_the_export_of_the_samples_is_that_of_the_catalogue(self) -> None:
        products = json.loads((paths.MODELS / "catalogue/samples.json").read_text(encoding="utf-8"))
        export = gzip.decompress((paths.REPOSITORY / "samples/catalogue/products.jsonl.gz").read_bytes()).decode()
        self.assertEqual(export, catalogue.lines(products), "run scripts/tool rendering.samples.catalogue")

    def test_every_tag_of_an_allergen_is_known(self) -> None:
        products = json.loads((paths.MODELS / "catalogue/samples.json").read_text(encoding="utf-8"))["products"]
        known = json.loads((paths.MODELS / "catalogue/allergen-tags.json").read_text(encoding="utf-8"))["tags"]
        for product in products:
            record = catalogue.record(product)
            self.assertEqual([known[tag] for tag in record["allergens_tags"]], product["contains"])
            self.assertEqual([known[tag] for tag in record["traces_tags"]], product["mayContain"])


if __name__ == "__main__":
    unittest.main()
