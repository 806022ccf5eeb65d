import HTTP
import Synchronization
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
    private var undos: Undos { Undos { [patience] in await patience.wait() } }

    @Test func `what is deleted is hidden at once and done when the time is over`() async throws {
        let (undos, (done, finish)) = (undos, AsyncStream.makeStream(of: Void.self))
        let token = undos.later("the photo", back: "/history", hiding: "list 4") { finish.yield() }
        #expect(undos.isHidden("list 4") && undos.hidden("list") == [4] && undos.text(of: token) == "the photo")
        patience.end()
        var events = done.makeAsyncIterator()
        #expect(await events.next() != nil, "it is done")
        await #expect(throws: Problem.self) { try await undos.takeBack(token) }
        #expect(undos.text(of: token) == nil)
    }

    @Test func `what is taken back is shown again and never done`() async throws {
        let (undos, count) = (undos, Counted())
        let token = undos.later("the photo", back: "/photos/1", hiding: "1") { count.add() }
        #expect(try await undos.takeBack(token) == "/photos/1")
        #expect(!undos.isHidden("1"))
        patience.end()
        await #expect(throws: Problem.self, "once") { try await undos.takeBack(token) }
        #expect(count.value == 0)
    }

    @Test func `what was done is taken back by its own way back`() async throws {
        let (undos, count) = (undos, Counted())
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
