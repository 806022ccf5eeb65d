import Core
import Household
import Kinds

/// What a session's lines say about its player: counts, never a comparison with others.
struct ReportPage: Page {
    static let template = "report"
    static let styles = ["steps", "table", "game"]

    struct Skill { let name, won, all, line: String }

    let heading, title, board, address: String
    let minutes, done, share, tries, hints, helped: String
    /// True if there are too few tries for a share.
    let isFew: Bool
    let skills: [Skill]

    /// Fewer tries than this allow no share.
    private static let least = 5

    init(_ board: ShownBoard, _ texts: PageTexts) {
        let lines = board.lines
        func count(_ kind: PlayerActionOutcome.Kind) -> Int { lines.count { $0.report.outcome.kind == kind } }
        let right = count(.correctPlacement)
        let tries = right + count(.incorrectPlacement)
        heading = texts.text("report.head")
        title = texts.game(board.session.game)
        self.board = board.session.shortBoard
        address = board.session.address
        minutes = PageTexts.time(lines.last?.t_ns ?? 0)
        done = "\(count(.levelComplete))"
        isFew = tries < Self.least
        share = isFew ? "–" : "\(Int(nearest: Double(right) / Double(tries) * 100)) %"
        self.tries = texts.text("report.tries", ["right": "\(right)", "n": "\(tries)"])
        hints = "\(count(.hintUsed) + lines.count(where: \.isUnansweredHint))"
        helped = texts.text("report.helped", ["n": "\(lines.count { $0.advice != nil })"])
        skills = Self.skills(board, texts)
    }

    private static func skills(_ board: ShownBoard, _ texts: PageTexts) -> [Skill] {
        var counts: [String: (won: Int, all: Int)] = [:]
        for event in board.lines.flatMap(\.skills) where event.kind == .practised || event.kind == .failed {
            counts[event.skill, default: (0, 0)].all += 1
            if event.kind == .practised { counts[event.skill, default: (0, 0)].won += 1 }
        }
        return counts.sorted { $0.key < $1.key }.map { skill, count in
            Skill(
                name: texts.skill(skill, of: board.session.game), won: "\(count.won)", all: "\(count.all)",
                line: texts.text("report.of", ["won": "\(count.won)", "n": "\(count.all)"]))
        }
    }
}
