/// A calibrated probability 0…1 and the confidence level that people see.
public struct Confidence: Sendable, Hashable, Codable {
    /// Confidence level of a score: high ≥ .85, medium ≥ .65, low ≥ .30, else unknown.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        case high, medium, low, unknown

        /// True if this level is lower than `other`.
        public static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }
        private var rank: Int { [.unknown: 0, .low: 1, .medium: 2, .high: 3][self] ?? 0 }
    }

    /// Probability 0…1.
    public let score: Double

    /// The level of `score`.
    public var level: Level {
        switch score {
        case 0.85...: .high
        case 0.65...: .medium
        case 0.30...: .low
        default: .unknown
        }
    }

    /// Clamps `score` to 0…1. NaN and infinite values become 0, which has the level unknown.
    public init(_ score: Double) {
        self.score = score.isFinite ? min(1, max(0, score)) : 0
    }

    private enum CodingKeys: String, CodingKey { case score, level }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .score))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(score.rounded(toPlaces: 4), forKey: .score)
        try container.encode(level, forKey: .level)
    }
}

extension Double {
    /// The value with at most `places` decimals. Rounding keeps outcomes short and identical between runs.
    public func rounded(toPlaces places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (self * scale).rounded() / scale
        return scaled.isFinite ? scaled : self
    }
}
