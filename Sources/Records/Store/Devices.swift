import Foundation
import GRDB

/// A phone or browser that was paired.
public struct StoredDevice: Sendable, Hashable {
    public var id: Int64
    public var name: String
    /// Seconds since 1970.
    public var paired: Int64
    /// Of its last request, seconds since 1970; nil before the first.
    public var seen: Int64?
    /// The device that made its code; nil for the daemon's own key.
    public var pairedBy: Int64?
}

enum DeviceTables {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("6 devices") { database in
            try database.execute(
                sql: """
                    -- The token itself is on the device only.
                    CREATE TABLE device (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
                        paired INTEGER NOT NULL, seen INTEGER
                    ) STRICT;
                    -- Codes that pair one device each.
                    CREATE TABLE pairing (digest BLOB PRIMARY KEY, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("devices 2 who paired") { database in
            try database.execute(
                sql: """
                    -- The device that made the code; NULL for the daemon's own key.
                    ALTER TABLE device ADD COLUMN pairedBy INTEGER;
                    ALTER TABLE pairing ADD COLUMN pairedBy INTEGER;
                    """)
        }
    }
}

extension OutcomeStore {
    /// Codes that wait at the same time; the oldest is dropped for a new one.
    private static let mostCodes = 20

    /// Stores a code that pairs one device.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the code.
    ///   - expires: seconds since 1970.
    ///   - device: the device that makes the code; nil for the daemon's own key. The code of a device that was removed
    ///     meanwhile pairs nothing.
    public func addPairing(_ digest: [UInt8], expires: Int64, now: Int64, by device: Int64? = nil) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM pairing WHERE expires <= ?", arguments: [now])
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO pairing (digest, expires, pairedBy) SELECT ?1, ?2, ?3
                    WHERE ?3 IS NULL OR EXISTS (SELECT 1 FROM device WHERE id = ?3)
                    """, arguments: [Data(digest), expires, device])
            try database.execute(
                sql: """
                    DELETE FROM pairing WHERE digest NOT IN (SELECT digest FROM pairing ORDER BY expires DESC LIMIT ?)
                    """, arguments: [Self.mostCodes])
        }
    }

    /// True if the code waits to be used.
    public func isPairing(_ digest: [UInt8], now: Int64) throws -> Bool {
        try read {
            try Bool.fetchOne(
                $0, sql: "SELECT EXISTS (SELECT 1 FROM pairing WHERE digest = ? AND expires > ?)",
                arguments: [Data(digest), now])
        } ?? false
    }

    /// Uses a code up and stores the device that showed it.
    ///
    /// - Parameter token: SHA-256 of the device's token.
    /// - Returns: the device's number; nil if the code is unknown, used or expired.
    public func pair(_ digest: [UInt8], name: String, token: [UInt8], now: Int64) throws -> Int64? {
        try write { database in
            let found = [Data(digest), now] as StatementArguments
            try database.execute(
                sql: """
                    INSERT INTO device (name, digest, paired, pairedBy)
                    SELECT ?, ?, ?, pairedBy FROM pairing WHERE digest = ? AND expires > ?
                    """, arguments: [name, Data(token), now] + found)
            guard database.changesCount == 1 else { return nil }
            let device = database.lastInsertedRowID
            try database.execute(sql: "DELETE FROM pairing WHERE digest = ?", arguments: [Data(digest)])
            return device
        }
    }

    /// The device with this token's SHA-256, or nil.
    public func device(_ token: [UInt8]) throws -> StoredDevice? {
        try read { try Row.fetchOne($0, sql: "SELECT * FROM device WHERE digest = ?", arguments: [Data(token)]) }
            .map { StoredDevice($0) }
    }

    /// All devices, newest first.
    public func devices() throws -> [StoredDevice] {
        try read { try Row.fetchAll($0, sql: "SELECT * FROM device ORDER BY id DESC") }.map { StoredDevice($0) }
    }

    /// Removes a device, the devices that it paired, and so on, and the codes that they made.
    ///
    /// - Returns: false if there is no such device.
    public func removeDevice(_ id: Int64) throws -> Bool {
        let gone = """
            WITH RECURSIVE gone(id) AS (VALUES (?) UNION SELECT device.id FROM device JOIN gone ON pairedBy = gone.id)
            """
        return try write { database in
            try database.execute(
                sql: gone + " DELETE FROM pairing WHERE pairedBy IN (SELECT id FROM gone)", arguments: [id])
            try database.execute(sql: gone + " DELETE FROM device WHERE id IN (SELECT id FROM gone)", arguments: [id])
            return database.changesCount > 0
        }
    }

    /// Remembers when a device was last seen.
    public func noteDevice(_ id: Int64, seen: Int64) throws {
        try write { try $0.execute(sql: "UPDATE device SET seen = ? WHERE id = ?", arguments: [seen, id]) }
    }
}

extension StoredDevice {
    fileprivate init(_ row: Row) {
        self.init(id: row["id"], name: row["name"], paired: row["paired"], seen: row["seen"], pairedBy: row["pairedBy"])
    }
}
