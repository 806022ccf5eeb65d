"""What the commonest ingredients are, what they are used for, and what is advised about their amount.

The records are in definitions.json; its "about" says what each part means.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tablesight_tools.evidence.curation import us_citation

Row = dict[str, Any]

DEFINED: Row = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
SEARCHED: dict[str, str] = {subject: day for day, subjects in DEFINED["searched"].items() for subject in subjects}
READ: dict[str, list[str]] = DEFINED["readDocuments"]


def documents() -> list[Row]:
    """The documents of the definitions: sections of US law, and the others as they are."""
    cited = []
    for section, (name, year) in DEFINED["sections"].items():
        title, number = section.split(":")
        read = f"{DEFINED['edition']}/{title}CFR{number}.html"
        cited.append(us_citation(number, name, year, read, title=int(title)))
    return cited + DEFINED["documents"]


def statements() -> list[Row]:
    """The definitions with the fields that follow from their first document, and the statements as they are."""
    known = {one["id"]: one for one in documents()}
    made = []
    for row in DEFINED["definitions"]:
        first = known.get(row["citations"][0], {})
        read = [known[one]["verified_in"] if one in known else READ[one] for one in row["citations"]]
        places = list(dict.fromkeys(place for some in read for place in some))
        made.append(
            {
                "kind": "definition",
                "jurisdiction": first.get("jurisdiction", "INT"),
                "body": first.get("author", ""),
                "date": first.get("date") or (str(first["year"]) if first else None),
                "status": "in-force",
                "evidence_level": "regulation",
                "verified": True,
                "verified_in": places,
            }
            | row
        )
    return made + DEFINED["statements"]


def subjects() -> set[str]:
    """The ingredients that a definition is about, and those that a curator searched for one."""
    defined = {subject for row in DEFINED["definitions"] for subject in row["subjects"]}
    return defined | set(DEFINED["names"]) | set(SEARCHED)


def names(subject: str, known: dict[str, list[str]], taxonomy: dict[str, dict[str, list[str]]]) -> dict[str, list[str]]:
    """The names of a subject: those that it has, those of the taxonomy of foods, and those that a curator added."""
    left_out = set(DEFINED["withoutNames"])
    found: dict[str, list[str]] = {}
    named = [taxonomy[one] for one in DEFINED["names"].get(subject, [])]
    sources = [known, *named, DEFINED["ownNames"].get(subject, {})]
    for source in sources:
        for language, some in source.items():
            found.setdefault(language, []).extend(name for name in some if name not in left_out)
    return found
