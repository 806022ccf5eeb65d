import Core
import Foundation
import GRDB

/// An outcome that was judged again, in place of the stored one.
package struct NewOutcome: Sendable {
    package var photo: Int64
    package var json: Data
    /// What is news to people, by name.
    package var missed: [String: [MissedVerdict]] = [:]

    package init(photo: Int64, json: Data) {
        self.photo = photo
        self.json = json
    }
}

/// A verdict that should have been worse. What it is now is in the outcome.
package struct MissedVerdict: Sendable, Hashable, Codable {
    /// The name of a dish, `label`, or the digits of a product.
    package var item: String
    package var allergen: Allergen
    /// The verdict that the person knows; nil if the dish was not read.
    package var before: AllergenVerdict.Kind?

    package init(item: String, allergen: Allergen, before: AllergenVerdict.Kind?) {
        self.item = item
        self.allergen = allergen
        self.before = before
    }
}

/// What a person missed on one photo, until somebody dismisses it.
package struct News: Sendable, Hashable, Decodable, FetchableRecord {
    package var number: Int64
    /// The name of the member whom it concerns.
    package var person: String
    /// `sha256:…`.
    package var photo: String
    package var missed: [MissedVerdict]
    /// Seconds since 1970.
    package var at: Double
}

extension Migration {
    static let news = Migration(
        "20 news of photos that are judged again",
        """
        -- What people missed on photos. It goes with its photo, and with its member. `missed` is JSON, `at` is
        -- in seconds since 1970.
        CREATE TABLE news (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE,
            content TEXT NOT NULL, missed BLOB NOT NULL, at REAL NOT NULL,
            UNIQUE (member, content)
        ) STRICT;
        CREATE INDEX news_content ON news (content);

        -- While stored photos are judged again: the row id up to which they are, and how often judging the
        -- next ones began without an end. NULL when all are judged.
        ALTER TABLE judged ADD COLUMN upTo INTEGER;
        ALTER TABLE judged ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
        """)
}

extension OutcomeStore {
    /// Stores what members missed, with the outcome that says so. News of the photo that nobody has
    /// dismissed stay.
    static func insertNews(of outcome: NewOutcome, _ database: Database) throws {
        guard !outcome.missed.isEmpty,
            let content = try String.fetchOne(
                database, literal: "SELECT content FROM photo WHERE id = \(outcome.photo)")
        else { return }
        for (name, missed) in outcome.missed {
            let key = DisplayName.key(of: name)
            // People of files are no members: nobody could dismiss it.
            guard let member = try Int64.fetchOne(database, literal: "SELECT id FROM member WHERE key = \(key)")
            else { continue }
            let stored = try Data.fetchOne(
                database, literal: "SELECT missed FROM news WHERE member = \(member) AND content = \(content)")
            let known = stored.flatMap { try? JSONCoding.decode([MissedVerdict].self, from: $0) } ?? []
            let more = missed.filter { new in !known.contains { $0.item == new.item && $0.allergen == new.allergen } }
            let (json, now) = (try JSONCoding.encode(known + more), Date().timeIntervalSince1970)
            try database.execute(
                literal: """
                    INSERT INTO news (member, content, missed, at) VALUES (\(member), \(content), \(json), \(now))
                    ON CONFLICT (member, content) DO UPDATE SET missed = excluded.missed
                    """)
        }
    }

    /// What a member missed, newest first.
    ///
    /// - Parameters:
    ///   - member: nil for nobody.
    ///   - children: true also gives what the children of the household missed.
    package func news(of member: Int64?, andChildren children: Bool, limit: Int) throws -> [News] {
        try read(
            Row.fetchAll,
            """
            SELECT news.id AS number, member.name AS person, content AS photo, missed, at
            FROM news JOIN member ON member.id = news.member
            WHERE \(Self.isVisible(member, children)) ORDER BY news.id DESC LIMIT \(limit)
            """
        ).compactMap { try? News(row: $0) }
    }

    /// Takes news off for good; parameters as of ``news(of:andChildren:limit:)``.
    ///
    /// - Returns: false if there are no news of this number for the member.
    @discardableResult
    package func dismissNews(_ number: Int64, of member: Int64?, andChildren children: Bool) throws -> Bool {
        try execute(
            literal: """
                DELETE FROM news WHERE id = \(number) AND member IN (
                    SELECT id FROM member WHERE \(Self.isVisible(member, children)))
                """) > 0
    }

    private static func isVisible(_ member: Int64?, _ children: Bool) -> SQL {
        "(member.id = \(member) OR (\(children) AND member.role = 'child'))"
    }
}
