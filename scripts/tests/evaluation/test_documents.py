"""Tests of why values of documents are wrong, and of what the app offers of them."""

import unittest
from collections import Counter
from decimal import Decimal, InvalidOperation
from types import SimpleNamespace
from typing import Any

from tablesight_tools.evaluation import document_causes, document_tasks


def number(text: Any) -> Decimal | None:
    try:
        return Decimal(str(text).replace(",", "."))
    except InvalidOperation:
        return None


def letters(text: str, _: bool = False) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def same_number(one: Any, other: Any) -> bool:
    return number(one) is not None and number(one) == number(other)


# What the tools need of score_documents.py, which is not part of the repository.
SCORER = SimpleNamespace(
    ITEM=0.7, KINDS={"receipt": "receipt"}, number=number, letters=letters, same_number=same_number,
    alike=lambda one, other, _=False: float(letters(one) == letters(other)),
)  # fmt: skip
SAME = {"amount": same_number, "name": lambda one, true: letters(one) == letters(true)}


def item(name: str, amount: str, **more: Any) -> dict[str, Any]:
    return {"name": {"value": name}, "amount": {"value": amount, "confidence": 0.9}, **more}


class CauseTests(unittest.TestCase):
    def cause(
        self, shown: str | None, lines: list[str], *, forms: tuple[str, ...] = ("7.25",), kind: str = "receipt"
    ) -> str:
        page = {"readings": {"text": {"lines": [{"text": line} for line in lines]}}, "domains": [kind]}
        fault = ("total", list(forms), shown, 0.9)
        return document_causes.cause(fault, page, {"total": "7.25", "items": [{"amount": "3.10"}]}, "receipt", SCORER)

    def test_a_missing_value_says_whether_its_text_was_read(self) -> None:
        self.assertEqual(self.cause(None, ["TOTAL 7,25"]), "unused")
        self.assertEqual(self.cause(None, ["TOTAL 7,26"]), "unread")
        self.assertEqual(self.cause(None, ["TOTAL 7,25"], kind="menu"), "page")

    def test_a_wrong_value_says_where_it_is_from(self) -> None:
        self.assertEqual(self.cause("3.10", ["TOTAL 7,25"]), "elsewhere")
        self.assertEqual(self.cause("7250", ["TOTAL 7,25"]), "unit")
        self.assertEqual(self.cause("7.35", ["TOTAL 7,25"]), "parsed")
        self.assertEqual(self.cause("7.35", ["TOTAL 7,35"]), "unread")
        self.assertEqual(self.cause("7.35", ["7.35"], forms=()), "unprinted")

    def test_an_item_is_compared_with_the_likest_one(self) -> None:
        trues = [{"name": "Bread", "amount": "2.00"}, {"name": "Milk", "amount": "1.10"}]
        shown = [item("4011 Milk", "1.10"), item("Bread", "2.00"), item("Visa", "3.10")]
        found = [row[:2] for row in document_causes.paired(trues, shown, SAME)]
        self.assertEqual(found, [("name", "Milk"), ("amount", None)])

    def test_a_date_is_read_if_a_line_has_its_year_and_day(self) -> None:
        def is_read(form: str, line: str) -> bool:
            return document_causes.is_read([form], [line], SCORER)

        self.assertTrue(is_read("2025-03-21", "EXP 21 MAR 25"))
        self.assertTrue(is_read("2025-03-21", "21032025"))
        self.assertFalse(is_read("2025-03-21", "EXP 12 MAR 25"))


class TaskTests(unittest.TestCase):
    def test_prices_are_counted_by_what_a_person_must_do(self) -> None:
        def line(name: str, amount: str, price: str, state: str, lines: tuple[int, ...] = (0,)) -> dict[str, Any]:
            return {"name": name, "amount": amount, "price": price, "state": state, "lines": lines}

        lines = [
            line("Milk", "2.20", "1.10", "accepted", (0, 1)),
            line("Apples", "1.50", "1.50", "accepted"),
            line("Rice", "3.00", "3.00", "waiting"),
            line("Deposit", "-0.25", "", "priceless"),
        ]
        trues = [
            *[{"name": "Milk", "amount": "1.10"}] * 2,
            {"name": "Apples", "amount": "1.50", "quantity": "0.5", "unitPrice": "3.00"},
            {"name": "Rice", "amount": "3.00"},
            {"name": "Deposit", "amount": "-0.25"},
            {"name": "Bread", "amount": "2.00"},
        ]
        wanted = {"accepted right": 2, "accepted wrong": 1, "left right": 1, "missing": 1, "true": 5}
        self.assertEqual(document_tasks.prices(lines, trues, SCORER), Counter(wanted))


if __name__ == "__main__":
    unittest.main()
