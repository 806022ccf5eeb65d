import Foundation
import Games
import HTTP
import Hummingbird

// The pages of games: lobby, board, report.
extension WebRoutes {
    func addGames(to routes: RouterGroup<APIContext>) {
        routes.get("games") { request, _ in
            let texts = try language(request).texts
            let lobby = LobbyPage(
                games: try await source.games(), sessions: try await source.sessions(), texts: texts)
            return try page(request, "lobby", section: "games", heading: texts.text("games.head"), lobby.values())
        }
        routes.get("games/{game}/{session}") { request, context in
            try await orPage(request, section: "games") {
                let board = try await board(context)
                let texts = try language(request).texts
                return try page(
                    request, "board", section: "games", heading: texts.game(board.session.game),
                    BoardPage(board: board, texts: texts).values())
            }
        }
        routes.get("games/{game}/{session}/report") { request, context in
            try await orPage(request, section: "games") {
                let board = try await board(context)
                let texts = try language(request).texts
                return try page(
                    request, "report", section: "games", heading: texts.text("report.head"),
                    ReportPage(board: board, texts: texts).values())
            }
        }
        for (name, action) in [("hint", GameAction.hint), ("reset", .reset)] {
            routes.post("games/{game}/{session}/\(name)") { request, context in
                try await orPage(request, section: "games") {
                    let session = try await board(context).session
                    _ = try await games.act(action, game: session.game, session: session.id)
                    return Self.seeOther(session.address)
                }
            }
        }
        routes.post("games/{game}/{session}/puzzle") { request, context in
            try await orPage(request, section: "games") {
                let session = try await board(context).session
                let puzzle = try await FormBody(request)["puzzle"]
                _ = try await games.act(
                    .choose(puzzle.isEmpty ? nil : puzzle), game: session.game, session: session.id)
                return Self.seeOther(session.address)
            }
        }
    }

    /// - Throws: `Problem` (404) if there is no such session.
    private func board(_ context: APIContext) async throws -> WebBoard {
        let (game, id) = (try context.parameters.require("game"), try context.parameters.require("session"))
        guard let board = try await source.board(id), board.session.game == game.removingPercentEncoding ?? game else {
            throw Problem(404, "notFound", "no such session: /games lists them")
        }
        return board
    }
}
