import HTTP
import Household

/// What the pages and the API make of each refusal.
extension HouseholdProblem: AppError {
    package var problem: Problem {
        switch self {
        case .unknown(let name, _):
            Problem(404, "notFound", "no \(name.printable) in this household: GET /v1/members lists them")
        case .noDevice: Problem(404, "notFound", "no such device: GET /v1/devices lists them")
        case .taken(let name): Problem(409, "conflict", "\(name.printable) is in this household already")
        case .bad(let detail): Problem(400, "badRequest", detail)
        case .noAllergen(let name, let regime):
            Problem(400, "badRequest", "\(name.printable) is not in the regime \(regime.name)")
        case .noLanguage(let name, _): Problem(400, "badRequest", "no texts in the language \(name.printable)")
        case .inSettings(let name):
            Problem(
                409, "conflict", "\(name) is a file of the setting profiles: remove it there, then restart the daemon")
        case .badPIN(let detail): Problem(400, "badPIN", detail)
        case .refused: Problem(403, "wrongPIN", "this is not the PIN")
        case .tooMany(let seconds): Problem(429, "tooMany", "too many wrong PINs: wait", retryAfter: seconds)
        case .notAsked: Problem(404, "notFound", "nobody asked for the removal of this PIN")
        case .notAsker(let owner):
            Problem(403, "forbidden", "only \(owner.printable), or who asked, takes it back")
        case .unavailable: Problem(503, "notReady", "there is not enough memory to check a PIN: try again")
        }
    }
}

extension HouseholdActions: APIIdentities {}
