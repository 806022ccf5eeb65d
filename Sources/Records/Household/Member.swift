import Core
import Foundation
import GRDB
import Store

package struct Member: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// Answers reviews, sees prices, manages people and devices.
        case adult
        /// Plays, and is judged for.
        case child
        /// Is judged for on somebody's device, for a day.
        case guest
    }

    package enum Lock: String, Sendable, Hashable, Codable, CaseIterable {
        /// They are open to whoever chooses this person.
        case none
        case pin
        /// The password of an account of an earlier version, once more; then a PIN is chosen.
        case password
        /// The key that a device of an earlier version keeps, once more; then a PIN is chosen.
        case key
    }

    package var id: Int64
    package var name: String
    package var role: Role
    /// Number of the picture's colour, 1 to 4.
    package var colour: Int
    /// What warns this person; may be nothing. Its language is the person's.
    package var profile: AllergenProfile
    /// When a guest ends, seconds since 1970; nil for others.
    package var ends: Int64?
    package var lock: Lock
    /// A forgotten PIN that is about to be removed.
    package var removal: Identity.Removal?
}

package struct NewMember: Sendable, Hashable {
    package var name: String
    package var role: Member.Role
    /// The name in it is not used.
    package var profile: AllergenProfile

    package init(_ name: String, role: Member.Role = .adult, profile: AllergenProfile? = nil) {
        self.name = name
        self.role = role
        self.profile = profile ?? AllergenProfile(name: name, allergens: [:])
    }
}

extension Household {
    /// Seconds after which a guest ends: a day.
    package static let guestSeconds: Int64 = 86_400
    private static let mostMembers = 100
    /// Guests at the same time.
    private static let mostGuests = 10
    static let colours = 4

    private static let columns = """
        SELECT member.*, lock.kind, lock.removalAskedBy, lock.removalOpens
        FROM member LEFT JOIN member_lock AS lock ON lock.member = member.id
        """

    /// Everybody, in the order in which they came. Guests whose day is over are left out.
    package func members() throws -> [Member] {
        let now = now
        return try store.read(
            Row.fetchAll, "\(sql: Self.columns) WHERE ends IS NULL OR ends > \(now) ORDER BY member.id"
        ).map { try Self.member($0, now) }
    }

    package func member(_ id: Int64) throws -> Member? { try members().first { $0.id == id } }

    /// The member of this name in any spelling, or nil.
    package func member(named name: String) throws -> Member? {
        let now = now
        return try store.read { try Self.member(named: name, $0, now) }
    }

    static func member(named name: String, _ database: Database, _ now: Int64) throws -> Member? {
        let isNamed: SQL = "key = \(DisplayName.key(of: name)) AND (ends IS NULL OR ends > \(now))"
        return try Row.fetchOne(database, literal: "\(sql: columns) WHERE \(isNamed)").map { try member($0, now) }
    }

    private static func member(_ row: Row, _ now: Int64) throws -> Member {
        var removal: Identity.Removal?
        if let name = row["removalAskedBy"] as String?, let opens = row["removalOpens"] as Int64? {
            removal = .init(askedBy: name, opens: opens)
        }
        var lock = (row["kind"] as String?).flatMap(Member.Lock.init(rawValue:)) ?? .none
        if let opens = removal?.opens, opens <= now { (lock, removal) = (.none, nil) }
        return Member(
            id: row["id"], name: row["name"], role: Member.Role(rawValue: row["role"]) ?? .guest, colour: row["colour"],
            profile: try JSONCoding.decode(AllergenProfile.self, from: row["json"]), ends: row["ends"], lock: lock,
            removal: removal)
    }

    /// Adds a person. A guest ends after a day.
    @discardableResult
    package func add(_ new: NewMember) throws -> Member {
        let name = try Self.named(new.name)
        var profile = new.profile
        profile.name = name.shown
        let json = try JSONCoding.encode(profile)
        let now = now
        try store.write { database in
            try Self.removeEnded(database, now)
            if let other = try Self.member(named: name.shown, database, now) {
                throw HouseholdProblem.taken(other.name)
            }
            let count = try Int.fetchOne(database, literal: "SELECT count(*) FROM member") ?? 0
            guard count < Self.mostMembers else {
                throw HouseholdProblem.bad("a household has at most \(Self.mostMembers) people")
            }
            let guests = try Int.fetchOne(database, literal: "SELECT count(*) FROM member WHERE role = 'guest'") ?? 0
            guard new.role != .guest || guests < Self.mostGuests else {
                throw HouseholdProblem.bad("a household has at most \(Self.mostGuests) guests at a time")
            }
            try database.execute(
                literal: """
                    INSERT INTO member (name, key, role, colour, json, created, ends)
                    VALUES (\(name.shown), \(name.key), \(new.role.rawValue), \(count % Self.colours + 1), \(json),
                        \(now), \(new.role == .guest ? now + Self.guestSeconds : nil))
                    """)
        }
        guard let member = try member(named: name.shown) else { throw HouseholdProblem.unknown(name.shown) }
        return member
    }

