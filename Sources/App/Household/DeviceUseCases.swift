import Foundation
import HTTP
import Hashing
import Household

// Paired devices, and the codes that pair them.
extension HouseholdUseCases {
    /// Newest first.
    func devices() throws -> [ConnectedDevice] {
        let members = try household.members()
        return try household.devices().map { device in
            ConnectedDevice(device, usedBy: members.first { $0.id == device.member }?.name)
        }
    }

    /// Removes a device, the devices that it paired, and so on, and the codes that they made.
    ///
    /// - Returns: false if there is no such device.
    func remove(device id: Int64) throws -> Bool { try changing { try household.removeDevice(id) } }

    /// - Parameter device: the device that makes the code; nil for the daemon's own key.
    func newCode(by device: Int64?) throws -> PairingCode {
        let (code, expires) = try household.newCode(by: device)
        return PairingCode(code: code, expires: Date(seconds: expires))
    }

    /// True if the code can pair a device.
    func isOpen(_ code: String) throws -> Bool { try household.isPairing(code) }

    /// Uses the code up.
    ///
    /// - Returns: the new device's token; nil if the code is unknown, used or expired.
    func pair(_ code: String, name: String) throws -> String? { try household.pair(code, name: name) }

    /// Makes a device for a browser whose user typed the daemon's own key.
    ///
    /// - Returns: the device's token; nil if the key is wrong.
    func signIn(key: String, device name: String) throws -> String? {
        guard SHA256.areEqual(SHA256.digest(of: key.utf8), keyDigest) else { return nil }
        return try addDevice(named: name)
    }

    /// Removes the device that asks; what it paired stays.
    func signOut(_ identity: Identity) throws {
        guard let device = identity.device else { return }
        try changing { try household.signOut(device) }
    }
}

/// A paired device.
struct ConnectedDevice: Sendable, Codable, Documented {
    var id: Int64
    var name: String
    var paired: Date
    var seen: Date?
    var pairedBy: Int64?
    var member: String?

    init(_ device: Device, usedBy member: String?) {
        (id, name, pairedBy) = (device.id, device.name, device.pairedBy)
        paired = Date(seconds: device.paired)
        seen = device.seen.map { Date(seconds: $0) }
        self.member = member
    }

    static let fields = [
        "seen": Field("When its last request came, to the hour; none before the first."),
        "pairedBy": Field(
            "The device that made its code, none for the daemon's own key; removing that one removes this one too."),
        "member": Field("Who uses it."),
    ]
}

/// A code that pairs one device.
struct PairingCode: Sendable, Codable, Documented {
    var code: String
    var expires: Date

    static let fields = ["code": Field("Opens /pair?code=… on the device, once.")]
}
