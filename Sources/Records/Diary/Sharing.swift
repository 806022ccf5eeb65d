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
        let sql = "SELECT \(column) FROM diary_reader WHERE \(other) = ? ORDER BY 1"
        return try store.read { try String.fetchAll($0, sql: sql, arguments: [name]) }
    }

    /// Lets another member read a diary, or no longer.
    ///
    /// - Throws: ``DiaryProblem/noReader`` if the reader is the person or no member: else whoever takes that name next could read it.
    package func setReader(_ reader: String, of person: String, isAllowed: Bool) throws {
        let sql =
            isAllowed
            ? "INSERT OR IGNORE INTO diary_reader (person, reader) VALUES (?, ?)"
            : "DELETE FROM diary_reader WHERE person = ? AND reader = ?"
        try store.write { database in
            let known = try String.fetchOne(
                database, sql: "SELECT name FROM member WHERE key = ? AND ends IS NULL",
                arguments: [DisplayName.key(of: reader)])
            guard !isAllowed || known != nil && known != person else { throw DiaryProblem.noReader }
            try database.execute(sql: sql, arguments: [person, known ?? reader])
        }
    }
}
