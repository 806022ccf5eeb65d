import Core
import Foundation
import Games
import HTTP

/// A member of the household as the page of people shows them.
struct WebPerson: Sendable, Hashable {
    var profile: AllergenProfile
    /// `adult`, `child` or `guest`.
    var role: String
    /// Number of the picture's colour, 1 to 4.
    var colour: Int

    init(profile: AllergenProfile, role: String, colour: Int) {
        self.profile = profile
        self.role = role
        self.colour = colour
    }
}
