import Foundation
import GRDB
import Synchronization
import Core

/// What servers said of products, and when they were asked: one file, shared by every program of this user, so that the
/// limits hold for all of them together.
public final class RemoteCache: Sendable {
    /// What a server said of a number.
    struct Entry: Sendable {
        /// Nil: it does not know the number.
        var product: CatalogueProduct?
        /// Seconds since 1970.
        var fetched: Int64
    }

    /// What is asked for; each has its own limit.
    enum Question: String, Sendable {
        case product, search

        var aMinute: Int { self == .product ? RemoteSettings.readsAMinute : RemoteSettings.searchesAMinute }
    }

    private let path: String
    private let opened = Mutex<DatabaseQueue?>(nil)

    /// The oldest go where there are more.
    private static let mostEntries = 100_000

    init(path: String) { self.path = path }

    private static let tables = """
        CREATE TABLE IF NOT EXISTS answer (gtin INTEGER PRIMARY KEY, record TEXT, fetched INTEGER NOT NULL) STRICT;
        CREATE INDEX IF NOT EXISTS answer_fetched ON answer (fetched);
        CREATE TABLE IF NOT EXISTS question (kind TEXT NOT NULL, at REAL NOT NULL) STRICT;
        CREATE TABLE IF NOT EXISTS rest (id INTEGER PRIMARY KEY CHECK (id = 1), until REAL NOT NULL) STRICT;
        """

    /// Nil where there is no file and none is to be made.
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

    /// How many answers there are and when the last one came, for the version that outcomes carry; nil for none.
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

    /// Nil where nobody was asked.
    func entry(_ gtin: GTIN) throws -> Entry? {
        guard let number = Int64(gtin.digits), let queue = try queue(makes: false) else { return nil }
        let row = try queue.read {
            try Row.fetchOne($0, sql: "SELECT record, fetched FROM answer WHERE gtin = ?", arguments: [number])
        }
        guard let row else { return nil }
        let (record, fetched): (String?, Int64) = (row["record"], row["fetched"])
        guard let record else { return Entry(product: nil, fetched: fetched) }
        // A record that an earlier version kept and this one does not understand was never there.
        guard var product = RemoteRecord(record)?.product, product.number == number else { return nil }
        product.retrieved = fetched
        return Entry(product: product, fetched: fetched)
    }

    /// - Parameter record: JSON as it came; nil where the server does not know the number.
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

    /// Takes one question from what may be asked in a minute.
    ///
    /// - Returns: nil where it may be asked now, else the seconds until one may.
    func take(_ question: Question, at now: Double) throws -> Double? {
        try queue(makes: true)?.write { database in
            // What is dated after now was written before the clock was set back.
            try database.execute(sql: "DELETE FROM question WHERE at <= ? OR at > ?", arguments: [now - 60, now + 1])
            let times = try Double.fetchAll(
                database, sql: "SELECT at FROM question WHERE kind = ? ORDER BY at", arguments: [question.rawValue])
            if times.count >= question.aMinute { return times[times.count - question.aMinute] + 60 - now }
            try database.execute(
                sql: "INSERT INTO question (kind, at) VALUES (?, ?)", arguments: [question.rawValue, now])
            return nil
        } ?? nil
    }

    /// True while the server is left alone.
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
