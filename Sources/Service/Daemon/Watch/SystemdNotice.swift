internal import CLinuxSupport

/// Notifications for systemd (`Type=notify`, `WatchdogSec=`).
enum SystemdNotice: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    /// The daemon's loop is running.
    case alive = "WATCHDOG=1"

    func send() { _ = ts_notify(rawValue) }
}
