import Core
import Foundation
import Games
import HTTP

/// A board's session as its page shows it.
package struct WebBoard: Sendable {
    package var session: APISession
    /// The newest frame; nil before the first.
    package var frame: PieceFrame?
    /// The lines of the game, oldest first.
    package var lines: [GameLine]
    /// The newest photo of the board and its size in pixels; nil if none is stored.
    package var photo: (id: String, width: Int, height: Int)?
    /// True for a camera: its pictures are not stored, and the page draws the pieces alone.
    package var isLive: Bool
    /// The puzzles that may be chosen, by their ids; empty for a game without puzzles.
    package var puzzles: [String]

    package init(
        session: APISession, frame: PieceFrame?, lines: [GameLine], photo: (id: String, width: Int, height: Int)?,
        isLive: Bool = false, puzzles: [String] = []
    ) {
        self.isLive = isLive
        self.puzzles = puzzles
        self.session = session
        self.frame = frame
        self.lines = lines
        self.photo = photo
    }
}

/// The list of games, with the sessions that run.
struct LobbyPage {
    let games: [GameCatalogue.Entry]
    let sessions: [APISession]
    let texts: PageTexts

    func values() -> Values {
        [
            "isWaiting": !sessions.isEmpty, "isEmpty": sessions.isEmpty,
            "sessions": sessions.reversed().map { session -> Values in
                [
                    "address": session.address, "title": texts.game(session.game), "board": session.shortBoard,
                    "frames": session.frames == 1
                        ? texts.text("games.photo") : texts.text("games.photos", ["n": "\(session.frames)"]),
                    "report": session.address + "/report",
                ]
            },
            "games": games.map { game -> Values in
                [
                    "id": game.id, "title": texts.game(game.id),
                    "text": texts.has("game.\(game.id).text") ? texts.text("game.\(game.id).text") : game.description,
                    "age": texts.text("games.age", ["n": "\(game.recommendedAge.first ?? 0)"]),
                    "skills": game.skills.map { texts.skill($0) }.joined(separator: ", "),
                ]
            },
        ]
    }
}

/// A board: the newest photo with its pieces, the score, help and what happened.
struct BoardPage {
    let board: WebBoard
    let texts: PageTexts

    private static let mostEvents = 8

    func values() -> Values {
        let last = board.lines.last
        var values: Values = [
            "title": texts.game(board.session.game), "board": board.session.shortBoard,
            "address": board.session.address, "stream": board.session.stream,
            "frames": board.session.frames == 1
                ? texts.text("games.photo") : texts.text("games.photos", ["n": "\(board.session.frames)"]),
            "isPlayed": board.session.game != "pieces",
        ]
        if let photo = board.photo { values["photo"] = self.photo(photo) }
        if board.isLive { values["table"] = table }
        if let last {
            values["score"] = "\(last.score)"
            values["level"] = texts.text("games.level", ["n": "\(last.level)", "xp": "\(last.xp)"])
            values["difficulty"] = texts.text("games.difficulty.\(last.difficulty.rawValue)")
            if let better = last.suggestion {
                values["suggestion"] = texts.text(
                    "games.suggestion", ["level": texts.text("games.difficulty.\(better.rawValue)")])
            }
            if let puzzle = last.report.puzzle { values["puzzle"] = puzzle }
            if let placed = last.report.placed, let needed = last.report.needed, needed > 0 {
                values["hasPlaces"] = true
                values["placed"] = "\(placed)"
                values["needed"] = "\(needed)"
            }
        }
        (values["adviceHead"], values["adviceText"]) = advice
        if !board.puzzles.isEmpty {
            let chosen = board.lines.last { $0.report.outcome.reason == "puzzleChosen" }?.report.puzzle
            values["puzzles"] =
                [["value": "", "text": texts.text("board.anypuzzle"), "isChosen": chosen == nil] as Values]
                + board.puzzles.map { ["value": $0, "text": $0, "isChosen": $0 == chosen] as Values }
            values["hasPuzzles"] = true
        }
        // A photo on which nothing changed is no event, but a hint that was asked for has an answer.
        let events = board.lines.reversed().filter { line in
            line.report.outcome.kind != .noAction || line.isUnansweredHint
        }.prefix(Self.mostEvents)
        values["events"] = events.map(event)
        values["hasEvents"] = !events.isEmpty
        values["pieces"] = (board.frame?.pieces ?? []).enumerated().map { index, piece in
            row(piece, number: index + 1)
        }
        values["hasPieces"] = board.frame?.pieces.isEmpty == false
        return values
    }

