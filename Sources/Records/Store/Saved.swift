import Core
import Foundation
import GRDB

package struct SavedItem: Sendable, Hashable {
    package enum Kind: String, Sendable, Codable, CaseIterable { case dish, product, figure }

    /// What is kept, as addresses name it.
    package struct Place: Sendable, Hashable {
        /// `sha256:…`.
        package var photo: String
        package var kind: Kind
        /// A dish's place on the photo or its name, `label`, a product number, or the game of a figure.
        package var item: String

        package init(photo: String, kind: Kind, item: String) {
            self.photo = photo
            self.kind = kind
            self.item = item
        }
    }

    package var number: Int64
    package var place: Place
    /// Its name when it was saved.
    package var title: String
    /// Seconds since 1970.
    package var at: Double
}

extension Migration {
    static let saved = Migration(
        "13 saved items, sessions of photos",
        """
        -- What people keep from photos. It goes with its photo, and with its member. `words` is the folded
        -- title, `at` is in seconds since 1970.
        CREATE TABLE saved (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL REFERENCES member (id) ON DELETE CASCADE,
            content TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('dish', 'product', 'figure')),
            item TEXT NOT NULL, title TEXT NOT NULL, words TEXT NOT NULL, at REAL NOT NULL,
            UNIQUE (member, content, kind, item)
        ) STRICT;
        CREATE INDEX saved_content ON saved (content);

        -- The session to which the photo added a frame.
        ALTER TABLE photo ADD COLUMN session TEXT;
        CREATE INDEX photo_session ON photo (session) WHERE session IS NOT NULL;
        -- The newest session of its board that began before the photo.
        UPDATE photo SET session = (
            SELECT id FROM session WHERE session.began <= photo.modified
                AND substr(photo.path, 1, length(board)) = board
                AND substr(photo.path, length(board) + 1, 1) = x'2f'
            ORDER BY session.began DESC LIMIT 1
        ) WHERE id IN (SELECT photo FROM summary WHERE instr(domains, '|board|') > 0);
        -- Their titles have the figure.
        UPDATE summary SET isStale = 1 WHERE instr(domains, '|board|') > 0;
        """)
}

extension OutcomeStore {
    /// Items that a person can keep; a list that nobody can read helps nobody.
    package static let mostSaved = 500

    /// - Parameter member: whose it becomes.
    /// - Returns: what is saved, also if it was before; nil if the person has saved ``mostSaved`` items.
    package func save(_ place: SavedItem.Place, title: String, for member: Int64) throws -> (
        item: SavedItem, isNew: Bool
    )? {
        try write { database in
            if let known = try Self.saved(database, Self.isAt(place, member)).first { return (known, false) }
            let count = try Int.fetchOne(database, literal: "SELECT count(*) FROM saved WHERE member = \(member)")
            guard (count ?? 0) < Self.mostSaved else { return nil }
            let at = Date().timeIntervalSince1970
            try database.execute(
                literal: """
                    INSERT INTO saved (member, content, kind, item, title, words, at)
                        VALUES (\(member), \(place.photo), \(place.kind.rawValue), \(place.item), \(title),
                        \(Folding.fold(title)), \(at))
                    """)
            return (SavedItem(number: database.lastInsertedRowID, place: place, title: title, at: at), true)
        }
    }

    /// What a person saved, newest first.
    ///
    /// - Parameters:
    ///   - photo: nil for all photos.
    ///   - words: that all occur in its name.
    ///   - before: the number of the last item of the previous page.
    package func saved(
        by member: Int64, from photo: String? = nil, words: String = "", before: Int64? = nil, limit: Int = mostSaved
    ) throws -> [SavedItem] {
        var condition: SQL = "member = \(member)"
        if let photo { condition += " AND content = \(photo)" }
        if let before { condition += " AND id < \(before)" }
        for word in Folding.fold(words).split(separator: " ").prefix(8) {
            condition += " AND instr(words, \(String(word))) > 0"
        }
        return try read { try Self.saved($0, "\(condition) ORDER BY id DESC LIMIT \(limit)") }
    }

    /// - Returns: false if the person has saved nothing there.
    @discardableResult
    package func unsave(_ place: SavedItem.Place, of member: Int64) throws -> Bool {
        try execute(literal: "DELETE FROM saved WHERE \(Self.isAt(place, member))") > 0
    }

    /// - Returns: false if the person has no item of this number.
    package func unsave(_ number: Int64, of member: Int64) throws -> Bool {
        try execute(literal: "DELETE FROM saved WHERE member = \(member) AND id = \(number)") > 0
    }

    private static func isAt(_ place: SavedItem.Place, _ member: Int64) -> SQL {
        "member = \(member) AND content = \(place.photo) AND kind = \(place.kind.rawValue) AND item = \(place.item)"
    }

    private static func saved(_ database: Database, _ condition: SQL) throws -> [SavedItem] {
        try Row.fetchAll(database, literal: "SELECT * FROM saved WHERE \(condition)").compactMap { row in
            SavedItem.Kind(rawValue: row["kind"]).map { kind in
                SavedItem(
                    number: row["id"], place: .init(photo: row["content"], kind: kind, item: row["item"]),
                    title: row["title"], at: row["at"])
            }
        }
    }
}
