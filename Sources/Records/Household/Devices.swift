import Core
import Foundation
import Hashing
import GRDB
import Store

package struct Device: Sendable, Hashable, Decodable, FetchableRecord {
    package var id: Int64
    package var name: String
    /// Seconds since 1970.
    package var paired: Int64
    /// Of its last request, seconds since 1970; nil before the first.
    package var seen: Int64?
    /// The device that made its code; nil for the daemon's own key.
    package var pairedBy: Int64?
    /// Who uses it; nil before anybody was chosen.
    package var member: Int64?
    /// Until when this member's private pages are open on it, seconds since 1970; nil if they are not.
    package var openUntil: Int64?
}

/// Devices that were removed, for a person who takes it back.
package struct RemovedDevices: Sendable {
    /// SHA-256 of each token, which the device keeps.
    fileprivate let devices: [(device: Device, digest: Data)]
}

/// Devices, and the codes that pair one each. Codes and tokens are stored as SHA-256 only.
extension Household {
    /// Codes that wait at the same time; the oldest is dropped for a new one.
    private static let mostCodes = 20
    /// How long a code is valid, seconds.
    package static let codeSeconds: Int64 = 600
    /// How long private pages stay open on a device that nobody else uses in between, seconds: a week.
    static let openSeconds: Int64 = 7 * 86_400

    /// Makes a code that pairs one device.
    ///
    /// - Parameter device: the device that makes the code; nil for the daemon's own key. The code of a device that was
    ///   removed meanwhile pairs nothing.
    /// - Returns: `7KQM-4XRT`, and when it ends, seconds since 1970.
    package func newCode(by device: Int64? = nil) throws -> (code: String, expires: Int64) {
        let (code, now) = (PairingCode.make(), now)
        let expires = now + Self.codeSeconds
        try store.write { database in
            try database.execute(
                literal: """
                    DELETE FROM pairing WHERE expires <= \(now);
                    INSERT OR REPLACE INTO pairing (digest, expires, pairedBy)
                    SELECT \(PairingCode.digest(code)), \(expires), \(device)
                    WHERE \(device) IS NULL OR EXISTS (SELECT 1 FROM device WHERE id = \(device));
                    DELETE FROM pairing
                    WHERE digest NOT IN (SELECT digest FROM pairing ORDER BY expires DESC LIMIT \(Self.mostCodes))
                    """)
        }
        return (code, expires)
    }

    /// True if the code, in any spelling, waits to be used.
    package func isPairing(_ code: String) throws -> Bool {
        guard let digest = PairingCode.digest(code) else { return false }
        let now = now
        return try store.read(
            Bool.fetchOne, "SELECT EXISTS (SELECT 1 FROM pairing WHERE digest = \(digest) AND expires > \(now))")
            ?? false
    }

    /// Uses a code up and stores the device that showed it.
    ///
    /// - Returns: the device's token, which is not stored; nil if the code is unknown, used or expired.
    package func pair(_ code: String, name: String) throws -> String? {
        guard let digest = PairingCode.digest(code) else { return nil }
        let (token, now) = (RandomBytes.token(), now)
        let isPaired = try store.write { database in
            let new = try database.changes(
                """
                INSERT INTO device (name, digest, paired, pairedBy)
                SELECT \(Self.deviceName(name)), \(Data(SHA256.digest(of: token.utf8))), \(now), pairedBy
                FROM pairing WHERE digest = \(digest) AND expires > \(now)
                """)
            try database.execute(literal: "DELETE FROM pairing WHERE digest = \(digest) AND expires > \(now)")
            return new == 1
        }
        return isPaired ? token : nil
    }

    /// Stores a device that came with the daemon's own key.
    ///
    /// - Returns: its token, which is not stored.
    package func addDevice(name: String) throws -> String {
        let token = RandomBytes.token()
        let (name, digest) = (Self.deviceName(name), Data(SHA256.digest(of: token.utf8)))
        try store.execute(literal: "INSERT INTO device (name, digest, paired) VALUES (\(name), \(digest), \(now))")
        return token
    }

