import Foundation
import GRDB
import Synchronization
import Core

/// Cached answers of servers and the times of requests. All programs of a user share the file, so that the request
/// limits hold for all of them together.
package final class RemoteCache: Sendable {
    struct Entry: Sendable {
        /// Nil if the server does not know the number.
        var product: CatalogueProduct?
        /// Seconds since 1970.
        var fetched: Int64
    }

    /// Kinds of requests; each has its own limit.
    enum Question: String, Sendable {
        case product, search

        var aMinute: Int { self == .product ? RemoteSettings.readsAMinute : RemoteSettings.searchesAMinute }
    }

    private let path: String
    private let opened = Mutex<DatabaseQueue?>(nil)

    /// Maximum number of answers; the oldest are deleted.
    private static let mostEntries = 100_000

    init(path: String) { self.path = path }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS answer (gtin INTEGER PRIMARY KEY, record TEXT, fetched INTEGER NOT NULL) STRICT;
        CREATE INDEX IF NOT EXISTS answer_fetched ON answer (fetched);
        CREATE TABLE IF NOT EXISTS question (kind TEXT NOT NULL, at REAL NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS rest (id INTEGER PRIMARY KEY CHECK (id = 1), until REAL NOT NULL) STRICT;
        """

    /// Nil if there is no file and `makes` is false.
    private func queue(makes: Bool) throws -> DatabaseQueue? {
        try opened.withLock { opened in
            if let opened { return opened }
            guard makes || FileManager.default.fileExists(atPath: path) else { return nil }
            let folder = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var configuration = Configuration()
            // Another program may be writing.
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try queue.write { try $0.execute(sql: Self.tables) }
            opened = queue
            return queue
        }
    }

    /// Number of answers and time of the latest, for the version in outcomes; nil if there are none.
    var version: String? {
        let row = try? queue(makes: false)?.read {
            try Row.fetchOne(
                $0, sql: "SELECT count(*) AS many, max(fetched) AS last FROM answer WHERE record IS NOT NULL")
        }
        guard let row = row ?? nil, let many: Int = row["many"], many > 0, let last: Int64 = row["last"] else {
            return nil
        }
        return "remote@\(last)+\(many)"
    }

    /// Nil if the number was never requested.
    func entry(_ gtin: GTIN) throws -> Entry? {
        guard let queue = try queue(makes: false) else { return nil }
        let number = gtin.number
        let row = try queue.read {
            try Row.fetchOne($0, sql: "SELECT record, fetched FROM answer WHERE gtin = ?", arguments: [number])
        }
        guard let row else { return nil }
        let (record, fetched): (String?, Int64) = (row["record"], row["fetched"])
        guard let record else { return Entry(product: nil, fetched: fetched) }
        // A record in an unreadable older format counts as absent.
        guard var product = RemoteRecord(record)?.product, product.number == number else { return nil }
        product.retrieved = fetched
        return Entry(product: product, fetched: fetched)
    }

    /// - Parameter record: the JSON as received; nil if the server does not know the number.
    func keep(_ record: String?, of number: Int64, fetched: Int64) throws {
        try queue(makes: true)?.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO answer (gtin, record, fetched) VALUES (?, ?, ?)",
                arguments: [number, record, fetched])
            try database.execute(
                sql: """
                    DELETE FROM answer WHERE gtin IN (
                        SELECT gtin FROM answer ORDER BY fetched DESC LIMIT -1 OFFSET \(Self.mostEntries))
                    """)
        }
    }

    /// Takes one request from the limit per minute.
    ///
    /// - Returns: nil if the request may be sent now; otherwise the seconds to wait.
    func take(_ question: Question, at now: Double) throws -> Double? {
        try queue(makes: true)?.write { database in
            // A date after now was written before the clock was set back.
            try database.execute(sql: "DELETE FROM question WHERE at <= ? OR at > ?", arguments: [now - 60, now + 1])
            let times = try Double.fetchAll(
                database, sql: "SELECT at FROM question WHERE kind = ? ORDER BY at", arguments: [question.rawValue])
            if times.count >= question.aMinute { return times[times.count - question.aMinute] + 60 - now }
            try database.execute(literal: "INSERT INTO question (kind, at) VALUES (\(question.rawValue), \(now))")
            return nil
        } ?? nil
    }

    /// True during a pause that the server asked for.
    func isResting(at now: Double) throws -> Bool {
        let until = try queue(makes: false)?.read { try Double.fetchOne($0, sql: "SELECT until FROM rest") }
        guard let until = until ?? nil else { return false }
        return until > now && until <= now + RemoteSettings.longestRest
    }

    func rest(until: Double) throws {
        try queue(makes: true)?.write {
            try $0.execute(sql: "INSERT OR REPLACE INTO rest (id, until) VALUES (1, ?)", arguments: [until])
        }
    }
}
