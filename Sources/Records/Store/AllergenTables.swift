import Foundation
import GRDB
import Core

/// Tables of people's profiles and reviews. Reviews are stored apart from the program's findings.
enum AllergenTables {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("allergens 1 profiles, reviews") { database in
            try database.execute(
                sql: """
                    CREATE TABLE profile (name TEXT PRIMARY KEY, json BLOB NOT NULL) STRICT, WITHOUT ROWID;

                    -- What a person said of one verdict or reading; the outcome itself is never changed by it.
                    CREATE TABLE review (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        content TEXT NOT NULL, item TEXT NOT NULL, allergen TEXT,
                        action TEXT NOT NULL CHECK (action IN ('verify', 'edit', 'accept')),
                        value TEXT, reviewer TEXT NOT NULL,
                        made REAL NOT NULL -- seconds since 1970
                    ) STRICT;
                    CREATE INDEX review_content ON review (content);
                    """)
        }
    }
}

/// Reviews that say what a photo shows: the actions are checked by ``Review/Action`` alone, so that a new one needs no new
/// table.
enum ReviewTables {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("9 reviews of kinds") { database in
            try database.execute(
                sql: """
                    CREATE TABLE reviewOfAnyAction (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        content TEXT NOT NULL, item TEXT NOT NULL, allergen TEXT, action TEXT NOT NULL,
                        value TEXT, reviewer TEXT NOT NULL,
                        made REAL NOT NULL -- seconds since 1970
                    ) STRICT;
                    INSERT INTO reviewOfAnyAction SELECT * FROM review;
                    -- Numbers of withdrawn reviews are never used again.
                    DELETE FROM sqlite_sequence WHERE name = 'reviewOfAnyAction';
                    INSERT INTO sqlite_sequence (name, seq)
                        SELECT 'reviewOfAnyAction', seq FROM sqlite_sequence WHERE name = 'review';
                    DROP TABLE review;
                    ALTER TABLE reviewOfAnyAction RENAME TO review;
                    CREATE INDEX review_content ON review (content);
                    """)
        }
    }
}

/// A person's statement about a verdict, or about what a photo shows.
public struct Review: Sendable, Hashable, Codable {
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The verdict was checked and is right.
        case verify
        /// The verdict is wrong; `value` is the right one.
        case edit
        /// All verdicts of the photo were checked and accepted.
        case accept
        /// The photo shows another kind of thing; `value` names it.
        case readAs
    }

    /// `sha256:…` of the photo.
    public var content: String
    /// The dish's name, `label`, or `*` for the whole photo.
    public var item: String
    public var allergen: Allergen?
    public var action: Action
    public var value: String?
    public var reviewer: String
    /// Seconds since 1970.
    public var made: Double
    /// The number by which the review can be withdrawn; nil before it is stored. Numbers are never used again.
    public var number: Int64?

    public init(
        content: String, item: String, allergen: Allergen?, action: Action, value: String? = nil, reviewer: String,
        made: Double
    ) {
        self.content = content
        self.item = item
        self.allergen = allergen
        self.action = action
        self.value = value
        self.reviewer = reviewer
        self.made = made
    }
}

extension OutcomeStore {
    /// The profile of the member with this name, or nil.
    public func profile(named name: String) throws -> AllergenProfile? {
        let json = try read {
            try Data.fetchOne($0, sql: "SELECT json FROM member WHERE key = ?", arguments: [DisplayName.key(of: name)])
        }
        return try json.map { try JSONCoding.decode(AllergenProfile.self, from: $0) }
    }

    /// The profiles of the members who are warned of something, by name: the people whom photos are judged for.
    ///
    /// - Parameter now: guests whose day is over are left out.
    public func profiles(now: Date = Date()) throws -> [AllergenProfile] {
        try profileRecords(now: now).map { try JSONCoding.decode(AllergenProfile.self, from: $0) }.filter(\.warns)
    }

    /// The profiles of all members as JSON, by name. Two answers differ if somebody was added, changed or removed.
    public func profileRecords(now: Date = Date()) throws -> [Data] {
        try read {
            try Data.fetchAll(
                $0, sql: "SELECT json FROM member WHERE ends IS NULL OR ends > ? ORDER BY name",
                arguments: [Int64(now.timeIntervalSince1970)])
        }
    }

    /// A digest of the people whom all stored photos were judged for; nil if that is not known.
    public func judgedFor() throws -> Data? { try read { try Data.fetchOne($0, sql: "SELECT people FROM judged") } }

    public func setJudgedFor(_ people: Data) throws {
        try write {
            try $0.execute(sql: "INSERT OR REPLACE INTO judged (id, people) VALUES (1, ?)", arguments: [people])
        }
    }

    /// Adds a review.
    ///
    /// - Returns: the review with its number.
    @discardableResult
    public func add(_ review: Review) throws -> Review {
        var stored = review
        stored.number = try write {
            try $0.execute(
                sql: """
                    INSERT INTO review (content, item, allergen, action, value, reviewer, made)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    review.content, review.item, review.allergen?.rawValue, review.action.rawValue, review.value,
                    review.reviewer, review.made,
                ])
            return $0.lastInsertedRowID
        }
        return stored
    }

    /// Deletes a review; ``applyReviews(of:)`` takes it out of the outcomes.
    ///
    /// - Returns: the review, or nil if there is none of this number.
    public func withdrawReview(_ number: Int64) throws -> Review? {
        try write { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM review WHERE id = ?", arguments: [number])
            guard let review = row.flatMap(Self.review) else { return nil }
            try database.execute(sql: "DELETE FROM review WHERE id = ?", arguments: [number])
            return review
        }
    }

    /// Reviews of one photo, or of all photos, oldest first.
    public func reviews(of content: String? = nil) throws -> [Review] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM review WHERE ? IS NULL OR content = ? ORDER BY id", arguments: [content, content]
            ).compactMap(Self.review)
        }
    }

    /// The review of a row; nil if another version stored an action that this one does not know.
    private static func review(_ row: Row) -> Review? {
        guard let action = Review.Action(rawValue: row["action"]) else { return nil }
        var review = Review(
            content: row["content"], item: row["item"],
            allergen: (row["allergen"] as String?).flatMap(Allergen.init(rawValue:)), action: action,
            value: row["value"], reviewer: row["reviewer"], made: row["made"])
        review.number = row["id"]
        return review
    }
}
