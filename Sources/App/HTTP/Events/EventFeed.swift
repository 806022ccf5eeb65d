import Core
import Foundation
import NIOCore

/// Events ready to be sent.
package struct EventChunk: Sendable {
    var last: Int64
    var text: ByteBuffer
}

extension EventChunk {
    package init?(_ events: some BidirectionalCollection<StreamEvent>) {
        guard let last = events.last else { return nil }
        var text = ByteBuffer()
        for event in events {
            text.writeString("id: \(event.number)\nevent: \(event.kind)\ndata: ")
            text.writeBytes(event.body)
            text.writeString("\n\n")
        }
        self.init(last: last.number, text: text)
    }
}

/// The newest events in memory for all streams: 200 open pages cost one query of the database a moment, and each event is
/// written as text once.
///
/// A stream that is further behind reads the database until it has caught up, so no event is lost.
package actor EventFeed {
    private let latest: @Sendable () async throws -> Int64
    private let after: @Sendable (Int64, Int) async throws -> [StreamEvent]
    private let freshness: Duration

    /// In order; together they are all events after `floor`.
    private var events: [StreamEvent] = []
    /// Nil before the first query.
    private var floor: Int64?
    private var asked: ContinuousClock.Instant?
    private var isAsking = false
    /// Chunks of this moment by the number after which they begin. Most streams are at the same number.
    private var chunks: [Int64: EventChunk] = [:]

    /// Events kept in memory, and the most that one chunk has.
    static let (kept, most) = (1024, 200)

    /// - Parameters:
    ///   - freshness: streams that ask within this time after a query get what it found.
    ///   - latest: returns the number of the newest event, or 0.
    ///   - after: returns events after a number, in order, at most as many as its second argument.
    package init(
        freshness: Duration = .milliseconds(150), latest: @escaping @Sendable () async throws -> Int64,
        after: @escaping @Sendable (Int64, Int) async throws -> [StreamEvent]
    ) {
        self.freshness = freshness
        self.latest = latest
        self.after = after
    }

    /// The next events after a number; nil if there are none.
    package func chunk(after number: Int64) async throws -> EventChunk? {
        try await refresh()
        guard let floor, number >= floor else { return EventChunk(try await after(number, Self.most)) }
        if let chunk = chunks[number] { return chunk }
        let start = events.partitioningIndex { $0.number > number }
        let chunk = EventChunk(events[start...].prefix(Self.most))
        chunks[number] = chunk
        return chunk
    }

    private func refresh() async throws {
        if let asked, asked.duration(to: .now) < freshness { return }
        // Streams that ask meanwhile get what is known, and ask again.
        guard !isAsking else { return }
        isAsking = true
        defer { isAsking = false }
        asked = .now
        guard let known = events.last?.number ?? floor else {
            floor = try await latest()
            return
        }
        let new = try await after(known, Self.kept)
        guard !new.isEmpty else { return }
        events += new
        if events.count > Self.kept {
            let dropped = events.prefix(events.count - Self.kept)
            floor = dropped.last?.number
            events.removeFirst(dropped.count)
        }
        chunks = [:]
    }
}

extension Array {
    /// The first index whose element fulfils `condition`, where all elements after it do too.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
