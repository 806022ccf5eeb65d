import Core
import Foundation
import HTTP
import Household

// What members play with pictures of a watched folder.
extension PlayUseCases {
    /// Reads a picture for the play that a member began last and has not ended.
    ///
    /// - Parameter name: in any spelling.
    /// - Returns: nil if nobody of this name plays.
    /// - Throws: `Problem` 403 when the player has played enough today, 422 for a picture that cannot be read.
    func take(_ picture: Data, ofMember name: String) async throws -> PlayView? {
        guard let member = try household.member(named: name),
            let play = try plays.plays(of: member.id).first(where: \.isWaiting)
        else { return nil }
        // Whoever may write into the watched folder may play; the minutes a day hold.
        let identity = Identity(holder: .key, member: .init(member), role: .adult, isOpen: false)
        return try await take(picture, isStill: true, in: play.id, for: identity)
    }
}
