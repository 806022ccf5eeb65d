"""Attacks from outside: names, writers, connections and other programs that strangers or neighbours use against the daemon."""
import ctypes
import hashlib
import os
import random
import resource
import socket
import subprocess
import sys
import threading
import time

from daemon import Skip, picture, wait_for


def _pairs():
    """Names of which the second needs a folder where the first has its sidecar, or its folder's other name."""
    return [("x", "x.json/y.png"), ("a.png", "a.png.json/b.png"), ("d/e.json/f.png", "d/e.json.folder/f.png")]


def _places(daemon):
    """Path below the inbox → (status, place of the sidecar, whether that holds this photo's outcome)."""
    found = {}
    for path, sidecar, text in daemon.query("SELECT path, sidecar, json FROM photo JOIN outcome ON outcome.photo = photo.id"):
        try:
            with open(sidecar, "rb") as file:
                equal = file.read() == bytes(text) + b"\n"
        except OSError:
            equal = False
        name = os.path.relpath(os.fsdecode(path), daemon.inbox.resolve())
        found[name] = (daemon.outcomes()[os.fsdecode(path)]["status"], os.fsdecode(sidecar), equal)
    return found


def hostile_names(bench):
    """Three pairs in each order and at once; after each order a restart, with the photos and without them."""
    orders = {"first": (0, 1), "second": (1, 0), "together": ()}
    outcomes = 0
    for order, turns in orders.items():
        inbox = bench.inbox("names-" + order)
        names = [[pair[turn] for pair in _pairs()] for turn in turns] or [sum(map(list, _pairs()), [])]
        daemon = bench.daemon(inbox, environment={"TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "20"}).start()
        wanted = 0
        for group in names:
            for name in group:
                (inbox / name).parent.mkdir(parents=True, exist_ok=True)
                (inbox / name).write_bytes(picture(name))
                wanted += 1
            wait_for(lambda: daemon.announced_count() >= wanted or not daemon.is_alive(), 20)
        bench.expect(daemon.is_alive(), "%s: the daemon ended with %s" % (order, daemon.process.poll()))
        places = _places(daemon)
        bench.expect(len(places) == 6, "%s: %d of 6 outcomes" % (order, len(places)))
        wrong = [name for name, (status, _, equal) in places.items() if status == "failed" or not equal]
        bench.expect(not wrong, "%s: no outcome or sidecar of its own: %s" % (order, wrong))
        shared = len(places) - len({place for _, place, _ in places.values()})
        bench.expect(shared == 0, "%s: %d photos share a sidecar" % (order, shared))
        daemon.kill()
        (inbox / "later.png").write_bytes(picture("later " + order))
        daemon.start()
        later = wait_for(lambda: "later.png" in _places(daemon), 20)
        bench.expect(later and len(_places(daemon)) == 7, "%s: %d of 7 outcomes after a restart" % (order, len(_places(daemon))))
        for folder, _, files in os.walk(inbox):
            for file in files:
                os.unlink(os.path.join(folder, file))
        code, _ = daemon.stop()
        daemon.start()
        bench.expect(code == 0 and daemon.stop()[0] == 0, "%s: a start without the photos failed" % order)
        outcomes += len(places)
    return "3 pairs in 3 orders, each with 2 restarts: %d outcomes, no sidecar shared" % outcomes


class Accesses:
    """What the kernel tells of files in one folder that are read (inotify)."""
    ACCESS = 0x1

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if libc.inotify_add_watch(self.descriptor, os.fsencode(str(folder)), self.ACCESS) < 0:
            raise Skip("inotify: %s" % os.strerror(ctypes.get_errno()))

    def names(self):
        try:
            data, at, found = os.read(self.descriptor, 65536), 0, []
        except BlockingIOError:
            return []
        while at < len(data):
            length = int.from_bytes(data[at + 12:at + 16], sys.byteorder)
            found.append(os.fsdecode(data[at + 16:at + 16 + length].rstrip(b"\0")))
            at += 16 + length
        return found

    def close(self):
        os.close(self.descriptor)


def rewrite(bench):
    """Photos that are rewritten whenever somebody reads them: what was read in one content is never told of another."""
    count, changes, rest = bench.size(6, 40), bench.size(4, 12), bench.size(1, 3)
    daemon, chance = bench.daemon(environment={"TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "20"}), random.Random(5)
    known, variants = {}, {}
    # The worker says which words it saw at the beginning. Behind them is as much as keeps the hash busy for a while.
    filler = {which: which.encode() * (bench.size(8, 24) << 20) for which in "ab"}
    for i in range(count):
        for which in "ab":
            words = "tablesight-test: seen %03d-%s" % (i, which)
            data = words.encode().ljust(4096, b"\0") + filler[which]
            known["sha256:" + hashlib.sha256(data).hexdigest()] = words
            variants[i, which] = words.encode().ljust(4096, b"\0")
            # Photos of a kind that is not rewritten, with these very bytes, for the end.
            (bench.inbox("stage") / ("%03d-%s.png" % (i, which))).write_bytes(data)
        (daemon.inbox / ("%03d.png" % i)).write_bytes((bench.inbox("stage") / ("%03d-a.png" % i)).read_bytes())
    accesses, written, done = Accesses(daemon.inbox), [0], threading.Event()
    left, now, later = {i: changes for i in range(count)}, {i: "a" for i in range(count)}, []

    def change(i, file):
        """Other bytes of the same length and with the same time of modification."""
        now[i] = "b" if now[i] == "a" else "a"
        before = os.fstat(file)
        os.pwrite(file, variants[i, now[i]], 0)
        os.pwrite(file, filler[now[i]], 4096)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        written[0] += 1

    def write():
        while not done.is_set():
            for i in {int(name[:3]) for name in accesses.names() if name[:3].isdigit()}:
                if left[i] > 0 and all(i != other for _, other, _ in later):
                    left[i] -= 1
                    # Every second photo at once, the others after the hash and before the worker looks, half a second later.
                    # These stay open for writing until the daemon is done: they cannot be queued again.
                    pause = chance.choice((0, 0.001, 0.01, 0.3)) if i % 2 else chance.uniform(0.1, 0.4)
                    later.append((time.monotonic() + pause, i, None))
            for entry in [entry for entry in later if entry[0] <= time.monotonic()]:
                later.remove(entry)
                _, i, file = entry
                if file is None:
                    file = os.open(daemon.inbox / ("%03d.png" % i), os.O_RDWR)
                    change(i, file)
                    if i % 2 == 0:
                        later.append((time.monotonic() + 1.5, i, file))
                        continue
                elif chance.random() < 0.5:
                    change(i, file)
                os.close(file)
            done.wait(0.002)

    thread = threading.Thread(target=write)
    thread.start()
    daemon.start(ready=False)
    settled = "SELECT count(*) FROM photo WHERE state = 'done'"
    wait_for(lambda: daemon.count(settled) >= count or not daemon.is_alive(), bench.size(60, 600), 0.2)
    done.set()
    thread.join()
    accesses.close()
    bench.expect(daemon.is_alive(), "the daemon ended")
    while rest and wait_for(lambda: daemon.count(settled) >= count, 60, 0.2):
        rest -= 1
        time.sleep(1)
    for i in range(count):
        for which in "ab":
            os.rename(bench.inbox("stage") / ("%03d-%s.png" % (i, which)), daemon.inbox / ("copy-%03d-%s.png" % (i, which)))
    bench.expect(wait_for(lambda: daemon.count(settled) >= count * 3, bench.size(60, 600), 0.2), "%d of %d photos done" % (
        daemon.count(settled), count * 3))
    foreign = torn = own = 0
    for outcome in daemon.announced():
        words = known.get(outcome.get("id"))
        seen = outcome["versions"]["models"].get("test", "").split("\0")[0]
        torn += words is None
        foreign += words is not None and seen != words
        own += words is not None and seen == words
    bench.expect(written[0] >= count, "only %d rewrites happened" % written[0])
    bench.expect(foreign == 0, "%d outcomes with the reading of another content" % foreign)
    bench.expect(torn == 0, "%d outcomes of contents that no version of a file had" % torn)
    return "%d rewrites of %d photos while they were read: %d outcomes, all with their own reading, 0 of torn contents" % (
        written[0], count, own)


def _opened(daemon, names):
    """True while the daemon has all these files open."""
    found = set()
    try:
        for file in os.listdir("/proc/%d/fd" % daemon.pid):
            found.add(os.path.basename(os.readlink("/proc/%d/fd/%s" % (daemon.pid, file))))
    except OSError:
        pass
    return names <= found


def growing(bench):
    """Two files that grow to 8 TiB while they are hashed: the daemon goes on answering, and ends when it is asked to."""
    daemon = bench.daemon(environment={"TABLESIGHT_PHOTOS_FILE_MI_B": "4096"})
    names, slowest, answers = {"a.png", "b.png"}, 0, 0
    for name in names:
        (daemon.inbox / name).write_bytes(b"")
        os.truncate(daemon.inbox / name, (4 << 30) - 4096)
    (bench.folder / "large").write_bytes(b"")
    try:
        os.truncate(bench.folder / "large", 8 << 40)
    except OSError:
        raise Skip("this file system has no files of 8 TiB")
    (bench.folder / "large").unlink()
    daemon.start()
    bench.expect(wait_for(lambda: _opened(daemon, names), 30, 0.005), "the files were not opened")
    for name in names:
        os.truncate(daemon.inbox / name, 8 << 40)
    grown = _opened(daemon, names)
    end = time.monotonic() + bench.size(2, 20)
    while time.monotonic() < end:
        start = time.monotonic()
        status = daemon.status("/healthz")
        slowest, answers = max(slowest, time.monotonic() - start), answers + 1
        bench.expect(status == 200, "/healthz %d while files grow" % status)
        time.sleep(0.05)
    code, seconds = daemon.stop(60)
    bench.expect(grown, "the files were closed before they had grown: nothing was shown")
    bench.expect(code == 0, "exit code %d" % code)
    bench.expect(seconds <= 10, "SIGTERM took %.1f s" % seconds)
    # Once more while they are hashed that do not grow, but take long: a stop waits for no hash.
    for name in names:
        os.truncate(daemon.inbox / name, (4 << 30) - 8192)
    daemon.start()
    bench.expect(wait_for(lambda: _opened(daemon, names), 30, 0.005), "the files were not opened again")
    code, hashing = daemon.stop(60)
    bench.expect(code == 0 and hashing <= 10, "SIGTERM while hashing: exit code %d after %.1f s" % (code, hashing))
    for name in names:
        os.truncate(daemon.inbox / name, 8 << 40)
    (daemon.inbox / "good.png").write_bytes(picture("good"))
    daemon.start()
    wait_for(lambda: len(daemon.outcomes()) == 3, 30)
    ends = {os.path.basename(path): (o.get("reason") or {}).get("code") for path, o in daemon.outcomes().items()}
    bench.expect(ends == {"a.png": "tooLarge", "b.png": "tooLarge", "good.png": "nothingRead"}, "after the restart: %s" % ends)
    return "2 files of 8 TiB: /healthz at most %.0f ms of %d, SIGTERM ends it after %.1f s, %.1f s while it hashes; " \
        "both tooLarge" % (slowest * 1000, answers, seconds, hashing)


# Opens photos for writing as fast as it can. Now and then it writes a byte that was there before, so that the daemon takes the
# photo for new and tries its lease again.
HAMMER = """
import os, random, sys, time
chance, paths = random.Random(int(sys.argv[1])), sys.argv[3:]
end, written, count = time.monotonic() + float(sys.argv[2]), 0, 0
while time.monotonic() < end:
    writes = time.monotonic() > written + 0.2
    for path in paths:
        try:
            file = os.open(path, os.O_RDWR)
            if writes:
                os.pwrite(file, os.pread(file, 1, 0), 0)
            os.close(file)
            count += 1
        except OSError:
            pass
    if writes:
        written = time.monotonic()
        time.sleep(chance.choice((0, 0.001, 0.03)))
print(count)
"""


def hammer(bench):
    """Other processes open the photos for writing in a loop: each time they break the daemon's lease, the kernel sends SIGIO."""
    seconds, count = bench.size(8, 60), bench.size(30, 200)
    environment = {"TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "20"}
    library = bench.library("slow-lease")
    if library:
        environment["LD_PRELOAD"] = library
    daemon = bench.daemon(environment=environment)
    for i in range(count):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("hammer %d" % i))
    paths = [str(daemon.inbox / ("%d.png" % i)) for i in range(count)]
    daemon.start(ready=False)
    pid = daemon.pid
    # Two writers with three photos each.
    writers = [subprocess.Popen([sys.executable, "-c", HAMMER, str(i), str(seconds), *paths[3 * i:3 * i + 3]],
                                stdout=subprocess.PIPE) for i in range(2)]
    start, added, health = time.monotonic(), 0, []
    while any(writer.poll() is None for writer in writers) and daemon.is_alive():
        (daemon.inbox / ("new%d.png" % added)).write_bytes(picture("new %d" % added))
        added += 1
        if daemon.address():
            health.append(daemon.status("/healthz"))
        time.sleep(0.2)
    opens = sum(int(writer.communicate()[0] or 0) for writer in writers)
    bench.expect(daemon.is_alive() and daemon.pid == pid, "the daemon ended with %s after %.1f s" % (
        daemon.process.poll(), time.monotonic() - start))
    done = wait_for(lambda: len(daemon.outcomes()) == count + added or not daemon.is_alive(), 60, 0.2) and daemon.is_alive()
    failed = [o for o in daemon.outcomes().values() if o["status"] == "failed"]
    bench.expect(done and not failed, "%d of %d photos done, %d of them failed" % (
        len(daemon.outcomes()), count + added, len(failed)))
    bench.expect(opens > 1000, "only %d opens" % opens)
    bench.expect(set(health) == {200}, "/healthz answered %s" % sorted(set(health)))
    return "%d opens for writing in %d s%s: same process, %d of %d photos done, /healthz 200 each of %d times" % (
        opens, seconds, ", each lease kept 5 ms" if library else "", len(daemon.outcomes()), count + added, len(health))


def connections(bench):
    """Far more connections that say nothing than the daemon may have files open."""
    count, most = 1100, 256
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < count + 200:
        raise Skip("this user may have %d files open, the check needs %d" % (hard, count + 200))
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + 200), hard))
    daemon = bench.daemon(prefix=["prlimit", "--nofile=%d:%d" % (most, most)])
    daemon.start()
    daemon.prefix = []  # prlimit becomes the daemon
    bench.expect(resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE) == (most, most), "the limit is not in force")
    pid, port = daemon.pid, int(daemon.address().rsplit(":", 1)[1])
    clients, rounds = [], bench.size(1, 5)
    for turn in range(rounds):
        refused = 0
        for _ in range(count):
            client = socket.socket()
            client.settimeout(2)
            try:
                client.connect(("127.0.0.1", port))
            except OSError:
                refused += 1  # one may meet a full queue; a daemon that takes none any more is not asked 1,100 times
            clients.append(client)
            if refused > 5:
                break
        bench.expect(refused <= 5, "only %d of %d connections were taken" % (len(clients) - refused, count))
        status = [daemon.status("/healthz") for _ in range(5)]
        bench.expect(status == [200] * 5, "with the connections open /healthz answers %s" % status)
        (daemon.inbox / ("%d.png" % turn)).write_bytes(picture("connections %d" % turn))
        bench.expect(wait_for(lambda: len(daemon.outcomes()) == turn + 1, 20), "no photo is read with the connections open")
        files = daemon.open_files() if daemon.is_alive() else 0
        bench.expect(files <= most * 3 // 4, "%d of %d descriptors are in use" % (files, most))
        for client in clients:
            client.close()
        clients.clear()
    bench.expect(daemon.is_alive() and daemon.pid == pid, "the daemon ended with %s" % daemon.process.poll())
    bench.expect(daemon.status("/readyz") == 200, "not ready afterwards")
    code, seconds = daemon.stop()
    bench.expect(code == 0, "exit code %d" % code)
    return "%d idle connections with %d descriptors: /healthz 200, photos read, %d descriptors in use, stopped after %.1f s" % (
        count * rounds, most, files, seconds)
