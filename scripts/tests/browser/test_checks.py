"""Tests of the runner of checks: reports of failures, figures, exit status; and that every check is run."""

import ast
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from tablesight_tools.browser.checks import Checks, reason
from tablesight_tools.browser.daemon import wait_until

BROWSER = Path(__file__).resolve().parents[2] / "tablesight_tools/browser"


class Page:
    """A window without a browser."""

    def __init__(self, name: str, is_broken: bool = False) -> None:
        self.name = name
        self.errors = ["app.js: x is not defined"]
        self.is_broken = is_broken

    def address(self) -> str:
        return "http://127.0.0.1:1/history"

    def text(self) -> str:
        if self.is_broken:
            raise RuntimeError("the page has crashed")
        return "History\nNothing was found."

    def screenshot(self, file: Path) -> None:
        file.write_bytes(b"a picture")


def holds() -> str:
    return "36 pages, desk light: 0 violations"


def fails() -> None:
    raise AssertionError("the list is empty")


class ChecksTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "failures"
        self.output = io.StringIO()

    def run_checks(self, *runs: tuple, only: str = "") -> int:
        with contextlib.redirect_stderr(self.output):
            self.checks = Checks("check-app", only, self.folder)
            for run in runs:
                self.checks.run(*run)
            return self.checks.finish()

    def test_a_failed_check_leaves_a_picture_and_the_text_of_each_window(self) -> None:
        windows = [Page("desk light"), Page("phone dark")]
        self.assertEqual(self.run_checks((fails, "history_finds_words", lambda: windows)), 1)
        self.assertEqual(
            sorted(file.name for file in self.folder.iterdir()),
            ["history-finds-words-1.png", "history-finds-words-2.png", "history-finds-words.txt"],
        )
        text = (self.folder / "history-finds-words.txt").read_text()
        for part in (
            "the list is empty",
            "desk light, at http://127.0.0.1:1/history",
            "phone dark",
            "Nothing was found.",
            "x is not defined",
            "in fails",
        ):
            self.assertIn(part, text)
        self.assertIn("history finds words: FAILED: the list is empty", self.output.getvalue())
        self.assertIn(str(self.folder / "history-finds-words-1.png"), self.output.getvalue())

    def test_the_run_goes_on_after_a_failure_and_its_end_names_it(self) -> None:
        self.assertEqual(self.run_checks((fails, "first_one"), (holds, "axe")), 1)
        self.assertIn("axe: ok", self.output.getvalue())
        end = self.output.getvalue().splitlines()[-3:]
        self.assertEqual(
            end,
            ["axe: 36 pages, desk light: 0 violations", "check-app: 1 checks hold, 1 failed", "  first one"],
        )

    def test_a_page_that_cannot_be_read_does_not_end_the_run(self) -> None:
        windows = [Page("desk light", is_broken=True), Page("phone light")]
        self.assertEqual(self.run_checks((fails, "one", lambda: windows), (holds, "two")), 1)
        text = (self.folder / "one.txt").read_text()
        self.assertIn("desk light, cannot be read: RuntimeError", text)
        self.assertIn("the page has crashed", text)
        self.assertIn("Nothing was found.", text)
        self.assertIn("two: ok", self.output.getvalue())

    def test_a_run_without_failures_writes_no_files(self) -> None:
        self.assertEqual(self.run_checks((holds, "axe")), 0)
        self.assertFalse(self.folder.exists())

    def test_only_the_wanted_checks_run(self) -> None:
        self.assertEqual(self.run_checks((fails, "a_food_is_added"), (holds, "a_goal_is_set"), only="goal is"), 0)
        self.assertNotIn("a food", self.output.getvalue())
        self.assertEqual(self.checks.held, 1)

    def test_files_of_the_callers_folder_stay(self) -> None:
        self.folder.mkdir()
        (self.folder / "notes.txt").write_text("mine")
        self.run_checks((fails, "one"))
        self.assertEqual((self.folder / "notes.txt").read_text(), "mine")

    def test_a_reason_has_what_playwright_looked_for_and_not_its_attempts(self) -> None:
        log = '- Expect "to_be_visible" get_by_role("button", name="Save")\n  - waiting\n  - waiting again'
        text = reason(AssertionError(f"Locator expected to be visible\nCall log:\n  {log}"))
        self.assertIn('name="Save"', text)
        self.assertNotIn("waiting again", text)

    def test_a_condition_without_words_is_quoted(self) -> None:
        count = 2
        try:
            assert count == 3
        except AssertionError as error:
            self.assertIn("assert count == 3", reason(error))

    def test_waiting_ends_when_the_condition_holds_and_fails_with_what_was_waited_for(self) -> None:
        answers = iter([False, True])
        wait_until(lambda: next(answers), "the second answer", 5)
        with self.assertRaisesRegex(AssertionError, "the sidecar: not within 0 s"):
            wait_until(lambda: False, "the sidecar", 0)


class ListTests(unittest.TestCase):
    def test_every_check_is_in_a_list_of_checks(self) -> None:
        listed = {
            node.attr if isinstance(node, ast.Attribute) else node.id
            for name in ("check", "reviews", "diary", "shop")
            for statement in ast.parse((BROWSER / f"{name}.py").read_text("utf-8")).body
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) or name == "check"
            for node in ast.walk(statement)
            if isinstance(node, (ast.Attribute, ast.Name))
        }
        checks = {
            f"{name}.{node.name}"
            for name in ("access", "corrections", "diary", "games", "photos", "receipts", "reviews", "shop")
            for node in ast.parse((BROWSER / f"{name}.py").read_text("utf-8")).body
            if isinstance(node, ast.FunctionDef) and is_check(node)
        }
        self.assertGreater(len(checks), 45, "the checks were found")
        self.assertEqual({check for check in checks if check.split(".")[1] not in listed}, set())


def is_check(function: ast.FunctionDef) -> bool:
    """A function of an app alone, with a figure or nothing."""
    arguments, defaults = function.args.args, function.args.defaults
    return (
        len(arguments) - len(defaults) == 1
        and ast.unparse(arguments[0].annotation or ast.Constant("")) == "App"
        and ast.unparse(function.returns or ast.Constant("")) in ("None", "str")
    )


if __name__ == "__main__":
    unittest.main()
