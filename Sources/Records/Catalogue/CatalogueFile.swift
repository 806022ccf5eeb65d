import Foundation
import GRDB
import Synchronization
import Core

/// One source's file, opened read-only.
final class CatalogueFile: Sendable {
    private let path: String
    let source: String
    /// The open file and its inode; an import replaces the file.
    private let opened = Mutex<(queue: DatabaseQueue, inode: UInt64)?>(nil)

    init(path: String, source: String) {
        self.path = path
        self.source = source
    }

    /// Nil if nothing was imported from this source.
    private func queue() throws -> DatabaseQueue? {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        let inode = (facts[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
        return try opened.withLock { opened in
            if let opened, opened.inode == inode { return opened.queue }
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase {
                try $0.execute(sql: "PRAGMA mmap_size = 268435456; PRAGMA cache_size = -16384")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let schema = try queue.read { try Int.fetchOne($0, sql: "SELECT schema FROM import") }
            guard schema == CatalogueSchema.version else {
                throw StartupError(
                    .configuration, "\(path) was written by another version: run `tablesight catalogue import` again")
            }
            opened = (queue, inode)
            return queue
        }
    }

    /// Runs a query; an error names the damaged file.
    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        do { return try queue()?.read(body) } catch let error as DatabaseError {
            throw StartupError(
                .badInput,
                "\(path) is damaged (\(error.message ?? "\(error.resultCode)")): run `tablesight catalogue import` again"
            )
        }
    }

    func product(_ number: Int64) throws -> CatalogueProduct? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM product WHERE gtin = ? ORDER BY trust DESC, modified DESC LIMIT 1")
            return try Row.fetchOne(statement, arguments: [number]).map { CatalogueProduct($0, source: source) }
        } ?? nil
    }

    /// Number of matches that are scored, for each of the two indexes.
    private static let weighed = 150
    /// Maximum number of spellings tried for a word.
    private static let meanings = 6

    func search(_ words: [String], limit: Int, isUnfinished: Bool = false) throws -> [SearchHit] {
        guard !words.isEmpty else { return [] }
        return try read { database in
            var groups = try words.map { try SpellingIndex.meanings(of: $0, limit: Self.meanings, database) }
            if isUnfinished, let last = words.last {
                let begun = try SpellingIndex.begun(with: last, limit: Self.meanings, database)
                let known = groups[groups.count - 1].map(\.term)
                groups[groups.count - 1] += begun.filter { !known.contains($0) }.map { ($0, 0) }
            }
            // Words without any match are ignored, so that the other words still find products.
            groups.removeAll(where: \.isEmpty)
            guard !groups.isEmpty else { return [] }
            let pattern = groups.map { "(" + $0.map { "\"\($0.term)\"" }.joined(separator: " OR ") + ")" }
                .joined(separator: " AND ")
            var hits: [SearchHit] = []
            for index in ["verified_name", "crowd_name"] where hits.count < limit {
                let statement = try database.cachedStatement(
                    sql: "SELECT rowid FROM \(index) WHERE \(index) MATCH ? ORDER BY rowid LIMIT \(Self.weighed)")
                let ids = try Int64.fetchAll(statement, arguments: [pattern])
                guard !ids.isEmpty else { continue }
                let list = ids.map(String.init).joined(separator: ",")
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM product WHERE id IN (\(list))")
                hits += rows.map {
                    let product = CatalogueProduct($0, source: source)
                    return SearchHit(
                        product: product, score: SearchWords.score(product, groups: groups, of: words.count))
                }.sorted { ($1.score, $0.product.number) < ($0.score, $1.product.number) }.prefix(limit)
            }
            return hits
        } ?? []
    }

    func state() throws -> ImportState? {
        try read { database in
            let text = try String.fetchOne(database, sql: "SELECT state FROM import") ?? ""
            return try? JSONDecoder().decode(ImportState.self, from: Data(text.utf8))
        } ?? nil
    }

    func contents() throws -> CatalogueContents? {
        try read { database in
            let text = try String.fetchOne(database, sql: "SELECT state FROM import") ?? ""
            guard let state = try? JSONDecoder().decode(ImportState.self, from: Data(text.utf8)) else { return nil }
            let products = try Int.fetchOne(database, sql: "SELECT count(*) FROM product") ?? 0
            let verified = try Int.fetchOne(database, sql: "SELECT count(*) FROM product WHERE trust > 0") ?? 0
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
            return CatalogueContents(
                source: source, products: products, verified: verified, bytes: size ?? 0, state: state)
        } ?? nil
    }

    func faults() throws -> [String] {
        try read { database in
            var faults = try String.fetchAll(database, sql: "PRAGMA integrity_check(5)").filter { $0 != "ok" }
            let numbers = try Int64.fetchCursor(database, sql: "SELECT gtin FROM product")
            var wrong = 0
            while let number = try numbers.next() {
                if GTIN(number: number).map({ RestrictedPrefix($0) == nil }) != true { wrong += 1 }
            }
            if wrong > 0 { faults.append("\(wrong) products have invalid numbers") }
            return faults.map { "\(source): \($0)" }
        } ?? []
    }
}

extension CatalogueProduct {
    init(_ row: Row, source: String) {
        var nutrients = Per100()
        (nutrients.energyKcal, nutrients.protein, nutrients.carbohydrate) = (
            row["calories"], row["protein"], row["carbs"]
        )
        (nutrients.fat, nutrients.saturatedFat, nutrients.sugars) = (row["fat"], row["saturated"], row["sugars"])
        (nutrients.fibre, nutrients.salt) = (row["fiber"], row["salt"])
        self.init(
            number: row["gtin"], name: row["name"], brand: row["brand"], quantity: row["quantity"],
            language: row["language"], ingredients: row["ingredients"], allergens: row["allergens"],
            traces: row["traces"], nutrients: nutrients, serving: row["serving"], servingGrams: row["serving_grams"],
            trust: Product.Trust(rank: row["trust"]), modified: row["modified"], source: source)
    }
}
