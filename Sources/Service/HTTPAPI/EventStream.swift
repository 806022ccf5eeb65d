import Foundation
import Hummingbird
import ServiceLifecycle

/// Sends numbered events as server-sent events; `Last-Event-ID` or `?since=` continues an interrupted stream.
///
/// Without either the stream begins now. Events are read from the database, so a restart of the daemon loses none.
struct EventStream: Sendable {
    /// Returns the number of the newest event, or 0.
    let latest: @Sendable () async throws -> Int64
    /// Returns events after a number, in order, at most as many as the second argument.
    let after: @Sendable (Int64, Int) async throws -> [APIEvent]
    /// Stages of photos in work; nil for a stream without them.
    var progress: StageProgress?

    /// Interval of database queries without events.
    private static let pause = Duration.milliseconds(250)
    /// Number of intervals before a comment keeps the connection open.
    private static let quietPauses = 60

    func response(to request: Request) async throws -> Response {
        let header = request.headers.first { $0.name.canonicalName == "last-event-id" }?.value
        let named = header ?? request.uri.queryParameters["since"].map { String($0) }
        let start = if let number = named.flatMap({ Int64($0) }) { number } else { try await latest() }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // An error here means that the connection or the daemon has ended.
                try? await write(from: start, to: &writer)
                try await writer.finish(nil)
            })
    }

    private func write(from start: Int64, to writer: inout any ResponseBodyWriter) async throws {
        var last = start
        var quiet = 0
        var lastStage = progress?.latest ?? 0
        try await writer.write(ByteBuffer(string: ": connected\n\n"))
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            // A stage has no number: a client that reconnects must not miss an event because of it.
            for (number, body) in progress?.stages(after: lastStage) ?? [] {
                try await writer.write(ByteBuffer(string: "event: stage\ndata: \(body)\n\n"))
                lastStage = number
            }
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
