import Allergens
import ArgumentParser
import Core
import Household

extension HouseholdProblem: CommandRefusal {
    /// What each refusal ends a command with.
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
