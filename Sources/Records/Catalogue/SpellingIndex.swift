import Core
import GRDB

/// Finds the catalogue's words that are similar to a misspelt word, by symmetric deletion (Garbe).
///
/// Words at a Damerau-Levenshtein distance of one, and most at two, are equal after one letter is deleted in each.
enum SpellingIndex {
    /// Shorter words have too many neighbours.
    static let shortest = 4
    /// From this length a word may have two errors.
    static let longForTwo = 8

    static func fill(_ database: Database) throws {
        let insert = try database.makeStatement(sql: "INSERT OR IGNORE INTO deletion (key, term) VALUES (?, ?)")
        let rows = try Row.fetchCursor(database, sql: "SELECT id, term FROM term WHERE length(term) BETWEEN 4 AND 24")
        while let row = try rows.next() {
            let (id, term): (Int64, String) = (row[0], row[1])
            for key in rests(of: term) { try insert.execute(arguments: [key, id]) }
        }
    }

    /// The word, and the word without each of its letters.
    static func rests(of word: String) -> Set<String> {
        let letters = Array(word)
        return Set([word] + letters.indices.map { String(letters[..<$0] + letters[($0 + 1)...]) })
    }

    /// The catalogue's words similar to `word`, most common first, with their distances. A known word gives only
    /// itself.
    static func meanings(of word: String, limit: Int, _ database: Database) throws -> [(term: String, distance: Int)] {
        var known: [(term: String, distance: Int, documents: Int)] = []
        if let documents = try Int.fetchOne(
            database, sql: "SELECT documents FROM term WHERE term = ?", arguments: [word])
        {
            known.append((word, 0, documents))
        }
        // A word in three or more products is not a misspelling.
        if let exact = known.first, exact.documents >= 3 || word.count < shortest { return [(exact.term, 0)] }
        guard word.count >= shortest else { return try begun(with: word, limit: limit, database).map { ($0, 0) } }
        let keys = Array(rests(of: word))
        let marks = keys.map { _ in "?" }.joined(separator: ",")
        let rows = try Row.fetchAll(
            database,
            sql:
                "SELECT DISTINCT term.term, documents FROM deletion JOIN term ON id = deletion.term WHERE key IN (\(marks))",
            arguments: StatementArguments(keys))
        let most = word.count >= longForTwo ? 2 : 1
        for row in rows {
            let (term, documents): (String, Int) = (row[0], row[1])
            let distance = EditDistance.typed.between(word, term, limit: 2 * most)
            if distance > 0, distance <= 2 * most { known.append((term, distance / 2, documents)) }
        }
        if known.isEmpty { known = try begun(with: word, limit: limit, database).map { ($0, 0, 0) } }
        return known.sorted { ($0.distance, -$0.documents, $0.term) < ($1.distance, -$1.documents, $1.term) }
            .prefix(limit).map { ($0.term, $0.distance) }
    }

    /// The most common words with this prefix.
    static func begun(with word: String, limit: Int, _ database: Database) throws -> [String] {
        guard word.count >= 2 else { return [] }
        return try String.fetchAll(
            database,
            sql: "SELECT term FROM term WHERE term >= ? AND term < ? ORDER BY documents DESC LIMIT ?",
            arguments: [word, word + "\u{10FFFF}", limit])
    }
}
