import HTTP
import Store
import Synchronization
import TestSupport
import Testing

@testable import App

@Suite struct UndosTests {
    /// Ends the ten seconds when a test says so.
    private final class Patience: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

        func wait() async { for await _ in stream { return } }
        func end() { continuation.finish() }
    }

    private let patience = Patience()
    private let list = Deletion(.list, 4, "Ada")

    private func undos(
        _ store: OutcomeStore? = nil, carryOut: @escaping @Sendable (Deletion) -> Void = { _ in }
    ) -> Undos { Undos(store, wait: { [patience] in await patience.wait() }, carryOut: carryOut) }

    @Test func `what is deleted is hidden at once and done when the time is over`() async throws {
        let (done, finish) = AsyncStream.makeStream(of: Deletion.self)
        let undos = undos { finish.yield($0) }
        let token = try undos.later("the list", back: "/list", list)
        #expect(undos.hidden(.list) == ["4"] && undos.hiddenNumbers(.list) == [4] && undos.hidden(.photo).isEmpty)
        #expect(undos.text(of: token) == "the list")
        patience.end()
        var events = done.makeAsyncIterator()
        #expect(await events.next() == list, "it is done")
        await #expect(throws: Problem.self) { try await undos.takeBack(token) }
        #expect(undos.text(of: token) == nil)
    }

    @Test func `what is taken back is shown again and never done`() async throws {
        let count = Counted()
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let undos = undos(store) { _ in count.add() }
        let token = try undos.later("the list", back: "/list", list)
        #expect(try await undos.takeBack(token) == "/list")
        #expect(undos.hidden(.list).isEmpty)
        #expect(try store.deletions().isEmpty)
        patience.end()
        await #expect(throws: Problem.self, "once") { try await undos.takeBack(token) }
        #expect(count.value == 0)
    }

    @Test func `a deletion is carried out after a restart, once`() async throws {
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        _ = try undos(store).later("the list", back: "/list", list)
        #expect(try store.deletions() == [list], "the daemon stops before the ten seconds are over")
        let count = Counted()
        let next = undos(store) { _ in count.add() }
        try await next.finish()
        try await next.finish()
        #expect(count.value == 1)
        #expect(try store.deletions().isEmpty)
    }

    @Test func `what was done is taken back by its own way back`() async throws {
        let (undos, count) = (undos(), Counted())
        let token = undos.offer("Removed: soup", back: "/today") { count.add() }
        #expect(undos.text(of: "0" + token) == nil, "another token")
        #expect(try await undos.takeBack(token) == "/today" && count.value == 1)
    }

    private final class Counted: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }
}
