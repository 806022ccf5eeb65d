import Games
import HTTP

/// The pages of games: lobby, board, report.
struct PlayPages {
    let cases: PlayUseCases
    let shell: PageShell

    var routes: [Route] {
        [
            shell.page(.get, "games", for: .guest, in: .games) { visit in
                let (games, sessions) = (try await cases.games(), try await cases.sessions())
                return try visit.show(LobbyPage(games, sessions, visit.texts))
            },
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
        try await cases.board(try call[.session], of: try call[.game])
    }

    /// A button on the page of a board.
    private func form(_ name: String, _ action: @escaping @Sendable (Call) async throws -> GameAction) -> Route {
        shell.page(.post, "games/\(.game)/\(.session)/\(name)", for: .guest, in: .games) { visit in
            let session = try await cases.session(try visit.call[.session], of: try visit.call[.game])
            _ = try await cases.act(try await action(visit.call), in: session.id, of: session.game)
            return Visit.next(session.address)
        }
    }
}

extension PathParameter where Value == String {
    fileprivate static var game: Self { .init("game", "The game.") }
    fileprivate static var session: Self { .init("session", "The session's id.") }
}

extension PageTexts {
    func game(_ id: String) -> String {
        let base = String(id.prefix { $0 != ":" })
        let name = has("game.\(base)") ? text("game.\(base)") : base
        return base == id ? name : "\(name), \(id.dropFirst(base.count + 1))"
    }

    func skill(_ key: String) -> String { has("skill.\(key)") ? text("skill.\(key)") : Self.spaced(key) }

    func piece(_ type: String) -> String { has("piece.type.\(type)") ? text("piece.type.\(type)") : Self.spaced(type) }

    func photos(of session: PlaySession) -> String {
        session.frames == 1 ? text("games.photo") : text("games.photos", ["n": "\(session.frames)"])
    }

    /// `12:04`, minutes and seconds since the start of a session.
    static func time(_ nanoseconds: Int) -> String {
        let seconds = max(0, nanoseconds / 1_000_000_000)
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// `largeTriangle` → `large triangle`.
    private static func spaced(_ key: String) -> String {
        key.reduce(into: "") { text, letter in
            if letter.isUppercase { text += " " }
            text += letter.lowercased()
        }
    }
}
