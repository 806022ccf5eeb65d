import Core
import Foundation
import HTTP
import Store

/// Answers searches of the history on its own thread, because SQLite blocks.
actor HistoryService {
    private let executor = ThreadExecutor(label: "history")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: OutcomeStore

    init(_ store: OutcomeStore) { self.store = store }

    /// Summaries computed before a search; the heartbeat computes the rest of an old database.
    private static let mostRefreshed = 200

    func outcome(_ id: String) throws -> Data? { try store.outcomeJSON(forContent: id) }

    /// - Throws: ``Problem`` (400) that names the wrong parameter.
    func page(_ query: APIHistoryQuery) throws -> APIHistoryPage {
        try store.refreshSummaries(limit: Self.mostRefreshed)
        let filter = try HistoryFilter(query)
        var entries = try store.history(filter, limit: query.limit + 1)
        let hasMore = entries.count > query.limit
        if hasMore { entries.removeLast() }
        return APIHistoryPage(
            items: entries.map { APIHistoryItem($0) }, total: try store.historyCount(filter),
            next: hasMore ? entries.last.map { Self.cursor($0) } : nil)
    }

    private static func cursor(_ entry: HistoryEntry) -> String {
        AddressCode.base64URL(Data("\(entry.made.bitPattern) \(entry.photo)".utf8))
    }
}

/// Base64 for addresses (RFC 4648, section 5), without padding.
private enum AddressCode {
    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    static func data(_ text: String) -> Data? {
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
    }
}

extension HistoryFilter {
    /// - Throws: ``Problem`` (400) that names the wrong parameter and the valid values.
    fileprivate init(_ query: APIHistoryQuery) throws {
        self.init()
        words = query.words
        domain = try Self.choice(query.domain, "domain", Outcome.Domain.allCases.map(\.rawValue))
            .flatMap(Outcome.Domain.init(rawValue:))
        status = try Self.choice(query.status, "status", ["completed", "partial", "unreadable", "failed"])
            .flatMap(Outcome.Status.init(rawValue:))
        level = try Self.choice(query.level, "level", Confidence.Level.allCases.map(\.rawValue))
            .flatMap(Confidence.Level.init(rawValue:))
        verdict = try Self.choice(query.verdict, "verdict", AllergenVerdict.Kind.allCases.map(\.rawValue))
            .flatMap(AllergenVerdict.Kind.init(rawValue:))
        person = query.person
        from = try Self.time(query.since, "since")
        until = try Self.time(query.until, "until")
        guard let cursor = query.cursor else { return }
        let parts = AddressCode.data(cursor).map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
        guard parts.count == 2, let bits = UInt64(parts[0]), let photo = Int64(parts[1]) else {
            throw Problem(400, "badRequest", "the cursor is not from this server: begin without one")
        }
        before = (Double(bitPattern: bits), photo)
    }

    private static func choice(_ value: String?, _ name: String, _ all: [String]) throws -> String? {
        guard let value else { return nil }
        guard all.contains(value) else {
            throw Problem(400, "badRequest", "\(name) must be one of \(all.joined(separator: ", "))")
        }
        return value
    }

    private static func time(_ value: String?, _ name: String) throws -> Double? {
        guard let value else { return nil }
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
        guard let date = (try? Date(value, strategy: .iso8601)) ?? (try? Date(value, strategy: day)) else {
            throw Problem(400, "badRequest", "\(name) must be a date such as 2026-11-08")
        }
        return date.timeIntervalSince1970
    }
}

extension APIHistoryItem {
    fileprivate init(_ entry: HistoryEntry) {
        let summary = entry.summary
        self.init(
            id: entry.content, path: entry.path.display,
            read: Date(timeIntervalSince1970: entry.made).formatted(.iso8601), title: summary.title,
            status: summary.status.rawValue, reason: summary.reason, domains: summary.domains.map(\.rawValue),
            level: summary.level.rawValue, dishes: summary.dishes, worst: summary.worst,
            people: summary.people.mapValues { $0.map(\.rawValue).sorted() },
            contradiction: summary.hasContradiction)
    }
}
