import Foundation
import NIOCore
import Synchronization

/// The latest stages of photos in work and the products of their barcodes, for event streams. They are not stored: only
/// outcomes must survive a restart.
package final class StageProgress: Sendable {
    private struct State {
        var entries: [(number: UInt64, kind: String, body: String)] = []
        var latest: UInt64 = 0
        /// What follows a number, until the next stage.
        var texts: [UInt64: ByteBuffer] = [:]
        /// Streams that wait for the next stage.
        var waiting: [UUID: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())
    /// Number of kept stages; a stream that is further behind skips some.
    private static let kept = 512

    package init() {}

    var latest: UInt64 { state.withLock { $0.latest } }

    /// - Parameters:
    ///   - body: one line of JSON.
    ///   - kind: the type of the event.
    package func note(_ body: String, as kind: String = "stage") {
        state.withLock { state in
            state.waiting.values.forEach { $0.finish() }
            state.waiting = [:]
            state.latest += 1
            state.texts = [:]
            state.entries.append((state.latest, kind, body))
            if state.entries.count > Self.kept { state.entries.removeFirst(state.entries.count - Self.kept) }
        }
    }

    /// Returns when there is a stage after a number, at the latest after `pause`.
    func stage(after number: UInt64, within pause: Duration) async {
        let (signal, continuation) = AsyncStream<Void>.makeStream()
        let id = UUID()
        state.withLock { state in
            if state.latest > number { continuation.finish() } else { state.waiting[id] = continuation }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signal {} }
            group.addTask { try? await Task.sleep(for: pause) }
            await group.next()
            group.cancelAll()
        }
        state.withLock { $0.waiting[id] = nil }
    }

    func stages(after number: UInt64) -> (last: UInt64, text: ByteBuffer)? {
        state.withLock { state in
            guard state.latest > number else { return nil }
            // Most streams are at the same number.
            if let text = state.texts[number] { return (state.latest, text) }
            var text = ByteBuffer()
            // The numbers of the entries have no gaps.
            let count = min(UInt64(state.entries.count), state.latest - number)
            for entry in state.entries.suffix(Int(count)) {
                text.writeString("event: \(entry.kind)\ndata: \(entry.body)\n\n")
            }
            state.texts[number] = text
            return (state.latest, text)
        }
    }
}
