import Core
import Foods

/// Why an action of a diary is refused, with what a front end needs to say it.
package enum DiaryProblem: Error, Sendable, Hashable {
    /// The diary is not this visitor's. The same whether or not there is one: its existence is private too.
    case closed
    /// This person lets others read their diary, and not change it.
    case readOnly(String)
    case noDiary
    /// Only members of the household can read a diary.
    case noReader

    case noEntry(String, of: String)
    /// There is an entry with the id of a new one.
    case entryExists
    /// A value of an entry or a food is wrong, for its author.
    case badEntry(String)
    case portion(PortionRefusal)
    /// No earlier day has this meal.
    case nothingToReuse(Meal)
    /// The last day is before the first, or this many days are too few for them.
    case badDays(most: Int)

    /// No food has these words.
    case noFood(String)
    /// No product number with a valid check digit.
    case badNumber(String)
    /// No record states the energy of the product.
    case noRecord(GTIN)
    case noOutcome
    case unread(Unread, photo: String)

    case noGoal(of: String)
    case badGoal(String)
    case badWeight(String)
    case badZone(String)
    /// An answer that a proposal needs is missing.
    case noAnswer
    case noProposal(GoalProposal.Refusal)
    /// A file that cannot be imported; `isArchive` if it has to be unpacked first.
    case badFile(String, isArchive: Bool = false)

    /// Why a photo cannot be logged without a person.
    package enum Unread: String, Sendable, Hashable { case contradicted, incomplete, unreadable }
}

extension Food {
    /// The portion that somebody typed, `150 g`; the usual serving for nil and for blanks.
    func portion(_ typed: String?) throws(DiaryProblem) -> Serving {
        guard let typed, !typed.isBlank else { return defaultServing }
        do throws(PortionRefusal) { return try PortionText.parse(typed, of: self) } catch { throw .portion(error) }
    }
}
