import Store

/// Why an action with photos is refused, with what a front end needs to say it.
package enum PhotoProblem: Error, Sendable, Hashable {
    /// Nothing is known of this photo.
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
