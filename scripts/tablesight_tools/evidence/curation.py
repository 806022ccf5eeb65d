"""What a curator decided about the statements: finding, sentence, corrected fields, and records added by hand.

The decisions are in curation.json; its "about" says what each part means.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]

DECIDED: Row = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
SENTENCES: dict[str, str] = DECIDED["sentences"]
FINDINGS: dict[str, str] = DECIDED["findings"]
CHANGES: dict[str, Row] = DECIDED["changes"]
READ_DOCUMENTS: dict[str, Row] = DECIDED["readDocuments"]
READ_STATEMENTS: dict[str, list[str]] = DECIDED["readStatements"]
ADDED_NAMES: dict[str, dict[str, list[str]]] = DECIDED["addedNames"]
ADDED_CLASS_NAMES: dict[str, dict[str, list[str]]] = DECIDED["addedClassNames"]
REMOVED_NAMES: dict[str, set[str]] = {additive: set(names) for additive, names in DECIDED["removedNames"].items()}
OPEN_FOOD_FACTS = "off:additives"


US_BODIES = {
    9: "US Department of Agriculture",
    21: "US Food and Drug Administration",
    40: "US Environmental Protection Agency",
}


def us_citation(section: str, name: str, year: int, read: str, title: int = 21) -> Row:
    """A section of the Code of Federal Regulations."""
    return {
        "id": f"us:{title}cfr{section}",
        "title": f"{title} CFR {section} {name}",
        "author": US_BODIES[title],
        "year": year,
        "publisher": "Code of Federal Regulations",
        "url": f"https://www.ecfr.gov/current/title-{title}/section-{section}",
        "jurisdiction": "US",
        "kind": "regulation",
        "identifier": f"{title} CFR {section}",
        "verified": True,
        "verified_in": [read],
    }


def us_statement(section: str, subjects: list[str], sentence: str, read: str) -> Row:
    """A listing in US law; it says nothing about health and gives no level."""
    return {
        "id": f"us-listing-{section}",
        "subjects": subjects,
        "kind": "listing",
        "jurisdiction": "US",
        "body": "FDA",
        "date": None,
        "status": "in-force",
        "evidence_level": "regulation",
        "citations": [f"us:21cfr{section}"],
        "verified": True,
        "verified_in": [read],
        "finding": "permitted",
        "sentence": sentence,
    }


# What was read where is the last word of a section, if it is not the edition.
CITATIONS: list[Row] = DECIDED["citations"]
STATEMENTS: list[Row] = []
for sentence, sections in DECIDED["listings"].items():
    for section, name, subjects, year, *read in sections:
        place = read[0] if read else DECIDED["edition"]
        CITATIONS.append(us_citation(section, name, year, place))
        STATEMENTS.append(us_statement(section, subjects, sentence, place))
