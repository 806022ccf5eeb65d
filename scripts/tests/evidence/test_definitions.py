"""What common ingredients are: definitions, their documents, and the names that they bring."""

import json
import unittest

from tablesight_tools.evidence import build, definitions


class Definitions(unittest.TestCase):
    def test_a_definition_takes_place_and_day_from_its_documents(self) -> None:
        made = {one["id"]: one for one in definitions.statements()}
        sugar = made["what-sugar"]
        self.assertEqual((sugar["kind"], sugar["jurisdiction"], sugar["date"]), ("definition", "US", "2008"))
        self.assertEqual(
            sugar["verified_in"],
            [f"{definitions.DEFINED['edition']}/21CFR{number}.html" for number in ("184.1854", "131.200")],
        )
        self.assertEqual(sugar["uses"], ["sweetening"])

    def test_sections_of_other_titles_have_their_body(self) -> None:
        sections = {one["id"]: one for one in definitions.documents()}
        self.assertEqual(sections["us:9cfr301.2"]["author"], "US Department of Agriculture")
        self.assertIn("title-40/section-180.41", sections["us:40cfr180.41"]["url"])

    def test_no_ingredient_has_two_definitions_or_one_after_a_search_in_vain(self) -> None:
        defined = [subject for row in definitions.DEFINED["definitions"] for subject in row["subjects"]]
        self.assertEqual(len(set(defined)), len(defined))
        self.assertEqual(set(definitions.SEARCHED) & set(defined), set())
        self.assertEqual(definitions.subjects() - set(defined), set(definitions.SEARCHED))

    def test_names_come_from_the_facts_the_taxonomy_and_the_curator(self) -> None:
        found = definitions.names("ing:iron", {"en": ["iron"], "de": ["Eisen"]}, {})
        self.assertEqual(found, {"en": ["iron", "reduced iron"], "de": ["Eisen"]})
        vinegar = definitions.DEFINED["names"]["ing:vinegar"]
        found = definitions.names("ing:vinegar", {}, {one: {"it": ["aceto", "Piment"]} for one in vinegar})
        self.assertEqual(set(found["it"]), {"aceto"})

    def test_the_release_has_every_definition_with_the_place_where_it_was_read(self) -> None:
        release = json.loads((build.RISK / "evidence.json").read_text(encoding="utf-8"))
        stated = {one["id"]: one for one in release["statements"]}
        for row in definitions.DEFINED["definitions"] + definitions.DEFINED["statements"]:
            self.assertTrue(stated[row["id"]]["verified"] and stated[row["id"]]["readIn"], row["id"])
        subjects = json.loads((build.RISK / "subjects.json").read_text(encoding="utf-8"))["ingredients"]
        searched = {one["id"]: one["searched"] for one in subjects if "searched" in one}
        self.assertEqual(searched, definitions.SEARCHED)


if __name__ == "__main__":
    unittest.main()
