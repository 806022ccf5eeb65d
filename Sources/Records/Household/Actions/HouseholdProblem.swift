import Allergens
import Store

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

/// Why an action with photos is refused, with what a front end needs to say it.
package enum PhotoProblem: Error, Sendable, Hashable {
    case noPhoto
    /// The photo does not show this.
    case notShown(SavedItem.Kind)
    /// The person has saved the most items.
    case tooManySaved
    case notSaved
    /// There are no news of this number for whoever asks.
    case noNews

    /// A review that says nothing, for its author.
    case badReview(String)
    /// A review of something that is not stored, for its author.
    case noReviewed(String)
    /// A name that no reviewer has, for its author.
    case badReviewer(String)
    /// The device reviews for this person alone.
    case otherReviewer(String)
    /// There is no review of this number, or not of this photo.
    case noReview(Int64)
    /// This person said it, who is of the household.
    case saidBy(String)
}
