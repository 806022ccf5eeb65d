import Allergens
import ArgumentParser
import Core
import Diary
import Groceries
import Household

/// An error of a feature's actions. Each feature has one list of what its refusals end a command with.
protocol CommandRefusal: Error {
    var commandError: any Error { get }
}

extension DiaryProblem: CommandRefusal {
    var commandError: any Error {
        switch self {
        case .badGoal(let detail), .badWeight(let detail): ValidationError(detail)
        case .badZone(let zone): ValidationError("no time zone \(zone)")
        case .badEntry(let detail), .badFile(let detail, _): StartupError(.badInput, detail)
        case .portion(let refusal): StartupError(.badInput, refusal.detail)
        case .badNumber(let text):
            StartupError(.badInput, "\(text) is not a product number with a valid check digit")
        case .unread(_, let photo):
            StartupError(
                .badInput, "could not read a barcode in \(photo): use more light, or type it with --barcode")
        case .closed: StartupError(.noInput, "guests have no diary: make the guest a member first")
        case .noDiary: StartupError(.noInput, "this diary was deleted")
        case .noEntry(let id, let person): StartupError(.noInput, "\(person) has no entry \(id)")
        case .nothingToReuse(let meal):
            StartupError(.noInput, "no \(meal.rawValue) to log again: name its day with --from")
        case .noFood(let text):
            StartupError(
                .noInput,
                "no foods found for “\(text)”: log the energy with --quick, or import products with "
                    + "`tablesight catalogue import`")
        case .noRecord(let gtin):
            StartupError(.noInput, "no record of \(gtin.normalised) states its energy: log it with --quick")
        // No command asks for these.
        case .readOnly, .noReader, .entryExists, .badDays, .noOutcome, .noGoal, .noAnswer, .noProposal: self
        }
    }
}

extension GroceryProblem: CommandRefusal {
    var commandError: any Error {
        switch self {
        case .notFound, .noPhoto: StartupError(.noInput, message)
        case .noList: StartupError(.noInput, "\(message): add something, or name another --person or --database")
        case .bad, .noAdult, .changed, .own: StartupError(.badInput, message)
        }
    }
}

extension HouseholdProblem: CommandRefusal {
    var commandError: any Error {
        switch self {
        case .unknown(let name, let others):
            StartupError(
                .noInput,
                "nobody is called \(name) (people: \(others.isEmpty ? "none" : others.joined(separator: ", ")))")
        case .noDevice(let id):
            StartupError(.noInput, "no device has the number \(id): see tablesight household devices")
        case .taken(let name):
            StartupError(.usage, "\(name) is in the household: change it with tablesight household edit \(name)")
        case .bad(let detail), .badPIN(let detail): ValidationError(detail)
        case .noAllergen(let name, let law):
            ValidationError(
                "\(name.printable) is not in the regime \(law.name) (\(names(law)))"
                    + Suggestion.text(for: name, among: law.allergens.map(\.rawValue)))
        case .noLanguage(let name, let known):
            ValidationError(
                "no texts in the language \(name.printable) (available: \(known.joined(separator: ", ")))"
                    + Suggestion.text(for: name, among: known))
        case .unavailable: StartupError(.unavailable, "not enough memory to check the PIN")
        // No command asks for these.
        case .inSettings, .refused, .tooMany, .notAsked, .notAsker: self
        }
    }

    private func names(_ law: AllergenRegime) -> String { law.allergens.map(\.rawValue).joined(separator: ", ") }
}

extension PhotoProblem: CommandRefusal {
    var commandError: any Error {
        switch self {
        case .badReview(let detail): StartupError(.usage, detail)
        case .noReviewed(let detail): StartupError(.noInput, detail)
        case .badReviewer(let detail): ValidationError(detail)
        case .noReview(let number):
            StartupError(.noInput, "no review \(number): `tablesight review list` shows their numbers")
        // No command asks for these.
        case .noPhoto, .notShown, .tooManySaved, .notSaved, .noNews, .otherReviewer, .saidBy: self
        }
    }
}
