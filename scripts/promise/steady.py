"""What else is promised: a graceful stop, no clock, no growth."""
import shutil
import time

from daemon import Skip, picture, wait_for


def stop(bench):
    daemon = bench.daemon()
    for i in range(40):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("tablesight-test: hang %d" % i))
    daemon.start()
    wait_for(lambda: daemon.count("SELECT count(*) FROM photo WHERE state = 'running'") >= 2, 20)
    code, seconds = daemon.stop()
    running = daemon.count("SELECT count(*) FROM photo WHERE state = 'running'")
    charged = daemon.count("SELECT count(*) FROM photo WHERE attempt > 0")
    bench.expect(code == 0, "exit code %d" % code)
    bench.measure(seconds <= 10, "%.1f s" % seconds)
    bench.expect(running == 0 and charged == 0, "%d still running, %d charged" % (running, charged))
    return "%.1f s with two hung jobs, exit code %d, %d charged" % (seconds, code, charged)


def clock(bench):
    if not shutil.which("faketime"):
        raise Skip("faketime is not installed")
    daemon = bench.daemon()
    for i, shift in enumerate(("+0d", "-365d", "+365d")):
        (daemon.inbox / ("%d.png" % i)).write_bytes(picture("clock %d" % i))
        daemon.prefix = ["faketime", "-f", shift]
        daemon.finish()
    states = daemon.query("SELECT state, attempt, version FROM photo")
    bench.expect(len(states) == 3 and all(s == ("done", 1, 0) for s in states), "%s" % states)
    bench.expect(len(daemon.announced()) == 3, "%d outcomes" % len(daemon.announced()))
    return "3 starts a year apart in both directions: 3 photos, 3 outcomes"


def level(bench):
    count = bench.size(100, 20_000)
    daemon = bench.daemon().start()
    samples, files, made = [], [], 0
    for step in range(10):
        for _ in range(count // 10):
            (daemon.inbox / ("%d" % (made // 1000))).mkdir(exist_ok=True)
            (daemon.inbox / ("%d/%d.png" % (made // 1000, made))).write_bytes(picture("steady %d" % made))
            made += 1
        wait_for(lambda: daemon.announced_count() >= made, 1200, 0.1)
        time.sleep(1)
        samples.append(daemon.resident_mb())
        files.append(daemon.open_files())
    bench.expect(daemon.announced_count() == made, "%d of %d" % (daemon.announced_count(), made))
    # The first fifth warms caches up.
    slope = (samples[-1] - samples[2]) / (made * 0.7 / 1000)
    bench.measure(slope < 1, "%.2f MB per 1,000 jobs" % slope)
    bench.expect(max(files[2:]) - min(files[2:]) <= 6, "open files %s" % files)
    return "%d jobs: %.2f MB per 1,000 (%.0f to %.0f MB), %d to %d open files" % (
        made, slope, samples[2], samples[-1], min(files[2:]), max(files[2:]))
