import Core
import Foundation
import Hashing

// PINs of members, the removal of forgotten ones, and devices.
extension HouseholdActions {
    /// Sets the PIN of the person who acts; nil removes it.
    ///
    /// - Throws: `IdentityProblem.locked` while their private pages are closed, ``HouseholdProblem/badPIN(_:)``.
    package func setPIN(_ pin: String?, for identity: Identity) throws {
        try changing {
            let member = try member(try identity.person())
            guard identity.isOpen else { throw IdentityProblem.locked(member.name) }
            if let pin {
                try household.setPIN(pin, of: member.id, on: identity.device)
            } else {
                try household.removePIN(of: member.id, on: identity.device)
            }
        }
    }

    /// Asks for the removal of somebody's PIN: at once with the daemon's own key, else after a day.
    package func askRemoval(of name: String, by identity: Identity) throws {
        try changing {
            let member = try member(name)
            // The daemon's own key opens at once: it belongs to whoever runs the daemon.
            guard identity.holder != .key else { return try household.removePIN(of: member.id) }
            try household.askRemoval(of: member.id, by: try identity.person())
        }
    }

    /// Takes such a request back: by the owner, or by whoever asked.
    package func cancelRemoval(of name: String, by identity: Identity) throws {
        try changing {
            let member = try member(name)
            let isOwner = identity.member?.id == member.id
            guard identity.holder == .key || isOwner || member.removal?.askedBy == identity.member?.name else {
                throw HouseholdProblem.notAsker(member.name)
            }
            guard try household.cancelRemoval(of: member.id) else { throw HouseholdProblem.notAsked }
        }
    }

    // MARK: Devices

    /// Newest first.
    package func devices() throws -> [ConnectedDevice] {
        let members = try household.members()
        return try household.devices().map { device in
            ConnectedDevice(device, usedBy: members.first { $0.id == device.member }?.name)
        }
    }

    /// Removes a device, the devices that it paired, and so on, and the codes that they made.
    ///
    /// - Returns: what brings them back.
    @discardableResult
    package func remove(device id: Int64) throws -> RemovedDevices {
        guard let removed = try changing({ try household.takeDevice(id) }) else {
            throw HouseholdProblem.noDevice(id)
        }
        return removed
    }

    /// Makes removed devices work again.
    package func restore(_ removed: RemovedDevices) throws { try changing { try household.restore(removed) } }

    /// Makes a device for a browser whose user typed the daemon's own key.
    ///
    /// - Returns: the device's token; nil if the key is wrong.
    package func signIn(key: String, device name: String) throws -> String? {
        guard SHA256.areEqual(SHA256.digest(of: key.utf8), keyDigest) else { return nil }
        return try addDevice(named: name)
    }

    /// Removes the device that asks; what it paired stays.
    package func signOut(_ identity: Identity) throws {
        guard let device = identity.device else { return }
        try changing { try household.signOut(device) }
    }
}

package struct ConnectedDevice: Sendable, Codable {
    package var id: Int64
    package var name: String
    package var paired: Date
    package var seen: Date?
    package var pairedBy: Int64?
    /// The name of who uses it.
    package var member: String?

    fileprivate init(_ device: Device, usedBy member: String?) {
        (id, name, pairedBy) = (device.id, device.name, device.pairedBy)
        (paired, seen) = (Date(seconds: device.paired), device.seen.map { Date(seconds: $0) })
        self.member = member
    }
}
