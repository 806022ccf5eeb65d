import Foundation
import HTTP
import Logging
import ServiceLifecycle
import Store
import Core

/// Serves the API while the daemon runs. If the port is in use, the daemon runs without the API.
struct APIService: Service {
    let settings: APISettings
    let output: FilePathBytes
    let probe: DaemonProbe
    let routes: [Route]
    /// Done before the first request.
    let begin: @Sendable () async throws -> Void
    /// True if the port was configured.
    let isPortFixed: Bool
    let logger: Logger

    func run() async throws {
        // Other programs must not take the address of a daemon that has ended.
        defer { removeAddress() }
        do { try await begin() } catch {
            logger.warning("an earlier deletion is not done yet", metadata: ["reason": "\(error)"])
        }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { port.finish() }
                try await serve { port.yield($0) }
            }
            group.addTask { for await number in ports { try await announce(port: number) } }
            // The first error ends the daemon: `waitForAll` would wait for the server.
            do { while try await group.next() != nil {} } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    private func serve(_ onRunning: @escaping @Sendable (Int) -> Void) async throws {
        let server = APIServer(
            settings, probe: probe, routes: routes, logger: logger, onRunning: onRunning,
            onEncrypted: { port in
                logger.notice("HTTPS", metadata: ["address": "https://\(settings.host):\(port)"])
            })
        do { try await server.run() } catch {
            if isPortFixed {
                throw StartupError(
                    .unavailable,
                    "the API cannot listen on \(settings.ports): \(APIServer.cause(of: error)); set another api.port or api.httpsPort"
                )
            }
            logger.warning(
                "the API is off because its port is in use; set another api.port",
                metadata: ["port": "\(settings.port)", "reason": "\(APIServer.cause(of: error))"])
            // End with the other services.
            try? await gracefulShutdown()
        }
    }

    /// Writes the address for other programs; a full disk is waited for.
    ///
    /// - Throws: ``StartupError`` (74) where the disk fails: after a failed sync nobody knows what is on it.
    private func announce(port: Int) async throws {
        let address = "http://\(settings.host.contains(":") ? "[\(settings.host)]" : settings.host):\(port)"
        logger.notice("API", metadata: ["address": "\(address)", "token": "\(output.display)/api-token"])
        let place = addressFile
        while true {
            do throws(StartupError) {
                return try SidecarFile.write(Data((address + "\n").utf8), to: place)
            } catch {
                guard error.isDiskFull else { throw error }
                logger.warning("the API's address cannot be written yet", metadata: ["reason": "\(error.message)"])
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private var addressFile: FilePathBytes { output.appending(names: "api-address") }

    private func removeAddress() { addressFile.withCString { _ = unlink($0) } }
}
