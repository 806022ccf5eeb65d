import Foundation
import GRDB

internal import GRDBSQLite

/// How far an import is, and what it came to.
public struct ImportState: Sendable, Codable, Hashable {
    /// The file, by its name, size in bytes and time of change: another file begins anew.
    public var origin: String
    public var format: String
    /// Bytes of the uncompressed file that were read.
    public var offset = 0
    public var accepted = 0
    /// Rows that became no product, by reason.
    public var rejected: [String: Int] = [:]
    /// The first rejected row of each reason, as it stands in the file, at most 120 bytes.
    public var examples: [String: String] = [:]
    public var isComplete = false
    /// When it was completed, seconds since 1970.
    public var completed: Int64?

    init(origin: String, format: String) {
        self.origin = origin
        self.format = format
    }
}

/// Writes one source's file: rows in large transactions, each with how far it came, so that a killed import goes on there.
final class CatalogueWriter {
    private let queue: DatabaseQueue
    private var nextID: Int64

    /// Opens or makes the file. A file of another schema is an error, and one of another origin is begun anew.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // One transaction holds many thousand rows: a killed program loses the last one, a power cut too. Nearly all
            // pages are new ones, which a rollback journal need not hold: with a log each would be written twice.
            try database.execute(
                sql: "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536")
        }
        queue = try DatabaseQueue(path: path, configuration: configuration)
        nextID = try queue.write { database in
            if try !database.tableExists("product") { try database.execute(sql: CatalogueSchema.tables) }
            return (try Int64.fetchOne(database, sql: "SELECT max(id) FROM product") ?? 0) + 1
        }
    }

    /// Nil for a new file.
    func state() throws -> ImportState? {
        try queue.read { database in
            let text = try String.fetchOne(database, sql: "SELECT state FROM import WHERE id = 1")
            return text.flatMap { try? JSONDecoder().decode(ImportState.self, from: Data($0.utf8)) }
        }
    }

    func write(_ products: [CatalogueProduct], _ state: ImportState) throws {
        try queue.write { database in
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO product (id, gtin, trust, modified, name, brand, quantity, language, ingredients, allergens,
                        traces, serving, serving_grams, calories, protein, carbs, fat, saturated, sugars, fiber, salt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            let verified = try database.cachedStatement(sql: "INSERT INTO verified_name (rowid, text) VALUES (?, ?)")
            let crowd = try database.cachedStatement(sql: "INSERT INTO crowd_name (rowid, text) VALUES (?, ?)")
            for product in products {
                try run(insert, product)
                let index = product.trust == .crowd ? crowd : verified
                sqlite3_bind_int64(index.sqliteStatement, 1, nextID)
                bind(index, 2, product.searchText)
                try step(index)
                nextID += 1
            }
            try save(state, database)
        }
    }

    private func run(_ statement: Statement, _ product: CatalogueProduct) throws {
        let handle = statement.sqliteStatement
        sqlite3_bind_int64(handle, 1, nextID)
        sqlite3_bind_int64(handle, 2, product.number)
        sqlite3_bind_int64(handle, 3, Int64(product.trust.rank))
        if let modified = product.modified {
            sqlite3_bind_int64(handle, 4, modified)
        } else {
            sqlite3_bind_null(handle, 4)
        }
        let texts = [
            product.name, product.brand, product.quantity, product.language, product.ingredients, product.allergens,
            product.traces, product.serving,
        ]
        for (index, text) in texts.enumerated() { bind(statement, Int32(index + 5), text) }
        let food = product.nutrients
        let figures = [
            product.servingGrams, food.calories, food.protein, food.carbs, food.fat, food.saturated, food.sugars,
            food.fiber, food.salt,
        ]
        for (index, figure) in figures.enumerated() {
            if let figure {
                sqlite3_bind_double(handle, Int32(index + 13), figure)
            } else {
                sqlite3_bind_null(handle, Int32(index + 13))
            }
        }
        try step(statement)
    }

    private func bind(_ statement: Statement, _ index: Int32, _ text: String?) {
        guard var text else {
            sqlite3_bind_null(statement.sqliteStatement, index)
            return
        }
        // SQLite copies the bytes before it returns (SQLITE_TRANSIENT, which is a macro that Swift does not see).
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                _ = sqlite3_bind_text(
                    statement.sqliteStatement, index, $0.baseAddress ?? UnsafePointer(bitPattern: 1), Int32($0.count),
                    transient)
            }
        }
    }

    private func step(_ statement: Statement) throws {
        let code = sqlite3_step(statement.sqliteStatement)
        sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private func save(_ state: ImportState, _ database: Database) throws {
        let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        try database.execute(
            sql: "INSERT OR REPLACE INTO import (id, schema, state) VALUES (1, ?, ?)",
            arguments: [CatalogueSchema.version, text])
    }

    /// Indexes numbers and spellings, and leaves one file without a journal beside it.
    func finish(_ state: ImportState) throws {
        try queue.write { database in
            try database.execute(sql: CatalogueSchema.indexes)
            try SpellingIndex.fill(database)
            try save(state, database)
        }
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
    }
}
