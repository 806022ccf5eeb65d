"""The systemd unit and the settings of the Debian package."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
UNIT = ROOT / "scripts/systemd/tablesight.service"
PACKAGING = ROOT / "scripts/packaging"


class ServiceTests(unittest.TestCase):
    @unittest.skipIf(shutil.which("systemd-analyze") is None, "no systemd-analyze")
    def test_exposure_is_at_most_two(self) -> None:
        command = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", str(UNIT)]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_starts_the_program_with_the_settings_of_the_package(self) -> None:
        start = re.search(r"^ExecStart=(\S+) watch --config (\S+)$", UNIT.read_text(), re.MULTILINE)
        self.assertTrue(start)
        self.assertEqual(start[1], "/usr/bin/tablesight")
        self.assertTrue((PACKAGING / Path(start[2]).name).exists())

    def test_folders_of_settings_unit_and_scripts_are_the_same(self) -> None:
        unit, settings = UNIT.read_text(), (PACKAGING / "tablesight.yaml").read_text()
        scripts = {name: (PACKAGING / name).read_text() for name in ("postinst", "postrm")}
        inbox = re.search(r"^inboxes: \[(.*)\]$", settings, re.MULTILINE)
        output = re.search(r"^output: (.*)$", settings, re.MULTILINE)
        self.assertTrue(inbox and output)
        self.assertIn(f"StateDirectory={Path(output[1]).name}", unit)
        self.assertIn(f"-{Path(inbox[1]).parent}", unit)
        for text in scripts.values():
            self.assertIn(output[1], text)
            self.assertIn(str(Path(inbox[1]).parent), text)

    def test_maintainer_scripts_have_no_syntax_error(self) -> None:
        for name in ("postinst", "prerm", "postrm"):
            done = subprocess.run(["sh", "-n", str(PACKAGING / name)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        for script in (PACKAGING / "proof", ROOT / "scripts/package", ROOT / "scripts/promise-package"):
            done = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
