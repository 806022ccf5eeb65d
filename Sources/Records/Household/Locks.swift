import Foundation
import Hashing
import GRDB
import Store

/// PINs: what opens a member's private pages.
extension Household {
    /// Digits of a PIN.
    package static let pinLength = 4...8
    /// Wrong PINs on one device before it waits: one minute, then twice as long for each further one, up to an hour.
    static let freeTries = 5
    /// Wrong PINs for one member on all devices in a day, but those that have opened the member's pages.
    static let mostTries = 100
    /// Wrong PINs for one member in a day on the devices that one device paired, and those that they paired, together.
    static let mostTriesOfPaired = 30
    private static let day: Int64 = 86_400
    /// Seconds after which a removal that an adult asked for takes place: a day.
    package static let removalSeconds: Int64 = 86_400

    /// Sets or replaces a PIN. The key or password of an earlier version ends, and the private pages close everywhere
    /// else.
    ///
    /// - Parameter device: the device on which they stay open; nil for none.
    package func setPIN(_ pin: String, of member: Int64, on device: Int64? = nil) throws {
        try Self.check(pin: pin)
        let hash = try SecretHash(of: pin, parameters: parameters)
        try replaceLock(of: member, on: device) { database in
            try database.execute(
                literal: """
                    INSERT INTO member_lock (member, kind, salt, hash, cost, blockSize, lanes)
                    VALUES (\(member), 'pin', \(hash.salt), \(hash.hash), \(hash.parameters.cost),
                        \(hash.parameters.blockSize), \(hash.parameters.lanes))
                    """)
        }
    }

