"""Makes models/risk/evidence.json and subjects.json from a folder of facts, and release.json over all files.

    scripts/make-evidence FACTS                 import the facts, then seal
    scripts/make-evidence --seal [--version V]  after an edit by hand: new hashes and version
    scripts/make-evidence --check               fail if a hash differs
    scripts/make-evidence FACTS --export DIR    write facts with this release's records, for a coverage count

Facts are JSONL files: additives, additive-classes, citations, ingredient-terms, statements. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from tablesight_tools.evidence import definitions
from tablesight_tools.evidence.curation import (
    ADDED_CLASS_NAMES,
    ADDED_NAMES,
    CHANGES,
    CITATIONS,
    FINDINGS,
    OPEN_FOOD_FACTS,
    READ_DOCUMENTS,
    READ_STATEMENTS,
    REMOVED_NAMES,
    SENTENCES,
    STATEMENTS,
    Row,
)
from tablesight_tools.evidence.evaluations import evaluation_statements
from tablesight_tools.paths import MODELS

RISK = MODELS / "risk"
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "hu")
FILES = ("evidence.json", "nova.json", "nutriscore.json", "sentences.json", "subjects.json")
ODBL = "ODbL-1.0 (database) and DbCL-1.0 (contents); see NOTICE.md"
ATTRIBUTION = (
    "Names and classes: Open Food Facts taxonomies, (c) Open Food Facts contributors. "
    "Evaluations: EFSA OpenFoodTox v5 (doi 10.5281/zenodo.8120114), Open Food Facts. Law: EU, US. "
    "Hazard classes: IARC. See NOTICE.md"
)


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def names(by_language: dict[str, list[str]], removed: set[str] | None = None) -> dict[str, list[str]]:
    """Names that can stand in an ingredient list: no formula pieces, no leading number of the group."""
    kept: dict[str, list[str]] = {}
    for language in LANGUAGES:
        found = []
        for name in by_language.get(language, []):
            name = name.replace("\\,", ",").replace("\u201a", ",").strip()
            # "2-diol" and "1\" are the halves of a name that was cut at its comma.
            if name.casefold() in (removed or set()):
                continue
            if len(name) < 3 or name.endswith("\\") or re.fullmatch(r"\d+-\w+|[\d.,-]+", name):
                continue
            if name not in found:
                found.append(name)
        if found:
            kept[language] = found
    return kept


def subjects(facts: Path) -> Row:
    additives = []
    for row in rows(facts / "additives.jsonl"):
        added = ADDED_NAMES.get(row["id"], {})
        by_language = {key: row["names"].get(key, []) + added.get(key, []) for key in LANGUAGES}
        one: Row = {"id": row["id"], "names": names(by_language, REMOVED_NAMES.get(row["id"]))}
        given = {key: row.get(key) for key in ("ins", "classes", "parents")}
        given["onlyAfterClass"] = row.get("mandatory_class")
        one |= {key: value for key, value in given.items() if value}
        if row.get("non_nutritive_sweetener") == "yes":
            one["isNonNutritiveSweetener"] = True
        additives.append(one)
    classes = []
    for row in rows(facts / "additive-classes.jsonl"):
        added = ADDED_CLASS_NAMES.get(row["id"], {})
        by_language = {key: row["names"].get(key, []) + added.get(key, []) for key in LANGUAGES}
        classes.append({"id": row["id"], "names": names(by_language)})
    return {"additives": additives, "ingredients": ingredients(facts), "classes": classes}


def ingredients(facts: Path) -> list[Row]:
    """The ingredients of the facts, then those that have a definition only."""
    terms = {row["id"]: row["terms"] for row in rows(facts / "ingredient-terms.jsonl")}
    taxonomy = {row["id"]: row["names"] for row in rows(facts / "food-names.jsonl")}
    made = []
    for subject in [*terms, *sorted(definitions.subjects() - set(terms))]:
        one: Row = {"id": subject, "names": names(definitions.names(subject, terms.get(subject, {}), taxonomy))}
        if subject in definitions.SEARCHED:
            one["searched"] = definitions.SEARCHED[subject]
        made.append(one)
    return made


# What a record of the release has where the facts have it, and what has another name there.
CITED = ("doi", "identifier", "date", "superseded_by")
STATED = ("effective", "expires", "superseded_by", "population", "populations", "value", "values", "unit", "substance")
STATED += ("dose", "group", "route", "verified_note", "uses", "nutrient")
RENAMED = {"superseded_by": "supersededBy", "verified_note": "note"}


def citation(row: Row) -> Row:
    kept: Row = {key: row[key] for key in ("id", "title", "author")}
    kept |= {"year": row.get("year"), "source": row.get("publisher") or row["author"]}
    kept |= {"url": row["url"], "kind": row["kind"], "jurisdiction": row.get("jurisdiction") or "INT"}
    kept |= {"verified": row["verified"], "readIn": row["verified_in"]}
    return kept | {RENAMED.get(key, key): row[key] for key in CITED if row.get(key)}


def sentence_key(row: Row, own: set[str]) -> str:
    if row["id"] in SENTENCES:
        return SENTENCES[row["id"]]
    if row["id"] in own:
        return str(row["id"])
    if row.get("sentence"):
        return str(row["sentence"])
    kind = row["kind"]
    if kind == "hazard-classification":
        return "iarc-oral" if row.get("route") == "oral" else "iarc"
    if kind == "allergen-legal":
        return "allergen-law"
    if kind == "intake-reference":
        return "requirement"
    if kind == "guidance-value" and row["id"].startswith("efsa-ul-"):
        return "ul"
    raise SystemExit(f"{row['id']}: no sentence; add one to sentences.json or to curation.json")


def statement(row: Row, own: set[str]) -> Row:
    row = row | CHANGES.get(row["id"], {})
    kept: Row = {key: row[key] for key in ("id", "subjects", "kind", "jurisdiction", "body")}
    kept |= {"date": row.get("date"), "status": row["status"], "level": row["evidence_level"]}
    kept |= {"sentence": sentence_key(row, own), "citations": row["citations"]}
    kept |= {"verified": row["verified"], "readIn": row["verified_in"]}
    kept |= {RENAMED.get(key, key): row[key] for key in STATED if row.get(key) is not None}
    finding = row.get("finding") or FINDINGS.get(row["id"])
    if finding:
        kept["finding"] = finding
    return kept


def confirmed(row: Row, documents: dict[str, Row]) -> Row:
    """A verified statement without the documents that nobody saw."""
    seen = [one for one in row["citations"] if one in documents and documents[one]["verified"]]
    return row | {"citations": seen} if row["verified"] and seen else row


def read(row: Row, documents: dict[str, Row]) -> Row:
    """The statement, verified if its documents were read for this release."""
    if row["id"] not in READ_STATEMENTS:
        return row
    places = [place for one in row["citations"] for place in documents[one]["verified_in"]]
    subjects_read = READ_STATEMENTS[row["id"]] or row["subjects"]
    return row | {"verified": True, "verified_in": places, "subjects": subjects_read}


def evidence(facts: Path) -> Row:
    own = set(json.loads((RISK / "sentences.json").read_text(encoding="utf-8"))["sentences"])
    additives = rows(facts / "additives.jsonl")
    added = definitions.documents()
    curated = rows(facts / "statements.jsonl") + STATEMENTS + definitions.statements()
    documents = {row["id"]: row for row in rows(facts / "citations.jsonl") + CITATIONS + added}
    for document, places in definitions.READ.items():
        documents[document] |= {"verified_in": documents[document]["verified_in"] + places}
    for document, change in READ_DOCUMENTS.items():
        documents[document] = documents[document] | change | {"verified": True}
    curated = [read(row, documents) for row in curated]
    generated = evaluation_statements(additives, documents, curated, OPEN_FOOD_FACTS)
    statements = [statement(confirmed(row, documents), own) for row in curated + generated]
    used = {one for row in statements for one in row["citations"]} | {row["id"] for row in CITATIONS}
    dangling = used - set(documents)
    if dangling:
        raise SystemExit(f"dangling citations: {sorted(dangling)}")
    citations = [citation(documents[one]) for one in sorted(used)]
    # An undated law gets the year of the edition that was read.
    for row in citations:
        if row["year"] is None:
            row["year"] = 2017
            row["title"] += " (edition of 2017)"
    return {"citations": citations, "statements": statements}


def written(header: Row, lists: Row) -> str:
    """JSON with one record a line, so that a change of one record is one line of a diff."""
    parts = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in header.items()]
    for key, records in lists.items():
        lines = ",\n".join("    " + json.dumps(record, ensure_ascii=False) for record in records)
        parts.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def export(facts: Path, out: Path) -> None:
    """Copies a folder of facts and adds the statements of the release and what was verified in it."""
    release = json.loads((RISK / "evidence.json").read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)

    def write(name: str, records: Iterable[Row]) -> None:
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (out / name).write_text(lines, encoding="utf-8")

    documents = {row["id"]: row for row in rows(facts / "citations.jsonl")}
    for one in release["citations"]:
        documents[one["id"]] = documents.get(one["id"], one) | {"verified": one["verified"]}
    write("citations.jsonl", documents.values())
    statements = {one["id"]: one for one in release["statements"]}
    write("statements.jsonl", statements.values())
    by_subject: dict[str, list[str]] = {}
    for one in release["statements"]:
        for subject in one["subjects"]:
            by_subject.setdefault(subject, []).append(one["id"])
    write("additive-classes.jsonl", rows(facts / "additive-classes.jsonl"))
    subjects = json.loads((RISK / "subjects.json").read_text(encoding="utf-8"))
    terms = ({"id": one["id"], "terms": one["names"]} for one in subjects["ingredients"])
    for name, known in (("additives.jsonl", rows(facts / "additives.jsonl")), ("ingredient-terms.jsonl", terms)):
        write(name, (row | {"statements": by_subject.get(row["id"], [])} for row in known))


def hashes() -> dict[str, str]:
    return {name: hashlib.sha256((RISK / name).read_bytes()).hexdigest() for name in FILES}


def seal(version: str | None) -> None:
    path = RISK / "release.json"
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    files = hashes()
    version = version or old.get("version", "2026-11-22.1")
    release = {
        "schema": "tablesight.evidence-release/1",
        "version": version,
        "date": version.split(".")[0],
        "source": ATTRIBUTION,
        "licence": ODBL,
        "hash": combined(files),
        "files": files,
    }
    path.write_text(json.dumps(release, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def combined(files: dict[str, str]) -> str:
    """One hash over the files' hashes, in the order of their names."""
    return hashlib.sha256("".join(f"{files[name]}  {name}\n" for name in sorted(files)).encode()).hexdigest()


