import HTTP
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct DrawingQueueTests {
    /// Drawings that run now, and the most that ever did.
    private final class Counts: Sendable {
        let running = Mutex(0)
        let most = Mutex(0)

        func begin() {
            let now = running.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, now) }
        }

        func end() { running.withLock { $0 -= 1 } }
    }

    @Test func `pictures are drawn one after the other, and a flood is refused`() async throws {
        let (queue, counts) = (DrawingQueue(), Counts())
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await queue.perform {
                counts.begin()
                begins.finish()
                for await _ in gate {}
                counts.end()
            }
        }
        for await _ in begun {}
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    do {
                        try await queue.perform {
                            counts.begin()
                            counts.end()
                        }
                        return false
                    } catch let problem as Problem { return problem.status == .tooManyRequests }
                }
            }
            var refused = 0
            // Those that are refused do not wait for the first one.
            while refused < 60 - DrawingQueue.mostWaiting { refused += try await group.next() == true ? 1 : 60 }
            open.finish()
            while let isRefused = try await group.next() { refused += isRefused ? 1 : 0 }
            return refused
        }
        try await first.value
        #expect(refused == 60 - DrawingQueue.mostWaiting)
        #expect(counts.most.withLock { $0 } == 1)
        #expect(try await queue.perform { 7 } == 7, "it is free again")
    }

    @Test func `an error of a drawing and an ended request leave the queue free`() async throws {
        struct Fault: Error {}
        let queue = DrawingQueue()
        await #expect(throws: Fault.self) { try await queue.perform { throw Fault() } }
        let ended = Task { try await queue.perform { 1 } }
        ended.cancel()
        _ = try? await ended.value
        #expect(try await queue.perform { 2 } == 2)
    }
}
