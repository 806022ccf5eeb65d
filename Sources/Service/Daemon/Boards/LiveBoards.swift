import Core
import Foundation
import Games
import HTTP
import Store
import Streaming
import App

/// The running sessions of cameras. They are in memory: fifteen frames a second are no record to keep. A restart begins
/// new ones.
actor LiveBoards {
    private let games: GameCatalogue
    private let socket: LineSocket?
    private var sessions: [String: LiveSession] = [:]

    /// - Parameter socket: receives lines in addition to the API; nil for none.
    init(models: ModelFolder, socket: LineSocket?) {
        games = GameCatalogue(models: models)
        self.socket = socket
    }

    /// Begins the session of a camera.
    ///
    /// - Returns: the session's id.
    func begin(_ camera: Camera) throws -> String {
        let random = UInt32.random(in: 0...0xFFFFFF)
        let suffix = String(random, radix: 16)
        let id = "camera-\(camera.name)-\(String(repeating: "0", count: 6 - suffix.count))\(suffix)"
        sessions[id] = LiveSession(id: id, camera: camera, game: try camera.game.map { try games.game($0) })
        return id
    }

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
    func lines(of id: String, after number: Int64, limit: Int) -> [APIEvent]? {
        sessions[id]?.lines(after: number, limit: limit)
    }

    func board(_ id: String) -> ShownBoard? { sessions[id]?.board }

    /// Passes a person's request to the game of a session.
    ///
    /// - Returns: the line; nil for an unknown session.
    /// - Throws: ``GameInputProblem`` for a camera without a game.
    func play(_ action: GameAction, in id: String) throws -> GameLine? {
        guard var session = sessions[id] else { return nil }
        guard let (said, line) = try session.play(action) else { throw GameInputProblem.noGame }
        sessions[id] = session
        socket?.publish([line])
        return said
    }
}

/// One camera's session: the tracker, the game, and the newest lines.
private struct LiveSession {
    private let id: String
    private let camera: Camera
    private var tracker: PieceTracker
    private var game: GameSession?
    private var time = -1
    private var frames = 0
    private var lastLine: Int64 = 0
    private var recent: [APIEvent] = []
    private var frame: PieceFrame?
    private var played: [GameLine] = []
    /// What the last line of the game said besides its outcome.
    private var lastSaid: GameLine?

    /// A reader that is further behind continues with the oldest of these lines: 8 s at 30 frames a second.
    private static let mostRecent = 256
    /// Lines of the game that page and report look at.
    private static let mostPlayed = 2000
    private static let usualInterval = 33_333_333

    init(id: String, camera: Camera, game: (any Game)?) {
        self.id = id
        self.camera = camera
        tracker = PieceTracker(session: id, interval: Self.usualInterval)
        self.game = game.map { GameSession(id: id, game: $0) }
    }

    /// - Returns: the new lines.
    mutating func take(_ capture: PieceFrame, at now: Int) throws -> [Data] {
        time = max(time + 1, now)
        frames += 1
        let next = tracker.track(capture, at: time)
        frame = next
        var lines = [try add("frame", next)]
        if let said = game?.process(next), isNews(said) { lines.append(try add(said)) }
        return lines
    }

    /// - Returns: the game's line, also as JSON; nil without a game.
    mutating func play(_ action: GameAction) throws -> (said: GameLine, json: Data)? {
        guard let said = try game?.take(action, at: max(time, 0)) else { return nil }
        return (said, try add(said))
    }

    /// Most frames change nothing for the player. Their lines would push the others out.
    private mutating func isNews(_ said: GameLine) -> Bool {
        defer { lastSaid = said }
        guard let lastSaid else { return true }
        return said.report.outcome.kind != .noAction || said.advice != nil
            || said.report.placed != lastSaid.report.placed
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
        recent.append(APIEvent(number: lastLine, kind: kind, body: body))
        if recent.count > Self.mostRecent { recent.removeFirst(recent.count - Self.mostRecent) }
        return body
    }

    func lines(after number: Int64, limit: Int) -> [APIEvent] {
        Array(recent.drop { $0.number <= number }.prefix(limit))
    }

    var summary: PlaySession {
        PlaySession(
            id: id, game: camera.game ?? "pieces", set: camera.pieceSet, board: camera.source, frames: frames,
            lastLine: lastLine)
    }

    var board: ShownBoard {
        ShownBoard(live: summary, frame: frame, lines: played)
    }
}
