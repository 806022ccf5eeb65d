"""A graceful stop, changes of the clock, and memory over many photos."""

import json
import time
from datetime import UTC, datetime, timedelta

from tablesight_tools.pictures import fill, picture
from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import Bench, Skip


def stop(bench: Bench) -> str:
    daemon = bench.daemon()
    fill(daemon.inbox, "tablesight-test: hang", range(40))
    daemon.start()
    wait_for(lambda: daemon.count("SELECT count(*) FROM photo WHERE state = 'running'") >= 2)
    code, seconds = daemon.stop()
    running = daemon.count("SELECT count(*) FROM photo WHERE state = 'running'")
    charged = daemon.count("SELECT count(*) FROM photo WHERE attempt > 0")
    bench.expect(code == 0, "exit code %d" % code)
    bench.measure(seconds <= 10, "%.1f s" % seconds)
    bench.expect(running == 0 and charged == 0, "%d still running, %d charged" % (running, charged))
    return "%.1f s with two hung jobs, exit code %d, %d charged" % (seconds, code, charged)


def clock(bench: Bench) -> str:
    """Starts that are a year apart by wall-clock time. The monotonic clock is not changed."""
    library = bench.library("shifted-clock")
    if not library:
        raise Skip("no C compiler for the shifted clock")
    daemon, wrong = bench.daemon(), []
    daemon.environment["LD_PRELOAD"] = library
    for i, days in enumerate((0, -365, 365, 0)):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("clock %d" % i))
        daemon.environment["SHIFT_SECONDS"] = str(days * 86400)
        daemon.finish()
        stamp = daemon.query("SELECT body FROM event ORDER BY id DESC LIMIT 1")
        noted = datetime.fromisoformat(json.loads(bytes(stamp[0][0]))["timestamp"]) if stamp else None
        if noted is None or abs(noted - datetime.now(UTC) - timedelta(days=days)) > timedelta(days=1):
            wrong.append("%s, %d days from now" % (noted, days))
    states = daemon.query("SELECT state, attempt, version FROM photo")
    bench.expect(not wrong, "the clock was not shifted: %s" % wrong)
    bench.expect(len(states) == 4 and all(s == ("done", 1, 0) for s in states), "%s" % states)
    bench.expect(len(daemon.announced()) == 4, "%d outcomes" % len(daemon.announced()))
    return "4 starts, a year back and two years on between them: 4 photos, 4 outcomes, each read once"


def level(bench: Bench) -> str:
    count = bench.size(100, 20_000)
    daemon = bench.daemon().start()
    samples: list[float] = []
    files: list[int] = []
    made = 0
    for _round in range(10):
        for _photo in range(count // 10):
            (daemon.inbox / ("%d" % (made // 1000))).mkdir(exist_ok=True)
            (daemon.inbox / ("%d/%d.png" % (made // 1000, made))).write_bytes(picture("steady %d" % made))
            made += 1
        daemon.wait_announced(made, pause=0.1)
        time.sleep(1)
        samples.append(daemon.resident_mb())
        files.append(daemon.open_files())
    bench.expect(daemon.announced_count() == made, "%d of %d" % (daemon.announced_count(), made))
    # Caches fill during the first fifth.
    slope = (samples[-1] - samples[2]) / (made * 0.7 / 1000)
    bench.measure(slope < 1, "%.2f MB per 1,000 jobs" % slope)
    # A busy daemon closes the last photo's files a moment later.
    bench.expect(wait_for(lambda: daemon.open_files() <= min(files[2:]) + 6), "open files %s" % files)
    return (
        f"{made} jobs: {slope:.2f} MB per 1,000 ({samples[2]:.0f} to {samples[-1]:.0f} MB), {min(files[2:])} to "
        f"{max(files[2:])} open files"
    )
