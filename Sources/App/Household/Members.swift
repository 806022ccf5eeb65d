import Foundation
import HTTP
import Household

// Members and errors of the records, as the app sees them.

extension HouseholdProblem: AppError {
    package var problem: Problem {
        switch self {
        case .unknown(let name):
            Problem(404, "notFound", "no \(name.printable) in this household: GET /v1/members lists them")
        case .taken(let name): Problem(409, "conflict", "\(name.printable) is in this household already")
        case .bad(let detail): Problem(400, "badRequest", detail)
        case .refused: Problem(403, "wrongPIN", "this is not the PIN")
        case .tooMany(let seconds): Problem(429, "tooMany", "too many wrong PINs: wait", retryAfter: seconds)
        case .unavailable: Problem(503, "notReady", "there is not enough memory to check a PIN: try again")
        }
    }
}

extension Identity.Member {
    init(_ member: Member) {
        self.init(id: member.id, name: member.name, role: member.role.identity, colour: member.colour)
    }
}

extension Member {
    /// True if something opens the private pages.
    var isLocked: Bool { lock != .none }
    /// True for a lock of an earlier version, which opens once more.
    var isLockedByEarlierVersion: Bool { lock == .password || lock == .key }
}

extension Member.Role {
    var identity: Identity.Role {
        switch self {
        case .adult: .adult
        case .child: .child
        case .guest: .guest
        }
    }
}

extension Date {
    /// - Parameter seconds: since 1970.
    init(seconds: Int64) { self.init(timeIntervalSince1970: TimeInterval(seconds)) }
}
