"""One daemon under test: started, watched from outside, stopped."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
import zlib
from pathlib import Path


class Skip(Exception):
    """A check that cannot be made on this machine, and why."""


def chunk(kind, data):
    """A chunk of a PNG."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def picture(text, width=8, height=8):
    """A small white PNG that says `text` in a comment: its content is its own."""
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\0\0\0\0"
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"tEXt", b"Comment\0" + text.encode() + b" ")
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def wait_for(condition, seconds, pause=0.05):
    """What `condition` answers, as soon as it is true; what it is after that many seconds."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(pause)


class Bench:
    """Folders, programs and daemons of one check."""

    def __init__(self, program, folder, root, full, evaluation):
        self.program, self.folder, self.root, self.full, self.eval = program, folder, root, full, evaluation
        self.broken, self.daemons = [], []
        # The program may be a copy that lies somewhere else.
        os.environ.setdefault("TABLESIGHT_MODELS", str(root / "models"))
        self.test_worker = program.parent / "tablesight-test-worker"
        if not self.test_worker.exists():
            self.test_worker = root / ".build/debug/tablesight-test-worker"

    def size(self, quick, full):
        return full if self.full else quick

    def expect(self, truth, what):
        """A promise that does not hold is written down; the check goes on."""
        if not truth:
            self.broken.append(what)
        return truth

    def measure(self, truth, what):
        """A figure in seconds or megabytes: holds on a machine of its own, so only the full form insists on it."""
        return self.expect(truth or not self.full, what)

    def inbox(self, name="inbox"):
        place = self.folder / name
        place.mkdir(exist_ok=True)
        return place

    def library(self, name):
        """A library for LD_PRELOAD, compiled from the C file of this name; None where no C compiler is installed."""
        compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
        if not compiler:
            return None
        made = self.folder / (name + ".so")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(Path(__file__).with_name(name + ".c")), "-ldl"],
                       check=True)
        return str(made)

    def daemon(self, inbox=None, **options):
        one = Daemon(self, inbox or self.inbox(), **options)
        self.daemons.append(one)
        return one

    def clean_up(self):
        for one in self.daemons:
            one.kill()


class Daemon:
    """`tablesight watch` on one inbox; may be started, killed and started again."""

    def __init__(self, bench, inbox, output=None, real=False, arguments=(), environment=None, prefix=()):
        self.bench, self.inbox = bench, inbox
        self.output = output or Path(str(inbox) + ".tablesight")
        self.arguments, self.prefix = list(arguments), list(prefix)
        self.environment = dict(os.environ, **{"TABLESIGHT_LOG_FORMAT": "json", **(environment or {})})
        if not real:
            if not bench.test_worker.exists():
                raise Skip("no tablesight-test-worker: `swift build --build-tests`")
            self.environment["TABLESIGHT_WORKER"] = str(bench.test_worker)
        self.out, self.log = bench.folder / (inbox.name + ".out"), bench.folder / (inbox.name + ".log")
        self.process = None

    def start(self, once=False, ready=True):
        (self.output / "api-address").unlink(missing_ok=True)
        command = self.prefix + [str(self.bench.program), "watch", str(self.inbox), "--output", str(self.output),
                                 "--format", "json", "--port", "0", *self.arguments] + (["--once"] if once else [])
        with open(self.out, "ab") as out, open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=log,
                                            env=self.environment)
        if ready and not once and not wait_for(lambda: self.status("/readyz") == 200 or self.process.poll() is not None, 60):
            raise RuntimeError("not ready: %s" % self.log.read_text(errors="replace")[-400:])
        return self

    @property
    def pid(self):
        """Of the daemon itself, also where another program runs it."""
        if self.prefix and self.is_alive():
            inner = wait_for(lambda: children(self.process.pid), 20)
            return inner[0] if inner else self.process.pid
        return self.process.pid

    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self, number=signal.SIGKILL):
        if self.is_alive():
            os.kill(self.pid, number)
            self.process.wait()

    def stop(self, limit=30):
        """Asks it to end; answers its exit code and the seconds it took. One that ended by itself answers its code."""
        if not self.is_alive():
            return self.process.returncode, 0
        start = time.monotonic()
        os.kill(self.pid, signal.SIGTERM)
        return self.process.wait(limit), time.monotonic() - start

    def finish(self, limit=600):
        """Runs it once more to its end; answers the exit code."""
        self.start(once=True)
        return self.process.wait(limit)

    # --- from outside

    def address(self):
        try:
            return (self.output / "api-address").read_text().strip()
        except OSError:
            return None

    def token(self):
        return (self.output / "api-token").read_text().strip()

    def request(self, path, headers=None, timeout=5):
        """Status and body; (0, b"") where nobody answers."""
        address = self.address()
        if not address:
            return 0, b""
        request = urllib.request.Request(address + path, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def status(self, path, headers=None):
        return self.request(path, headers)[0]

    def metric(self, name):
        """The sum of a metric over its labels."""
        body = self.request("/metrics", {"Authorization": "Bearer " + self.token()})[1].decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in body.splitlines()
                   if line.startswith(name) and line[len(name)] in " {")

    def announced(self):
        """Outcomes that were printed, as they came; a torn last line is left out."""
        if not self.out.exists():
            return []
        lines = self.out.read_bytes().split(b"\n")[:-1]
        return [json.loads(line) for line in lines if line]

    def announced_count(self):
        return self.out.read_bytes().count(b"\n") if self.out.exists() else 0

    def query(self, sql, *arguments):
        """Rows of the database, which the daemon goes on writing."""
        file = self.output / "tablesight.sqlite"
        if not file.exists():
            return []
        base = sqlite3.connect("file:%s?mode=ro" % file, uri=True, timeout=10)
        try:
            return base.execute(sql, arguments).fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            base.close()

    def count(self, sql):
        rows = self.query(sql)
        return rows[0][0] if rows else 0

    def outcomes(self):
        """Path → outcome, from the database."""
        rows = self.query("SELECT path, json FROM outcome JOIN photo ON photo.id = outcome.photo")
        return {os.fsdecode(path): json.loads(text) for path, text in rows}

    def outcome(self, name):
        """Of the photo with this path below the inbox; empty where there is none."""
        return self.outcomes().get(str(self.inbox.resolve() / name), {})

    def faults(self):
        return [row[0] for row in self.query("PRAGMA integrity_check") if row[0] != "ok"]

    def sidecars(self):
        """Path below the outcomes' folder → bytes; temporary files are nobody's."""
        root = self.output / "outcomes" / self.inbox.name
        return {str(p.relative_to(root))[:-5]: p.read_bytes() for p in root.rglob("*.json")}

    def compare_sidecars(self):
        """What is wrong with sidecars: torn, or other than the database says."""
        wrong = []
        rows = {os.fsdecode(p): j for p, j in self.query(
            "SELECT path, json FROM outcome JOIN photo ON photo.id = outcome.photo")}
        for name, data in self.sidecars().items():
            row = rows.get(str(self.inbox.resolve() / name))
            if row is None or data != bytes(row) + b"\n":
                wrong.append(name)
        return wrong

    def children(self):
        """Workers, by process id."""
        return children(self.pid)

    def resident_mb(self):
        return memory(self.pid, "VmRSS")

    def open_files(self):
        return len(os.listdir("/proc/%d/fd" % self.pid))


def children(pid):
    """Processes that this one started."""
    found = []
    for task in Path("/proc/%d/task" % pid).glob("*"):
        try:
            found += [int(p) for p in (task / "children").read_text().split()]
        except OSError:
            pass
    return found


def memory(pid, field):
    """Megabytes of a process, from /proc; 0 where it is gone."""
    try:
        for line in Path("/proc/%d/status" % pid).read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0
