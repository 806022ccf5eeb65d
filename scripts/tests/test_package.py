"""Tests of the package as a whole: its imports, its type hints, its commands."""

import ast
import os
import re
import subprocess
import sys
import tempfile
import unittest
from graphlib import TopologicalSorter
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
PACKAGE = SCRIPTS / "tablesight_tools"
COMMANDS = ("fit-calibration", "fit-text-calibration", "make-catalogue", "train-dishes")


def module_name(file: Path) -> str:
    parts = file.relative_to(SCRIPTS).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.Module) -> set[str]:
    """Names of all modules that a module may import."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True)


class ManifestTests(unittest.TestCase):
    """Package.resolved holds commit ids that differ where packages are copies: versions are exact instead."""

    def test_every_package_has_an_exact_version_and_no_resolved_file_is_tracked(self) -> None:
        repository = SCRIPTS.parent
        for manifest in ("Package.swift", "Benchmarks/Package.swift"):
            requirements = re.findall(
                r'\.package\(\s*url: "([^"]+)",\s*(\w+):', (repository / manifest).read_text("utf-8")
            )
            self.assertTrue(requirements, manifest)
            self.assertEqual([url for url, kind in requirements if kind != "exact"], [], manifest)
        tracked = run("git", "-C", repository, "ls-files", "*Package.resolved").stdout
        self.assertEqual(tracked, "")


class PackageTests(unittest.TestCase):
    trees: dict[str, ast.Module]

    @classmethod
    def setUpClass(cls) -> None:
        cls.trees = {module_name(file): ast.parse(file.read_text("utf-8")) for file in PACKAGE.rglob("*.py")}

    def test_no_modules_import_each_other_in_a_circle(self) -> None:
        graph = {name: (imported(tree) & set(self.trees)) - {name} for name, tree in self.trees.items()}
        self.assertGreater(sum(map(len, graph.values())), 100, "the imports were understood")
        TopologicalSorter(graph).prepare()  # raises CycleError

    def test_rendering_does_not_import_other_parts(self) -> None:
        for name, tree in self.trees.items():
            if name.startswith("tablesight_tools.rendering"):
                for other in ("evaluation", "training", "models"):
                    wrong = {used for used in imported(tree) if used.startswith("tablesight_tools." + other)}
                    self.assertFalse(wrong, name)

    def test_promises_and_other_parts_do_not_import_each_other(self) -> None:
        for name, tree in self.trees.items():
            inside = name.startswith("tablesight_tools.promises")
            for used in imported(tree) & set(self.trees):
                if used.count(".") > 1:  # modules of the package itself belong to all parts
                    self.assertEqual(inside, used.startswith("tablesight_tools.promises"), f"{name} imports {used}")

    def test_every_function_has_type_hints(self) -> None:
        for name, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    self.assertIsNotNone(node.returns, f"{name}.{node.name}")
                    plain = [argument.arg for argument in node.args.args if argument.annotation is None]
                    self.assertLessEqual(set(plain), {"self", "cls"}, f"{name}.{node.name}")

    def test_every_module_says_what_it_is(self) -> None:
        for name, tree in self.trees.items():
            if tree.body:
                self.assertTrue(ast.get_docstring(tree), name)

    def test_what_setup_runs_is_written_for_python_3_9(self) -> None:
        for file in [PACKAGE / "__main__.py", PACKAGE / "paths.py", *(PACKAGE / "models").glob("*.py")]:
            ast.parse(file.read_text("utf-8"), feature_version=(3, 9))


class CommandTests(unittest.TestCase):
    def test_the_list_of_tools_has_every_tool_with_its_description(self) -> None:
        listed = run(sys.executable, PACKAGE, "--help")
        self.assertEqual(listed.returncode, 0)
        for name in (
            "rendering.boards.render",
            "evaluation.score",
            "training.menus.train",
            "models.fetch",
            "promises.run",
        ):
            self.assertRegex(listed.stdout, rf"(?m)^  {name} +\w")

    def test_an_unknown_tool_is_a_mistake_of_usage(self) -> None:
        answer = run(sys.executable, PACKAGE, "evaluation.nothing")
        self.assertEqual((answer.returncode, answer.stdout), (64, ""))
        self.assertIn("evaluation.nothing", answer.stderr)

    def test_a_tool_gets_its_options_and_runs_in_any_folder(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            # A module of the caller's folder must not replace one of the standard library.
            (Path(folder) / "json.py").write_text("raise SystemExit(3)")
            answer = subprocess.run(
                [sys.executable, str(PACKAGE), "evaluation.score", "--help"], cwd=folder, capture_output=True, text=True
            )
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("--tablesight", answer.stdout)

    def test_a_tool_without_its_package_says_how_to_install_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            missing = 'raise ModuleNotFoundError("No module named \'playwright\'", name="playwright")'
            (Path(folder) / "playwright.py").write_text(missing)
            environment = {**os.environ, "PYTHONPATH": folder}
            answer = subprocess.run(
                [sys.executable, str(PACKAGE), "browser.pictures"], env=environment, capture_output=True, text=True
            )
        self.assertEqual(answer.returncode, 69, answer.stderr)
        self.assertIn("scripts/setup --with-browser", answer.stderr)
        self.assertNotIn("Traceback", answer.stderr)

    def test_commands_keep_their_names(self) -> None:
        for name in COMMANDS:
            self.assertIn("from tablesight_tools.", (SCRIPTS / name).read_text("utf-8"))
        answer = run(sys.executable, SCRIPTS / "fit-calibration", "--help")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("--hold-out", answer.stdout)

    def test_options_that_a_command_does_not_have_are_refused(self) -> None:
        for name in ("setup", "fetch-models"):
            answer = run(SCRIPTS / name, "--nothing")
            self.assertEqual(answer.returncode, 64, name)
            self.assertIn("--nothing is not an option", answer.stderr)


if __name__ == "__main__":
    unittest.main()
