import Foundation

/// What a player can do in a game, estimated from the tasks that were played. It decides which task comes next, and is
/// separate from experience points, which only rise.
///
/// Skill and difficulty are on one scale, in logits: a player solves a task of the same difficulty in half of the tries.
/// The estimate is normal; each task moves it by what was solved, how long it took, and how much help was given.
package struct PlayerSkill: Sendable, Hashable, Codable {
    /// What became of a task.
    package struct Result: Sendable, Hashable {
        package var difficulty: Double
        package var isSolved: Bool
        /// Seconds of play; nil if they say nothing, as for a task that was left.
        package var seconds: Double?
        package var hints: Int

        package init(difficulty: Double, isSolved: Bool, seconds: Double?, hints: Int) {
            self.difficulty = difficulty
            self.isSolved = isSolved
            self.seconds = seconds
            self.hints = hints
        }
    }

    package private(set) var estimate: Double
    package private(set) var variance: Double

    /// The share of tasks that a player should solve: the middle, in logits, between .60 and .85.
    package static let wanted = 0.745

    private static let (firstVariance, leastVariance) = (2.25, 0.02)
    /// What a hint takes off a solved task.
    private static let hintShare = 0.15
    private static let mostHints = 3
    /// Seconds for a task of the player's own skill, how they shrink with each logit of advantage, and their spread; of the
    /// natural logarithm.
    private static let (seconds, secondsSlope, secondsSpread) = (150.0, 0.35, 0.7)
    /// The most that a time alone says, logits: a few seconds may be a grown-up's hands, an hour may be a meal between.
    private static let mostAdvantage = 3.0
    /// The chance of needing help at equal skill, and how it falls.
    private static let (hintRate, hintSlope) = (exp(-0.7), 0.6)

    /// - Parameter estimate: what is expected of a player of whom nothing is known, such as by age.
    package init(estimate: Double = 0) {
        self.estimate = estimate
        variance = Self.firstVariance
    }

    /// The chance that the player solves a task of this difficulty.
    package func chance(of difficulty: Double) -> Double { 1 / (1 + exp(difficulty - estimate)) }

    /// Counts a task.
    package mutating func count(_ result: Result) {
        guard result.difficulty.isFinite else { return }
        let hints = Double(min(max(result.hints, 0), Self.mostHints))
        let chance = chance(of: result.difficulty)
        update((result.isSolved ? 1 - Self.hintShare * hints : 0) - chance, information: chance * (1 - chance))
        if result.isSolved, let seconds = result.seconds, seconds >= 1, seconds.isFinite {
            let advantage = log(Self.seconds / seconds) / Self.secondsSlope
            let seen = result.difficulty + min(max(advantage, -Self.mostAdvantage), Self.mostAdvantage)
            let noise = Self.secondsSpread / Self.secondsSlope
            let gain = variance / (variance + noise * noise)
            estimate += gain * (seen - estimate)
            variance *= 1 - gain
        }
        let needsHelp = 1 - exp(-Self.hintRate * exp(-Self.hintSlope * (estimate - result.difficulty)))
        update(
            Self.hintSlope * (needsHelp - (hints > 0 ? 1 : 0)),
            information: Self.hintSlope * Self.hintSlope * needsHelp * (1 - needsHelp))
        // Children learn: an estimate that is too sure would not follow.
        variance = max(variance, Self.leastVariance)
    }

    /// One step of Newton's method.
    private mutating func update(_ slope: Double, information: Double) {
        variance = 1 / (1 / variance + information)
        estimate += variance * slope
    }

    /// The index of the task that the player most nearly solves in the wanted share of tries.
    ///
    /// - Returns: nil without tasks.
    package func next(among difficulties: [Double]) -> Int? {
        let wanted = estimate - log(Self.wanted / (1 - Self.wanted))
        return difficulties.indices.min { abs(difficulties[$0] - wanted) < abs(difficulties[$1] - wanted) }
    }
}
