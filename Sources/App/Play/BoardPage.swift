import Core
import Household
import Kinds

/// A board: the newest photo with its pieces, the score, help and what happened.
struct BoardPage: Page {
    static let template = "board"
    static let styles = ["result", "steps", "table", "form", "game"]
    static let scripts = ["board"]

    struct Advice { let head, text: String }

    /// The table of a camera from above, in millimetres. The script moves the pieces with each frame.
    struct Table {
        struct Piece {
            let id, state, colour, points: String
            /// The path of the pips that were read; empty without pips.
            let pips: [String]
        }

        let width, height: String
        let pieces: [Piece]
    }

    struct Event {
        let text, time: String
        let points, detail: String?
    }

    struct Places { let placed, needed: String }

    struct Level {
        let level, difficulty: String
        /// A difficulty that suits the player better.
        let suggestion: String?
    }

    struct Puzzle {
        let value, text: String
        let isChosen: Bool
    }

    struct Piece { let n, name, state, percent: String }

    let heading, board, address, stream, frames: String
    let isPlayed: Bool
    let photo: BoardPhoto?
    let table: Table?
    let advice: Advice
    let score: String
    let places: Places?
    let puzzle: String?
    let level: Level?
    let puzzles: [Puzzle]
    /// The newest first.
    let events: [Event]
    let pieces: [Piece]

    private static let mostEvents = 8

    init(_ board: ShownBoard, _ texts: PageTexts) {
        let session = board.session
        let pieces = board.frame?.pieces ?? []
        let last = board.lines.last
        heading = texts.game(session.game)
        self.board = session.shortBoard
        address = session.address
        stream = session.stream
        frames = texts.photos(of: session)
        isPlayed = session.game != PlaySession.noGame
        photo = board.photo.map { BoardPhoto($0, pieces, texts) }
        table = board.isLive ? Table(board.frame) : nil
        advice = Advice(board.lines, texts)
        score = "\(last?.score ?? 0)"
        places = last.flatMap { Places($0.report) }
        puzzle = last?.report.puzzle.map { texts.puzzle($0, of: session.game) }
        level = last.map { Level($0, texts) }
        puzzles = Self.puzzles(board, texts)
        // A photo on which nothing changed is no event, but a hint that was asked for has an answer.
        events = board.lines.reversed().filter { line in
            line.report.outcome.kind != .noAction || line.isUnansweredHint
        }.prefix(Self.mostEvents).map { Event($0, texts) }
        self.pieces = pieces.enumerated().map { Piece($1, number: $0 + 1, texts) }
    }

    private static func puzzles(_ board: ShownBoard, _ texts: PageTexts) -> [Puzzle] {
        let chosen = board.lines.last { $0.report.outcome.reason == "puzzleChosen" }?.report.puzzle
        return [Puzzle(value: "", text: texts.text("board.anypuzzle"), isChosen: chosen == nil)]
            + board.puzzles.map {
                Puzzle(value: $0, text: texts.puzzle($0, of: board.session.game), isChosen: $0 == chosen)
            }
    }
}

extension GameLine {
    /// True for the answer to a person who began again or chose a puzzle.
    fileprivate var isChoice: Bool { ["reset", "puzzleChosen"].contains(report.outcome.reason) }
}

extension BoardPage.Advice {
    /// The newest help, or why the game gives no help.
    fileprivate init(_ lines: [GameLine], _ texts: PageTexts) {
        let newest = lines.last { $0.advice != nil || $0.isUnansweredHint || $0.isChoice }
        if let advice = newest?.advice {
            self.init(
                head: texts.text("board.advice"), text: texts.saying(advice) ?? texts.text("games.look"))
        } else if let newest, newest.isUnansweredHint {
            let reason = newest.report.outcome.reason
            self.init(head: texts.text("play.\(reason)"), text: texts.text("board.why.\(reason)"))
        } else {
            self.init(head: texts.text("board.noadvice"), text: texts.text("board.ask"))
        }
    }
}

extension BoardPage.Places {
    /// Nil for a game that does not count places.
    fileprivate init?(_ report: GameReport) {
        guard let placed = report.placed, let needed = report.needed, needed > 0 else { return nil }
        self.init(placed: "\(placed)", needed: "\(needed)")
    }
}

extension BoardPage.Level {
    fileprivate init(_ line: GameLine, _ texts: PageTexts) {
        func name(_ level: GameLevel) -> String { texts.text("games.difficulty.\(level.rawValue)") }
        self.init(
            level: texts.text("games.level", ["n": "\(line.level)", "xp": "\(line.xp)"]),
            difficulty: name(line.difficulty),
            suggestion: line.suggestion.map { texts.text("games.suggestion", ["level": name($0)]) })
    }
}

extension BoardPage.Event {
    fileprivate init(_ line: GameLine, _ texts: PageTexts) {
        let outcome = line.report.outcome
        text = texts.text("play.\(line.isUnansweredHint || line.isChoice ? outcome.reason : outcome.kind.rawValue)")
        time = PageTexts.time(line.t_ns)
        points =
            if let xp = outcome.xpAwarded ?? outcome.bonusXP, xp != 0 {
                "+\(xp) XP"
            } else { outcome.points.flatMap { $0 == 0 ? nil : "+\($0)" } }
        detail =
            if outcome.reason == "puzzleChosen" {
                line.report.puzzle ?? texts.text("board.anypuzzle")
            } else { line.advice.flatMap { $0.text.isEmpty ? nil : $0.text } }
    }
}

extension BoardPage.Piece {
    fileprivate init(_ piece: RecognizedPiece, number: Int, _ texts: PageTexts) {
        let face = piece.symbol ?? piece.value.map(String.init) ?? piece.values?.map(String.init).joined(separator: "|")
        let colour = piece.colour.map { texts.has("colour.\($0)") ? texts.text("colour.\($0)") : $0 }
        self.init(
            n: "\(number)", name: [texts.piece(piece.type), colour, face].compactMap(\.self).joined(separator: ", "),
            state: texts.text("piece.\(piece.state.rawValue)"),
            percent: Chip.percent(piece.confidence...piece.confidence))
    }
}

extension BoardPage.Table {
    init(_ frame: PieceFrame?) {
        width = "\(Int(nearest: frame?.board?.widthMM ?? 320))"
        height = "\(Int(nearest: frame?.board?.heightMM ?? 220))"
        pieces = (frame?.pieces ?? []).map { piece in
            Piece(
                id: "\(piece.id)", state: piece.state.rawValue,
                colour: piece.colour.flatMap { Self.colours.contains($0) ? $0 : nil } ?? "grey",
                points: piece.polygonMM.map { "\($0.x.rounded(toPlaces: 1)),\($0.y.rounded(toPlaces: 1))" }
                    .joined(separator: " "), pips: PipDrawing.path(of: piece).map { [$0] } ?? [])
        }
    }

    /// Names that CSS knows too.
    private static let colours: Set = [
        "black", "blue", "brown", "cyan", "green", "magenta", "orange", "purple", "red", "white", "yellow",
    ]
}
