"""Promises 11 and 15: the daemon keeps to its own folders, and what it writes has nothing of a photo's EXIF data."""

import os
import re
import shutil
import socket
import threading
import time
from pathlib import Path

from tablesight_tools.pictures import picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import Bench, Skip


def own_tree(bench: Bench) -> str:
    if not shutil.which("strace"):
        raise Skip("strace is not installed")
    outside = bench.inbox("outside")
    (outside / "secret.png").write_bytes(picture("secret"))
    inbox, trace = bench.inbox(), bench.folder / "trace"
    daemon = bench.daemon(prefix=["strace", "-f", "-qq", "-y", "-o", str(trace), "-e", "trace=open,openat,openat2"])
    os.symlink(outside / "secret.png", inbox / "link.png")
    os.symlink(outside, inbox / "tree")
    os.symlink("/etc/passwd", inbox / "passwd.png")
    os.mkfifo(inbox / "pipe.png")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(inbox / "socket.png"))
    try:
        os.mknod(inbox / "device.png", 0o60600, os.makedev(7, 0))
    except OSError:
        pass  # not allowed for this user, or here
    for name in (b"a\nb.png", b"\xff\xfe.png", b"-rf.png", b"%s%n.png", b"x" * 250 + b".png", b" .png"):
        Path(os.fsdecode(os.fsencode(str(inbox)) + b"/" + name)).write_bytes(picture(repr(name)))
    daemon.start()
    swapping = threading.Event()

    def swap() -> None:
        """Replaces good files and folders by links, and the links by files and folders."""
        while not swapping.is_set():
            for name in ("s1.png", "s2.png"):
                (bench.folder / "l").unlink(missing_ok=True)
                (bench.folder / "g").write_bytes(picture(name))
                os.rename(bench.folder / "g", inbox / name)
                time.sleep(0.02)
                os.symlink(outside / "secret.png", bench.folder / "l")
                os.rename(bench.folder / "l", inbox / name)
            folder = inbox / "swapped"
            folder.mkdir(exist_ok=True)
            (folder / "secret.png").write_bytes(picture("inside"))
            time.sleep(0.02)
            shutil.rmtree(folder)
            os.symlink(outside, folder)
            time.sleep(0.02)
            folder.unlink()

    thread = threading.Thread(target=swap)
    thread.start()
    time.sleep(bench.size(3, 60))
    swapping.set()
    thread.join()
    daemon.wait_announced(6)
    bench.expect(daemon.is_alive(), "the daemon ended")
    bench.expect(daemon.announced_count() >= 6, "%d outcomes" % daemon.announced_count())
    daemon.stop()
    # The C library opens /etc/passwd by this name, for the home folder. Any other open of that file is wrong.
    lines = [line for line in whole_calls(trace.read_bytes()) if b'"/etc/passwd"' not in line]
    opened = re.findall(rb"= \d+<([^>]*)>", b"\n".join(lines))
    wrong = {
        p for p in opened if p.startswith(os.fsencode(str(outside))) or p.startswith(b"/etc/passwd") or b"loop" in p
    }
    special = [o for o in daemon.announced() if re.search(r"link|pipe|socket|device|passwd", o["source"]["path"])]
    bench.expect(not wrong, "opened outside: %s" % sorted(wrong)[:3])
    bench.expect(not special, "outcomes of special files: %s" % [o["source"]["path"] for o in special][:3])
    bench.expect(len(opened) > 10, "the trace saw only %d opens" % len(opened))
    return (
        f"{len(opened)} opens, {len(wrong)} outside; {daemon.announced_count()} outcomes, none of links, pipes, "
        "sockets or devices"
    )


def whole_calls(trace: bytes) -> list[bytes]:
    """The lines of a trace by `strace -f`, with calls joined that another thread interrupted in the output."""
    begun: dict[bytes, bytes] = {}
    lines = []
    for line in trace.splitlines():
        thread = line.split(b" ", 1)[0]
        if line.endswith(b"<unfinished ...>"):
            begun[thread] = line
        elif b" resumed>" in line:
            lines.append(begun.pop(thread, b"") + line)
        else:
            lines.append(line)
    return lines


def closed(bench: Bench) -> str:
    inbox = bench.inbox()
    canary = b"CANARY-51.477928-N"
    jpeg = (bench.root / "samples/barcodes/spread-ean13.jpg").read_bytes()
    exif = (
        b"Exif\0\0II*\0\x08\0\0\0\1\0\x0e\x01\2\0"
        + (len(canary) + 1).to_bytes(4, "little")
        + b"\x1a\0\0\0\0\0\0\0"
        + canary
        + b"\0"
    )
    segment = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    comment = b"\xff\xfe" + (len(canary) + 2).to_bytes(2, "big") + canary
    (inbox / "gps.jpg").write_bytes(jpeg[:2] + segment + comment + jpeg[2:])
    daemon = bench.daemon(real=True, arguments=["--overlays"], environment={"TABLESIGHT_LOG_LEVEL": "trace"}).start()
    bench.expect(wait_for(lambda: daemon.announced_count() == 1), "no outcome")
    time.sleep(1)
    status = [p.read_text() for p in (Path("/proc/%d/status" % c) for c in daemon.children()) if p.exists()]
    confined = sum("Seccomp:\t2" in s and "NoNewPrivs:\t1" in s for s in status)
    bench.expect(status and confined == len(status), "%d of %d workers confined" % (confined, len(status)))
    mode = (daemon.output / "api-token").stat().st_mode & 0o777
    bench.expect(mode == 0o600, "api-token has mode %o" % mode)
    daemon.stop()
    hits = [
        str(p)
        for p in [*daemon.output.rglob("*"), daemon.log, daemon.out]
        if p.is_file() and (canary in p.read_bytes() or b"51.477928" in p.read_bytes())
    ]
    bench.expect(not hits, "the canary is in %s" % hits)
    return f"canary: {len(hits)} hits; {confined} of {len(status)} workers under seccomp"
