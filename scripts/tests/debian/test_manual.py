"""Manual pages of the Debian package."""

import datetime
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from tablesight_tools.debian import manual

DRY_RUN = {"kind": "long", "name": "dry-run"}
OPTION = {
    "kind": "option", "names": [DRY_RUN], "preferredName": DRY_RUN,
    "valueName": "count", "isOptional": True, "isRepeating": False, "abstract": "How many.", "defaultValue": "3",
}  # fmt: skip
HELP = {
    "kind": "flag", "names": [{"kind": "long", "name": "help"}], "preferredName": {"kind": "long", "name": "help"},
    "isOptional": True, "isRepeating": False,
}  # fmt: skip
ADD = {
    "commandName": "add", "abstract": "Adds one.", "arguments": [OPTION, HELP],
    "discussion": "First.\n.startsWithADot\n\nEXAMPLES\n  tablesight add --dry-run 3    as text\n    more",
}  # fmt: skip
ROOT = {"commandName": "tablesight", "abstract": "Reads photos.", "subcommands": [ADD, {"commandName": "help"}]}
DATE = datetime.date(2026, 1, 2)


class ManualTests(unittest.TestCase):
    def test_every_command_but_help_has_a_page(self) -> None:
        self.assertEqual([path for path, _ in manual.pages(ROOT)], [["tablesight"], ["tablesight", "add"]])

    def test_options_have_their_default_and_examples_keep_their_lines(self) -> None:
        text = manual.page(ADD, ["tablesight", "add"], DATE)
        self.assertIn(".Op Cm \\-\\-dry\\-run Ar count", text)
        self.assertIn("How many. (default: 3)", text)
        self.assertIn(".Bd -literal\ntablesight add \\-\\-dry\\-run 3    as text\n  more\n.Ed", text)
        self.assertNotIn("\\-\\-help", text)

    def test_text_never_becomes_a_request_of_roff(self) -> None:
        self.assertIn("\n\\&.startsWithADot\n", manual.page(ADD, ["tablesight", "add"], DATE))

    @unittest.skipIf(shutil.which("man") is None, "no man")
    def test_pages_render_without_warnings(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for path, command in manual.pages(ROOT):
                file = Path(folder) / f"{'.'.join(path)}.1"
                file.write_text(manual.page(command, path, DATE))
                done = subprocess.run(["man", "--warnings", str(file)], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("DESCRIPTION", done.stdout)
