import Foundation
import GRDB

internal import GRDBSQLite

package struct ImportState: Sendable, Codable, Hashable {
    /// The file's name, size in bytes and time of change; an import of another file starts from the beginning.
    package var origin: String
    package var format: String
    /// Bytes of the uncompressed file that were read.
    package var offset = 0
    package var accepted = 0
    package var rejected: [String: Int] = [:]
    /// The first rejected row of each reason, at most 120 bytes.
    package var examples: [String: String] = [:]
    package var isComplete = false
    /// Time of completion, seconds since 1970; nil until then.
    package var completed: Int64?

    init(origin: String, format: String) {
        self.origin = origin
        self.format = format
    }
}

/// Writes one source's file. Each transaction stores its progress, so that an interrupted import can continue.
final class CatalogueWriter {
    private let queue: DatabaseQueue
    private var nextID: Int64

    /// Opens or creates the file. Another schema is an error; a file of another origin is overwritten.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // A killed program or a power cut loses only the last transaction. Almost all pages are new, and a rollback
            // journal does not store new pages; a write-ahead log would write each page twice.
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
            product.servingGrams, food.energyKcal, food.protein, food.carbohydrate, food.fat, food.saturatedFat,
            food.sugars, food.fibre, food.salt,
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
        // SQLite copies the bytes before it returns (SQLITE_TRANSIENT, a macro that Swift cannot import).
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

    /// Creates the indexes.
    ///
    /// - Returns: the finished database, which is open.
    @discardableResult
    func index(_ state: ImportState) throws -> DatabaseQueue {
        try queue.write { database in
            try database.execute(sql: CatalogueSchema.indexes)
            try SpellingIndex.fill(database)
            try save(state, database)
        }
        return queue
    }

    /// Creates the indexes and leaves a single file without a journal.
    func finish(_ state: ImportState) throws {
        try index(state)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
    }
}
