import Foundation
import Hummingbird
import ServiceLifecycle

/// An event of the stream.
public struct APIEvent: Sendable {
    /// Counts up; a client that lost the connection names the last one it saw.
    public var number: Int64
    public var kind: String
    /// One line of JSON.
    public var body: Data

    public init(number: Int64, kind: String, body: Data) {
        self.number = number
        self.kind = kind
        self.body = body
    }
}

/// `GET /v1/events`: what happens, as server-sent events; `Last-Event-ID` (or `?since=`) takes up where a client stopped.
///
/// Without it the stream begins now. Events come from the database, so that a restart of the daemon loses none.
public struct EventRoutes: APIRoutes {
    private let latest: @Sendable () async throws -> Int64
    private let after: @Sendable (Int64, Int) async throws -> [APIEvent]

    /// How often the database is asked while nothing happens.
    private static let pause = Duration.milliseconds(250)
    /// How many pauses before a comment keeps the connection open.
    private static let quietPauses = 60

    /// - Parameters:
    ///   - latest: the number of the newest event, 0 before the first.
    ///   - after: at most so many events after a number, in order.
    public init(
        latest: @escaping @Sendable () async throws -> Int64,
        after: @escaping @Sendable (Int64, Int) async throws -> [APIEvent]
    ) {
        self.latest = latest
        self.after = after
    }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/events") { request, _ in
            let header = request.headers.first { $0.name.canonicalName == "last-event-id" }?.value
            let named = header ?? request.uri.queryParameters["since"].map { String($0) }
            let start = if let number = named.flatMap({ Int64($0) }) { number } else { try await latest() }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    // What is thrown here is the end of the connection, or of the daemon.
                    try? await stream(from: start, &writer)
                    try await writer.finish(nil)
                })
        }
    }

    private func stream(from start: Int64, _ writer: inout any ResponseBodyWriter) async throws {
        var last = start
        var quiet = 0
        try await writer.write(ByteBuffer(string: ": connected\n\n"))
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let events = try await after(last, 100)
            for event in events {
                let line = String(decoding: event.body, as: UTF8.self)
                try await writer.write(
                    ByteBuffer(string: "id: \(event.number)\nevent: \(event.kind)\ndata: \(line)\n\n"))
                last = event.number
            }
            if events.isEmpty {
                try await Task.sleep(for: Self.pause)
                quiet += 1
                if quiet.isMultiple(of: Self.quietPauses) {
                    try await writer.write(ByteBuffer(string: ": still here\n\n"))
                }
            }
        }
    }
}

/// `GET /v1/outcomes/{id}`: the outcome of a content, in the bytes of its sidecar.
public struct OutcomeRoutes: APIRoutes {
    private let outcome: @Sendable (String) async throws -> Data?

    public init(outcome: @escaping @Sendable (String) async throws -> Data?) { self.outcome = outcome }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/outcomes/{id}") { _, context in
            guard let id = context.parameters.get("id"), let json = try await outcome(id) else {
                throw HTTPError(.notFound, message: "no outcome of that content")
            }
            return Response(
                status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: .init(data: json)))
        }
    }
}
