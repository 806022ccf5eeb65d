internal import CLinuxSupport

/// What systemd is told, where it listens (`Type=notify`, `WatchdogSec=`).
enum SystemdNotice: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    /// The loop went round.
    case alive = "WATCHDOG=1"

    func send() { _ = ts_notify(rawValue) }
}
