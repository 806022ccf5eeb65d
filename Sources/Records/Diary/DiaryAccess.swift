import Core
import Foundation
import GRDB
import Meals
import Store

/// Who may open which diary. A device has keys; a key opens one person's diary, and the diaries that others allowed this
/// person to read. Only hashes of keys and codes are stored.
public struct DiaryAccess: Sendable {
    private let store: OutcomeStore

    public init(_ store: OutcomeStore) { self.store = store }

    /// What a key permits.
    public enum Level: Sendable, Hashable { case none, read, own }

    /// Seconds for which a code is valid.
    public static let codeSeconds: Int64 = 600
    /// Wrong attempts, from all sources together, after which a code of eight digits is void. The service limits each
    /// source to fewer, so that one of them cannot use up the code of the right person.
    private static let mostAttempts = 200

    /// The person of a key, or nil.
    public func person(ofKey hash: Data) throws -> String? {
        try store.read {
            try String.fetchOne($0, sql: "SELECT person FROM diary_key WHERE hash = ?", arguments: [hash])
        }
    }

    /// What the holder of these keys may do with a diary, in any spelling of the person's name.
    public func level(_ keys: [Data], of person: String) throws -> Level {
        try store.read { database in
            var level = Level.none
            guard let person = try Diary.person(database, person)?.name else { return level }
            for hash in keys {
                let owner = try String.fetchOne(
                    database, sql: "SELECT person FROM diary_key WHERE hash = ?", arguments: [hash])
                guard let owner else { continue }
                if owner.utf8.elementsEqual(person.utf8) { return .own }
                let isReader = try Bool.fetchOne(
                    database, sql: "SELECT 1 FROM diary_reader WHERE person = ? AND reader = ?",
                    arguments: [person, owner])
                if isReader == true { level = .read }
            }
            return level
        }
    }

    /// Opens a diary with a new key, and creates the diary if the person has no diary yet.
    ///
    /// - Parameters:
    ///   - code: hash of the code that an open device shows; needed if the diary has a key already.
    ///   - now: seconds since 1970.
    /// - Returns: false if the diary has a key and the code is missing, wrong or too old.
    /// - Throws: ``NameProblem`` for a new person whose name is refused.
    public func open(_ person: String, zone: String, key: Data, code: Data?, now: Int64) throws -> Bool {
        try store.write { database in
            let known = try Diary.person(database, person)?.name
            let person = try known ?? DisplayName(person).shown
            if known == nil {
                try database.execute(
                    sql: "INSERT INTO diary_person (person, key, zone) VALUES (?, ?, ?)",
                    arguments: [person, DisplayName.key(of: person), zone])
            }
            let hasKey = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM diary_key WHERE person = ?", arguments: [person])
            if hasKey == true {
                guard let code, try Self.spend(code, person, now, database) else { return false }
            }
            try database.execute(sql: "INSERT INTO diary_key VALUES (?, ?)", arguments: [key, person])
            return true
        }
    }

    private static func spend(_ code: Data, _ person: String, _ now: Int64, _ database: Database) throws -> Bool {
        let row = try Row.fetchOne(database, sql: "SELECT * FROM diary_code WHERE person = ?", arguments: [person])
        guard let row, (row["expires"] as Int64) > now, (row["attempts"] as Int) < mostAttempts else { return false }
        guard (row["hash"] as Data) == code else {
            try database.execute(
                sql: "UPDATE diary_code SET attempts = attempts + 1 WHERE person = ?", arguments: [person])
            return false
        }
        try database.execute(sql: "DELETE FROM diary_code WHERE person = ?", arguments: [person])
        return true
    }

    /// Stores the hash of a code that opens the diary once, within ten minutes.
    public func setCode(_ hash: Data, of person: String, now: Int64) throws {
        try store.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO diary_code (person, hash, expires) VALUES (?, ?, ?)",
                arguments: [person, hash, now + Self.codeSeconds])
        }
    }

    /// The people who may read a diary.
    public func readers(of person: String) throws -> [String] {
        try store.read {
            try String.fetchAll(
                $0, sql: "SELECT reader FROM diary_reader WHERE person = ? ORDER BY reader", arguments: [person])
        }
    }

    /// The people with a diary that somebody opened on a device, by name.
    public func owners() throws -> [String] {
        try store.read { try String.fetchAll($0, sql: "SELECT DISTINCT person FROM diary_key ORDER BY person") }
    }

    /// Lets another person read a diary, or no longer.
    ///
    /// - Throws: ``DiaryProblem/noReader`` if nobody has opened a diary of the reader: else whoever opens one of that
    ///   name next could read this one.
    public func setReader(_ reader: String, of person: String, isAllowed: Bool) throws {
        let sql =
            isAllowed
            ? "INSERT OR IGNORE INTO diary_reader (person, reader) VALUES (?, ?)"
            : "DELETE FROM diary_reader WHERE person = ? AND reader = ?"
        try store.write { database in
            let known = try Diary.person(database, reader)?.name
            let isOpen = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM diary_key WHERE person = ?)", arguments: [known])
            guard !isAllowed || isOpen == true else { throw DiaryProblem.noReader }
            try database.execute(sql: sql, arguments: [person, known ?? reader])
        }
    }
}
