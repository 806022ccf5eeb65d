import Core
import Foundation
import GRDB

// Queries whose values stand where they are used: `Int64.fetchOne(database, literal: "… WHERE path = \(path)")`. A connection
// keeps each compiled text, because compiling took a seventh of a list's time; so no value may be a part of a text.

extension FetchableRecord {
    package static func fetchAll(_ database: Database, literal sql: SQL) throws -> [Self] {
        try SQLRequest(literal: sql, cached: true).fetchAll(database)
    }

    package static func fetchOne(_ database: Database, literal sql: SQL) throws -> Self? {
        try SQLRequest(literal: sql, cached: true).fetchOne(database)
    }
}

extension DatabaseValueConvertible {
    package static func fetchAll(_ database: Database, literal sql: SQL) throws -> [Self] {
        try SQLRequest(literal: sql, cached: true).fetchAll(database)
    }

    package static func fetchOne(_ database: Database, literal sql: SQL) throws -> Self? {
        try SQLRequest(literal: sql, cached: true).fetchOne(database)
    }
}

extension Row {
    package static func fetchAll(_ database: Database, literal sql: SQL) throws -> [Row] {
        try SQLRequest(literal: sql, cached: true).fetchAll(database)
    }

    package static func fetchOne(_ database: Database, literal sql: SQL) throws -> Row? {
        try SQLRequest(literal: sql, cached: true).fetchOne(database)
    }
}

extension SQL {
    /// `product IN \(SQL.any(of: products))`: one text, however many there are.
    package static func any(of numbers: some Sequence<Int64>) -> SQL {
        let list = "[\(numbers.map(String.init).joined(separator: ","))]"
        return "(SELECT value FROM json_each(\(list)))"
    }
}

extension OutcomeStore {
    /// Runs one query: `store.read(Int64.fetchOne, "SELECT …")`.
    package func read<Result>(_ fetch: (Database, SQL) throws -> Result, _ sql: SQL) throws -> Result {
        try read { try fetch($0, sql) }
    }

    /// Runs one statement as a transaction.
    ///
    /// - Returns: the number of changed rows.
    @discardableResult
    package func execute(literal sql: SQL) throws -> Int { try write { try $0.changes(sql) } }
}

extension Database {
    /// Runs one statement.
    ///
    /// - Returns: the number of changed rows.
    package func changes(_ sql: SQL) throws -> Int {
        try execute(literal: sql)
        return changesCount
    }
}

extension FilePathBytes: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { Data(bytes).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> FilePathBytes? {
        Data.fromDatabaseValue(value).flatMap { FilePathBytes($0) }
    }
}