    private static func deviceName(_ name: String) -> String { DisplayName.cleaned(name) ?? "?" }

    package func device(ofToken token: String) throws -> Device? {
        try store.read(Device.fetchOne, "SELECT * FROM device WHERE digest = \(Data(SHA256.digest(of: token.utf8)))")
    }

    /// All devices, newest first.
    package func devices() throws -> [Device] {
        try store.read(Device.fetchAll, "SELECT * FROM device ORDER BY id DESC")
    }

    /// Removes a device, the devices that it paired, and so on, and the codes that they made.
    ///
    /// - Returns: what brings the devices back, without their codes; nil if there is no such device.
    package func takeDevice(_ id: Int64) throws -> RemovedDevices? {
        let gone: SQL = """
            WITH RECURSIVE gone(id) AS
                (VALUES (\(id)) UNION SELECT device.id FROM device JOIN gone ON pairedBy = gone.id)
            """
        return try store.write { database in
            let rows = try Row.fetchAll(
                database, literal: "\(gone) SELECT * FROM device WHERE id IN (SELECT id FROM gone) ORDER BY id")
            guard !rows.isEmpty else { return nil }
            try database.execute(
                literal: """
                    \(gone) DELETE FROM pairing WHERE pairedBy IN (SELECT id FROM gone);
                    \(gone) DELETE FROM device WHERE id IN (SELECT id FROM gone)
                    """)
            return RemovedDevices(devices: try rows.map { (try Device(row: $0), $0["digest"]) })
        }
    }

    /// Makes removed devices work again, with the tokens that they keep. Private pages stay closed on them, and nobody uses
    /// them until somebody is chosen.
    package func restore(_ removed: RemovedDevices) throws {
        try store.write { database in
            for (device, digest) in removed.devices {
                try database.execute(
                    literal: """
                        INSERT OR IGNORE INTO device (id, name, digest, paired, seen, pairedBy)
                        VALUES (\(device.id), \(device.name), \(digest), \(device.paired), \(device.seen),
                            \(device.pairedBy))
                        """)
            }
        }
    }

    /// Removes a device that signs out; what it paired stays.
    package func signOut(_ id: Int64) throws {
        try store.execute(
            literal: """
                DELETE FROM pairing WHERE pairedBy = \(id);
                UPDATE device SET pairedBy = (SELECT pairedBy FROM device WHERE id = \(id)) WHERE pairedBy = \(id);
                DELETE FROM device WHERE id = \(id)
                """)
    }

    /// Remembers when a device was last seen, seconds since 1970.
    package func note(_ device: Int64, seen: Int64) throws {
        try store.execute(literal: "UPDATE device SET seen = \(seen) WHERE id = \(device)")
    }

    /// Remembers who uses a device; the private pages of whoever used it before close.
    ///
    /// - Parameter opens: true opens the member's private pages; the caller has checked the PIN.
    package func use(_ device: Int64, by member: Int64?, opens: Bool = false) throws {
        let until = opens ? now + Self.openSeconds : nil
        try store.execute(literal: "UPDATE device SET member = \(member), openUntil = \(until) WHERE id = \(device)")
    }
}

/// A code that pairs one device: eight letters and digits without those that look alike.
enum PairingCode {
    private static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    private static let length = 8

    /// A new code, `7KQM-4XRT`.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let drawn = (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
        return String(drawn[..<4]) + "-" + String(drawn[4...])
    }

    /// SHA-256 of the code, however a person types it: small letters, blanks and hyphens do not matter. Nil for a text
    /// that is no code.
    static func digest(_ text: String) -> Data? {
        let plain = text.prefix(100).uppercased().filter { $0.isLetter || $0.isNumber }
        guard plain.count == length, plain.allSatisfy({ letters.contains($0) }) else { return nil }
        return Data(SHA256.digest(of: plain.utf8))
    }
}
