import Dispatch
import Synchronization

/// A bounded queue of blocks from the parsing thread to the writing thread, so that memory does not grow with the file.
final class ParsedBlocks: Sendable {
    private struct State {
        var waiting: [ParsedBlock] = []
        var end: Result<Void, any Error>?
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let filled = DispatchSemaphore(value: 0)
    private let room: DispatchSemaphore
    private let thread = DispatchGroup()

    /// Starts parsing on another thread.
    ///
    /// - Parameters:
    ///   - capacity: maximum number of waiting blocks.
    ///   - next: returns the next block, nil after the last; called on one thread only.
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

    /// Waits for the next block in file order; nil after the last one.
    /// - Throws: the error of `next`.
    func take() throws -> ParsedBlock? {
        filled.wait()
        let (block, end) = state.withLock { state -> (ParsedBlock?, Result<Void, any Error>?) in
            state.waiting.isEmpty ? (nil, state.end) : (state.waiting.removeFirst(), nil)
        }
        if let block {
            room.signal()
            return block
        }
        // Further calls get the same result.
        filled.signal()
        try end?.get()
        return nil
    }

    /// Stops the thread and waits for its end.
    func stop() {
        state.withLock { $0.isCancelled = true }
        room.signal()
        thread.wait()
        // libdispatch traps if a semaphore is released with a lower count than it was created with.
        state.withLock { _ = $0.waiting.map { _ in room.signal() } }
    }
}
