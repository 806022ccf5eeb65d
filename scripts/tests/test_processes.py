"""Tests of what /proc shows of processes."""

import os
import subprocess
import sys
import unittest
from pathlib import Path
from unittest.mock import patch

from tablesight_tools import processes


class Children(unittest.TestCase):
    def test_children_of_a_running_process(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        try:
            self.assertIn(child.pid, processes.children(os.getpid()))
        finally:
            child.communicate(b"\n")

    def test_a_process_that_has_ended_has_none(self) -> None:
        child = subprocess.Popen(["/bin/true"])
        child.wait()
        self.assertEqual(processes.children(child.pid), [])
        self.assertEqual(processes.memory(child.pid, "VmHWM"), 0)

    def test_a_process_that_ends_while_it_is_looked_at_has_none(self) -> None:
        """Its folder is there when the look begins, and gone when it is listed or when a thread is read."""
        for error in (FileNotFoundError, ProcessLookupError):
            with patch.object(processes.os, "listdir", side_effect=error):
                self.assertEqual(processes.children(os.getpid()), [])
            with patch.object(Path, "read_text", side_effect=error):
                self.assertEqual(processes.children(os.getpid()), [])
                self.assertEqual(processes.memory(os.getpid(), "VmHWM"), 0)


if __name__ == "__main__":
    unittest.main()
