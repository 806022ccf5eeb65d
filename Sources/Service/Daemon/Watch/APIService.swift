import Foundation
import HTTPAPI
import Logging
import ServiceLifecycle
import Store
import Core

/// Serves the API while the daemon runs. If the port is in use, the daemon runs without the API.
struct APIService: Service {
    let settings: APISettings
    let output: FilePathBytes
    let probe: DaemonProbe
    let routes: [any APIRoutes]
    /// True if the port was configured.
    let isPortFixed: Bool
    let logger: Logger

    func run() async throws {
        let place = output.appending(names: "api-address")
        let server = APIServer(settings, probe: probe, routes: routes, logger: logger) { port in
            let address = "http://\(settings.host.contains(":") ? "[\(settings.host)]" : settings.host):\(port)"
            logger.notice("API", metadata: ["address": "\(address)", "token": "\(output.display)/api-token"])
            try? SidecarFile.write(Data((address + "\n").utf8), to: place)
        }
        do { try await server.run() } catch {
            if isPortFixed {
                throw StartupError(
                    .unavailable,
                    "the API cannot listen on \(settings.host):\(settings.port): \(error); set another api.port")
            }
            logger.warning(
                "the API is off because its port is in use; set another api.port",
                metadata: ["port": "\(settings.port)", "reason": "\(error)"])
            // End with the other services.
            try? await gracefulShutdown()
        }
    }

    /// The token in the output folder, created if it is missing; only its owner may read it.
    static func token(in output: FilePathBytes) throws(StartupError) -> String {
        let place = output.appending(names: "api-token")
        if let data = FileManager.default.contents(atPath: place.display) {
            let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if token.count >= 16 { return token }
        }
        var random = SystemRandomNumberGenerator()
        let token = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let before = umask(0o077)
        defer { umask(before) }
        try SidecarFile.write(Data((token + "\n").utf8), to: place)
        place.withCString { _ = chmod($0, 0o600) }
        return token
    }
}
