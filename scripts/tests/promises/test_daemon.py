"""Tests of how a daemon is started and observed. A shell script takes the program's place."""

import json
import math
import os
import sqlite3
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from tablesight_tools.pictures import picture
from tablesight_tools.processes import children, memory, wait_for
from tablesight_tools.promises.bench import PRELOAD, Bench, Skip
from tablesight_tools.promises.daemon import Daemon, metric_sum

PRINTS_ITS_ARGUMENTS = """#!/bin/sh
printf '"%s"\\n' "$*"
trap 'exit 7' TERM
while :; do sleep 0.05; done
"""


class FolderTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        keeps = mock.patch.dict(os.environ)
        keeps.start()
        self.addCleanup(keeps.stop)
        self.program = self.folder / "program"
        self.program.write_text(PRINTS_ITS_ARGUMENTS)
        self.program.chmod(0o755)
        self.bench = Bench(self.program, self.folder)
        self.addCleanup(self.bench.clean_up)

    def daemon(self) -> Daemon:
        return self.bench.daemon(real=True)


class StartTests(FolderTests):
    def test_the_program_watches_the_inbox_on_a_free_port(self) -> None:
        daemon = self.daemon().start(ready=False)
        self.assertTrue(daemon.wait_announced(1))
        inbox = self.folder / "inbox"
        expected = f"watch {inbox} --output {inbox}.tablesight --format json --port 0"
        self.assertEqual(daemon.announced(), [expected])

    def test_a_line_that_a_kill_tore_does_not_join_the_next(self) -> None:
        daemon = self.daemon()
        daemon.out.write_text('"whole"\n{"torn":')
        daemon.start(ready=False)
        self.assertTrue(daemon.wait_announced(2))
        self.assertEqual(daemon.announced()[:-1], ["whole"])

    def test_stop_sends_sigterm_and_returns_the_exit_code(self) -> None:
        daemon = self.daemon().start(ready=False)
        daemon.wait_announced(1)
        self.assertIsNone(daemon.exit_code)
        self.assertEqual(daemon.stop()[0], 7)
        self.assertEqual(daemon.stop(), (7, 0))

    def test_a_wait_ends_with_the_daemon(self) -> None:
        self.program.write_text("#!/bin/sh\nexit 3\n")
        daemon = self.daemon().start(ready=False)
        # Only the end of the daemon ends this wait.
        self.assertFalse(daemon.wait_announced(1, math.inf))
        self.assertEqual(daemon.exit_code, 3)

    def test_a_daemon_that_was_never_started_has_no_process(self) -> None:
        daemon = self.daemon()
        self.assertFalse(daemon.is_alive())
        with self.assertRaises(RuntimeError):
            _ = daemon.pid

    def test_with_a_prefix_the_process_is_the_inner_one(self) -> None:
        daemon = self.bench.daemon(real=True, prefix=["sh", "-c", '"$@" & wait', "sh"]).start(ready=False)
        daemon.wait_announced(1)
        assert daemon.process is not None
        self.assertEqual([daemon.pid], children(daemon.process.pid))
        self.assertGreater(memory(daemon.pid, "VmRSS"), 0)

    def test_without_the_worker_of_the_tests_a_check_is_skipped(self) -> None:
        self.bench.test_worker = self.folder / "nothing"
        with self.assertRaises(Skip):
            self.bench.daemon()


