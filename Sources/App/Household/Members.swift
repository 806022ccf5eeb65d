import Core
import Foundation
import HTTP
import Household

// Members, devices and sessions as JSON.

struct HouseholdMember: Sendable, Codable, Documented {
    struct Removal: Sendable, Codable {
        var askedBy: String
        var opens: Date
    }

    var name: String
    var role: Member.Role
    var colour: Int
    var lock: Member.Lock
    var ends: Date?
    var removal: Removal?

    init(_ member: Member) {
        (name, role, colour, lock) = (member.name, member.role, member.colour, member.lock)
        ends = member.ends.map { Date(seconds: $0) }
        removal = member.removal.map { Removal(askedBy: $0.askedBy, opens: Date(seconds: $0.opens)) }
    }

    static let about: String? = "A member of the household as everybody in it sees them."
    static let fields = [
        "colour": Field("Number of the picture's colour.", range: 1...4),
        "lock": Field(
            "What opens the private pages; password and key are of an earlier version, until a PIN is chosen."),
        "ends": Field("When a guest ends."), "removal": Field("Somebody asked for the removal of the PIN."),
    ]
}

/// Who uses a device.
struct Session: Sendable, Codable, Documented {
    var member: String?
    var role: Identity.Role
    var isOpen: Bool
    var device: Int64?

    init(_ identity: Identity) {
        (member, role) = (identity.member?.name, identity.role)
        (isOpen, device) = (identity.isOpen, identity.device)
    }

    static let fields = ["isOpen": Field("True if the member's private pages are open on this device.")]
}

extension ConnectedDevice: Documented {
    package static var fields: [String: Field] {
        [
            "seen": Field("When its last request came, to the hour; none before the first."),
            "pairedBy": Field(
                "The device that made its code, none for the daemon's own key; removing that one removes this one too."),
            "member": Field("Who uses it."),
        ]
    }
}

struct PairingCode: Sendable, Codable, Documented {
    var code: String
    var expires: Date

    init(by device: Int64?, _ household: Household) throws {
        let (code, expires) = try household.newCode(by: device)
        (self.code, self.expires) = (code, Date(seconds: expires))
    }

    static let fields = ["code": Field("Opens /pair?code=… on the device, once.")]
}
