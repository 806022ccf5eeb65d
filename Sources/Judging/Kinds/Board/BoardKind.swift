import Core

/// Play pieces, and what the game makes of them.
package struct BoardKind: PhotoKind {
    package static let domain = Outcome.Domain.board
    package static let isPage = false
    let games: GameInterpreter

    package init(_ readers: KindReaders) { games = readers.games }

    package func isHeld(by photo: KindInput) -> Bool {
        photo.readings.pieces.map { !$0.pieces.isEmpty || photo.forced == domain } ?? false
    }

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        // Only an unknown game or puzzle throws, and this call names neither.
        outcome.game = photo.readings.pieces.flatMap { try? games.report(on: $0) }
    }

    package static func claims(in outcome: Outcome) -> [Claim] {
        outcome.game.map { [Claim("board", $0.outcome.confidence)] } ?? []
    }
}
