import Core
import Foundation
import Household
import Kinds
import Streaming

/// One camera's session: the table and the newest lines.
struct LiveSession {
    private let id: String
    private let source: String
    let set: String
    private let gameID: String?
    var table: PlayTable
    private var frames = 0
    private var recent: [StreamEvent] = []
    private var played: [GameLine] = []
    /// The faces of a table that the game does not see until it changes: it would solve the next task at once.
    var ignored: [String]?

    /// Who plays what.
    struct Player: Hashable { let name, game: String }

    /// A reader that is further behind continues with the oldest of these lines: 8 s at 30 frames a second.
    private static let mostRecent = 256
    /// Lines of the game that page and report look at.
    private static let mostPlayed = 2000
    private static let usualInterval = 33_333_333

    /// - Parameter source: the camera, or who plays.
    init(id: String, source: String, set: String, gameID: String?, game: GameSession?) {
        self.id = id
        self.source = source
        self.set = set
        self.gameID = gameID
        table = PlayTable(session: id, interval: Self.usualInterval, game: game, onlyNews: true)
    }

    /// The game's line about the newest frame, if it is news.
    private(set) var said: [GameLine] = []

    var player: Player { Player(name: source, game: gameID ?? "") }
    var isSolved: Bool { played.last { $0.report.outcome.kind == .levelComplete } != nil }

    /// What the pieces on the table show, in no order.
    var faces: [String] { Self.faces(of: table.frame) }

    private static func faces(of frame: PieceFrame?) -> [String] {
        (frame?.pieces ?? []).map { piece in
            let numbers = (piece.values ?? []) + [piece.value, piece.cell?.row, piece.cell?.column].compactMap(\.self)
            return "\(piece.type) \(piece.colour ?? "") \(piece.symbol ?? "") \(numbers)"
        }.sorted()
    }

    var view: PlayView {
        let end = played.lastIndex { $0.report.outcome.kind == .levelComplete }
        let reset = played.lastIndex { $0.report.outcome.reason == "reset" }
        return PlayView(
            frames: frames, seen: table.frame?.pieces.count ?? 0, figure: table.picture, table: table.frame,
            advice: table.advice, last: played.last, standing: table.standing,
            awarded: end.flatMap { played[$0].report.outcome.xpAwarded }, isAnew: (reset ?? -1) > (end ?? -1),
            lastLine: table.lastLine)
    }

    /// - Returns: the new lines.
    mutating func take(_ capture: PieceFrame, at now: Int) throws -> [Data] {
        frames += 1
        let unseen = ignored
        let turn = table.take(capture, at: max(table.time + 1, now)) { unseen == nil || unseen != Self.faces(of: $0) }
        if unseen != nil, unseen != faces { ignored = nil }
        said = turn.said.map { [$0] } ?? []
        return try add(turn)
    }

    /// - Parameter now: nanoseconds since the session began, where pictures come from time to time only.
    /// - Returns: the game's line, also as JSON; nil without a game.
    mutating func play(_ action: GameAction, at now: Int) throws -> (said: GameLine, json: Data)? {
        let turn = try table.take(action, at: now)
        guard let said = turn.said else { return nil }
        return try add(turn).first.map { (said, $0) }
    }

    private mutating func add(_ turn: PlayTable.Turn) throws -> [Data] {
        let lines = try table.lines(of: turn)
        recent += lines
        if recent.count > Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
        if let said = turn.said { played.append(said) }
        if played.count > Self.mostPlayed { played.removeFirst(played.count - Self.mostPlayed) }
        return lines.map(\.body)
    }

    func lines(after number: Int64, limit: Int) -> [StreamEvent] {
        Array(recent.drop { $0.number <= number }.prefix(limit))
    }

    var summary: PlaySession {
        PlaySession(
            id: id, game: gameID ?? "pieces", set: set, board: source, frames: frames,
            lastLine: table.lastLine)
    }

    var board: ShownBoard {
        ShownBoard(live: summary, frame: table.frame, lines: played)
    }
}
