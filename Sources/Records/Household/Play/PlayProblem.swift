/// Why an action with games is refused, with what a front end needs to say it.
package enum PlayProblem: Error, Sendable, Hashable {
    /// Nobody of this name or number plays on the device.
    case noPlayer
    case noPlay
    /// The player has played as long as an adult allows.
    case enough(String)
    /// Only somebody with a PIN limits the minutes.
    case needsPIN
    /// A limit outside of ``Plays/limits``.
    case badLimit
    /// Only this person raises the limit.
    case limited(by: String)
    case badGame(String)
    /// The game is played with these sets.
    case badSet([String], of: String)
    case badFigure(String, of: String)

    /// There is no game of this name, and no session that plays it.
    case noGame
    case noSession
    /// The program of a game of one's own does not start, for its author.
    case noStart(String)
    /// The play does not run any more.
    case ended
    /// The board plays no game.
    case onlyPieces
    /// A newer session of the board is played.
    case over
    /// The game does not have the puzzle, for its author.
    case badPuzzle(String)
    /// The picture before is still read.
    case busy
    /// The bytes are not a picture that can be read, for its author.
    case badPicture(String)
}
