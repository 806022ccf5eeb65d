import ArgumentParser
import Core
import Diary

extension DiaryProblem: CommandRefusal {
    /// What each refusal ends a command with.
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
