import Core
import Foods
import Foundation

/// A week of a player for a parent. Each sentence names the plays that it counts.
package struct PlayWeek: Sendable, Codable {
    package struct Sentence: Sendable, Codable {
        /// `minutes`, `solved`, `hints`, `hard`, `try` or `few`.
        package var kind: String
        /// What the text is made with.
        package var values: [String: String]
        /// Numbers of the plays.
        package var plays: [Int64]
    }

    package struct Row: Sendable, Codable {
        package var play: Int64
        package var game: String
        package var puzzle: String?
        package var day: String
        package var seconds: Int
        package var hints: Int
        package var isSolved: Bool
        package var placed, needed: Int?
    }

    package var player: String
    package var week: String
    /// Minutes of Monday to Sunday, rounded.
    package var minutes: [Int]
    package var limit: Int?
    package var rows: [Row]
    package var sentences: [Sentence]

    /// Fewer plays than this say nothing about what is hard.
    static let least = 3

    /// - Parameters:
    ///   - seconds: of Monday to Sunday.
    ///   - plays: those of the week, oldest first, each with its day.
    init(
        of player: String, in week: String, seconds: [Double], limit: Int?, _ plays: [(play: Play, day: String)]
    ) {
        self.player = player
        self.week = week
        self.limit = limit
        minutes = seconds.map { Int(($0 / 60).rounded()) }
        rows = plays.map { play, day in
            Row(
                play: play.id, game: play.game, puzzle: play.puzzle, day: day, seconds: Int(play.seconds.rounded()),
                hints: play.hints, isSolved: play.solved != nil, placed: play.placed, needed: play.needed)
        }
        let all = plays.map(\.play)
        func sentence(_ kind: String, _ values: [String: String], _ plays: [Play]) -> Sentence {
            Sentence(kind: kind, values: values, plays: plays.map(\.id))
        }
        let solved = all.filter { $0.solved != nil }
        let alone = solved.filter { $0.hints == 0 }
        let helped = all.filter { $0.hints > 0 }
        let whole = Int((seconds.reduce(0, +) / 60).rounded())
        let days = seconds.count { $0 >= 30 }
        sentences = [
            sentence("minutes", ["n": "\(whole)", "days": "\(days)"], all),
            sentence("solved", ["n": "\(solved.count)", "alone": "\(alone.count)"], solved),
            sentence("hints", ["n": "\(helped.reduce(0) { $0 + $1.hints })"], helped),
        ]
        guard all.count >= Self.least else {
            sentences.append(sentence("few", ["n": "\(all.count)"], all))
            return
        }
        // Hard: left open after a while, or most help.
        let open = all.filter { $0.solved == nil && $0.seconds >= 60 }.max { $0.seconds < $1.seconds }
        let hardest = open ?? helped.max { ($0.hints, $0.seconds) < ($1.hints, $1.seconds) }
        guard let hardest else { return }
        sentences.append(
            sentence(
                "hard", ["figure": hardest.puzzle ?? "", "game": hardest.game, "hints": "\(hardest.hints)"], [hardest]))
        if hardest.solved == nil {
            sentences.append(sentence("try", ["figure": hardest.puzzle ?? "", "game": hardest.game], [hardest]))
        }
    }
}

extension PlayActions {
    /// - Parameter week: nil for this week.
    package func week(_ week: Week?, of id: Int64?, for identity: Identity) throws -> (
        player: Member, week: Week, PlayWeek
    ) {
        let player = try player(id, for: identity)
        let shown = week ?? Week(of: Day(number: plays.day(of: plays.now)))
        let days = shown.days
        let (first, last) = (days[0].number, days[days.count - 1].number)
        let seconds = try plays.seconds(of: player.id, from: first, to: last)
        let own = try plays.plays(of: player.id).reversed().compactMap { play -> (play: Play, day: String)? in
            let day = plays.day(of: play.updated)
            return (first...last).contains(day) && (play.seconds > 0 || play.solved != nil)
                ? (play, Day(number: day).description) : nil
        }
        return (
            player, shown,
            PlayWeek(
                of: player.name, in: shown.description, seconds: (first...last).map { seconds[$0] ?? 0 },
                limit: try plays.limit(of: player.id), Array(own))
        )
    }

    package func week(_ week: Week, named name: String, for identity: Identity) throws -> PlayWeek {
        guard let member = try household.member(named: name) else { throw PlayProblem.noPlayer }
        return try self.week(week, of: member.id, for: identity).2
    }

    package func isThisWeek(_ week: Week) throws -> Bool { week == Week(of: Day(number: plays.day(of: plays.now))) }
}
