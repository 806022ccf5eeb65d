import Core
import Games

extension TablesightEngine {
    /// - Throws: ``StartupError`` (78) if a board names a piece set or a game that is not available.
    package func check(_ boards: [Board], _ cameras: [Camera]) throws {
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
