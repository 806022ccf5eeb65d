"""Compares text recognition with its peers: processor time, elapsed time and peak memory over the same photos.

    scripts/bench text DIR [--first N] [--memory N]

Each reader gets all photos in one process, so its figures include loading its models. Each reader runs with one
thread, then with two (Tablesight: with two workers). Times of Tablesight's stages are processor milliseconds for a
photo, from its outcomes.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tablesight_tools.processes import descendants, memory

# Processor seconds, elapsed seconds, peak MB, last MB, standard output.
Measured = tuple[float, float, float, float, bytes]
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
PROGRAM = ".build/release/tablesight"
RAPIDOCR = """
import sys, logging
from rapidocr import RapidOCR
logging.disable(logging.CRITICAL)
threads = int(sys.argv[1])
engine = RapidOCR(params={"EngineConfig.onnxruntime.intra_op_num_threads": threads,
                          "EngineConfig.onnxruntime.inter_op_num_threads": 1})
for photo in sys.argv[2:]:
    engine(photo)
"""


class PeakMemory(threading.Thread):
    """Resident memory of the largest process below this one, sampled; MB."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak, self.last, self.running = 0, 0, True

    def run(self) -> None:
        while self.running:
            self.last = max((memory(pid, "VmRSS") for pid in descendants(os.getpid())), default=self.last)
            self.peak = max(self.peak, self.last)
            time.sleep(0.2)


def measured(command: list[str], environment: dict[str, str] | None = None) -> Measured:
    """(processor seconds, elapsed seconds, peak MB, last MB, standard output) of a command and its children."""
    memory = PeakMemory()
    memory.start()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ, **(environment or {}))
    )
    elapsed, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    memory.running = False
    memory.join()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, elapsed, memory.peak, memory.last, run.stdout


def readers(photos: list[str]) -> Iterator[tuple[str, Measured]]:
    batch = [PROGRAM, "batch", "--as", "menu", *photos, "--out", "/dev/stdout", "--jobs"]
    yield "tablesight", measured(batch + ["1"])
    yield "tablesight, without models", measured(batch + ["1", "--without-models"])
    if shutil.which("tesseract"):
        script = 'for photo in "$@"; do tesseract "$photo" - --psm 3; done'
        yield "tesseract --psm 3", measured(["bash", "-c", script, "-", *photos], {"OMP_THREAD_LIMIT": "1"})
    else:
        print("left out: tesseract (apt-get install tesseract-ocr)", file=sys.stderr)
    if subprocess.run([sys.executable, "-c", "import rapidocr"], capture_output=True).returncode == 0:
        yield "rapidocr", measured([sys.executable, "-c", RAPIDOCR, "1", *photos])
        yield "tablesight, 2 workers", measured(batch + ["2"])
        yield "rapidocr, 2 threads", measured([sys.executable, "-c", RAPIDOCR, "2", *photos])
    else:
        print("left out: rapidocr", file=sys.stderr)


def stages(output: bytes, count: int) -> dict[str, float]:
    sums = {}
    for line in output.splitlines():
        for stage, value in json.loads(line)["processing"]["timingsMs"].items():
            sums[stage] = sums.get(stage, 0) + value / count
    return sums


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--first", type=int, help="photos of the folder to read")
    parser.add_argument(
        "--memory", type=int, help="read so many photos (the same again) and tell the memory of the worker"
    )
    options = parser.parse_args()
    photos = sorted(str(p) for p in Path(options.folder).rglob("*") if p.suffix.lower() in SUFFIXES)[: options.first]
    if not photos:
        sys.exit("no photos below " + options.folder)
    if options.memory:
        many = (photos * (options.memory // len(photos) + 1))[: options.memory]
        _, _, peak, last, _ = measured([PROGRAM, "scan", "--format", "json", *many])
        return print("worker after %d photos: %.0f MB resident, %.0f MB at most" % (len(many), last, peak))
    base = None
    print("%-28s %12s %12s %9s %9s %8s" % ("reader", "cpu ms/photo", "wall ms/photo", "cpu", "wall", "peak MB"))
    for name, (cpu, wall, peak, _, output) in readers(photos):
        base = base or (cpu, wall)
        print(
            f"{name:<28} {1000 * cpu / len(photos):12.0f} {1000 * wall / len(photos):12.0f} "
            f"{cpu / base[0]:8.2f}x {wall / base[1]:8.2f}x {peak:8.0f}",
            flush=True,
        )
        if name.startswith("tablesight") and output and "workers" not in name:
            print("    " + ", ".join("{} {:.0f}".format(*pair) for pair in sorted(stages(output, len(photos)).items())))


if __name__ == "__main__":
    main()
