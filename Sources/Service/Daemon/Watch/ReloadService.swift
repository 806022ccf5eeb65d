import Logging
import ServiceLifecycle
import UnixSignals
import Core

/// On SIGHUP: reads the configuration anew, and puts it in place where it is valid; else the old one stays.
struct ReloadService: Service {
    let live: LiveConfiguration
    let load: @Sendable () async throws -> WatchConfiguration
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                let fixed = live.swap(for: try await load())
                logger.notice("configuration read anew")
                if !fixed.isEmpty {
                    logger.warning(
                        "some of it holds only after a new start",
                        metadata: ["settings": "\(fixed.joined(separator: ", "))"])
                }
            } catch {
                logger.error("configuration refused, the old one stays", metadata: ["reason": "\(error)"])
            }
        }
    }
}