    static func check(pin: String) throws {
        guard pinLength.contains(pin.utf8.count), pin.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw HouseholdProblem.badPIN("a PIN has \(pinLength.lowerBound) to \(pinLength.upperBound) digits")
        }
    }

    /// Removes a PIN, or what opened the pages in an earlier version: they are open to whoever chooses this person.
    package func removePIN(of member: Int64, on device: Int64? = nil) throws {
        try replaceLock(of: member, on: device) { _ in }
    }

    private func replaceLock(of member: Int64, on device: Int64?, _ insert: (Database) throws -> Void) throws {
        let until = now + Self.openSeconds
        try store.write { database in
            try database.execute(
                literal: """
                    DELETE FROM member_lock WHERE member = \(member);
                    DELETE FROM pin_try WHERE member = \(member);
                    DELETE FROM diary_key WHERE person = (SELECT name FROM member WHERE id = \(member));
                    UPDATE device SET openUntil = CASE WHEN id IS \(device) THEN \(until) END WHERE member = \(member)
                    """)
            try insert(database)
        }
    }

    /// Checks a PIN, or the password of an earlier version. A right one ends a removal that somebody asked for.
    ///
    /// - Parameter device: who tries; 0 for the daemon's own key.
    package func check(_ secret: String, of member: Int64, on device: Int64) throws {
        let row = try store.read(Row.fetchOne, "SELECT * FROM member_lock WHERE member = \(member)")
        guard let row, (row["removalOpens"] as Int64?).map({ $0 > now }) ?? true else { return }
        guard let salt = row["salt"] as Data?, let hash = row["hash"] as Data? else { throw HouseholdProblem.refused }
        let number = try charge(member, device)
        let known = SecretHash(
            salt: salt, hash: hash,
            parameters: .init(cost: row["cost"], blockSize: row["blockSize"], lanes: row["lanes"]))
        guard try known.matches(String(secret.prefix(200))) else { throw HouseholdProblem.refused }
        try store.write { database in
            try database.execute(
                literal: """
                    DELETE FROM pin_try WHERE id = \(number) OR member = \(member) AND device = \(device);
                    UPDATE member_lock SET removalAskedBy = NULL, removalOpens = NULL WHERE member = \(member)
                    """)
        }
    }

    /// Counts a try before the PIN is looked at: then many at the same time are not more than one after the other.
    ///
    /// - Returns: the number of the try.
    private func charge(_ member: Int64, _ device: Int64) throws -> Int64 {
        let now = now
        return try store.write { database in
            // A try in the future was noted before the clock was set back.
            try database.execute(literal: "DELETE FROM pin_try WHERE at <= \(now - Self.day) OR at > \(now)")
            try Self.checkOthers(database, member, device, now)
            let own = try Int64.fetchAll(
                database,
                literal: "SELECT at FROM pin_try WHERE member = \(member) AND device = \(device) ORDER BY at")
            if own.count >= Self.freeTries, let last = own.last {
                let pause = Int64(min(3600, 60 << min(6, own.count - Self.freeTries)))
                guard last + pause <= now else { throw HouseholdProblem.tooMany(Int(last + pause - now)) }
            }
            try database.execute(
                literal: "INSERT INTO pin_try (member, device, at) VALUES (\(member), \(device), \(now))")
            return database.lastInsertedRowID
        }
    }

    /// Tries on other devices count too, so that many devices are of no more use than one. They do not keep out a device
    /// on which the member's pages were open: else any phone could lock their owner out.
    private static func checkOthers(_ database: Database, _ member: Int64, _ device: Int64, _ now: Int64) throws {
        let hasOpened = try Bool.fetchOne(
            database, literal: "SELECT openUntil IS NOT NULL FROM device WHERE id = \(device) AND member = \(member)")
        guard hasOpened != true else { return }
        func check(_ tries: [Int64], _ most: Int) throws {
            guard tries.count >= most, let first = tries.first else { return }
            throw HouseholdProblem.tooMany(max(1, Int(first + day - now)))
        }
        let above = """
            WITH RECURSIVE above(id) AS (
                SELECT pairedBy FROM device WHERE id = ?
                UNION SELECT pairedBy FROM device JOIN above ON device.id = above.id)
            SELECT id FROM above WHERE id IS NOT NULL
            """
        for parent in try Int64.fetchAll(database, sql: above, arguments: [device]) {
            let tries = try Int64.fetchAll(
                database,
                literal: """
                    WITH RECURSIVE paired(id) AS (
                        VALUES (\(parent)) UNION SELECT device.id FROM device JOIN paired ON pairedBy = paired.id)
                    SELECT at FROM pin_try WHERE member = \(member) AND device IN (SELECT id FROM paired) ORDER BY at
                    """)
            try check(tries, mostTriesOfPaired)
        }
        let all = try Int64.fetchAll(database, literal: "SELECT at FROM pin_try WHERE member = \(member) ORDER BY at")
        try check(all, mostTries)
    }

    /// The members whose diaries these keys of an earlier version open. Only hashes of keys are stored.
    package func members(ofKeys keys: [String]) throws -> [Int64] {
        try keys.compactMap { key in
            try store.read(
                Int64.fetchOne,
                """
                SELECT member.id FROM diary_key JOIN member ON member.name = person
                    WHERE hash = \(Data(SHA256.digest(of: key.utf8)))
                """)
        }
    }

    /// Asks for the removal of a forgotten PIN: the owner sees it at once, and it takes place after a day.
    ///
    /// - Throws: ``HouseholdProblem/bad(_:)`` without a PIN.
    package func askRemoval(of member: Int64, by name: String) throws {
        let opens = now + Self.removalSeconds
        let changed = try store.execute(
            literal: """
                UPDATE member_lock SET removalAskedBy = coalesce(removalAskedBy, \(name)),
                    removalOpens = coalesce(removalOpens, \(opens))
                WHERE member = \(member)
                """)
        guard changed > 0 else { throw HouseholdProblem.bad("there is no PIN to remove") }
    }

    /// - Returns: false if nobody asked, or the day is over.
    package func cancelRemoval(of member: Int64) throws -> Bool {
        try store.execute(
            literal: """
                UPDATE member_lock SET removalAskedBy = NULL, removalOpens = NULL
                WHERE member = \(member) AND removalOpens > \(now)
                """) > 0
    }
}
