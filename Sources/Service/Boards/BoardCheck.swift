import Core
import Engine
import Kinds

extension TablesightEngine {
    /// - Throws: ``StartupError`` (78) if a board names a piece set or a game that is not available.
    package func check(_ boards: [Board], _ cameras: [Camera], _ games: GameCatalogue) throws {
        let places =
            cameras.map { ("cameras: \($0.source)", $0.pieceSet, $0.game) }
            + boards.map { ("boards: \($0.folder.display)", $0.pieceSet, $0.game) }
        for (place, pieceSet, game) in places {
            do {
                try requirePieceSet(pieceSet)
                if let game { try games.require(game, with: pieceSet) }
            } catch let error as StartupError {
                throw StartupError(.configuration, "\(place): \(error.message)")
            }
        }
    }
}
