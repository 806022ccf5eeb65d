import Intake
import Logging
import ServiceLifecycle
import Store
import Vocabulary

/// Looks into the inboxes whenever something happened there, and queues what is new and finished.
struct IntakeService: Service {
    let configuration: WatchConfiguration
    let store: OutcomeStore
    /// Rung when files were queued.
    let jobs: [WakeUp]
    let logger: Logger

    func run() async throws {
        let wakeUp = WakeUp()
        let events = try FolderEvents { wakeUp.ring() }
        var settling = Settling(interval: configuration.settle)
        wakeUp.ring()
        var timer: Task<Void, Never>?
        await withGracefulShutdownHandler {
            for await _ in wakeUp.rings {
                do { try look(events, &settling) } catch {
                    logger.error("cannot look into the inboxes", metadata: ["reason": "\(error)"])
                }
                if configuration.once, !settling.isWaiting { break }
                timer?.cancel()
                timer = ring(wakeUp, after: settling.isWaiting ? configuration.settle : configuration.rescan)
                // A file that grows sends an event a write: gather them.
                try? await Task.sleep(for: Self.gathering)
            }
        } onGracefulShutdown: {
            wakeUp.end()
        }
        timer?.cancel()
        jobs.forEach { $0.end() }
    }

    private static let gathering = Duration.milliseconds(50)

    private func ring(_ wakeUp: WakeUp, after pause: Duration) -> Task<Void, Never> {
        Task {
            // A cancelled sleep means that a newer timer was set.
            if (try? await Task.sleep(for: pause)) != nil { wakeUp.ring() }
        }
    }

    private func look(_ events: FolderEvents, _ settling: inout Settling) throws {
        var found: [FoundFile] = []
        for inbox in configuration.inboxes {
            do throws(ScanError) {
                // The watch is laid first: what comes between watch and scan is seen by one of the two.
                warnAboutUnwatched(events.watch([inbox]))
                let scan = try FolderScan(of: inbox)
                warnAboutUnwatched(events.watch(scan.folders))
                found += scan.files
            } catch {
                logger.warning(
                    "an inbox cannot be listed",
                    metadata: ["inbox": "\(error.folder.display)", "reason": "\(error.reason)"])
            }
        }
        let ready = settling.settled(try store.unknown(among: found), at: .now)
        try store.enqueue(ready) { configuration.sidecar(for: $0) }
        if !ready.isEmpty { jobs.forEach { $0.ring() } }
    }

    private func warnAboutUnwatched(_ folders: [FilePathBytes]) {
        guard let first = folders.first else { return }
        logger.warning(
            "folders without events are looked into only every \(configuration.rescan); raise fs.inotify.max_user_watches",
            metadata: ["count": "\(folders.count)", "first": "\(first.display)"])
    }
}