    /// The stored spelling of a name; somebody new is added as an adult.
    package func person(named name: String) throws -> String {
        try member(named: name)?.name ?? add(NewMember(name)).name
    }

    /// Stores role, colour and what warns a member; the name stays. A guest can become a member who stays, and nobody
    /// becomes a guest: their name, and what is theirs, would be free after a day.
    package func save(_ member: Member) throws {
        guard (1...Self.colours).contains(member.colour) else {
            throw HouseholdProblem.bad("a colour is a number from 1 to \(Self.colours)")
        }
        try store.write { database in
            let stored = try Row.fetchOne(database, literal: "SELECT name, role FROM member WHERE id = \(member.id)")
            guard let stored else { throw HouseholdProblem.unknown(member.name) }
            let (name, role): (String, String) = (stored["name"], stored["role"])
            guard member.role != .guest || role == Member.Role.guest.rawValue else {
                throw HouseholdProblem.bad("\(name) is in this household: a guest is chosen on a device, for a day")
            }
            var profile = member.profile
            profile.name = name
            let (newRole, json) = (member.role.rawValue, try JSONCoding.encode(profile))
            try database.execute(
                literal: """
                    UPDATE member SET role = \(newRole), colour = \(member.colour), json = \(json),
                        ends = CASE WHEN \(newRole) = 'guest' THEN ends END WHERE id = \(member.id)
                    """)
        }
    }

    /// Gives a member another name, in everything that is theirs.
    package func rename(_ id: Int64, to new: String) throws {
        let name = try Self.named(new)
        let now = now
        try store.write { database in
            guard let old = try Row.fetchOne(database, literal: "SELECT name, json FROM member WHERE id = \(id)")
            else { throw HouseholdProblem.unknown(new) }
            if let other = try Self.member(named: name.shown, database, now), other.id != id {
                throw HouseholdProblem.taken(other.name)
            }
            var profile = try JSONCoding.decode(AllergenProfile.self, from: old["json"])
            profile.name = name.shown
            try database.execute(literal: "PRAGMA defer_foreign_keys = ON")
            let json = try JSONCoding.encode(profile)
            try database.execute(
                literal: "UPDATE member SET name = \(name.shown), key = \(name.key), json = \(json) WHERE id = \(id)")
            try PersonColumns.rename(database, old["name"], name.shown)
        }
    }

    /// Removes the member itself, and the name from what stays. What is theirs in diary and lists is removed by those
    /// modules first.
    ///
    /// - Returns: false without such a member.
    package func remove(_ id: Int64) throws -> Bool {
        let now = now
        return try store.write { try Self.remove($0, id, now) }
    }

    private static func remove(_ database: Database, _ id: Int64, _ now: Int64) throws -> Bool {
        guard let name = try String.fetchOne(database, literal: "SELECT name FROM member WHERE id = \(id)")
        else { return false }
        try PersonColumns.forget(database, name, now: now)
        try database.execute(literal: "DELETE FROM member WHERE id = \(id)")
        return true
    }

    /// Removes guests whose day is over; their names are free.
    private static func removeEnded(_ database: Database, _ now: Int64) throws {
        let ended = try Int64.fetchAll(database, literal: "SELECT id FROM member WHERE ends <= \(now)")
        for id in ended { _ = try remove(database, id, now) }
    }

    /// Takes people of a setting or of another database over, each once: somebody who was removed here is not taken over
    /// again. A member of the same name stays as they are.
    ///
    /// - Returns: the names of those who are new.
    package func takeOver(_ members: [NewMember]) throws -> [String] {
        try members.filter { new in
            let key = DisplayName.key(of: new.name)
            let isNew = try store.execute(literal: "INSERT OR IGNORE INTO member_import (key) VALUES (\(key))") > 0
            guard isNew, try member(named: new.name) == nil else { return false }
            try add(new)
            return true
        }.map(\.name)
    }

    /// The keys of the names of ``takeOver(_:)``, of those too who were removed since.
    package func takenOver() throws -> Set<String> {
        try store.read { Set(try String.fetchAll($0, literal: "SELECT key FROM member_import")) }
    }
}
