import Core
import Engine
import Foundation
import HTTP
import Hashing
import Logging

/// A queue for the time of one command, such as `tablesight batch`.
package struct QueueRun: Sendable {
    /// Where workers fetch photos.
    package struct Contents: Sendable {
        var host: String
        var port: Int
        var token: String

        /// - Parameters:
        ///   - place: `HOST:PORT`. A name that is not the loopback's listens on every interface.
        ///   - tokenFile: it is made if it is missing.
        /// - Throws: ``StartupError`` for a wrong place, or a file that cannot be used.
        package init(_ place: String, tokenFile: String) throws(StartupError) {
            let address = try? QueueAddress("nats://\(place)")
            guard let address, place.hasSuffix(":\(address.port)") else {
                throw StartupError(.usage, "--serve must be HOST:PORT, not \(place)")
            }
            (host, port) = (address.host, address.port)
            guard let path = FilePathBytes(tokenFile) else {
                throw StartupError(.usage, "--worker-token must not be empty")
            }
            token = try OutputFolder.token(at: path)
        }

        fileprivate var settings: APISettings {
            let isHere = (try? QueueAddress("nats://\(host)"))?.isLoopback == true
            return APISettings(
                host: isHere ? host : "0.0.0.0", port: port, token: RandomBytes.token(),
                allowedHosts: [host])
        }
    }

    private let settings: QueueSettings
    private let contents: Contents?
    private let logger: Logger

    package init(_ settings: QueueSettings, contents: Contents?, logger: Logger) {
        self.settings = settings
        self.contents = contents
        self.logger = logger
    }

    /// Most photos that wait for other machines.
    package var mostOutstanding: Int { settings.mostOutstanding }

    /// Runs `body` with a processor whose photos are also read by workers of the queue.
    ///
    /// - Throws: what `body` throws; ``StartupError`` if the queue cannot be used, or the place is taken.
    package func with(
        _ processor: PhotoProcessor, readsHere: Bool, _ body: (PhotoProcessor) async throws -> Void
    ) async throws {
        let backend = QueueBackend(
            settings, pool: processor.workers, readsHere: readsHere, limits: WorkerLimits(), logger: logger)
        var queued = processor
        queued.reading.backend = backend
        // Before the first photo: whatever a person must change ends the command without a row.
        try await connect(backend)
        let serving = if let contents { try await Serving(contents, backend, logger) } else { nil as Serving? }
        let service = QueueService(backend, logger: logger)
        let keeping = Task { try await service.keep() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(queued)) } catch { result = .failure(error) }
        keeping.cancel()
        serving?.end()
        _ = await keeping.result
        await backend.stop()
        try result.get()
    }

    private func connect(_ backend: QueueBackend) async throws {
        var isSaid = false
        while true {
            do { return try await backend.connect() } catch let error as QueueError {
                if !isSaid {
                    logger.warning(
                        "the queue \(settings.server.address) cannot be reached: trying again",
                        metadata: ["reason": "\(error)"])
                }
                isSaid = true
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// The server from which workers fetch photos.
    private struct Serving {
        private let task: Task<Void, any Error>

        /// Returns when it listens.
        init(_ contents: Contents, _ backend: QueueBackend, _ logger: Logger) async throws {
            let (listens, begun) = AsyncStream.makeStream(of: Void.self)
            let content = backend.contents(for: contents.token)
            let probe = DaemonProbe(isAlive: { true }, shortcomings: { [] })
            let server = APIServer(contents.settings, probe: probe, routes: [content], logger: logger) { _ in
                begun.yield()
            }
            task = Task {
                defer { begun.finish() }
                try await server.run()
            }
            for await _ in listens { return }
            do { try await task.value } catch {
                throw StartupError(
                    .unavailable,
                    "workers cannot fetch photos from \(contents.host):\(contents.port): "
                        + "\(APIServer.cause(of: error)); use another --serve")
            }
        }

        func end() { task.cancel() }
    }
}
