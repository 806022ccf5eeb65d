import Foundation
import GRDB
import Core

/// Tables of people's profiles and reviews. Reviews are stored apart from the program's findings.
extension Migration {
    static let profiles = Migration(
        "allergens 1 profiles, reviews",
        """
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

/// Reviews that say what a photo shows: the actions are checked by ``Review/Action`` alone, so that a new one needs no new
/// table.
extension Migration {
    static let reviewsOfKinds = Migration(
        "9 reviews of kinds",
        """
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

    /// JSON of the four corners on the upright photo; NULL for reviews of all dishes of a name.
    static let placesOfReviews = Migration("11 places of reviews", "ALTER TABLE review ADD COLUMN place TEXT")

    /// Who of the staff said so.
    static let staffOfReviews = Migration("23 staff of reviews", "ALTER TABLE review ADD COLUMN staff TEXT")
}

extension OutcomeStore {
    package func profile(named name: String) throws -> AllergenProfile? {
        try read(Data.fetchOne, "SELECT json FROM member WHERE key = \(DisplayName.key(of: name))")
            .map { try JSONCoding.decode(AllergenProfile.self, from: $0) }
    }

    /// The profiles of the members who are warned of something, by name: the people whom photos are judged for.
    ///
    /// - Parameter now: guests whose day is over are left out.
    package func profiles(now: Date = Date()) throws -> [AllergenProfile] {
        try profileRecords(now: now).map { try JSONCoding.decode(AllergenProfile.self, from: $0) }.filter(\.warns)
    }

    /// The profiles of all members as JSON, by name. Two answers differ if somebody was added, changed or removed.
    package func profileRecords(now: Date = Date()) throws -> [Data] {
        let now = Int64(now.timeIntervalSince1970)
        return try read(Data.fetchAll, "SELECT json FROM member WHERE ends IS NULL OR ends > \(now) ORDER BY name")
    }

    /// A digest of the people and rules that all stored photos were judged for; nil if that is not known.
    package func judgedFor() throws -> Data? {
        try read { try Data.fetchOne($0, sql: "SELECT people FROM judged WHERE upTo IS NULL") }
    }

    /// Notes that all stored photos were judged for people and rules.
    package func setJudgedFor(_ digest: Data) throws {
        try execute(literal: "INSERT OR REPLACE INTO judged (id, people) VALUES (1, \(digest))")
    }

    /// Begins to judge all stored photos again, or continues where a pass for the same digest ended.
    ///
    /// - Returns: the row id up to which photos are judged, and how often judging the next ones did not end.
    package func beginJudging(for digest: Data) throws -> (upTo: Int64, tries: Int) {
        try write { database in
            try database.execute(
                literal: """
                    INSERT INTO judged (id, people, upTo) VALUES (1, \(digest), 0)
                    ON CONFLICT (id) DO UPDATE SET people = excluded.people, upTo = 0, tries = 0
                    WHERE people <> excluded.people OR upTo IS NULL
                    """)
            let row = try Row.fetchOne(database, sql: "SELECT upTo, tries FROM judged")
            return (row?["upTo"] ?? 0, row?["tries"] ?? 0)
        }
    }

    /// Notes how often judging the next photos began without an end.
    package func setJudgingTries(_ tries: Int) throws {
        try execute(literal: "UPDATE judged SET tries = \(tries)")
    }

    /// Adds a review.
    ///
    /// - Returns: the review with its number.
    @discardableResult
    package func add(_ review: Review) throws -> Review { try add([review])[0] }

    /// Adds reviews, all or none.
    ///
    /// - Returns: the reviews with their numbers.
    package func add(_ reviews: [Review]) throws -> [Review] {
        try write { database in try reviews.map { try Self.insert($0, database) } }
    }

    private static func insert(_ review: Review, _ database: Database) throws -> Review {
        var stored = review
        let place = try review.place.map { String(decoding: try JSONCoding.encode($0), as: UTF8.self) }
        try database.execute(
            literal: """
                INSERT INTO review (content, item, allergen, action, value, place, reviewer, staff, made)
                VALUES (\(review.content), \(review.item), \(review.allergen?.rawValue), \(review.action.rawValue),
                    \(review.value), \(place), \(review.reviewer), \(review.staff), \(review.made))
                """)
        stored.number = database.lastInsertedRowID
        return stored
    }

    /// Deletes reviews, all or none. Their photos are then to be judged again.
    ///
    /// - Parameter allow: throws for a review that the caller may not withdraw.
    /// - Returns: those of the numbers that are stored.
    package func withdrawReviews(_ numbers: [Int64], allow: (Review) throws -> Void = { _ in }) throws -> [Review] {
        try write { database in
            let reviews = try numbers.flatMap { try Self.reviews(database, "id = \($0)") }
            for review in reviews {
                try allow(review)
                try database.execute(literal: "DELETE FROM review WHERE id = \(review.number)")
            }
            return reviews
        }
    }

    /// Reviews of one photo, or of all photos, oldest first.
    package func reviews(of content: String? = nil) throws -> [Review] {
        try read { try Self.reviews($0, "\(content) IS NULL OR content = \(content)") }
    }

    /// What people said of allergens on other photos than this, newest first: the newest 500.
    package func answers(besides content: String) throws -> [Review] {
        let condition: SQL = "action = 'edit' AND allergen IS NOT NULL AND content <> \(content)"
        return try read { try Self.reviews($0, condition, order: "id DESC LIMIT 500") }
    }

    /// Reviews, but those of another version with an action that this one does not know.
    private static func reviews(_ database: Database, _ condition: SQL, order: SQL = "id") throws -> [Review] {
        try Row.fetchAll(
            database, literal: "SELECT *, id AS number FROM review WHERE \(condition) ORDER BY \(order)"
        ).compactMap { try? Review(row: $0) }
    }
}

extension Review: FetchableRecord {}
