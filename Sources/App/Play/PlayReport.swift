import Core
import Foundation
import Kinds
import HTTP
import Household
import Foods

/// A week of a player for a parent. Each sentence names the plays that it counts.
struct PlayWeek: Sendable, Codable, Documented {
    struct Sentence: Sendable, Codable {
        /// `minutes`, `solved`, `hints`, `hard`, `try` or `few`.
        var kind: String
        /// What the text is made with.
        var values: [String: String]
        /// Numbers of the plays.
        var plays: [Int64]
    }

    struct Row: Sendable, Codable {
        var play: Int64
        var game: String
        var puzzle: String?
        var day: String
        var seconds: Int
        var hints: Int
        var isSolved: Bool
        var placed, needed: Int?
    }

    var player: String
    var week: String
    /// Minutes of Monday to Sunday, rounded.
    var minutes: [Int]
    var limit: Int?
    var rows: [Row]
    var sentences: [Sentence]

    static let about: String? = "A player's week; each sentence names the plays that it counts."

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

extension PlayUseCases {
    /// - Parameter week: nil for this week.
    func week(_ week: Week?, of id: Int64?, for identity: Identity) throws -> (player: Member, week: Week, PlayWeek) {
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
}

extension PlayUseCases {
    func week(_ week: Week, named name: String, for identity: Identity) throws -> PlayWeek {
        guard let member = try household.member(named: name) else {
            throw Problem(404, "notFound", "nobody of this name plays on this device")
        }
        return try self.week(week, of: member.id, for: identity).2
    }

    func isThisWeek(_ week: Week) throws -> Bool { week == Week(of: Day(number: plays.day(of: plays.now))) }
}

/// A player's week as a page.
struct PlayReportPage: Page {
    static let template = "playweek"
    static let styles = ["game", "table"]

    struct Bar { let x, y, height, middle, name, minutes, top: String }

    struct Row {
        let title, facts: String
        let figure: DrawnOutline?
        let stars: Stars?
        let hints: String?
    }

    let heading, weekText, before, lobby, csv: String
    let after: String?
    let sentences: [String]
    let bars: [Bar]
    let barsText: String
    let limitY: String?
    let rows: [Row]

    private static let (plotHeight, plotBase) = (110.0, 140.0)

    init(_ report: PlayWeek, of player: Member, _ week: Week, figures: [PlayFigure], isNow: Bool, _ texts: PageTexts) {
        let diary = DiaryText(texts)
        let name = texts.person(player.name)
        heading = texts.text("playweek.head", ["name": name])
        weekText = texts.text(
            "playweek.week",
            ["n": "\(week.number.week)", "first": diary.short(week.monday), "last": diary.date(week.monday.adding(6))])
        func address(_ week: Week) -> String { "/games/report?who=\(player.id)&week=\(week)" }
        before = address(week.before)
        after = isNow ? nil : address(week.after)
        lobby = "/games?who=\(player.id)"
        csv = "/games/report.csv?who=\(player.id)&week=\(week)"
        sentences = report.sentences.map { sentence in
            var values = sentence.values
            values["name"] = name
            if let figure = values["figure"] {
                values["figure"] = figure.isEmpty ? texts.game(values["game"] ?? "") : texts.puzzle(figure)
            }
            return texts.text("playweek.\(sentence.kind)", values)
        }
        let most = Double(max(report.minutes.max() ?? 0, report.limit ?? 0, 10))
        bars = zip(week.days, report.minutes).enumerated().map { index, day in
            let height = Double(day.1) / most * Self.plotHeight
            return Bar(
                x: "\(index * 48 + 8)", y: "\(Int(Self.plotBase - height))", height: "\(Int(height))",
                middle: "\(index * 48 + 24)", name: diary.mark(day.0), minutes: day.1 == 0 ? "–" : "\(day.1)",
                top: "\(Int(Self.plotBase - height) - 6)")
        }
        barsText =
            texts.text("playweek.bars") + ": "
            + zip(week.days, report.minutes).map { "\(diary.mark($0)) \($1)" }.joined(separator: ", ")
        limitY = report.limit.map { "\(Int(Self.plotBase - Double($0) / most * Self.plotHeight))" }
        let drawn = Dictionary(figures.map { ($0.puzzle, $0) }, uniquingKeysWith: { first, _ in first })
        rows = report.rows.reversed().map { row in
            let day = Day(row.day).map { diary.mark($0) } ?? row.day
            let time = texts.text(
                "playweek.time", ["n": "\(row.seconds / 60):\(row.seconds % 60 < 10 ? "0" : "")\(row.seconds % 60)"])
            let pieces = row.placed.flatMap { placed in
                row.needed.map { texts.text("play.pieces", ["n": "\(placed)", "all": "\($0)"]) }
            }
            return Row(
                title: row.puzzle.map { texts.puzzle($0) } ?? texts.game(row.game),
                facts: [day, time, row.isSolved ? nil : pieces].compactMap { $0 }.joined(separator: ", "),
                figure: row.puzzle.flatMap { drawn[$0] }.map { DrawnOutline($0.picture) },
                stars: row.isSolved ? Stars(hints: row.hints, texts) : nil,
                hints: row.hints == 0
                    ? nil : texts.text(row.hints == 1 ? "playweek.hint" : "playweek.hintcount", ["n": "\(row.hints)"]))
        }
    }
}
