import Core

/// Progress of a long run; drawn only on a terminal.
struct ProgressBar {
    private let total: Int
    private let begun = ContinuousClock.now
    private var isDrawn = false

    init(total: Int) { self.total = total }

    /// - Parameter count: number of finished items.
    mutating func advance(to count: Int, saying what: String) {
        guard StandardError.isTerminal, total > 0 else { return }
        let share = Double(count) / Double(total)
        let filled = Int(share * 24)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        let elapsed = (ContinuousClock.now - begun) / .seconds(1)
        let left = count > 0 ? Int((elapsed / Double(count) * Double(total - count)).rounded()) : 0
        StandardError.write("\r\u{1B}[K\(bar) \(count)/\(total), \(left) s left  \(String(what.prefix(40)).printable)")
        isDrawn = true
    }

    /// Clears the line for other text.
    mutating func clear() {
        if isDrawn { StandardError.write("\r\u{1B}[K") }
        isDrawn = false
    }
}
