import Core
import Foundation
import GRDB
import Store

/// Why an account or a session is refused.
public enum AccountProblem: Error, Sendable, Hashable {
    /// The name is taken.
    case taken
    /// A name or a password of a wrong form, for its author.
    case bad(String)
    /// Unknown name or wrong password; which of the two is not said.
    case refused
    /// Too many attempts; seconds to wait.
    case tooMany(Int)
    /// No memory for the hash.
    case unavailable
}

/// Accounts with passwords, and sessions. Names are compared by ``DisplayName/key``: `Ada` and `ada` are the same.
public struct Accounts: Sendable {
    private let store: OutcomeStore
    private let parameters: PasswordHash.Parameters
    private let now: @Sendable () -> Date
    private let hashing: @Sendable (PasswordHash.Parameters) -> Void
    /// Replaces the hash of a name without an account, so that a refusal takes as long.
    private let stand: PasswordHash

    /// Attempts for one name in a minute, from all sources together: the service limits each source to fewer, so that
    /// one of them cannot keep the right person out.
    public static let attempts = 30
    static let window: Int64 = 60
    /// Seconds for which a session is valid: 90 days.
    public static let sessionSeconds: Int64 = 90 * 86_400
    private static let mostSessions = 20
    /// Characters of a typed name that are looked at: a name with blanks around it.
    private static let longestTyped = 80

    /// - Parameters:
    ///   - now: the clock of limits and sessions.
    ///   - hashing: called before each password that is checked, with the cost of its hash.
    public init(
        _ store: OutcomeStore, parameters: PasswordHash.Parameters = .usual,
        now: @escaping @Sendable () -> Date = { Date() },
        hashing: @escaping @Sendable (PasswordHash.Parameters) -> Void = { _ in }
    ) {
        self.store = store
        self.parameters = parameters
        self.now = now
        self.hashing = hashing
        stand = PasswordHash(
            salt: Data(RandomBytes.make(16)), hash: Data(RandomBytes.make(32)), parameters: parameters)
    }

    private var seconds: Int64 { Int64(now().timeIntervalSince1970) }

    /// The names of all accounts, as typed.
    public func people() throws -> [String] {
        try store.read { try String.fetchAll($0, sql: "SELECT person FROM account ORDER BY person") }
    }