def differing() -> Iterable[str]:
    release = json.loads((RISK / "release.json").read_text(encoding="utf-8"))
    now = hashes()
    yield from (name for name in FILES if release["files"].get(name) != now[name])
    if release["hash"] != combined(release["files"]):
        yield "release.json"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("facts", nargs="?", type=Path)
    options.add_argument("--export", type=Path, metavar="DIR")
    options.add_argument("--seal", action="store_true")
    options.add_argument("--check", action="store_true")
    options.add_argument("--version", help="release version, YYYY-MM-DD.N")
    asked = options.parse_args()
    if asked.check:
        changed = list(differing())
        for name in changed:
            print(f"models/risk/{name} differs from release.json: run scripts/make-evidence --seal", file=sys.stderr)
        return int(bool(changed))
    if asked.export:
        if not asked.facts:
            options.error("name the folder of facts")
        export(asked.facts, asked.export)
        return 0
    if asked.facts:
        version = asked.version or "2026-11-22.1"
        header = {"version": version, "source": ATTRIBUTION, "licence": ODBL}
        (RISK / "subjects.json").write_text(
            written({"schema": "tablesight.risk-subjects/1"} | header, subjects(asked.facts)), encoding="utf-8"
        )
        (RISK / "evidence.json").write_text(
            written({"schema": "tablesight.evidence/1"} | header, evidence(asked.facts)), encoding="utf-8"
        )
    elif not asked.seal:
        options.error("name a folder of facts, --seal or --check")
    seal(asked.version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
