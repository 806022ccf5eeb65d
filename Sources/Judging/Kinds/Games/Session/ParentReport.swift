import Core

/// A summary for parents. Each sentence cites the lines that it counts and states if there are too few.
package struct ParentReport: Sendable, Hashable, Codable {
    /// One statement with its evidence.
    package struct Sentence: Sendable, Hashable, Codable {
        package var text: String
        /// The numbers of the counted frames, in order. For a share, these are all frames of the total.
        package var seqs: [Int]
        /// True if there were too few lines for a statement.
        package var notEnoughData: Bool
    }

    package var session: String
    package var sentences: [Sentence]

    /// Minimum number of lines for a share.
    static let least = 5

    /// Summarises the lines of one session, in order.
    package init(session: String, lines: [GameLine]) {
        self.session = session
        var sentences: [Sentence] = []
        func linesOfKind(_ kinds: PlayerActionOutcome.Kind...) -> [GameLine] {
            lines.filter { kinds.contains($0.report.outcome.kind) }
        }
        let tries = linesOfKind(.correctPlacement, .incorrectPlacement)
        let right = linesOfKind(.correctPlacement).count
        sentences.append(
            Self.share(tries, least: Self.least) { "\(right) of \($0) placements were right." }
                ?? Self.tooFew("placements", tries))
        let done = linesOfKind(.levelComplete)
        let xp = done.reduce(0) { $0.addingSaturated($1.report.outcome.xpAwarded ?? 0) }
        sentences.append(
            done.isEmpty
                ? Self.tooFew("finished levels", done)
                : Sentence(
                    text: "\(done.count) \(done.count == 1 ? "level was" : "levels were") finished, for \(xp) XP.",
                    seqs: done.map(\.seq), notEnoughData: false))
        let helped = lines.filter { $0.advice != nil }
        let asked = linesOfKind(.hintUsed).count
        if !helped.isEmpty {
            sentences.append(
                Sentence(
                    text: "Help was given \(helped.count) times, \(asked) of them asked for.", seqs: helped.map(\.seq),
                    notEnoughData: false))
        }
        let unanswered = lines.filter(\.isUnansweredHint)
        if !unanswered.isEmpty {
            let times = unanswered.count == 1 ? "once" : "\(unanswered.count) times"
            sentences.append(
                Sentence(
                    text: "Help was asked for \(times) where the game had none.", seqs: unanswered.map(\.seq),
                    notEnoughData: false))
        }
        let special = linesOfKind(.specialAchievement)
        if !special.isEmpty {
            let names = Set(special.compactMap(\.report.outcome.name)).sorted().joined(separator: ", ")
            sentences.append(
                Sentence(
                    text: "\(special.count) special achievements: \(names).", seqs: special.map(\.seq),
                    notEnoughData: false))
        }
        for skill in Set(lines.flatMap { $0.skills.map(\.skill) }).sorted() {
            let shown = lines.filter { line in
                line.skills.contains { $0.skill == skill && ($0.kind == .practised || $0.kind == .failed) }
            }
            let won = shown.count { $0.skills.contains(SkillEvent(kind: .practised, skill: skill)) }
            let last = lines.flatMap(\.skills).last {
                $0.skill == skill && ($0.kind == .mastered || $0.kind == .lapsed)
            }
            sentences.append(
                Self.share(shown, least: Self.least) {
                    "\(skill): \(won) of \($0) tries succeeded\(last?.kind == .mastered ? ", mastered" : "")."
                } ?? Self.tooFew("tries of \(skill)", shown))
        }
        self.sentences = sentences
    }

    private static func share(_ lines: [GameLine], least: Int, _ text: (Int) -> String) -> Sentence? {
        guard lines.count >= least else { return nil }
        return Sentence(text: text(lines.count), seqs: lines.map(\.seq), notEnoughData: false)
    }

    private static func tooFew(_ what: String, _ lines: [GameLine]) -> Sentence {
        Sentence(text: "Not enough data: \(lines.count) \(what).", seqs: lines.map(\.seq), notEnoughData: true)
    }
}
