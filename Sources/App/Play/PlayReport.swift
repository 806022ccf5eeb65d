import Core
import Foundation
import Kinds
import HTTP
import Household
import Foods

/// A player's week as a page.
struct PlayReportPage: Page {
    static let template = "playweek"
    static let styles = ["game", "table"]

    struct Bar { let x, y, height, middle, name, minutes, top: String }

    struct Row {
        let title, facts: String
        /// What the game practises; nil if nothing is named.
        let skills: String?
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

    init(
        _ report: PlayWeek, of player: Member, _ week: Week, games: [GameCatalogue.Entry], figures: [PlayFigure],
        isNow: Bool, _ texts: PageTexts
    ) {
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
                let game = values["game"] ?? ""
                values["figure"] = figure.isEmpty ? texts.game(game) : texts.puzzle(figure, of: game)
            }
            // Days with less than half a minute are not counted: without others, the week has no figures to name.
            let isShort = sentence.kind == "minutes" && values["days"] == "0"
            let key = !isShort ? sentence.kind : report.rows.isEmpty ? "none" : "short"
            return texts.text("playweek.\(key)", values)
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
        let practised = Dictionary(games.map { ($0.id, $0.skills) }, uniquingKeysWith: { first, _ in first })
        let drawn = Dictionary(figures.map { ($0.puzzle, $0) }, uniquingKeysWith: { first, _ in first })
        rows = report.rows.reversed().map { row in
            let day = Day(row.day).map { diary.mark($0) } ?? row.day
            let time = texts.text(
                "playweek.time", ["n": "\(row.seconds / 60):\(row.seconds % 60 < 10 ? "0" : "")\(row.seconds % 60)"])
            let pieces = row.placed.flatMap { placed in
                row.needed.map { texts.text("play.pieces", ["n": "\(placed)", "all": "\($0)"]) }
            }
            return Row(
                title: row.puzzle.map { texts.puzzle($0, of: row.game) } ?? texts.game(row.game),
                facts: [day, time, row.isSolved ? nil : pieces].compactMap { $0 }.joined(separator: ", "),
                skills: practised[row.game].flatMap { skills in
                    skills.isEmpty ? nil : skills.map { texts.skill($0, of: row.game) }.joined(separator: ", ")
                },
                figure: row.puzzle.flatMap { drawn[$0]?.picture }.map { DrawnOutline($0) },
                stars: row.isSolved ? Stars(hints: row.hints, texts) : nil,
                hints: row.hints == 0
                    ? nil : texts.text(row.hints == 1 ? "playweek.hint" : "playweek.hintcount", ["n": "\(row.hints)"]))
        }
    }
}
