"""Tests of how scripts/promises chooses, runs and reports its checks. No daemon is started."""

import contextlib
import io
import json
import os
import subprocess
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from tablesight_tools.paths import SCRIPTS
from tablesight_tools.promises import run
from tablesight_tools.promises.bench import Bench, Skip


def broken(bench: Bench) -> str:
    bench.expect(False, "two photos are lost")
    return "10 photos"


def late(bench: Bench) -> str:
    bench.measure(False, "it took 9 s")
    return "1 start"


def skipped(bench: Bench) -> str:
    raise Skip("strace is not installed")


def failing(bench: Bench) -> str:
    raise OSError("no such file")


class ChosenTests(unittest.TestCase):
    def test_without_a_choice_all_checks_run(self) -> None:
        self.assertEqual(run.chosen(""), list(run.CHECKS))

    def test_a_group_stands_for_its_checks(self) -> None:
        self.assertEqual(run.chosen("attacks"), run.GROUPS["attacks"])

    def test_no_check_runs_twice(self) -> None:
        self.assertEqual(run.chosen("hammer,13,attacks").count("hammer"), 1)

    def test_every_member_of_a_group_is_a_check(self) -> None:
        for members in run.GROUPS.values():
            self.assertLessEqual(set(members), set(run.CHECKS))


class ResultTests(unittest.TestCase):
    def setUp(self) -> None:
        keeps = mock.patch.dict(os.environ)
        keeps.start()
        self.addCleanup(keeps.stop)

    def result(self, check: Callable[[Bench], str], full: bool = False) -> run.Result:
        with mock.patch.dict(run.CHECKS, {"one": ("a title", check)}), contextlib.redirect_stderr(io.StringIO()):
            return run.run("one", Path("/nowhere/tablesight"), full, None)

    def test_a_promise_that_holds_is_kept(self) -> None:
        self.assertEqual(self.result(lambda bench: "3 photos")[:4], ("one", "a title", "kept", "3 photos"))

    def test_what_does_not_hold_follows_the_figure(self) -> None:
        self.assertEqual(self.result(broken)[2:4], ("BROKEN", "10 photos; two photos are lost"))

    def test_only_the_full_form_insists_on_times(self) -> None:
        self.assertEqual(self.result(late).state, "kept")
        self.assertEqual(self.result(late, full=True).state, "BROKEN")

    def test_a_skipped_check_has_its_reason(self) -> None:
        self.assertEqual(self.result(skipped)[2:4], ("skipped", "strace is not installed"))

    def test_a_check_that_fails_to_run_is_broken(self) -> None:
        self.assertEqual(self.result(failing)[2:4], ("BROKEN", "OSError: no such file"))

    def test_the_rows(self) -> None:
        result = run.Result("13", "no result is lost", "kept", "5 kills", 2.6)
        self.assertEqual(result.row(), "| 13 | no result is lost | kept | 5 kills | 3 s |")
        self.assertEqual(
            json.loads(result.json()),
            {"promise": "13", "title": "no result is lost", "state": "kept", "figure": "5 kills"},
        )

    def test_a_page_keeps_the_newest_full_run_of_each_check(self) -> None:
        head = "| check | result of the full form | on |\n| --- | --- | --- |\n"
        page = f"# Page\n\n{head}| 3 | kept: old | 2026-01-01 |\n| 13 | kept: old | 2026-01-01 |\n\nEnd.\n"
        results = [
            run.Result("13", "", "BROKEN", "new", 1),
            run.Result("4", "", "kept", "new", 1),
            run.Result("3", "", "skipped", "no strace", 1),
        ]
        self.assertEqual(
            run.recorded(page, results, "2026-02-02"),
            f"# Page\n\n{head}| 3 | kept: old | 2026-01-01 |\n| 4 | kept: new | 2026-02-02 |\n"
            "| 13 | BROKEN: new | 2026-02-02 |\n\nEnd.\n",
        )
        with self.assertRaises(ValueError):
            run.recorded("# Page\n", results, "2026-02-02")

    def test_a_group_of_skipped_checks_is_reported(self) -> None:
        skips = [run.Result(name, "", "skipped", "", 0) for name in ("hammer", "locked", "13")]
        self.assertEqual(run.skipped_groups(skips), ["attacks"])
        self.assertEqual(run.skipped_groups([*skips, run.Result("growing", "", "kept", "", 0)]), [])
        self.assertEqual(run.skipped_groups([run.Result("13", "", "skipped", "", 0)]), [])


class CommandTests(unittest.TestCase):
    def exit_code(self, *checks: tuple[str, Callable[[Bench], str]], words: tuple[str, ...] = ()) -> int:
        table = {name: ("a title", check) for name, check in checks}
        with (
            mock.patch.dict(run.CHECKS, table),
            mock.patch.dict(os.environ),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            return run.main(["--program", __file__, "--only", ",".join(table), *words])

    def test_exit_codes(self) -> None:
        self.assertEqual(self.exit_code(("13", lambda bench: "")), 0)
        self.assertEqual(self.exit_code(("13", skipped)), 0)
        self.assertEqual(self.exit_code(("13", broken), ("14", lambda bench: "")), 1)
        self.assertEqual(self.exit_code(("hammer", skipped), ("locked", skipped)), 1)
        self.assertEqual(self.exit_code(("hammer", skipped), ("locked", lambda bench: "")), 0)
        self.assertEqual(self.exit_code(words=("--only", "nothing")), 64)
        self.assertEqual(self.exit_code(("13", lambda bench: ""), words=("--program", "/nowhere/x")), 69)

    def test_the_command_calls_the_package_from_any_folder(self) -> None:
        answer = subprocess.run([str(SCRIPTS / "promises"), "--help"], cwd="/", capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for option in ("--all", "--record", "--only", "--program", "--eval", "--json"):
            self.assertIn(option, answer.stdout)
