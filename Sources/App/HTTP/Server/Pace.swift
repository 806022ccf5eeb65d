import NIOCore

/// The deadline of a transfer that must not stop: each byte moves it, so a slow line has time and a client that stops has
/// little.
struct Pace {
    /// Bytes a second below which a transfer falls behind.
    static let slowest = 2048.0
    /// The time that a transfer has at its start, and the most that it can gain.
    static let (patience, mostCredit) = (TimeAmount.seconds(20), TimeAmount.seconds(60))

    /// When the transfer is too slow, unless more bytes arrive before.
    private(set) var due: NIODeadline

    init(at now: NIODeadline) { due = now + Self.patience }

    mutating func add(_ bytes: Int, at now: NIODeadline) {
        let gained = TimeAmount.nanoseconds(Int64(Double(min(bytes, 1 << 30)) / Self.slowest * 1e9))
        due = min(due + gained, now + Self.mostCredit)
    }
}
