import Synchronization

/// A part that is made at its first use. If that fails, the next use tries again.
package final class Once<Part: Sendable>: Sendable {
    private let part = Mutex<Part?>(nil)

    package init() {}

    /// Nil before the first use.
    package var made: Part? { part.withLock { $0 } }

    package func get(_ make: () throws -> Part) rethrows -> Part {
        try part.withLock { part in
            if let part { return part }
            let made = try make()
            part = made
            return made
        }
    }
}
