"""Tests of how traces of system calls are read."""

import unittest

from tablesight_tools.promises.borders import whole_calls


class WholeCalls(unittest.TestCase):
    def test_a_call_that_another_thread_interrupted_keeps_its_name(self) -> None:
        trace = (
            b'7 openat(AT_FDCWD, "/etc/passwd", O_RDONLY <unfinished ...>\n'
            b'8 openat(AT_FDCWD, "a.png", O_RDONLY) = 4</in/a.png>\n'
            b"7 <... openat resumed>) = 5</etc/passwd>\n"
        )
        self.assertEqual(
            whole_calls(trace),
            [
                b'8 openat(AT_FDCWD, "a.png", O_RDONLY) = 4</in/a.png>',
                b'7 openat(AT_FDCWD, "/etc/passwd", O_RDONLY <unfinished ...>7 <... openat resumed>) = 5</etc/passwd>',
            ],
        )

    def test_other_lines_are_kept(self) -> None:
        self.assertEqual(whole_calls(b"7 +++ exited with 0 +++\n"), [b"7 +++ exited with 0 +++"])
