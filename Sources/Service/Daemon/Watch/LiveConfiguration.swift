import Synchronization
import Core

/// The configuration as it is now: SIGHUP may put another in its place, between two looks of whoever uses it.
public final class LiveConfiguration: Sendable {
    private let value: Mutex<WatchConfiguration>

    init(_ configuration: WatchConfiguration) { value = Mutex(configuration) }

    var current: WatchConfiguration { value.withLock { $0 } }

    /// Who is judged for from now on.
    func setProfiles(_ profiles: [AllergenProfile]) { value.withLock { $0.profiles = profiles } }

    /// Takes over what can change while the daemon runs; answers the names of what needs a new start.
    func swap(for new: WatchConfiguration) -> [String] {
        value.withLock { old in
            var fixed: [String] = []
            if new.inboxes != old.inboxes { fixed.append("inboxes") }
            if new.output != old.output { fixed.append("output") }
            if new.workers != old.workers { fixed.append("workers.count") }
            if new.workerLimits != old.workerLimits { fixed.append("workers") }
            if new.boards != old.boards { fixed.append("boards") }
            if new.webhooks != old.webhooks { fixed.append("webhooks") }
            if new.remote != old.remote { fixed.append("remote") }
            old.settle = new.settle
            old.rescan = new.rescan
            old.poll = new.poll
            old.drawsOverlays = new.drawsOverlays
            old.profiles = new.profiles
            old.photoLimits = new.photoLimits
            old.minimumFreeBytes = new.minimumFreeBytes
            old.keptGoneOutcomes = new.keptGoneOutcomes
            return fixed
        }
    }
}
