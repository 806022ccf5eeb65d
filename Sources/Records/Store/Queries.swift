import GRDB

// Queries whose values stand where they are used: `Int64.fetchOne(database, literal: "… WHERE path = \(path)")`.

extension FetchableRecord {
    package static func fetchAll(_ database: Database, literal sql: SQL) throws -> [Self] {
        try SQLRequest(literal: sql).fetchAll(database)
    }

    package static func fetchOne(_ database: Database, literal sql: SQL) throws -> Self? {
        try SQLRequest(literal: sql).fetchOne(database)
    }
}

extension DatabaseValueConvertible {
    package static func fetchAll(_ database: Database, literal sql: SQL) throws -> [Self] {
        try SQLRequest(literal: sql).fetchAll(database)
    }

    package static func fetchOne(_ database: Database, literal sql: SQL) throws -> Self? {
        try SQLRequest(literal: sql).fetchOne(database)
    }
}

extension Row {
    package static func fetchAll(_ database: Database, literal sql: SQL) throws -> [Row] {
        try SQLRequest(literal: sql).fetchAll(database)
    }

    package static func fetchOne(_ database: Database, literal sql: SQL) throws -> Row? {
        try SQLRequest(literal: sql).fetchOne(database)
    }
}

extension OutcomeStore {
    /// Runs one query: `store.read(Int64.fetchOne, "SELECT …")`.
    package func read<Result>(_ fetch: (Database, SQL) throws -> Result, _ sql: SQL) throws -> Result {
        try read { try fetch($0, sql) }
    }

    /// Runs one statement as a transaction.
    package func execute(literal sql: SQL) throws { try write { try $0.execute(literal: sql) } }
}
