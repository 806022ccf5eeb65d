import Core
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import HTTP

@Suite struct EventFeedTests {
    /// An event table that counts its queries.
    private final class Table: Sendable {
        private let state = Mutex((events: [StreamEvent](), queries: 0))

        var queries: Int { state.withLock { $0.queries } }
        var latest: Int64 { state.withLock { $0.events.last?.number ?? 0 } }

        func add(_ numbers: ClosedRange<Int64>) {
            state.withLock { state in
                state.events += numbers.map {
                    StreamEvent(number: $0, kind: "completed", body: Data("{\"n\":\($0)}".utf8))
                }
            }
        }

        func after(_ number: Int64, _ limit: Int) -> [StreamEvent] {
            state.withLock { state in
                state.queries += 1
                return Array(state.events.filter { $0.number > number }.prefix(limit))
            }
        }

        func feed(freshness: Duration) -> EventFeed {
            EventFeed(freshness: freshness, latest: { self.latest }, after: { self.after($0, $1) })
        }
    }

    /// All numbers that a stream gets from `start` on.
    private func read(_ feed: EventFeed, from start: Int64) async throws -> [Int64] {
        var (last, found) = (start, [Int64]())
        while let chunk = try await feed.chunk(after: last) {
            let text = String(buffer: chunk.text)
            found += text.matches(of: /id: (\d+)\nevent: completed\ndata: \{"n":(\d+)\}\n\n/).compactMap { match in
                match.1 == match.2 ? Int64(match.1) : nil
            }
            #expect(found.last == chunk.last)
            last = chunk.last
        }
        return found
    }

    @Test func `every stream gets every event once and in order, also far behind the memory`() async throws {
        let table = Table()
        table.add(1...50)
        let feed = table.feed(freshness: .zero)
        #expect(try await read(feed, from: 0) == Array(1...50))
        for start in stride(from: Int64(51), to: 5000, by: 700) {
            table.add(start...start + 699)
            let all = Array(1...start + 699)
            #expect(try await read(feed, from: 0) == all)
            #expect(try await read(feed, from: start - 1) == Array(start...start + 699))
            #expect(try await read(feed, from: start + 10) == Array(start + 11...start + 699))
        }
    }

    @Test func `a feed that was not asked for a long time loses nothing`() async throws {
        let table = Table()
        table.add(1...5)
        let feed = table.feed(freshness: .zero)
        #expect(try await read(feed, from: 5).isEmpty)
        table.add(6...Int64(EventFeed.kept) * 3)
        #expect(try await read(feed, from: 5) == Array(6...Int64(EventFeed.kept) * 3))
    }

    @Test func `200 streams at the newest event ask the database once`() async throws {
        let table = Table()
        table.add(1...100)
        let feed = table.feed(freshness: .seconds(3600))
        for _ in 0..<200 { #expect(try await feed.chunk(after: 100) == nil) }
        #expect(table.queries == 0, "only the newest number was asked for")
        // A stream behind the memory reads the database.
        #expect(try await feed.chunk(after: 90)?.last == 100)
        #expect(table.queries == 1)
    }

    @Test func `stages after a number come as one text, and old ones are skipped`() throws {
        let progress = StageProgress()
        #expect(progress.stages(after: 0) == nil)
        for number in 1...600 { progress.note("{\"n\":\(number)}") }
        let (last, text) = try #require(progress.stages(after: 598))
        #expect(last == 600)
        #expect(String(buffer: text) == "event: stage\ndata: {\"n\":599}\n\nevent: stage\ndata: {\"n\":600}\n\n")
        #expect(
            String(buffer: try #require(progress.stages(after: 0)).text).hasPrefix("event: stage\ndata: {\"n\":89}\n"))
        progress.note("{\"n\":601}", as: "product")
        #expect(
            String(buffer: try #require(progress.stages(after: 600)).text) == "event: product\ndata: {\"n\":601}\n\n")
    }

    @Test(.timeLimit(.minutes(10))) func `a stage wakes the streams that wait for it`() async {
        let progress = StageProgress()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await progress.stage(after: 0, within: .seconds(3600)) } }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(20))
                progress.note("{}")
            }
        }
        // One that is behind does not wait, and one at the newest waits for its time only.
        await progress.stage(after: 0, within: .seconds(3600))
        await progress.stage(after: 1, within: .milliseconds(1))
    }
}
