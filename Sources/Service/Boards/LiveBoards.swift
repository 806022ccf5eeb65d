import Core
import Foundation
import Kinds
import Streaming
import Household

/// The running sessions of cameras. They are in memory: fifteen frames a second are no record to keep. A restart begins
/// new ones.
package actor LiveBoards {
    private let games: GameCatalogue
    private let socket: LineSocket?
    private let clock: @Sendable () -> ContinuousClock.Instant
    private var sessions: [String: LiveSession] = [:]
    /// When the plays of members began or continued, and those that read a picture.
    private var begun: [String: ContinuousClock.Instant] = [:]
    private var busy: Set<String> = []
    /// What lay on the table when a play of this player and game ended solved.
    private var solved: [LiveSession.Player: [String]] = [:]

    /// - Parameters:
    ///   - socket: receives lines in addition to the API; nil for none.
    ///   - clock: the present time; tests give their own.
    package init(
        models: ModelFolder, socket: LineSocket?,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        games = GameCatalogue(models: models)
        (self.socket, self.clock) = (socket, clock)
    }

    /// Begins the session of a camera.
    ///
    /// - Returns: the session's id.
    func begin(_ camera: Camera) throws -> String {
        let random = UInt32.random(in: 0...0xFFFFFF)
        let suffix = String(random, radix: 16)
        let id = "camera-\(camera.name)-\(String(repeating: "0", count: 6 - suffix.count))\(suffix)"
        sessions[id] = LiveSession(
            id: id, source: camera.source, set: camera.pieceSet, gameID: camera.game,
            game: try camera.game.map { GameSession(id: id, game: try games.game($0)) })
        return id
    }

    /// Begins a member's play, or continues a saved one; a running one stays.
    func begin(_ start: PlayStart) throws {
        guard sessions[start.session] == nil else { return }
        let choice = GameCatalogue.Choice(difficulty: start.difficulty, puzzle: start.puzzle)
        let game = GameSession(
            id: start.session, game: try games.game(start.game, choice), difficulty: start.difficulty,
            progress: start.progress)
        var session = LiveSession(
            id: start.session, source: start.player, set: start.pieceSet, gameID: start.game, game: game)
        if let state = start.state {
            // A state that another version saved may be unreadable; the play begins again then.
            try? session.load(state)
        } else if start.puzzle == nil {
            session.ignored = solved.removeValue(forKey: session.player)
        }
        sessions[start.session] = session
        begun[start.session] = clock() - .nanoseconds(max(0, session.time))
        forgetOldest()
    }

    /// The most plays in memory: those before were left long ago, and continue from what was saved.
    private static let mostPlays = 50

    private func forgetOldest() {
        guard begun.count > Self.mostPlays, let oldest = begun.min(by: { $0.value < $1.value })?.key else { return }
        end(oldest)
    }

    func end(_ id: String) {
        guard begun.removeValue(forKey: id) != nil, let session = sessions.removeValue(forKey: id) else { return }
        solved[session.player] = session.isSolved ? session.faces : nil
    }

    /// The piece set of a member's play, which is busy from now on until ``takeNext(_:in:)``.
    ///
    /// - Returns: nil for an unknown session.
    /// - Throws: ``PlayProblem/busy`` while it reads another picture.
    func reserve(_ id: String) throws -> String? {
        guard begun[id] != nil, let set = sessions[id]?.set else { return nil }
        guard busy.insert(id).inserted else { throw PlayProblem.busy }
        return set
    }

    /// Adds the pieces of the picture that was read.
    ///
    /// - Parameters:
    ///   - capture: nil for a picture without pieces.
    ///   - isStill: true for a photo. Its pieces lie as if they had been seen for a second.
    func takeNext(_ capture: PieceFrame?, isStill: Bool, in id: String) throws -> TakenPicture? {
        busy.remove(id)
        guard var session = sessions[id], begun[id] != nil else { return nil }
        var news: [GameLine] = []
        if let capture {
            // A photo stands for itself: what is not on it is gone, not covered by a hand for a moment.
            let time = isStill ? max(now(in: id), session.time + Self.betweenStills) : now(in: id)
            for step in 0..<(isStill ? Self.stillFrames : 1) {
                let lines = try session.take(capture, at: time + step * Self.stillPause)
                socket?.publish(lines)
                news += session.said
            }
            sessions[id] = session
            if isStill { begun[id] = clock() - .nanoseconds(session.time) }
        }
        return TakenPicture(
            view: session.view, lines: news, state: news.isEmpty ? nil : try session.saved(),
            progress: session.progress)
    }

    /// Frames that a photo stands for, and nanoseconds between them.
    private static let (stillFrames, stillPause) = (5, 250_000_000)
    /// The least nanoseconds between two photos. The tracker keeps a missing piece for 1.5 s.
    private static let betweenStills = 2_000_000_000

    /// Nanoseconds since a member's play began or continued; 0 for a camera.
    private func now(in id: String) -> Int {
        begun[id].map { Int($0.duration(to: clock()) / .nanoseconds(1)) } ?? 0
    }

    func view(of id: String) -> PlayView? { sessions[id]?.view }

    /// Adds the pieces of a picture to a session.
    ///
    /// - Parameter time: nanoseconds since the session began.
    func take(_ capture: PieceFrame, in id: String, at time: Int) throws {
        guard var session = sessions[id] else { return }
        let lines = try session.take(capture, at: time)
        sessions[id] = session
        socket?.publish(lines)
    }

    /// All sessions, by their ids.
    func list() -> [PlaySession] { sessions.values.map(\.summary).sorted { $0.id < $1.id } }

    /// The lines of a session after a number that are still kept; nil for an unknown session.
    func lines(of id: String, after number: Int64, limit: Int) -> [StreamEvent]? {
        sessions[id]?.lines(after: number, limit: limit)
    }

    func board(_ id: String) -> ShownBoard? { sessions[id]?.board }

    /// Passes a person's request to the game of a session.
    ///
    /// - Returns: the line; nil for an unknown session.
    /// - Throws: ``PlayProblem/onlyPieces`` for a camera without a game.
    func play(_ action: GameAction, in id: String) throws -> GameLine? {
        guard var session = sessions[id] else { return nil }
        guard let (said, line) = try session.play(action, at: now(in: id)) else { throw PlayProblem.onlyPieces }
        sessions[id] = session
        socket?.publish([line])
        return said
    }
}

