import Allergens

/// Why an action of the household is refused, with what a front end needs to say it.
package enum HouseholdProblem: Error, Sendable, Hashable {
    /// Nobody has this name; the names that there are.
    case unknown(String, of: [String] = [])
    case noDevice(Int64)
    /// The name is taken; the text is the name as stored.
    case taken(String)
    /// A value of a wrong form, for its author.
    case bad(String)
    /// The law names no such allergen.
    case noAllergen(String, of: AllergenRegime)
    /// There are no texts in this language, but in those.
    case noLanguage(String, of: [String])
    /// A file of the setting `profiles` has this person, for the run of the daemon.
    case inSettings(String)

    /// A PIN of a wrong form.
    case badPIN(String)
    /// A wrong PIN or password.
    case refused
    /// Too many wrong PINs; seconds to wait.
    case tooMany(Int)
    /// Nobody asked for the removal of the PIN.
    case notAsked
    /// Only this person, or who asked for it, may take a removal back.
    case notAsker(String)
    /// No memory for the hash.
    case unavailable
}
