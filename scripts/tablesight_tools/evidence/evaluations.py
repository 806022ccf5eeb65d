"""Statements from the evaluations of additives: intake values and comparisons of intake with them."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

# Evaluations of another use, or without a conclusion on the food additive, say nothing about eating it.
ROLES = {"re-evaluation", "follow-up", "exposure"}
GROUPS = ("infants", "toddlers", "children", "adolescents", "adults", "elderly")


def figure(value: float) -> str:
    return f"{value:g}"


def intake_value(additive: Row, evaluation: Row) -> Row | None:
    """The value for the additive itself: the substance of its name, else the only value."""
    values = [
        one
        for one in evaluation.get("values", [])
        if one["value"] is not None and one["kind"] in ("ADI", "ADI (group)") and one["unit"] == "mg/kg bw/day"
    ]
    distinct = {one["value"] for one in values}
    if not values:
        return None
    if len(distinct) == 1:
        return {"sentence": "adi", "value": values[0]["value"], "unit": values[0]["unit"]}
    named = {name.casefold() for name in additive["names"].get("en", [])}
    own = [one for one in values if one["substance"].casefold() in named]
    if not own:
        own = [one for one in values if any(name in one["substance"].casefold() for name in named)]
    if own and len({one["value"] for one in own}) == 1:
        return {
            "sentence": "adi-substance",
            "value": own[0]["value"],
            "unit": own[0]["unit"],
            "substance": own[0]["substance"],
        }
    return {
        "sentence": "adi-several",
        "values": sorted(distinct),
        "unit": values[0]["unit"],
    }


def exposure(evaluation: Row) -> Row | None:
    """Open Food Facts' comparison of intake with the value; nil where it made none."""
    risk = evaluation.get("overexposure_risk")
    if risk is None:
        return None
    mean = [one for one in GROUPS if one in evaluation.get("mean_exposure_exceeds_adi", [])]
    high = [one for one in GROUPS if one in evaluation.get("p95_exposure_exceeds_adi", [])]
    if mean:
        return {"sentence": "exposure-mean", "finding": "mean-above-value", "populations": mean}
    if high:
        return {"sentence": "exposure-p95", "finding": "high-above-value", "populations": high}
    return {"sentence": "exposure-below", "finding": "below-value"} if risk == "no" else None


def evaluation_statements(
    additives: list[Row], documents: dict[str, Row], curated: list[Row], taxonomy: str
) -> list[Row]:
    """One statement for each value, each comparison and each evaluation without a value.

    A curated statement on the same document replaces the generated one.
    """
    known = {
        (subject, document)
        for row in curated
        if row["kind"] in ("guidance-value", "risk-assessment")
        for subject in row["subjects"]
        for document in row["citations"]
    }
    made: list[Row] = []
    for additive in additives:
        for evaluation in additive["evaluations"]:
            document = evaluation["citation"]
            if evaluation.get("doubtful") or evaluation["role"] not in ROLES or document not in documents:
                continue
            compared = exposure(evaluation)
            value = None if (additive["id"], document) in known else intake_value(additive, evaluation)
            parts: list[tuple[str, str, Row, list[str]]] = []
            if value:
                parts.append(("value", "guidance-value", value, [document]))
            if compared:
                parts.append(("exposure", "exposure", compared, [document, taxonomy]))
            if not parts and (additive["id"], document) not in known:
                parts.append(("evaluated", "risk-assessment", {"sentence": "evaluated"}, [document]))
            for suffix, kind, fields, citations in parts:
                made.append(
                    {
                        "id": f"{additive['id'].lower()}-{document.split('/')[-1]}-{suffix}",
                        "subjects": [additive["id"]],
                        "kind": kind,
                        "jurisdiction": "EU",
                        "body": "EFSA",
                        "date": evaluation["date"],
                        "status": "superseded" if evaluation.get("followed_by") else "in-force",
                        "superseded_by": (evaluation.get("followed_by") or [None])[0],
                        "evidence_level": "authority-opinion",
                        "citations": citations,
                        "verified": bool(documents[document]["verified"]),
                        "verified_in": documents[document]["verified_in"],
                        **fields,
                    }
                )
    return made
