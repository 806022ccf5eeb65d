import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The daemon's state for health and metrics routes.
package struct DaemonProbe: Sendable {
    /// True while heartbeats arrive.
    package var isAlive: @Sendable () -> Bool
    /// Reasons why the daemon is not ready; empty if it is.
    package var shortcomings: @Sendable () -> [String]

    package init(
        isAlive: @escaping @Sendable () -> Bool, shortcomings: @escaping @Sendable () -> [String]
    ) {
        self.isAlive = isAlive
        self.shortcomings = shortcomings
    }
}

/// The daemon's HTTP server. Health routes are open; all others are behind ``RequestGuard``.
package struct APIServer: Service {
    private let settings: APISettings
    private let probe: DaemonProbe
    private let routes: [Route]
    private let logger: Logger
    private let onRunning, onEncrypted: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - onRunning: called with the port when requests are accepted.
    ///   - onEncrypted: the same for HTTPS.
    package init(
        _ settings: APISettings, probe: DaemonProbe, routes: [Route] = [], logger: Logger,
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in },
        onEncrypted: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.settings = settings
        self.probe = probe
        self.routes = routes
        self.logger = logger
        self.onRunning = onRunning
        self.onEncrypted = onEncrypted
    }

    package func run() async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        // Both servers share one limit.
        let limit = ConnectionLimit(most: settings.mostConnections, headTime: .seconds(settings.idleSeconds))
        var connection = HTTP1Channel.Configuration(
            additionalChannelHandlers: [limit.handler()], idleTimeout: .seconds(settings.idleSeconds))
        connection.httpDecoder = .init(
            maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)
        func server(
            _ builder: HTTPServerBuilder, port: Int, isEncrypted: Bool,
            _ onRunning: @escaping @Sendable (Int) async -> Void
        ) throws -> any Service {
            try builder.buildServer(
                configuration: ServerConfiguration(address: .hostname(settings.host, port: port)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet,
                responder: answer(quiet, isEncrypted: isEncrypted),
                onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) })
        }
        var servers = [
            try server(.http1(configuration: connection), port: settings.port, isEncrypted: false, onRunning)
        ]
        if let (port, certificate) = settings.encrypted {
            let builder = HTTPServerBuilder { [connection] responder in
                EncryptedChannel(
                    base: HTTP1Channel(responder: responder, configuration: connection), certificate: certificate)
            }
            servers.append(try server(builder, port: port, isEncrypted: true, onEncrypted))
        }
        try await withThrowingTaskGroup { group in
            for server in servers { group.addTask { try await server.run() } }
            // The first error ends the other server.
            for try await _ in group {}
        }
    }

    /// Answers each request by the routes. Hummingbird's `Application` does the same, but wakes an idle daemon each
    /// second for the date.
    private func answer(_ logger: Logger, isEncrypted: Bool) -> HTTPChannelHandler.Responder {
        let responder = router().buildResponder()
        return { request, writer, channel in
            let request = isEncrypted ? request.encrypted : request
            let context = APIContext(source: .init(channel: channel, logger: logger))
            var response: Response
            do { response = try await responder.respond(to: request, context: context) } catch {
                // The channel answers a head that cannot be parsed.
                if error is HTTPParserError { throw error }
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = HTTPDate(.now).description
            do { try await writer.write(response: response.head, body: response.body) } catch is HTTPParserError {
                // A parser's error would be answered, in the middle of this answer.
                throw CutAnswer()
            }
        }
    }

    private struct CutAnswer: Error {}

    /// Why ``run()`` failed, in the words of the system: "Address already in use".
    package static func cause(of error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }

    /// Whether the daemon lives and reads. Any host may ask.
    package static func health(_ probe: DaemonProbe) -> [Route] {
        [
            Route(
                .get, "healthz", for: nil, "True while every loop runs", gives: ("text/plain", "Alive.")
            ) { _ in
                probe.isAlive() ? .text("alive\n") : .text("the daemon's loop does not run\n", .serviceUnavailable)
            }.giving("text/plain", with: 503, "A loop does not run."),
            Route(
                .get, "readyz", for: nil, "True while photos can be read and stored",
                gives: ("text/plain", "Ready.")
            ) { _ in
                let list = probe.shortcomings()
                return list.isEmpty
                    ? .text("ready\n") : .text(list.joined(separator: "\n") + "\n", .serviceUnavailable)
            }.giving("text/plain", with: 503, "Not ready, with the reasons."),
        ]
    }

    /// All routes; tests use it without a socket.
    package func router() -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        router.add(middleware: AnswerRules(logger: logger, unknownPage: settings.unknownPage))
        for route in Self.health(probe) {
            router.on("\(route.path.pattern)", method: route.method) { request, context in
                try await route.answer(Call(request, context), refusalPage: nil)
            }
        }
        let known = router.group().add(middleware: RequestGuard(settings, logger: logger))
        let open = router.group().add(middleware: HostGuard(settings))
        for route in routes {
            let group = route.least == nil ? open : known
            group.on("\(route.path.pattern)", method: route.method) { [page = settings.refusalPage] request, context in
                try await route.answer(Call(request, context), refusalPage: page)
            }
        }
        return router
    }
}

extension Response {
    /// A short text for people and probes.
    static func text(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: .init(byteBuffer: .init(string: text)))
    }
}

/// The time of an answer as RFC 9110 writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate: CustomStringConvertible {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    let description: String

    init(_ time: Date) {
        var seconds = time_t(time.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits).joined(separator: ":")
        let day = Self.twoDigits(parts.tm_mday), month = Self.months[Int(parts.tm_mon)]
        description = "\(Self.days[Int(parts.tm_wday)]), \(day) \(month) \(parts.tm_year + 1900) \(clock) GMT"
    }

    private static func twoDigits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