    /// Creates an account.
    ///
    /// - Throws: ``AccountProblem/taken``, ``AccountProblem/bad(_:)``.
    public func create(_ person: String, password: String) throws {
        let named: DisplayName
        do { named = try DisplayName(person) } catch { throw AccountProblem.bad(error.detail) }
        let (person, name) = (named.shown, named.key)
        let hash = try PasswordHash(of: try Self.acceptable(password), parameters: parameters)
        let created = seconds
        try store.write { database in
            let isTaken = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM account WHERE name = ? OR person = ?", arguments: [name, person])
            if isTaken == true { throw AccountProblem.taken }
            try database.execute(
                sql: "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    name, person, hash.salt, hash.hash, hash.parameters.cost, hash.parameters.blockSize,
                    hash.parameters.lanes, created,
                ])
        }
    }

    private static func acceptable(_ password: String) throws(AccountProblem) -> String {
        guard (10...200).contains(password.count), password.utf8.count <= 1000 else {
            throw .bad("a password has 10 to 200 characters")
        }
        return password
    }

    /// Checks a password. An unknown name takes the same steps and the same time as a wrong password.
    ///
    /// - Returns: the person as typed when the account was made.
    /// - Throws: ``AccountProblem/refused``, ``AccountProblem/tooMany(_:)``.
    public func check(_ person: String, password: String) throws -> String {
        let name = DisplayName.key(of: String(person.prefix(Self.longestTyped)))
        try charge(name)
        let row = try store.read {
            try Row.fetchOne($0, sql: "SELECT * FROM account WHERE name = ?", arguments: [name])
        }
        let known = row.map { row in
            PasswordHash(
                salt: row["salt"], hash: row["hash"],
                parameters: .init(cost: row["cost"], blockSize: row["blockSize"], lanes: row["lanes"]))
        }
        let asked = known ?? stand
        hashing(asked.parameters)
        let isRight = try asked.matches(String(password.prefix(200)))
        guard isRight, known != nil, let owner = row?["person"] as String? else { throw AccountProblem.refused }
        return owner
    }

    /// Counts an attempt before the password is looked at, right ones too: the limit reveals nothing.
    private func charge(_ name: String) throws {
        let now = seconds
        try store.write { database in
            // An attempt in the future was noted before the clock was set back.
            try database.execute(
                sql: "DELETE FROM account_try WHERE at <= ? OR at > ?", arguments: [now - Self.window, now])
            let times = try Int64.fetchAll(
                database, sql: "SELECT at FROM account_try WHERE name = ? ORDER BY at", arguments: [name])
            guard times.count < Self.attempts else {
                throw AccountProblem.tooMany(max(1, Int(times[times.count - Self.attempts] + Self.window - now)))
            }
            try database.execute(sql: "INSERT INTO account_try (name, at) VALUES (?, ?)", arguments: [name, now])
        }
    }

    /// Checks a password and opens a session.
    ///
    /// - Returns: the person, and the session's token, which is not stored.
    public func open(_ person: String, password: String) throws -> (person: String, token: String) {
        let person = try check(person, password: password)
        let now = seconds
        let token = try store.write { database in
            try database.execute(sql: "DELETE FROM account_session WHERE expires <= ?", arguments: [now])
            let token = try Self.newSession(database, of: person, expires: now + Self.sessionSeconds)
            // The oldest sessions of a person end when there are too many.
            try database.execute(
                sql: """
                    DELETE FROM account_session WHERE hash IN (
                        SELECT hash FROM account_session WHERE name = (SELECT name FROM account WHERE person = ?)
                        ORDER BY expires DESC, hash LIMIT -1 OFFSET ?)
                    """, arguments: [person, Self.mostSessions])
            return token
        }
        return (person, token)
    }

    /// - Returns: the token, which is not stored.
    private static func newSession(_ database: Database, of person: String, expires: Int64) throws -> String {
        let token = Data(RandomBytes.make(32)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        try database.execute(
            sql: "INSERT INTO account_session SELECT ?, name, ? FROM account WHERE person = ?",
            arguments: [RandomBytes.digest(token), expires, person])
        return token
    }

    /// The person of a session, or nil for an unknown or ended one.
    public func person(ofSession token: String) throws -> String? {
        let now = seconds
        return try store.read {
            try String.fetchOne(
                $0,
                sql: """
                    SELECT person FROM account_session AS session JOIN account ON account.name = session.name
                    WHERE session.hash = ? AND expires > ?
                    """, arguments: [RandomBytes.digest(token), now])
        }
    }

    public func close(_ token: String) throws {
        try store.write {
            try $0.execute(sql: "DELETE FROM account_session WHERE hash = ?", arguments: [RandomBytes.digest(token)])
        }
    }

    /// Replaces a password, ends all sessions and opens a new one for whoever changed it.
    ///
    /// The current password is an attempt like one at signing in, so the same limit holds.
    ///
    /// - Returns: the token of the new session.
    /// - Throws: ``AccountProblem/refused``, ``AccountProblem/tooMany(_:)``, ``AccountProblem/bad(_:)``.
    @discardableResult
    public func change(_ person: String, from old: String, to new: String) throws -> String {
        let new = try Self.acceptable(new)
        let person = try check(person, password: old)
        let hash = try PasswordHash(of: new, parameters: parameters)
        let expires = seconds + Self.sessionSeconds
        return try store.write { database in
            try database.execute(
                sql: """
                    UPDATE account SET salt = ?, hash = ?, cost = ?, blockSize = ?, lanes = ? WHERE person = ?
                    """,
                arguments: [
                    hash.salt, hash.hash, hash.parameters.cost, hash.parameters.blockSize, hash.parameters.lanes,
                    person,
                ])
            try database.execute(
                sql: "DELETE FROM account_session WHERE name = (SELECT name FROM account WHERE person = ?)",
                arguments: [person])
            return try Self.newSession(database, of: person, expires: expires)
        }
    }

    /// Deletes an account with its sessions and attempts.
    ///
    /// - Returns: false without such an account.
    public func remove(_ person: String) throws -> Bool {
        let name = DisplayName.key(of: person)
        return try store.write { database in
            try database.execute(sql: "DELETE FROM account_try WHERE name = ?", arguments: [name])
            try database.execute(sql: "DELETE FROM account_session WHERE name = ?", arguments: [name])
            try database.execute(sql: "DELETE FROM account WHERE name = ?", arguments: [name])
            return database.changesCount > 0
        }
    }
}
