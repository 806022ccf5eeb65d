import GRDB

/// Something that a person deleted on a page and may take back for ten seconds. It is stored until it is carried out, which
/// the next start does if the daemon stops meanwhile.
package struct Deletion: Sendable, Hashable {
    package enum Kind: String, Sendable { case photo, list, member, diary }

    package let kind: Kind
    /// The photo's id, the number of a list or a member, or the name of a diary.
    package let id: String
    /// Who deletes the list, or who is deleted; empty for a photo.
    package let person: String

    package init(_ kind: Kind, _ id: some CustomStringConvertible, _ person: String = "") {
        (self.kind, self.id, self.person) = (kind, id.description, person)
    }
}

extension Migration {
    static let deletions = Migration(
        "27 deletions",
        """
        -- What is deleted when its ten seconds are over, or at the next start.
        CREATE TABLE deletion (
            kind TEXT NOT NULL, id TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (kind, id)
        ) STRICT, WITHOUT ROWID;
        """)
}

extension OutcomeStore {
    package func add(_ deletion: Deletion) throws {
        try execute(
            literal: """
                INSERT OR REPLACE INTO deletion (kind, id, person)
                VALUES (\(deletion.kind.rawValue), \(deletion.id), \(deletion.person))
                """)
    }

    package func forget(_ deletion: Deletion) throws {
        try execute(
            literal: "DELETE FROM deletion WHERE kind = \(deletion.kind.rawValue) AND id = \(deletion.id)")
    }

    /// Those that nobody took back and nothing carried out.
    package func deletions() throws -> [Deletion] {
        try read(Row.fetchAll, "SELECT kind, id, person FROM deletion ORDER BY kind, id").compactMap { row in
            Deletion.Kind(rawValue: row["kind"]).map { Deletion($0, row["id"] as String, row["person"]) }
        }
    }
}
