import Core

/// A task that dice or number tiles must solve.
struct NumberTask: Sendable, Hashable, Codable {
    enum Kind: String, Sendable, Hashable, Codable {
        /// One tile with the number of things in `prompt`.
        case count
        /// Tiles or dice with the target as sum or product.
        case add, multiply
        /// Tiles in one row with a constant difference of `step`, from left to right.
        case connect
    }

    /// How the numbers on the table relate to a task.
    enum Verdict: Sendable, Hashable {
        case hit
        /// Too few numbers to judge.
        case open
        case miss(String)
    }

    var kind: Kind
    /// The instruction for the player.
    var prompt: String
    /// The instruction in other languages, by their codes: `de`.
    var translations: [String: String]?
    /// The number to reach; for `connect`, the first number of the row.
    var target: Int
    /// The required number of tiles or dice; nil allows any number.
    var pieces: Int?
    /// The difference between neighbours; only for `connect`.
    var step: Int?

    /// - Parameter values: the numbers on the table from left to right.
    func verdict(on values: [Int]) -> Verdict {
        switch kind {
        case .count:
            guard let first = values.first else { return .open }
            if values.count > 1 { return .miss("tooManyTiles") }
            return first == target ? .hit : .miss(first < target ? "tooSmall" : "tooLarge")
        case .add: return reach(values.reduce(0, +), by: values.count)
        case .multiply:
            // The product saturates, because an overflow would trap.
            let product = values.reduce(1) { a, b in
                let (value, overflow) = a.multipliedReportingOverflow(by: b)
                return overflow ? .max : value
            }
            return reach(product, by: values.count)
        case .connect:
            let wanted = (0..<values.count).map { target + $0 * (step ?? 1) }
            guard values == wanted else { return values.count < 2 ? .open : .miss("wrongOrder") }
            return values.count >= (pieces ?? 3) ? .hit : .open
        }
    }

    private func reach(_ result: Int, by count: Int) -> Verdict {
        if let pieces {
            if count < pieces { return .open }
            if count > pieces { return .miss("tooManyTiles") }
        } else if count < 2 || result < target {
            return .open
        }
        return result == target ? .hit : .miss(result < target ? "tooSmall" : "tooLarge")
    }
}
