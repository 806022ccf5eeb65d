import Foundation
import Hummingbird

/// A board's session in a list.
public struct APISession: Sendable, Codable {
    public var id: String
    /// The game; `pieces` if the stream has only pieces.
    public var game: String
    public var set: String
    /// The folder of the frames' photos.
    public var board: String
    public var frames: Int
    /// Number of the stream's last line.
    public var lastLine: Int64

    public init(id: String, game: String, set: String, board: String, frames: Int, lastLine: Int64) {
        self.id = id
        self.game = game
        self.set = set
        self.board = board
        self.frames = frames
        self.lastLine = lastLine
    }
}

/// `GET /v1/games`, `/v1/games/{id}/sessions`, and `/v1/games/{id}/sessions/{session}/stream`: games on the boards.
///
/// The stream's events are `frame` and `game`, one line of NDJSON each, numbered per session.
public struct GameRoutes: APIRoutes {
    private let games: @Sendable () async throws -> Data
    private let sessions: @Sendable () async throws -> [APISession]
    private let lines: @Sendable (String, Int64, Int) async throws -> [APIEvent]

    /// - Parameters:
    ///   - games: a JSON array of all games.
    ///   - sessions: returns the sessions of all boards.
    ///   - lines: returns lines of a session after a number, in order, at most as many as its last argument.
    public init(
        games: @escaping @Sendable () async throws -> Data,
        sessions: @escaping @Sendable () async throws -> [APISession],
        lines: @escaping @Sendable (String, Int64, Int) async throws -> [APIEvent]
    ) {
        self.games = games
        self.sessions = sessions
        self.lines = lines
    }

    public func add(to routes: RouterGroup<APIContext>) {
        routes.get("v1/games") { _, _ in Self.json(try await games()) }
        routes.get("v1/games/{id}/sessions") { _, context in
            let game = try context.parameters.require("id")
            let played = try await sessions().filter { $0.game == game }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Self.json(try encoder.encode(played))
        }
        routes.get("v1/games/{id}/sessions/{session}/stream") { request, context in
            let (game, id) = (try context.parameters.require("id"), try context.parameters.require("session"))
            guard try await find(id, game) != nil else {
                throw HTTPError(.notFound, message: "no such session: /v1/games/\(game)/sessions lists them")
            }
            let stream = EventStream(
                latest: { try await find(id, game)?.lastLine ?? 0 },
                after: { number, limit in try await lines(id, number, limit) })
            return try await stream.response(to: request)
        }
    }

    private func find(_ id: String, _ game: String) async throws -> APISession? {
        try await sessions().first { $0.id == id && $0.game == game }
    }

    private static func json(_ data: Data) -> Response {
        Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: .init(data: data)))
    }
}
