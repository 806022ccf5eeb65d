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
    public func addPairing(_ digest: [UInt8], expires: Int64, now: Int64) throws {
        try write { database in
            try database.execute(sql: "DELETE FROM pairing WHERE expires <= ?", arguments: [now])
            try database.execute(
                sql: "INSERT OR REPLACE INTO pairing (digest, expires) VALUES (?, ?)",
                arguments: [Data(digest), expires])
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
            try database.execute(
                sql: "DELETE FROM pairing WHERE digest = ? AND expires > ?", arguments: [Data(digest), now])
            guard database.changesCount == 1 else { return nil }
            try database.execute(
                sql: "INSERT INTO device (name, digest, paired) VALUES (?, ?, ?)", arguments: [name, Data(token), now])
            return database.lastInsertedRowID
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

    /// - Returns: false if there is no such device.
    public func removeDevice(_ id: Int64) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [id])
            return database.changesCount == 1
        }
    }

    /// Remembers when a device was last seen.
    public func noteDevice(_ id: Int64, seen: Int64) throws {
        try write { try $0.execute(sql: "UPDATE device SET seen = ? WHERE id = ?", arguments: [seen, id]) }
    }
}

extension StoredDevice {
    fileprivate init(_ row: Row) {
        self.init(id: row["id"], name: row["name"], paired: row["paired"], seen: row["seen"])
    }
}
