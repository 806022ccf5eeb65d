import Foundation
import Synchronization

/// Values that were made from stored bytes, so that the same bytes are decoded once: those that were used last.
package final class KeptValues<Value: Sendable>: Sendable {
    private struct Entry {
        var bytes: Data
        var value: Value
        var use: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())
    private let most: Int
    private let mostBytes: Int

    /// - Parameters:
    ///   - most: values that are kept, at least 1.
    ///   - mostBytes: larger bytes are decoded each time.
    package init(most: Int, mostBytes: Int = 1 << 20) {
        self.most = max(1, most)
        self.mostBytes = mostBytes
    }

    /// Number of kept values.
    package var count: Int { state.withLock { $0.entries.count } }

    /// The value of `bytes`, which are what is stored now under a name.
    package func value(of name: String, in bytes: Data, _ make: (Data) throws -> Value) rethrows -> Value {
        let known = state.withLock { state -> Value? in
            state.uses += 1
            guard state.entries[name]?.bytes == bytes else { return nil }
            state.entries[name]?.use = state.uses
            return state.entries[name]?.value
        }
        if let known { return known }
        let value = try make(bytes)
        guard bytes.count <= mostBytes else { return value }
        state.withLock { state in
            state.entries[name] = Entry(bytes: bytes, value: value, use: state.uses)
            guard state.entries.count > most else { return }
            let oldest = state.entries.min { $0.value.use < $1.value.use }
            if let oldest { state.entries[oldest.key] = nil }
        }
        return value
    }
}
