"""Promises 6, 9 and 10: damaged photos, decompression bombs and truncated photos."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tablesight_tools.pictures import PNG, chunk
from tablesight_tools.processes import children, memory
from tablesight_tools.promises.bench import Bench


def _batch(bench: Bench, folder: Path, arguments: Sequence[str] = ()) -> tuple[list[dict[str, Any]], float, int]:
    """Runs `batch`. Returns its rows, the highest memory of a worker in megabytes, and the exit code."""
    rows, peak, done = bench.folder / "rows.ndjson", [0.0], threading.Event()
    rows.unlink(missing_ok=True)  # `batch` does not overwrite a file
    process = subprocess.Popen(
        [str(bench.program), "batch", str(folder), "--out", str(rows), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def look() -> None:
        while not done.is_set():
            for child in children(process.pid):
                peak[0] = max(peak[0], memory(child, "VmHWM"))
            done.wait(0.02)

    thread = threading.Thread(target=look)
    thread.start()
    code = process.wait(3600)
    done.set()
    thread.join()
    return [json.loads(line) for line in rows.read_bytes().splitlines()], peak[0], code


def bad_inputs(bench: Bench) -> str:
    folder = bench.inbox("bad")
    if bench.eval:
        return _evaluation(bench, bench.eval)
    for path in (bench.root / "samples/bad").iterdir():
        if path.suffix != ".json":
            (folder / path.name).write_bytes(path.read_bytes())
    for name, data in {
        "a.png": b"\x89PNG",
        "b.jpg": b"\xff\xd8\xff",
        "c.gif": b"GIF89a",
        "d.tif": b"II*\0\xff\xff\xff\xff",
        "e.webp": b"RIFF\xff\xff\xff\xffWEBPVP8 ",
        "f.bmp": b"BM" + b"\xff" * 60,
        "g.heic": b"\0\0\0\x18ftypheic" + b"\xff" * 64,
    }.items():
        (folder / name).write_bytes(data)
    (folder / "good.jpg").write_bytes((bench.root / "samples/barcodes/spread-ean13.jpg").read_bytes())
    daemon = bench.daemon(folder, real=True).start()
    count = len(list(folder.iterdir()))
    daemon.wait_announced(count)
    outcomes = daemon.announced()
    good = [o for o in outcomes if o["source"]["path"].endswith("good.jpg")]
    bench.expect(daemon.is_alive(), "the daemon ended")
    bench.expect(len(outcomes) == count, "%d of %d outcomes" % (len(outcomes), count))
    bench.expect(good and good[0]["status"] == "completed", "the good photo is %s" % good)
    bench.expect(all(o.get("reason") for o in outcomes if o["status"] != "completed"), "an end without a reason")
    bench.expect(not daemon.query("SELECT 1 FROM quarantine"), "something is quarantined")
    return "%d bad inputs of the samples: same process, %d outcomes, each with a reason" % (count - 1, len(outcomes))


NOBODY = 65534


def _unprivileged(bench: Bench) -> list[str]:
    """The words before a command that run it as nobody, with the right to make device nodes. Root reads any file.

    Empty if the caller is not root, or if nobody cannot reach the program.
    """
    if os.geteuid() or not shutil.which("setpriv"):
        return []
    words = f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups --inh-caps=+mknod --ambient-caps=+mknod"
    prefix = [*words.split(), "--bounding-set=-all,+mknod"]
    look = ["cat", str(bench.program), str(bench.root / "models/manifest.json")]
    reached = subprocess.run([*prefix, *look], capture_output=True, cwd="/").returncode == 0
    return prefix if reached else []


def _evaluation(bench: Bench, evaluation: Path) -> str:
    prefix = _unprivileged(bench)
    python = sys.executable
    if prefix:
        os.chown(bench.folder, NOBODY, NOBODY)
        # The user nobody may have no access to the Python that runs this.
        if os.access("/usr/bin/python3", os.X_OK):
            python = "/usr/bin/python3"
    command = [*prefix, python, str(evaluation / "score_badinputs.py"), "--tablesight", str(bench.program)]
    command += ["--corpus", str(evaluation / "badinputs"), "--scratch", str(bench.folder), "--limit", "3000"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(bench.folder), "TMPDIR": str(bench.folder)}
    environment = os.environ | environment | {"PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run([*command, "--json", "-"], capture_output=True, text=True, cwd="/", env=environment)
    bench.expect(result.stdout, "the scorer said nothing: " + result.stderr[-300:])
    parts = ["as nobody" if prefix else "as user %d" % os.geteuid()]
    for name, report in json.loads(result.stdout or "{}").items():
        ends = report["groups"]["all"]
        total, right = sum(n for _, n in ends.values()), sum(r for r, _ in ends.values())
        parts.append("%s %d of %d in their class" % (name, right, total))
        bench.expect(not report["wrong"], "%s: %s" % (name, report["wrong"][:3]))
        bench.expect(not report["treeChanged"], "inputs were changed")
    bench.expect(result.returncode == 0, "the scorer ends with %d" % result.returncode)
    return ", ".join(parts)


def _bombs(folder: Path) -> int:
    """Writes small files that claim to be huge pictures, and returns how many."""

    def png(width: int, height: int, rows: bytes = b"") -> bytes:
        head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\2\0\0\0"
        return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")

    def jpeg(width: int, height: int) -> bytes:
        return (
            b"\xff\xd8\xff\xc0\0\x11\x08"
            + height.to_bytes(2, "big")
            + width.to_bytes(2, "big")
            + b"\3\1\x11\0\2\x11\0\3\x11\0\xff\xda\0\x0c\3\1\0\2\0\3\0\0\x3f\0"
            + b"\0" * 300
            + b"\xff\xd9"
        )

    zeros = zlib.compress(b"\0" * (30_000_000), 9)
    made = {
        "long.png": png(1_000_000, 1, zeros),
        "large.png": png(30_000, 30_000, zeros),
        "allowed.png": png(9_000, 9_000, zeros),
        "claims.jpg": jpeg(65_500, 65_500),
        "wide.jpg": jpeg(19_999, 19_999),
        "webp.webp": b"RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\x2f\xff\xff\xff\x0f\0\0\0\0\0",
        "bmp.bmp": b"BM"
        + (54).to_bytes(4, "little")
        + b"\0" * 4
        + (54).to_bytes(4, "little")
        + (40).to_bytes(4, "little")
        + (60_000).to_bytes(4, "little") * 2
        + b"\1\0\x18\0"
        + b"\0" * 24,
    }
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return len(made)


def ceilings(bench: Bench) -> str:
    folder = bench.inbox("bombs")
    count = _bombs(folder)
    start = time.monotonic()
    rows, peak, _ = _batch(bench, folder, ["--jobs", "1"])
    seconds = time.monotonic() - start
    bench.expect(len(rows) == count, "%d of %d rows" % (len(rows), count))
    bench.expect(peak <= 768, "a worker had %.0f MB" % peak)
    bench.measure(seconds / count <= 45, "%.0f s for %d" % (seconds, count))
    # 100 files with an oversized header: the time of one refusal, without that of the start.
    many = bench.inbox("headers")
    for i in range(100):
        (many / ("%d.png" % i)).write_bytes((folder / "large.png").read_bytes()[:40_000] + b"%d" % i)
    start = time.monotonic()
    rows, _, _ = _batch(bench, many, ["--jobs", "1"])
    each = (time.monotonic() - start) * 10
    refused = sum(r["reason"]["code"] == "tooLarge" for r in rows if r.get("reason"))
    bench.expect(refused == 100, "%d of 100 refused as too large" % refused)
    bench.measure(each < 50, "%.0f ms for one refusal" % each)
    return "%d bombs: worker at most %.0f MB, all in %.1f s; a header refused in %.1f ms" % (count, peak, seconds, each)


def damaged(bench: Bench) -> str:
    folder, count = bench.inbox("cut"), 0
    for path in sorted((bench.root / "samples").glob("*/*")):
        if path.suffix in (".jpg", ".png", ".webp", ".tiff") and path.parent.name != "bad":
            data = path.read_bytes()
            for share in (0.1, 0.5, 0.9) if bench.full else (0.5,):
                (folder / ("%d-%s" % (share * 100, path.name))).write_bytes(data[: int(len(data) * share)])
                count += 1
    rows, _, _ = _batch(bench, folder, ["--as", "barcode"])
    plain = [r["source"]["path"] for r in rows if r["status"] not in ("partial", "failed")]
    bench.expect(len(rows) == count, "%d of %d rows" % (len(rows), count))
    bench.expect(not plain, "plain successes: %s" % plain[:3])
    return "%d cut photos: %d plain successes" % (count, len(plain))
