import Foundation
import Games
import HTTPAPI
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

extension TablesightEngine {
    /// - Throws: ``StartupError`` (78) if a board names a piece set or a game that is not available.
    public func check(_ boards: [Board], _ cameras: [Camera]) throws {
        for camera in cameras {
            do {
                try requirePieceSet(camera.pieceSet)
                if let game = camera.game { _ = try GameCatalogue(models: models).game(game) }
            } catch let error as StartupError {
                throw StartupError(.configuration, "cameras: \(camera.source): \(error.message)")
            }
        }
        for board in boards {
            do {
                try requirePieceSet(board.pieceSet)
                if let game = board.game { _ = try GameCatalogue(models: models).game(game) }
            } catch let error as StartupError {
                throw StartupError(.configuration, "boards: \(board.folder.display): \(error.message)")
            }
        }
    }
}
