import Logging
import ServiceLifecycle
import UnixSignals
import Core

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
