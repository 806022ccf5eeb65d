import Synchronization
import Core

/// The current configuration; SIGHUP may replace it at any time.
package final class LiveConfiguration: Sendable {
    private let value: Mutex<WatchConfiguration>

    init(_ configuration: WatchConfiguration) { value = Mutex(configuration) }

    var current: WatchConfiguration { value.withLock { $0 } }

    /// Replaces the people to judge for.
    func setProfiles(_ profiles: [AllergenProfile]) { value.withLock { $0.profiles = profiles } }

    /// Applies the settings that can change at run time, and returns the names of those that need a restart.
    func swap(for new: WatchConfiguration) -> [String] {
        value.withLock { old in
            var fixed: [String] = []
            if new.inboxes != old.inboxes { fixed.append("inboxes") }
            if new.output != old.output { fixed.append("output") }
            if new.workers != old.workers { fixed.append("workers.count") }
            if new.workerLimits != old.workerLimits { fixed.append("workers") }
            if new.boards != old.boards { fixed.append("boards") }
            if new.cameras != old.cameras { fixed.append("cameras") }
            if new.webhooks != old.webhooks { fixed.append("webhooks") }
            if new.mqtt != old.mqtt { fixed.append("mqtt") }
            if new.remote != old.remote { fixed.append("remote") }
            if new.queue != old.queue { fixed.append("queue") }
            old.settle = new.settle
            old.rescan = new.rescan
            old.poll = new.poll
            old.drawsOverlays = new.drawsOverlays
            old.profiles = new.profiles
            old.photoLimits = new.photoLimits
            old.minimumFreeBytes = new.minimumFreeBytes
            old.keptGoneOutcomes = new.keptGoneOutcomes
            old.mostWaiting = new.mostWaiting
            return fixed
        }
    }
}
