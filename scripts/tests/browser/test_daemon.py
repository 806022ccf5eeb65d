"""Tests of the daemon that checks use: its time zone, and waiting."""

import unittest
from datetime import UTC, datetime, timedelta

from tablesight_tools.browser.daemon import noon, wait_until


class DaemonTests(unittest.TestCase):
    def test_it_is_noon_at_every_hour(self) -> None:
        for hour in range(24):
            now = datetime(2026, 11, 29, hour, 59, 59, tzinfo=UTC)
            self.assertEqual(now.astimezone(noon(now)).hour, 12)
            # A check has eleven hours until the day ends.
            self.assertEqual((now + timedelta(hours=11)).astimezone(noon(now)).date(), now.astimezone(noon(now)).date())

    def test_waiting_ends_when_the_condition_holds_and_fails_with_what_was_waited_for(self) -> None:
        answers = iter([False, True])
        wait_until(lambda: next(answers), "the second answer", 5)
        with self.assertRaisesRegex(AssertionError, "the sidecar: not within 0 s"):
            wait_until(lambda: False, "the sidecar", 0)


if __name__ == "__main__":
    unittest.main()
