import Household
import Kinds
import HTTP

/// Games on the boards: lobby, board and report as pages, and all of it as JSON.
struct PlayRoutes {
    let cases: PlayActions
    let shell: PageShell

    var routes: [Route] { json + pages + playJSON + playPages }

    // MARK: JSON

    private var json: [Route] {
        [
            Route(.get, "v1/games", for: .guest, "All games", gives: [200: "Games."]) { _ in try await cases.games() },
            Route(
                .get, "v1/games/\(.gameID)/sessions", for: .guest, "Sessions of boards that play this game",
                gives: [200: "Sessions."], refuses: [404: "No such game."]
            ) { call in try await cases.sessions(of: try call[.gameID], for: try call.identity) },
            stream, action(.hint, "hint", "Ask for a hint"), action(.reset, "reset", "Begin the game again"),
            Route(
                .post, "v1/games/\(.gameID)/sessions/\(.session)/puzzle", for: .guest,
                "Choose a puzzle, or have it recognised", body: PuzzleChoice.self, upTo: 4 << 10,
                gives: Self.line, refuses: Self.refusals
            ) { call, choice in
                try await cases.act(
                    .choose(choice.puzzle), in: try call[.session], of: try call[.gameID], for: try call.identity)
            },
        ]
    }

    private static let line = [200: "The game's line."]
    private static let refusals = [
        404: "No such session.", 409: "The board plays no game, or the session is over.",
    ]

    private func action(_ action: GameAction, _ name: String, _ summary: String) -> Route {
        Route(
            .post, "v1/games/\(.gameID)/sessions/\(.session)/\(name)", for: .guest, summary, gives: Self.line,
            refuses: Self.refusals
        ) { call in
            try await cases.act(action, in: try call[.session], of: try call[.gameID], for: try call.identity)
        }
    }

    /// The events are `frame` and `game`, one line of NDJSON each, numbered per session.
    private var stream: Route {
        Route(
            .get, "v1/games/\(.gameID)/sessions/\(.session)/stream", for: .guest, "Lines of a session",
            gives: ("text/event-stream", "Server-sent events."),
            refuses: [404: "There is nothing under this address."]
        ) { call in
            let (id, game, identity) = (try call[.session], try call[.gameID], try call.identity)
            _ = try await cases.session(id, of: game, for: identity)
            var stream = EventStream(
                latest: { try await cases.session(id, of: game, for: identity).lastLine },
                next: { EventChunk(try await cases.lines(of: id, after: $0, limit: 100)) })
            // A camera's lines are in memory, and a late frame is seen.
            if id.hasPrefix("camera-") { stream.pause = .milliseconds(20) }
            return try await stream.response(to: call)
        }.taking(query: StreamPlace.self)
    }

    // MARK: Pages

    private var pages: [Route] {
        [
            shell.page(.get, "games/\(.game)/\(.session)", for: .guest, in: .games) { visit in
                try visit.show(BoardPage(try await board(visit.call), visit.texts))
            },
            shell.page(.get, "games/\(.game)/\(.session)/report", for: .child, in: .games) { visit in
                try visit.show(ReportPage(try await board(visit.call), visit.texts))
            },
            form("hint") { _ in .hint }, form("reset") { _ in .reset },
            form("puzzle") { call in
                let puzzle = try await call.form()["puzzle"]
                return .choose(puzzle.isEmpty ? nil : puzzle)
            },
        ]
    }

    private func board(_ call: Call) async throws -> ShownBoard {
        try await cases.board(try call[.session], of: try call[.game], for: try call.identity)
    }

    /// A button on the page of a board.
    private func form(_ name: String, _ action: @escaping @Sendable (Call) async throws -> GameAction) -> Route {
        shell.page(.post, "games/\(.game)/\(.session)/\(name)", for: .guest, in: .games) { visit in
            let identity = try visit.call.identity
            let session = try await cases.session(
                try visit.call[.session], of: try visit.call[.game], for: identity)
            _ = try await cases.act(try await action(visit.call), in: session.id, of: session.game, for: identity)
            return Visit.next(session.address)
        }
    }
}

extension PathParameter where Value == String {
    fileprivate static var gameID: Self { .init("id", "The game; `pieces` for boards without a game.") }
    fileprivate static var game: Self { .init("game", "The game.") }
    fileprivate static var session: Self { .init("session", "The session's id.") }
}

/// The puzzle that a person wants to lay.
struct PuzzleChoice: Decodable, Sendable, Documented {
    var puzzle: String?

    static let example: String? = #"{"puzzle":"cat"}, or null to have it recognised"#
    static let fields = ["puzzle": Field("The puzzle's id; null has it recognised.")]
}

/// Where an interrupted stream continues.
struct StreamPlace: Decodable, Sendable, Documented {
    var since: Int64?

    static let fields = ["since": Field("Number of the last line that the client has.")]
}
