import Core
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

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
            let fixed = [
                ("inboxes", new.inboxes != old.inboxes), ("output", new.output != old.output),
                ("workers.count", new.workers != old.workers), ("workers", new.workerLimits != old.workerLimits),
                ("boards", new.boards != old.boards), ("cameras", new.cameras != old.cameras),
                ("games", new.games != old.games),
                ("webhooks", new.webhooks != old.webhooks), ("mqtt", new.mqtt != old.mqtt),
                ("remote", new.remote != old.remote), ("queue", new.queue != old.queue),
            ]
            old.settle = new.settle
            old.rescan = new.rescan
            old.poll = new.poll
            old.drawsOverlays = new.drawsOverlays
            old.profiles = new.profiles
            old.photoLimits = new.photoLimits
            old.minimumFreeBytes = new.minimumFreeBytes
            old.keptGoneOutcomes = new.keptGoneOutcomes
            old.mostWaiting = new.mostWaiting
            return fixed.filter(\.1).map(\.0)
        }
    }
}

/// On SIGHUP, reads the configuration again. A valid one is applied; otherwise the old one stays.
struct ReloadService: Service {
    let live: LiveConfiguration
    let load: @Sendable () async throws -> WatchConfiguration
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                let fixed = live.swap(for: try await load())
                logger.notice("configuration reloaded")
                if !fixed.isEmpty {
                    logger.warning(
                        "some changed settings need a restart",
                        metadata: ["settings": "\(fixed.joined(separator: ", "))"])
                }
            } catch {
                logger.error(
                    "the new configuration is invalid: the old one stays in use", metadata: ["reason": "\(error)"])
            }
        }
    }
}
