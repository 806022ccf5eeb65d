import Games

/// The list of games, with the sessions that run.
struct LobbyPage: Page {
    static let template = "lobby"
    static let styles = ["game"]

    struct Session { let address, title, board, frames: String }

    struct Game {
        let id, title, text, age: String
        /// What it practises; nil if nothing is named.
        let skills: String?
    }

    let heading: String
    let hasSessions: Bool
    /// The newest first.
    let sessions: [Session]
    let games: [Game]

    init(_ games: [GameCatalogue.Entry], _ sessions: [PlaySession], _ texts: PageTexts) {
        heading = texts.text("games.head")
        hasSessions = !sessions.isEmpty
        self.sessions = sessions.reversed().map { session in
            Session(
                address: session.address, title: texts.game(session.game), board: session.shortBoard,
                frames: texts.photos(of: session))
        }
        self.games = games.map { game in
            Game(
                id: game.id, title: texts.game(game.id),
                text: texts.has("game.\(game.id).text") ? texts.text("game.\(game.id).text") : game.description,
                age: texts.text("games.age", ["n": "\(game.recommendedAge.first ?? 0)"]),
                skills: game.skills.isEmpty ? nil : game.skills.map { texts.skill($0) }.joined(separator: ", "))
        }
    }
}
