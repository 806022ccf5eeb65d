import HTTP
import Household

// PINs of members, and the removal of forgotten ones.
extension HouseholdUseCases {
    /// True if one of these keys of an earlier version opens the member's diary.
    func opens(_ member: Member, with keys: [String]) throws -> Bool {
        try household.members(ofKeys: keys).contains(member.id)
    }

    /// Sets the PIN of the person who acts; nil removes it.
    ///
    /// - Throws: ``Problem`` 403 `locked` while their private pages are closed, 400 for a PIN of a wrong form.
    func setPIN(_ pin: String?, for identity: Identity) throws {
        try changing {
            let member = try found(try identity.person())
            guard identity.isOpen else { throw Self.locked(member.name) }
            if let pin {
                try household.setPIN(pin, of: member.id, on: identity.device)
            } else {
                try household.removePIN(of: member.id, on: identity.device)
            }
        }
    }

    static func locked(_ name: String) -> Problem {
        Problem(
            403, "locked", "the private pages of \(name.printable) are locked: PUT /v1/session with the PIN opens them")
    }

    /// Asks for the removal of somebody's PIN: at once with the daemon's own key, else after a day.
    func askRemoval(of name: String, by identity: Identity) throws {
        try changing {
            let member = try found(name)
            // The daemon's own key opens at once: it belongs to whoever runs the daemon.
            guard identity.holder != .key else { return try household.removePIN(of: member.id) }
            try household.askRemoval(of: member.id, by: try identity.person())
        }
    }

    /// Takes such a request back: by the owner, or by whoever asked.
    func cancelRemoval(of name: String, by identity: Identity) throws {
        try changing {
            let member = try found(name)
            let isOwner = identity.member?.id == member.id
            guard identity.holder == .key || isOwner || member.removal?.askedBy == identity.member?.name else {
                throw Problem(403, "forbidden", "only \(member.name.printable), or who asked, takes it back")
            }
            guard try household.cancelRemoval(of: member.id) else {
                throw Problem(404, "notFound", "nobody asked for the removal of this PIN")
            }
        }
    }
}
