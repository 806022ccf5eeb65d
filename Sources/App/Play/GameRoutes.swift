import HTTP
import Foundation
import Hummingbird

/// A board's session in a list.
package struct APISession: Sendable, Codable {
    package var id: String
    /// The game; `pieces` if the stream has only pieces.
    package var game: String
    package var set: String
    /// The folder of the frames' photos.
    package var board: String
    package var frames: Int
    /// Number of the stream's last line.
    package var lastLine: Int64

    package init(id: String, game: String, set: String, board: String, frames: Int, lastLine: Int64) {
        self.id = id
        self.game = game
        self.set = set
        self.board = board
        self.frames = frames
        self.lastLine = lastLine
    }
}

/// `GET /v1/games`, `/v1/games/{id}/sessions`, `POST …/{session}/hint`, `…/reset` and `…/puzzle`, and `/v1/games/{id}/sessions/{session}/stream`: games on the boards.
///
/// The stream's events are `frame` and `game`, one line of NDJSON each, numbered per session.
struct GameRoutes: APIRoutes {
    private let games: @Sendable () async throws -> Data
    private let sessions: @Sendable () async throws -> [APISession]
    private let lines: @Sendable (String, Int64, Int) async throws -> [APIEvent]
    private let isKnown: @Sendable (String) async throws -> Bool
    private let play: @Sendable (GameAction, String) async throws -> Data?

    /// - Parameters:
    ///   - games: a JSON array of all games.
    ///   - sessions: returns the sessions of all boards.
    ///   - lines: returns lines of a session after a number, in order, at most as many as its last argument.
    ///   - isKnown: true for the id of a game.
    ///   - play: passes a request to a session; returns the game's line, or nil if there is no such session.
    init(
        games: @escaping @Sendable () async throws -> Data,
        sessions: @escaping @Sendable () async throws -> [APISession],
        lines: @escaping @Sendable (String, Int64, Int) async throws -> [APIEvent],
        isKnown: @escaping @Sendable (String) async throws -> Bool,
        play: @escaping @Sendable (GameAction, String) async throws -> Data?
    ) {
        self.games = games
        self.sessions = sessions
        self.lines = lines
        self.isKnown = isKnown
        self.play = play
    }

    func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/games") { _, _ in Self.json(try await games()) }
        routes.get("v1/games/{id}/sessions") { _, context in
            let game = try context.parameters.require("id")
            let played = try await sessions().filter { $0.game == game }
            if played.isEmpty, try await !isKnown(game) { throw Self.unknownGame }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Self.json(try encoder.encode(played))
        }
        for (name, action) in [("hint", GameAction.hint), ("reset", .reset)] {
            routes.post("v1/games/{id}/sessions/{session}/\(name)") { _, context in
                let (game, id) = (try context.parameters.require("id"), try context.parameters.require("session"))
                return Self.json(try await act(action, game: game, session: id))
            }
        }
        routes.post("v1/games/{id}/sessions/{session}/puzzle") { request, context in
            let (game, id) = (try context.parameters.require("id"), try context.parameters.require("session"))
            guard let body = try? await request.body.collect(upTo: Self.mostBytes),
                let choice = try? JSONDecoder().decode(Choice.self, from: Data(body.readableBytesView))
            else { throw Problem(400, "badRequest", #"send {"puzzle":"cat"}, or null to have it recognised"#) }
            return Self.json(try await act(.choose(choice.puzzle), game: game, session: id))
        }
        routes.get("v1/games/{id}/sessions/{session}/stream") { request, context in
            let (game, id) = (try context.parameters.require("id"), try context.parameters.require("session"))
            guard try await find(id, game) != nil else {
                throw HTTPError(.notFound, message: "no such session: /v1/games/\(game)/sessions lists them")
            }
            var stream = EventStream(
                latest: { try await find(id, game)?.lastLine ?? 0 },
                next: { EventChunk(try await lines(id, $0, 100)) })
            // A camera's lines are in memory, and a late frame is seen.
            if id.hasPrefix("camera-") { stream.pause = .milliseconds(20) }
            return try await stream.response(to: request)
        }
    }

    /// Passes a request to a session's game; the pages use it too.
    func act(_ action: GameAction, game: String, session: String) async throws -> Data {
        guard try await find(session, game) != nil, let line = try await play(action, session) else {
            throw Problem(404, "notFound", "no such session: /v1/games/\(game)/sessions lists them")
        }
        return line
    }

    private struct Choice: Decodable { var puzzle: String? }

    private static let mostBytes = 4 << 10

    private static let unknownGame = Problem(404, "notFound", "no such game: GET /v1/games lists them")

    private func find(_ id: String, _ game: String) async throws -> APISession? {
        try await sessions().first { $0.id == id && $0.game == game }
    }

    private static func json(_ data: Data) -> Response {
        Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: .init(data: data)))
    }
}
