"""Imports an invented Apple Health export: time and memory of the command, of the API and of the page.

    scripts/tool browser.health_load                                 2 million records, .build/release/tablesight
    scripts/tool browser.health_load --program PROGRAM --records N
    scripts/tool browser.health_load --write FILE                    only writes the export

The records are of ten years: heart rate and steps as a watch writes them, and 4,000 weights. The same count gives the
same bytes.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import memory

YEARS = 10
WEIGHTS = 4000
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 13 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  unit          CDATA #IMPLIED
  value         CDATA #IMPLIED
>
]>
<HealthData locale="de_DE">
 <ExportDate value="2026-11-22 10:00:00 +0100"/>
"""
WATCH = (
    ' sourceName="Ada’s Watch" sourceVersion="10.1" device="&lt;&lt;HKDevice: 0x28, name:Watch, '
    'manufacturer:Invented, model:Watch, hardware:Watch6,2, software:10.1&gt;"'
)
BOUNDARY = "----tablesight-health"
PART = 1 << 20


def lines(count: int) -> Iterator[str]:
    """The lines of an export with this many records."""
    rng = random.Random(44)
    moment = datetime(2016, 11, 1)
    step = timedelta(days=365 * YEARS) / count
    every = max(1, count // WEIGHTS)
    weight = 78.0
    yield HEAD
    for number in range(count):
        moment += step
        time_text = moment.strftime("%Y-%m-%d %H:%M:%S +0100")
        times = f' creationDate="{time_text}" startDate="{time_text}" endDate="{time_text}"'
        if number % every == 0:
            weight += rng.uniform(-0.4, 0.395)
            yield (
                f' <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" sourceVersion="4" unit="kg"'
                f'{times} value="{weight:.2f}"/>\n'
            )
        elif number % 3:
            yield (
                f' <Record type="HKQuantityTypeIdentifierHeartRate"{WATCH} unit="count/min"{times}'
                f' value="{rng.randrange(48, 140)}">\n'
                '  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>\n </Record>\n'
            )
        else:
            yield (
                f' <Record type="HKQuantityTypeIdentifierStepCount"{WATCH} unit="count"{times}'
                f' value="{rng.randrange(1, 900)}"/>\n'
            )
    yield "</HealthData>\n"


def write(file: Path, count: int) -> None:
    with open(file, "w", encoding="utf-8") as output:
        output.writelines(lines(count))


def report(name: str, seconds: float, peak: float, answer: str) -> None:
    print(f"{name}: {seconds:.1f} s, at most {peak:.0f} MiB; {answer}", flush=True)


def command(program: Path, file: Path, place: Path) -> None:
    """The command on a new database."""
    database = str(place / "diary.sqlite")
    begun = time.monotonic()
    arguments = [str(program), "diary", "import", str(file), "--person", "Ada", "--database", database]
    child = os.posix_spawn(str(program), arguments, os.environ)
    _, status, usage = os.wait4(child, 0)
    assert status == 0, f"the command ended with {os.waitstatus_to_exitcode(status)}"
    report("command", time.monotonic() - begun, usage.ru_maxrss / 1024, "imported")


def send(daemon: Daemon, file: Path, as_form: bool) -> tuple[float, str]:
    """Seconds until the answer of one upload, and the answer."""
    head, tail = b"", b""
    if as_form:
        place = 'Content-Disposition: form-data; name="file"; filename="export.xml"\r\nContent-Type: text/xml'
        head = f"--{BOUNDARY}\r\n{place}\r\n\r\n".encode()
        tail = f"\r\n--{BOUNDARY}--\r\n".encode()
    connection = http.client.HTTPConnection(*daemon.listens, timeout=600)
    begun = time.monotonic()
    connection.putrequest("POST", "/diary/import" if as_form else "/v1/people/Ada/import")
    kind = f"multipart/form-data; boundary={BOUNDARY}" if as_form else "application/xml"
    for name, value in daemon.headers(kind, "Ada").items():
        connection.putheader(name, value)
    connection.putheader("Content-Length", str(len(head) + file.stat().st_size + len(tail)))
    connection.endheaders(head)
    with open(file, "rb") as source:
        while part := source.read(PART):
            connection.send(part)
    connection.send(tail)
    answer = connection.getresponse()
    text = answer.read().decode()
    assert answer.status == 200, (answer.status, text[:300])
    connection.close()
    return time.monotonic() - begun, text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    parser.add_argument("--records", type=int, default=2_000_000)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the export, and measure nothing")
    options = parser.parse_args()
    if options.write:
        write(options.write, options.records)
        return 0
    with tempfile.TemporaryDirectory(prefix="tablesight-health.") as folder:
        file = Path(folder) / "export.xml"
        write(file, options.records)
        print(f"{options.records} records, {file.stat().st_size / 1e6:.0f} MB", flush=True)
        command(options.program, file, Path(folder))
        for name, as_form in (("API", False), ("page", True)):
            with Daemon(options.program) as daemon:
                daemon.store_people()
                before = memory(daemon.process.pid, "VmHWM")
                seconds, text = send(daemon, file, as_form)
                counts = "imported" if as_form else str(json.loads(text)["weights"]) + " weights"
                report(name, seconds, memory(daemon.process.pid, "VmHWM"), f"{before:.0f} MiB before; {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
