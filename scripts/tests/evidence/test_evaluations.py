"""Statements from evaluations, and the release of the repository."""

from __future__ import annotations

import json
import unittest
from typing import Any

from tablesight_tools.evidence.build import RISK, differing, names
from tablesight_tools.evidence.evaluations import evaluation_statements, intake_value


def value(substance: str, number: float) -> dict[str, Any]:
    return {"substance": substance, "kind": "ADI", "value": number, "unit": "mg/kg bw/day"}


class Evaluations(unittest.TestCase):
    def made(self, evaluation: dict[str, Any], curated: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
        additive = {"id": "E1", "names": {"en": ["Salt of one"]}, "evaluations": [{"citation": "doi:1/a"} | evaluation]}
        documents = {"doi:1/a": {"verified": True, "verified_in": ["here"]}}
        return evaluation_statements([additive], documents, curated or [], "off")

    def test_a_comparison_of_an_older_evaluation_is_superseded(self) -> None:
        made = self.made(
            {
                "role": "re-evaluation",
                "date": "2015",
                "followed_by": ["doi:1/b"],
                "overexposure_risk": "high",
                "mean_exposure_exceeds_adi": ["adults", "infants"],
                "values": [value("Salt of one", 3)],
            }
        )
        self.assertEqual([one["status"] for one in made], ["superseded", "superseded"])
        self.assertEqual(made[1]["populations"], ["infants", "adults"])
        self.assertEqual(made[1]["citations"], ["doi:1/a", "off"])

    def test_doubtful_links_and_other_uses_say_nothing(self) -> None:
        self.assertEqual(self.made({"role": "re-evaluation", "date": "2015", "doubtful": True}), [])
        self.assertEqual(self.made({"role": "use-or-specification", "date": "2015"}), [])

    def test_a_curated_statement_replaces_the_generated_one(self) -> None:
        curated = [{"kind": "guidance-value", "subjects": ["E1"], "citations": ["doi:1/a"]}]
        evaluation = {"role": "re-evaluation", "date": "2015", "values": [value("Salt of one", 3)]}
        self.assertEqual(len(self.made(evaluation)), 1)
        self.assertEqual(self.made(evaluation, curated), [])

    def test_the_value_of_the_substance_itself_counts(self) -> None:
        additive = {"id": "E1", "names": {"en": ["Salt of one"]}}
        several = {"values": [value("Ion of one", 0.07), value("Salt of one", 0.1)]}
        found = intake_value(additive, several)
        self.assertEqual((found or {}).get("value"), 0.1)
        others = {"values": [value("x", 1), value("y", 2)]}
        self.assertEqual((intake_value(additive, others) or {}).get("values"), [1, 2])

    def test_halves_of_a_name_are_left_out(self) -> None:
        self.assertEqual(names({"en": ["Propane-1\\,2-diol", "2-diol", "x\\"]}), {"en": ["Propane-1,2-diol"]})


class Release(unittest.TestCase):
    def test_the_hashes_are_those_of_the_files(self) -> None:
        self.assertEqual(list(differing()), [])

    def test_every_statement_has_a_citation_that_exists(self) -> None:
        data = json.loads((RISK / "evidence.json").read_text(encoding="utf-8"))
        documents = {one["id"] for one in data["citations"]}
        for one in data["statements"]:
            self.assertTrue(one["citations"] and documents.issuperset(one["citations"]), one["id"])


if __name__ == "__main__":
    unittest.main()
