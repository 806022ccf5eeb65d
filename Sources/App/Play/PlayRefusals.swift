import HTTP
import Household

/// What the pages and the API make of each refusal.
extension PlayProblem: AppError {
    package var problem: Problem {
        switch self {
        case .noPlayer: Problem(404, "notFound", "nobody of this name or number plays on this device")
        case .noPlay: Problem(404, "notFound", "there is no such play for this device")
        case .enough(let name): Problem(403, "enough", "\(name.printable) has played enough for today")
        case .needsPIN: Problem(409, "needsPIN", "choose a PIN first: without one a child may lift the limit")
        case .badLimit:
            Problem(
                400, "badLimit",
                "a limit is \(Plays.limits.lowerBound) to \(Plays.limits.upperBound) minutes a day")
        case .limited(let name): Problem(409, "limited", "\(name.printable) set this limit and alone may raise it")
        case .badGame(let game):
            Problem(400, "badRequest", "no game \(String(game.prefix(40)).printable): GET /v1/games lists them")
        case .badSet(let sets, let game):
            Problem(400, "badRequest", "\(game) is played with \(sets.joined(separator: " or "))")
        case .badFigure(let figure, let game):
            Problem(400, "badRequest", "\(game) has no figure \(String(figure.prefix(40)).printable)")
        case .noGame: Problem(404, "notFound", "no such game: GET /v1/games lists them")
        case .noSession:
            Problem(404, "notFound", "no such session: /games and /v1/games/{id}/sessions list them")
        case .noStart(let detail): Problem(503, "gameNotReady", detail)
        case .ended: Problem(404, "notFound", "this play does not run: open its page again")
        case .onlyPieces:
            Problem(409, "conflict", "this board plays no game: name one in the setting boards")
        case .over:
            Problem(409, "conflict", "this session is over: only the newest session of a board can be played")
        case .badPuzzle(let detail): Problem(400, "badRequest", detail)
        case .busy:
            Problem(429, "busy", "the picture before is still read: send one at a time", retryAfter: 1)
        case .badPicture(let detail): Problem(422, "notAPicture", detail)
        }
    }
}
