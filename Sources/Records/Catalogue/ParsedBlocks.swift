import Dispatch
import Synchronization

/// The parsing thread's blocks on their way to the writing thread: at most a few, so that memory does not grow with the file.
final class ParsedBlocks: Sendable {
    private struct State {
        var waiting: [ParsedBlock] = []
        /// Set once nothing more will come.
        var end: Result<Void, any Error>?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    private let room: DispatchSemaphore
    private let thread = DispatchGroup()

    /// Begins to parse, on another thread.
    ///
    /// - Parameters:
    ///   - capacity: blocks that may wait.
    ///   - next: the next block, nil after the last one; called on one thread alone.
    init(capacity: Int, next: @escaping @Sendable () throws -> ParsedBlock?) {
        room = DispatchSemaphore(value: capacity)
        DispatchQueue.global().async(group: thread) { [self] in
            let end = Result {
                while let block = try next() {
                    room.wait()
                    let isCancelled = state.withLock { state in
                        state.waiting.append(block)
                        return state.isCancelled
                    }
                    filled.signal()
                    if isCancelled { return }
                }
            }
            state.withLock { $0.end = end }
            filled.signal()
        }
    }

    /// The next block in the file's order; waits for it. Nil after the last one.
    /// - Throws: what parsing threw.
    func take() throws -> ParsedBlock? {
        filled.wait()
        let (block, end) = state.withLock { state -> (ParsedBlock?, Result<Void, any Error>?) in
            state.waiting.isEmpty ? (nil, state.end) : (state.waiting.removeFirst(), nil)
        }
        if let block {
            room.signal()
            return block
        }
        // Whoever asks again hears the same.
        filled.signal()
        try end?.get()
        return nil
    }

    /// Lets the thread end, and waits for that.
    func stop() {
        state.withLock { $0.isCancelled = true }
        room.signal()
        thread.wait()
        // A semaphore must not be let go with less than it was made with.
        state.withLock { _ = $0.waiting.map { _ in room.signal() } }
    }
}
