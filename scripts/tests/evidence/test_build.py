"""Tests of the release's build: what a curator read, and the copy of the facts for a coverage count."""

import json
import tempfile
import unittest
from pathlib import Path

from tablesight_tools.evidence import build, curation


class ReadTests(unittest.TestCase):
    DOCUMENTS = {"us:pl117-11": {"verified_in": ["congress.gov"], "verified": True}}

    def test_a_statement_that_was_read_is_verified_with_the_place(self) -> None:
        row = {"id": "us-allergen-sesame-seeds", "citations": ["us:pl117-11"], "subjects": ["ing:sesame"]}
        read = build.read(row | {"verified": False}, self.DOCUMENTS)
        self.assertTrue(read["verified"])
        self.assertEqual(read["verified_in"], ["congress.gov"])
        self.assertEqual(read["subjects"], ["ing:sesame"])

    def test_a_statement_keeps_only_the_subjects_that_its_document_names(self) -> None:
        row = {"id": "us-allergen-gluten", "citations": ["us:pl117-11"], "subjects": ["ing:wheat", "ing:barley"]}
        self.assertNotIn("ing:barley", build.read(row, self.DOCUMENTS)["subjects"])

    def test_what_nobody_read_stays_as_it_is(self) -> None:
        row = {"id": "efsa-ul-vitamin-d", "verified": False}
        self.assertEqual(build.read(row, self.DOCUMENTS), row)

    def test_each_statement_that_was_read_has_documents_that_were_read(self) -> None:
        release = json.loads((build.RISK / "evidence.json").read_text(encoding="utf-8"))
        documents = {one["id"]: one for one in release["citations"]}
        statements = {one["id"]: one for one in release["statements"]}
        for name in curation.READ_STATEMENTS:
            self.assertTrue(statements[name]["readIn"], name)
            self.assertTrue(all(documents[one]["verified"] for one in statements[name]["citations"]), name)


class ExportTests(unittest.TestCase):
    def test_the_copy_holds_the_statements_of_the_release(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            facts, out = Path(folder, "facts"), Path(folder, "out")
            facts.mkdir()
            for name in ("citations", "additive-classes", "ingredient-terms"):
                (facts / f"{name}.jsonl").write_text("", encoding="utf-8")
            (facts / "additives.jsonl").write_text(json.dumps({"id": "E270", "statements": []}) + "\n")
            build.export(facts, out)
            additive = json.loads((out / "additives.jsonl").read_text(encoding="utf-8"))
            self.assertEqual(additive["statements"], ["us-listing-184.1061"])
            self.assertGreater(len(build.rows(out / "statements.jsonl")), 400)
