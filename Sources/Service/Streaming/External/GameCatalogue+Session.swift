import Foundation
import Kinds

extension GameCatalogue {
    /// How long a program of one's own may take.
    package struct Patience: Sendable, Hashable {
        /// Until it is ready.
        package var start: Duration
        /// For the outcome of an input.
        package var answer: Duration

        package init(start: Duration, answer: Duration) { (self.start, self.answer) = (start, answer) }

        /// Pictures of a camera do not wait for a game.
        package static let frames = Patience(start: .seconds(5), answer: ExternalGame.deadline)
        /// A photo is a second apart from the next one, and nobody waits for a recording.
        package static let photos = Patience(start: .seconds(10), answer: .seconds(2))
    }

    /// Begins a session of a game, of the program or one's own.
    ///
    /// - Parameter set: the piece set on the table.
    /// - Throws: ``StartupError`` (64) for an unknown game or puzzle, or a set or difficulty that the game does not have,
    ///   (69) for a program that does not start, (78) for wrong data.
    package func session(
        _ id: String, of game: String, with set: String, _ choice: Choice = Choice(),
        progress: PlayerProgress = PlayerProgress(), patience: Patience
    ) throws -> GameSession {
        let playing: any Game
        var choice = choice
        if let own = own[game] {
            try require(game, with: set)
            choice.difficulty = try own.manifest.level(choice.difficulty)
            playing = try ExternalGame(
                own, session: id, choice, patience: patience.start, deadline: patience.answer)
        } else {
            playing = try self.game(game, choice)
        }
        return GameSession(id: id, game: playing, difficulty: choice.difficulty, progress: progress)
    }
}