    /// The newest help, or why there is none.
    private var advice: (head: String, text: String) {
        let newest = board.lines.last {
            $0.advice != nil || $0.isUnansweredHint || ["reset", "puzzleChosen"].contains($0.report.outcome.reason)
        }
        if let advice = newest?.advice {
            return (texts.text("board.advice"), advice.text.isEmpty ? texts.text("games.look") : advice.text)
        }
        if let newest, newest.isUnansweredHint {
            let reason = newest.report.outcome.reason
            return (texts.text("play.\(reason)"), texts.text("board.why.\(reason)"))
        }
        return (texts.text("board.noadvice"), texts.text("board.ask"))
    }

    private func event(_ line: GameLine) -> Values {
        let outcome = line.report.outcome
        let isNamed = line.isUnansweredHint || ["reset", "puzzleChosen"].contains(outcome.reason)
        let kind = isNamed ? outcome.reason : outcome.kind.rawValue
        var values: Values = ["text": texts.text("play.\(kind)"), "time": Self.time(line.t_ns)]
        if let points = outcome.points, points != 0 { values["points"] = "+\(points)" }
        if let xp = outcome.xpAwarded ?? outcome.bonusXP, xp != 0 { values["points"] = "+\(xp) XP" }
        if let advice = line.advice, !advice.text.isEmpty { values["detail"] = advice.text }
        if outcome.reason == "puzzleChosen" {
            values["detail"] = line.report.puzzle ?? texts.text("board.anypuzzle")
        }
        return values
    }

    /// `12:04`, minutes and seconds since the start of the session.
    static func time(_ nanoseconds: Int) -> String {
        let seconds = max(0, nanoseconds / 1_000_000_000)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    private func row(_ piece: RecognizedPiece, number: Int) -> Values {
        let face = piece.symbol ?? piece.value.map(String.init) ?? piece.values?.map(String.init).joined(separator: "|")
        let colour = piece.colour.map { texts.has("colour.\($0)") ? texts.text("colour.\($0)") : $0 }
        return [
            "n": "\(number)",
            "name": [texts.piece(piece.type), colour, face].compactMap { $0 }.joined(separator: ", "),
            "state": texts.text("piece.\(piece.state.rawValue)"),
            "percent": Chip.percent(piece.confidence...piece.confidence),
        ]
    }

    /// The table from above, in millimetres. The script moves the pieces with each frame.
    private var table: Values {
        let size = board.frame?.board
        return [
            "width": "\(Int(nearest: size?.widthMM ?? 320))", "height": "\(Int(nearest: size?.heightMM ?? 220))",
            "pieces": (board.frame?.pieces ?? []).map { piece -> Values in
                [
                    "id": "\(piece.id)", "state": piece.state.rawValue,
                    "colour": piece.colour.flatMap { Self.colours.contains($0) ? $0 : nil } ?? "grey",
                    "points": piece.polygonMM.map { "\($0.x.rounded(toPlaces: 1)),\($0.y.rounded(toPlaces: 1))" }
                        .joined(separator: " "),
                ]
            },
        ]
    }

    /// Names that CSS knows too.
    private static let colours: Set = [
        "black", "blue", "brown", "cyan", "green", "magenta", "orange", "purple", "red", "white", "yellow",
    ]

    private func photo(_ photo: (id: String, width: Int, height: Int)) -> Values {
        func points(_ corners: [Point]) -> String {
            corners.map { "\(Int(nearest: $0.x)),\(Int(nearest: $0.y))" }.joined(separator: " ")
        }
        let pieces = board.frame?.pieces ?? []
        let overlay = PhotoOverlay(
            width: photo.width, height: photo.height,
            items: pieces.enumerated().compactMap { index, piece in
                Quad(around: piece.polygonPX.map { Quad(topLeft: $0, topRight: $0, bottomRight: $0, bottomLeft: $0) })
                    .map {
                        .init(
                            number: index + 1, label: texts.piece(piece.type), box: $0, target: "#p\(index + 1)",
                            piece: .init(number: index + 1, corners: piece.polygonPX, isPlain: piece.isPlain))
                    }
            }, underlines: [],
            words: pieces.compactMap { piece in
                Quad(around: piece.polygonPX.map { Quad(topLeft: $0, topRight: $0, bottomRight: $0, bottomLeft: $0) })
            })
        var values = overlay.values(image: "/v1/outcomes/\(photo.id)/image")
        values["boxes"] = [Values]()
        values["pieces"] = pieces.filter { $0.state != .occluded }.map { ["points": points($0.polygonPX)] }
        values["hidden"] = pieces.filter { $0.state == .occluded }.map { ["points": points($0.polygonPX)] }
        return values
    }
}

/// What a session's lines say about its player: counts, never a comparison with others.
struct ReportPage {
    let board: WebBoard
    let texts: PageTexts