class ObservationTests(FolderTests):
    def test_a_torn_last_line_is_left_out(self) -> None:
        daemon = self.daemon()
        self.assertEqual(daemon.announced(), [])
        daemon.out.write_text('{"id":1}\n{"id":2}\n{"id"')
        self.assertEqual(daemon.announced(), [{"id": 1}, {"id": 2}])
        self.assertEqual(daemon.announced_count(), 2)

    def test_without_an_address_no_request_is_made(self) -> None:
        self.assertEqual(self.daemon().request("/healthz"), (0, b""))

    def test_a_metric_is_summed_over_its_labels(self) -> None:
        body = '# HELP a_total x\na_total{kind="x"} 2\na_total{kind="y"} 3\na_total_other 10\nb 4\na_total\n'
        self.assertEqual(metric_sum(body, "a_total"), 5)
        self.assertEqual(metric_sum(body, "b"), 4)
        self.assertEqual(metric_sum(body, "c"), 0)

    def make_database(self, daemon: Daemon, **outcomes: dict[str, str]) -> None:
        daemon.output.mkdir()
        base = sqlite3.connect(daemon.output / "tablesight.sqlite")
        base.executescript("CREATE TABLE photo (id, path); CREATE TABLE outcome (photo, json);")
        for number, (name, outcome) in enumerate(outcomes.items()):
            path = os.fsencode(daemon.inbox.resolve() / name)
            base.execute("INSERT INTO photo VALUES (?, ?)", (number, path))
            base.execute("INSERT INTO outcome VALUES (?, ?)", (number, json.dumps(outcome).encode()))
        base.commit()
        base.close()

    def test_outcomes_come_from_the_database(self) -> None:
        daemon = self.daemon()
        self.assertEqual((daemon.outcomes(), daemon.count("SELECT 1 FROM outcome")), ({}, 0))
        self.make_database(daemon, a={"status": "completed"})
        self.assertEqual(daemon.outcome("a"), {"status": "completed"})
        self.assertEqual(daemon.outcome("b"), {})
        self.assertEqual(daemon.count("SELECT count(*) FROM outcome"), 1)
        self.assertEqual(daemon.count("SELECT count(*) FROM nothing"), 0)
        self.assertEqual(daemon.faults(), [])

    def test_sidecars_that_differ_from_the_database_are_found(self) -> None:
        daemon = self.daemon()
        self.make_database(daemon, equal={"status": "a"}, torn={"status": "b"})
        place = daemon.output / "outcomes" / daemon.inbox.name
        place.mkdir(parents=True)
        (place / "equal.json").write_text('{"status": "a"}\n')
        (place / "torn.json").write_text('{"stat')
        (place / "unknown.json").write_text("{}\n")
        self.assertEqual(sorted(daemon.compare_sidecars()), ["torn", "unknown"])


class BenchTests(FolderTests):
    def test_sizes_of_the_two_forms(self) -> None:
        self.assertEqual(self.bench.size(2, 20), 2)
        self.assertEqual(Bench(self.program, self.folder, full=True).size(2, 20), 20)

    def test_what_does_not_hold_is_recorded_and_the_check_continues(self) -> None:
        self.assertTrue(self.bench.expect([1], "a list"))
        self.assertFalse(self.bench.expect(None, "nothing"))
        self.assertTrue(self.bench.measure(False, "slow"))
        self.assertEqual(self.bench.broken, ["nothing"])

    def test_every_preloaded_library_compiles(self) -> None:
        names = sorted(file.stem for file in PRELOAD.glob("*.c"))
        self.assertEqual(names, ["one-eio", "shifted-clock", "slow-lease"])
        libraries = [self.bench.library(name) for name in names]
        if libraries[0] is None:
            self.skipTest("no C compiler")
        answer = subprocess.run(
            ["date", "-u", "+%Y"],
            env={**os.environ, "LD_PRELOAD": str(libraries[1]), "SHIFT_SECONDS": str(-30 * 366 * 86400)},
            capture_output=True,
            text=True,
        )
        self.assertLess(int(answer.stdout), time.gmtime().tm_year - 25)

    def test_pictures_differ_by_their_text(self) -> None:
        self.assertNotEqual(picture("a"), picture("b"))
        self.assertIn(b"Comment\0hello ", picture("hello"))

    def test_a_wait_returns_the_value_or_gives_up(self) -> None:
        values = iter([0, 0, 5])
        self.assertEqual(wait_for(lambda: next(values), 10, 0), 5)
        self.assertEqual(wait_for(lambda: 0, 0.01, 0), 0)
