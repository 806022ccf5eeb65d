import NIOCore
import Synchronization

/// The latest stages of photos in work, for event streams. Stages are not stored: only outcomes must survive a restart.
package final class StageProgress: Sendable {
    private struct State {
        var entries: [(number: UInt64, body: String)] = []
        var latest: UInt64 = 0
        /// What follows a number, until the next stage.
        var texts: [UInt64: ByteBuffer] = [:]
    }

    private let state = Mutex(State())
    /// Number of kept stages; a stream that is further behind skips some.
    private static let kept = 512

    package init() {}

    var latest: UInt64 { state.withLock { $0.latest } }

    /// - Parameter body: one line of JSON.
    package func note(_ body: String) {
        state.withLock { state in
            state.latest += 1
            state.texts = [:]
            state.entries.append((state.latest, body))
            if state.entries.count > Self.kept { state.entries.removeFirst(state.entries.count - Self.kept) }
        }
    }

    /// The stages after a number as server-sent events; nil without any.
    func stages(after number: UInt64) -> (last: UInt64, text: ByteBuffer)? {
        state.withLock { state in
            guard state.latest > number else { return nil }
            // Most streams are at the same number.
            if let text = state.texts[number] { return (state.latest, text) }
            var text = ByteBuffer()
            // The numbers of the entries have no gaps.
            let count = min(UInt64(state.entries.count), state.latest - number)
            for entry in state.entries.suffix(Int(count)) {
                text.writeString("event: stage\ndata: \(entry.body)\n\n")
            }
            state.texts[number] = text
            return (state.latest, text)
        }
    }
}