    /// Fewer tries than this allow no share.
    private static let least = 5

    func values() -> Values {
        func count(_ kinds: PlayerActionOutcome.Kind...) -> Int {
            board.lines.count { kinds.contains($0.report.outcome.kind) }
        }
        let (right, wrong) = (count(.correctPlacement), count(.incorrectPlacement))
        let tries = right + wrong
        let last = board.lines.last
        var skills: [String: (won: Int, all: Int)] = [:]
        for event in board.lines.flatMap(\.skills) where event.kind == .practised || event.kind == .failed {
            skills[event.skill, default: (0, 0)].all += 1
            if event.kind == .practised { skills[event.skill, default: (0, 0)].won += 1 }
        }
        let helped = board.lines.count { $0.advice != nil }
        return [
            "title": texts.game(board.session.game), "board": board.session.shortBoard,
            "address": board.session.address,
            "minutes": BoardPage.time(last?.t_ns ?? 0), "done": "\(count(.levelComplete))",
            "share": tries >= Self.least ? "\(Int(nearest: Double(right) / Double(tries) * 100)) %" : "–",
            "tries": texts.text("report.tries", ["right": "\(right)", "n": "\(tries)"]),
            "isFew": tries < Self.least,
            "hints": "\(count(.hintUsed) + board.lines.count(where: \.isUnansweredHint))",
            "helped": texts.text("report.helped", ["n": "\(helped)"]),
            "points": "\(last?.score ?? 0)",
            "hasSkills": !skills.isEmpty,
            "skills": skills.sorted { $0.key < $1.key }.map { skill, counts -> Values in
                [
                    "name": texts.skill(skill), "won": "\(counts.won)", "all": "\(counts.all)",
                    "line": texts.text("report.of", ["won": "\(counts.won)", "n": "\(counts.all)"]),
                ]
            },
        ]
    }
}

extension PageTexts {
    func game(_ id: String) -> String {
        let base = String(id.prefix { $0 != ":" })
        let name = has("game.\(base)") ? text("game.\(base)") : base
        return base == id ? name : "\(name), \(id.dropFirst(base.count + 1))"
    }

    func skill(_ key: String) -> String { has("skill.\(key)") ? text("skill.\(key)") : Self.spaced(key) }

    func piece(_ type: String) -> String { has("piece.type.\(type)") ? text("piece.type.\(type)") : Self.spaced(type) }

    /// `largeTriangle` → `large triangle`.
    private static func spaced(_ key: String) -> String {
        key.reduce(into: "") { text, letter in
            if letter.isUppercase { text += " " }
            text += letter.lowercased()
        }
    }
}

extension APISession {
    /// Address of the session's page. Ids have letters, digits and hyphens only.
    var address: String { "/games/\(Self.encoded(game))/\(id)" }
    var stream: String { "/v1/games/\(Self.encoded(game))/sessions/\(id)/stream" }

    /// The name of the board's folder.
    var shortBoard: String { board.split(separator: "/").last.map(String.init) ?? board }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ":"])) ?? text
    }
}
