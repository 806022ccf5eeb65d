"""Tests of the forged inputs: catalogue records, a scripted worker, and changes that inotify reports."""

import json
import os
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tablesight_tools.processes import LIMIT
from tablesight_tools.promises import forged, hostile, inputs
from tablesight_tools.promises.changing import Accesses
from tablesight_tools.scripted_worker import barcode_reading, scripted, text_reading, wrapper


class RecordTests(unittest.TestCase):
    def test_product_numbers_have_their_check_digit(self) -> None:
        self.assertEqual(forged.gtin(400638133393), "4006381333931")
        self.assertEqual(forged.gtin(9638507), "0000096385074")

    def test_the_same_seed_gives_the_same_records(self) -> None:
        first, codes = forged.lines(60)
        self.assertEqual((first, codes), forged.lines(60))
        self.assertNotEqual(first, forged.lines(60, seed=8)[0])
        self.assertEqual(len(codes), 60)
        self.assertEqual(len(set(codes)), 60)

    def test_a_record_is_one_line_and_the_first_ones_are_whole(self) -> None:
        records, codes = forged.lines(60)
        self.assertFalse([record for record in records if b"\n" in record])
        for record, code in zip(records, codes[: len(forged.TEXTS) + len(forged.DATES)]):
            self.assertEqual(json.loads(record)["code"], code)

    def test_every_bomb_is_small(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            count = inputs._bombs(Path(folder))
            sizes = [file.stat().st_size for file in Path(folder).iterdir()]
        self.assertEqual(len(sizes), count)
        self.assertLess(max(sizes), 40_000)

    def test_a_photo_carries_the_script_of_a_forged_answer(self) -> None:
        for name, script in hostile._lies().items():
            photo = scripted(turn=1, **script)
            text = photo[photo.index(b"scripted: ") + 10 :].decode("latin-1")
            self.assertEqual(json.JSONDecoder().raw_decode(text)[0], {"turn": 1, **script}, name)


class AccessTests(unittest.TestCase):
    def test_a_file_that_is_read_is_reported_by_its_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.png", "b.png"):
                Path(folder, name).write_bytes(b"x")
            accesses = Accesses(Path(folder))
            self.assertEqual(accesses.names(), [])
            Path(folder, "b.png").read_bytes()
            self.assertEqual(set(accesses.names()), {"b.png"})
            accesses.close()


class ScriptedWorkerTests(unittest.TestCase):
    """Talks to the worker as the daemon does: a socket as standard input, photos as descriptors."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.channel.settimeout(LIMIT)
        self.worker = subprocess.Popen([wrapper(self.folder)], stdin=theirs, cwd="/")
        theirs.close()
        self.addCleanup(self.end)
        self.assertEqual(self.answer(), {"refused": []})

    def end(self) -> None:
        self.channel.close()
        self.worker.wait(LIMIT)

    def packet(self) -> bytes:
        return self.channel.recv(1 << 20)

    def answer(self) -> Any:
        data = self.packet()
        length = int.from_bytes(data[:4], "big")
        while len(data) < length + 4:
            data += self.packet()
        return json.loads(data[4:])

    def send(self, photo: bytes) -> None:
        file = self.folder / "photo"
        file.write_bytes(photo)
        with open(file, "rb") as opened:
            socket.send_fds(self.channel, [b"\0\0\0\x02{}"], [opened.fileno()])

    def test_an_honest_photo_is_answered_without_a_reading(self) -> None:
        self.send(b"anything")
        self.assertEqual(self.answer()["readings"], {"barcodes": []})

    def test_the_answer_of_the_photo(self) -> None:
        self.send(scripted(answer=barcode_reading("4006381333931")))
        self.assertEqual(self.answer()["readings"]["barcodes"][0]["gtin"], "04006381333931")
        self.send(scripted(answer=text_reading("one two", "three")))
        lines = self.answer()["readings"]["text"]["lines"]
        self.assertEqual([len(line["words"]) for line in lines], [2, 1])

    def test_any_bytes_any_number_of_times(self) -> None:
        self.send(scripted(raw="null", times=3))
        self.assertEqual([self.answer() for _ in range(3)], [None] * 3)
        self.send(scripted(packets=["ffffffff", "00ff"]))
        self.assertEqual([self.packet(), self.packet()], [b"\xff" * 4, b"\0\xff"])

    def test_descriptors_travel_with_the_answer(self) -> None:
        self.send(scripted(descriptors=2))
        data, files, _, _ = socket.recv_fds(self.channel, 1 << 20, 8)
        for file in files:
            os.close(file)
        self.assertEqual(len(files), 2)
        self.assertTrue(data.endswith(b"}"))
