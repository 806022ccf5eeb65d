import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Sends numbered events as server-sent events; `Last-Event-ID` or `?since=` continues an interrupted stream.
///
/// Without either the stream begins now. Events are read from the database, so a restart of the daemon loses none.
package struct EventStream: Sendable {
    /// Returns the number of the newest event, or 0.
    package let latest: @Sendable () async throws -> Int64
    /// Returns the next events after a number; nil if there are none.
    package let next: @Sendable (Int64) async throws -> EventChunk?
    /// Stages of photos in work; nil for a stream without them.
    package var progress: StageProgress?

    /// Interval of queries without events. Streams of cameras have a shorter one.
    package var pause = Duration.milliseconds(250)
    package init(
        latest: @escaping @Sendable () async throws -> Int64,
        next: @escaping @Sendable (Int64) async throws -> EventChunk?, progress: StageProgress? = nil
    ) {
        self.latest = latest
        self.next = next
        self.progress = progress
    }

    /// Time without events before a comment keeps the connection open.
    private static let quietTime = Duration.seconds(15)

    package func response(to call: Call) async throws -> Response {
        let request = call.request
        let header = request.headers.first { $0.name.canonicalName == "last-event-id" }?.value
        let named = header ?? request.uri.queryParameters["since"].map { String($0) }
        let known = named.flatMap { Int64($0) }
        let start = if let known { known } else { try await latest() }
        // A client whose line breaks before the first event asks from this number on.
        let greeting = (known == nil ? "id: \(start)\n" : "") + ": connected\n\n"
        // The body is written after this task has answered.
        let isStillKnown = call.context.isStillKnown
        var response = Response(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // An error here means that the connection or the daemon has ended.
                try? await writer.write(ByteBuffer(string: greeting))
                try? await write(from: start, to: &writer, while: isStillKnown)
                try await writer.finish(nil)
            })
        // nginx collects answers before it sends them; this asks it not to.
        response.headers[.accelBuffering] = "no"
        return response
    }

    private func write(
        from start: Int64, to writer: inout any ResponseBodyWriter, while isStillKnown: @Sendable () -> Bool
    ) async throws {
        var last = start
        var spoke = ContinuousClock.now
        var lastStage = progress?.latest ?? 0
        while !Task.isCancelled, !Task.isShuttingDownGracefully, isStillKnown() {
            let chunk = try await next(last)
            var text = ByteBuffer()
            // A stage has no number: a client that reconnects must not miss an event because of it.
            if let stages = progress?.stages(after: lastStage) {
                text = stages.text
                lastStage = stages.last
            }
            if let chunk {
                // One write, because each costs a system call for each of the streams.
                if text.readableBytes == 0 { text = chunk.text } else { text.writeImmutableBuffer(chunk.text) }
                last = chunk.last
            }
            if text.readableBytes > 0 {
                try await writer.write(text)
                spoke = .now
            }
            if chunk == nil {
                if let progress {
                    await progress.stage(after: lastStage, within: pause)
                } else {
                    try await Task.sleep(for: pause)
                }
                if spoke.duration(to: .now) >= Self.quietTime {
                    try await writer.write(ByteBuffer(string: ": still here\n\n"))
                    spoke = .now
                }
            }
        }
    }
}

extension HTTPField.Name {
    static let accelBuffering: HTTPField.Name = HTTPField.Name("X-Accel-Buffering") ?? .cacheControl
}
