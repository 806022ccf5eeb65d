import Foundation
import Games
import HTTP
import Store
import Core

/// All games as JSON, created once because some of them load word lists.
actor GameList {
    let models: ModelFolder
    private var made: Data?

    init(models: ModelFolder) { self.models = models }

    var json: Data {
        get throws {
            if let made { return made }
            let data = try JSONCoding.encode(try GameCatalogue(models: models).entries())
            made = data
            return data
        }
    }
}

extension APISession {
    init(_ summary: SessionSummary) {
        self.init(
            id: summary.session.id, game: summary.session.game ?? "pieces", set: summary.session.pieceSet,
            board: summary.session.board.display, frames: summary.frames, lastLine: summary.lastLine)
    }
}
