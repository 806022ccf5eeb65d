import Core
import Foundation
import GRDB
import Store

/// Who else may read a diary.
extension Diary {
    /// The people who may read a diary.
    package func readers(of person: String) throws -> [String] { try names("reader", where: "person", is: person) }

    /// The people whose diaries this person may read.
    package func shared(with reader: String) throws -> [String] { try names("person", where: "reader", is: reader) }

    private func names(_ column: String, where other: String, is name: String) throws -> [String] {
        try store.read(
            String.fetchAll,
            "SELECT \(sql: column) FROM diary_reader WHERE \(sql: other) = \(name) ORDER BY 1")
    }

    /// Lets another member read a diary, or no longer.
    ///
    /// - Throws: ``DiaryProblem/noReader`` if the reader is the person or no member: else whoever takes that name next could read it.
    package func setReader(_ reader: String, of person: String, isAllowed: Bool) throws {
        try store.write { database in
            let known = try String.fetchOne(
                database, literal: "SELECT name FROM member WHERE key = \(DisplayName.key(of: reader)) AND ends IS NULL"
            )
            guard !isAllowed || known != nil && known != person else { throw DiaryProblem.noReader }
            let reader = known ?? reader
            try database.execute(
                literal: isAllowed
                    ? "INSERT OR IGNORE INTO diary_reader (person, reader) VALUES (\(person), \(reader))"
                    : "DELETE FROM diary_reader WHERE person = \(person) AND reader = \(reader)")
        }
    }
}
