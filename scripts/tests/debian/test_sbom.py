"""The list of the package's parts."""

import json
import re
import unittest
from pathlib import Path

from tablesight_tools.debian import notice, sbom
from tablesight_tools.debian.sbom import Part

ROOT = Path(__file__).resolve().parents[3]


class SBOMTests(unittest.TestCase):
    package = Part("tablesight", "1.0.0", "Apache-2.0", sha256="ab")

    def document(self, held: list[Part], needed: list[Part]) -> dict[str, object]:
        return sbom.document(self.package, held, needed, 1_700_000_000)

    def test_every_relation_leads_to_a_package_that_is_named_once(self) -> None:
        held = [Part("zxing-cpp", "3.1.1", "Apache-2.0"), Part("GRDB.swift", "7.1.0", "MIT")]
        made = self.document(held, sbom.dependencies("libc6 (>= 2.36), libzbar0 | libzbar1, tesseract-ocr-eng"))
        names = [row["SPDXID"] for row in made["packages"]]
        self.assertEqual(len(names), len(set(names)))
        related = {row["relatedSpdxElement"]: row["relationshipType"] for row in made["relationships"]}
        self.assertEqual(set(related), set(names))
        self.assertEqual(related["SPDXRef-GRDB.swift"], "CONTAINS")
        self.assertEqual(related["SPDXRef-tesseract-ocr-eng"], "DEPENDS_ON")
        self.assertTrue(all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name) for name in names))

    def test_reads_a_depends_field(self) -> None:
        found = sbom.dependencies("libc6 (>= 2.36), libstdc++6 (>= 12), libc6 (>= 2.34), adduser")
        self.assertEqual(
            [(part.name, part.version) for part in found],
            [("adduser", ""), ("libc6", ">= 2.36"), ("libstdc++6", ">= 12")],
        )

    def test_the_same_parts_in_another_order_give_the_same_bytes(self) -> None:
        parts = [Part("b", "2"), Part("a", "1")]
        self.assertEqual(json.dumps(self.document(parts, [])), json.dumps(self.document(parts[::-1], [])))
        self.assertIn("2023-11-14T22:13:20Z", json.dumps(self.document([], [])))

    @unittest.skipUnless((ROOT / "Package.resolved").is_file(), "the Swift packages are not resolved")
    def test_knows_every_dependency_of_the_manifest(self) -> None:
        manifest = (ROOT / "Package.swift").read_text()
        wanted = {url.rsplit("/", 1)[-1].removesuffix(".git") for url in re.findall(r'url: "([^"]+)"', manifest)}
        self.assertTrue(wanted)
        self.assertEqual(wanted - {pin.name for pin in notice.pins(ROOT / "Package.resolved")}, set())


if __name__ == "__main__":
    unittest.main()
