/// Why an action with lists, prices and experiences is refused, with what a front end needs to say it.
package enum GroceryProblem: Error, Sendable, Hashable {
    /// Nothing has this number, or the person may not see it.
    case notFound(String)
    case noPhoto(String)
    /// This person has no list.
    case noList(of: String)
    /// Lists are shared with adults of the household.
    case noAdult(String)
    /// A value is wrong, for its author.
    case bad(String)
    /// The list was changed by somebody else since.
    case changed
    /// A person may not decide about their own outlier.
    case own

    /// What happened and what to do, where all front ends say the same.
    package var message: String {
        switch self {
        case .notFound(let what): "there is no \(what)"
        case .noPhoto(let photo): "there is no photo \(photo)"
        case .noList(let person): "\(person) has no list"
        case .noAdult(let name): "\(name.prefix(60)) is no adult of this household"
        case .bad(let detail): detail
        case .changed: "the list was changed since: nothing was undone"
        case .own: "somebody else has to decide about your own unusual price"
        }
    }
}
