import Foundation
import HTTP
import Household

// Sessions and plays as addresses, and as the API's description shows them.

extension PlaySession {
    /// Address of the session's page. Ids have letters, digits and hyphens only.
    var address: String { "/games/\(encodedGame)/\(id)" }
    var stream: String { "/v1/games/\(encodedGame)/sessions/\(id)/stream" }

    private var encodedGame: String {
        game.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-", ":"])) ?? game
    }
}

extension OpenPlay {
    /// The address of the session's events.
    var stream: String { "\(session.stream)?since=\(view.lastLine)" }
}

extension WantedPlay: Documented {
    package static var about: String? { "A game, and a figure of it." }
    package static var example: String? { #"{"game":"tangram","puzzle":"boat"}"# }
    package static var fields: [String: Field] { ["player": Field.number("The member's number.")] }
}

extension PlayWeek: Documented {
    package static var about: String? { "A player's week; each sentence names the plays that it counts." }
}