/// One camera's session: the tracker, the game, and the newest lines.
private struct LiveSession {
    private let id: String
    private let source: String
    let set: String
    private let gameID: String?
    private var tracker: PieceTracker
    private var game: GameSession?
    /// Nanoseconds since the session began.
    private(set) var time = -1
    private var frames = 0
    private var lastLine: Int64 = 0
    private var recent: [StreamEvent] = []
    private var frame: PieceFrame?
    private var played: [GameLine] = []
    /// What the last line of the game said besides its outcome.
    private var lastSaid: GameLine?
    /// The faces of a table that the game does not see until it changes: it would solve the next task at once.
    var ignored: [String]?

    /// Who plays what.
    struct Player: Hashable { let name, game: String }

    /// A play as it is saved.
    private struct Saved: Codable {
        var session: Data
        /// The newest frame.
        var table: PieceFrame?
    }

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
        tracker = PieceTracker(session: id, interval: Self.usualInterval)
        self.game = game
    }

    /// The game's line about the newest frame, if it is news.
    private(set) var said: [GameLine] = []
    var progress: PlayerProgress { game?.progress ?? PlayerProgress() }

    var player: Player { Player(name: source, game: gameID ?? "") }
    var isSolved: Bool { played.last { $0.report.outcome.kind == .levelComplete } != nil }

    /// What the pieces on the table show, in no order.
    var faces: [String] {
        (frame?.pieces ?? []).map { piece in
            let numbers = (piece.values ?? []) + [piece.value, piece.cell?.row, piece.cell?.column].compactMap(\.self)
            return "\(piece.type) \(piece.colour ?? "") \(piece.symbol ?? "") \(numbers)"
        }.sorted()
    }

    func saved() throws -> Data? {
        try game.map { try JSONCoding.encode(Saved(session: try $0.save(), table: frame)) }
    }

    /// Continues a saved play, with the table as it was.
    ///
    /// - Throws: an error for other bytes; the session then stays unchanged.
    mutating func load(_ data: Data) throws {
        guard var loaded = game else { return }
        // States of earlier versions are the session alone.
        let saved = (try? JSONCoding.decode(Saved.self, from: data)) ?? Saved(session: data)
        try loaded.load(saved.session)
        time = loaded.time
        // The game judged this table before, so it says nothing new.
        if let table = saved.table { _ = loaded.process(table) }
        (game, frame) = (loaded, saved.table)
    }

    /// The newest help that nobody followed yet.
    private var advice: Advice? {
        let isFollowed: Set<PlayerActionOutcome.Kind> = [.correctPlacement, .levelComplete]
        let after = played.lastIndex {
            isFollowed.contains($0.report.outcome.kind) || $0.report.outcome.reason == "reset"
        }
        return played[(after.map { $0 + 1 } ?? 0)...].last { $0.advice != nil }?.advice
    }

    var view: PlayView {
        let end = played.lastIndex { $0.report.outcome.kind == .levelComplete }
        let reset = played.lastIndex { $0.report.outcome.reason == "reset" }
        return PlayView(
            frames: frames, seen: frame?.pieces.count ?? 0, figure: game?.picture(after: advice), table: frame,
            advice: advice, last: played.last, standing: game?.standing ?? GameStanding(),
            awarded: end.flatMap { played[$0].report.outcome.xpAwarded }, isAnew: (reset ?? -1) > (end ?? -1),
            lastLine: lastLine)
    }

    /// - Returns: the new lines.
    mutating func take(_ capture: PieceFrame, at now: Int) throws -> [Data] {
        time = max(time + 1, now)
        frames += 1
        let next = tracker.track(capture, at: time)
        frame = next
        var lines = [try add("frame", next)]
        said = []
        if let ignored, ignored == faces { return lines }
        ignored = nil
        if let line = game?.process(next), isNews(line) {
            said = [line]
            lines.append(try add(line))
        }
        return lines
    }

    /// - Parameter now: nanoseconds since the session began, where pictures come from time to time only.
    /// - Returns: the game's line, also as JSON; nil without a game.
    mutating func play(_ action: GameAction, at now: Int) throws -> (said: GameLine, json: Data)? {
        guard let said = try game?.take(action, at: max(time, now, 0)) else { return nil }
        return (said, try add(said))
    }

    /// Most frames change nothing for the player. Their lines would push the others out.
    private mutating func isNews(_ said: GameLine) -> Bool {
        defer {
            let placed = lastSaid?.report.placed
            lastSaid = said
            // Some games say how far the player is only when it changes.
            if said.report.placed == nil { lastSaid?.report.placed = placed }
        }
        guard let lastSaid else { return true }
        return said.report.outcome.kind != .noAction || said.advice != nil
            || (said.report.placed ?? lastSaid.report.placed) != lastSaid.report.placed
            || said.report.puzzle != lastSaid.report.puzzle
    }

    private mutating func add(_ said: GameLine) throws -> Data {
        played.append(said)
        if played.count > Self.mostPlayed { played.removeFirst(played.count - Self.mostPlayed) }
        return try add("game", said)
    }

    private mutating func add(_ kind: String, _ value: some Encodable) throws -> Data {
        let body = try JSONCoding.encode(value)
        lastLine += 1
        recent.append(StreamEvent(number: lastLine, kind: kind, body: body))
        if recent.count > Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
        return body
    }

    func lines(after number: Int64, limit: Int) -> [StreamEvent] {
        Array(recent.drop { $0.number <= number }.prefix(limit))
    }

    var summary: PlaySession {
        PlaySession(
            id: id, game: gameID ?? "pieces", set: set, board: source, frames: frames,
            lastLine: lastLine)
    }

    var board: ShownBoard {
        ShownBoard(live: summary, frame: frame, lines: played)
    }
}
