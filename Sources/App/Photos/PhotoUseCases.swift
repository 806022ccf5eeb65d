import Core
import Foundation
import HTTP
import Store

/// What the household does with its photos: see, search and delete them. Runs on a thread of its own, because SQLite
/// blocks.
actor PhotoUseCases {
    private let executor = ThreadExecutor(label: "photos")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let store: OutcomeStore
    private nonisolated let folder: any PhotoFolder
    private nonisolated let judged: any JudgedPhotos

    init(_ store: OutcomeStore, folder: any PhotoFolder, judged: any JudgedPhotos) {
        self.store = store
        self.folder = folder
        self.judged = judged
    }

    static let unknown = Problem(404, "notFound", "no such image: GET /v1/history lists them")

    /// The people whom photos are judged for.
    nonisolated var people: [AllergenProfile] { judged.people }

    // MARK: Photos

    /// The largest photo, bytes.
    nonisolated var mostBytes: Int { get async { await folder.mostBytes } }

    /// Begins an upload; see ``PhotoFolder/begin(by:)``. Guests and children add no prices, so their photos are
    /// nobody's.
    nonisolated func begin(by identity: Identity?) async throws -> any PhotoUpload {
        try await folder.begin(by: identity.flatMap { $0.role >= .adult ? $0.member?.name : nil })
    }

    nonisolated func photo(_ id: String) async throws -> PhotoStatus { try await folder.photo(id).orUnknown }

    nonisolated func delete(_ id: String) async throws -> PhotoDeletion { try await folder.delete(id).orUnknown }

    /// The upright photo as JPEG.
    nonisolated func picture(_ id: String, side: PictureSide) async throws -> Data {
        try await folder.picture(id, side: side.rawValue).orUnknown
    }

    /// The photo with the results drawn over it, as PNG.
    nonisolated func overlay(_ id: String) async throws -> Data { try await folder.overlay(id).orUnknown }

    // MARK: Outcomes

    /// The outcome of a photo as it is stored; nil for a photo that was not read.
    func outcome(_ id: String) throws -> Data? { try store.outcomeJSON(forContent: id) }

    /// The outcome of a photo; nil while it waits.
    ///
    /// - Throws: ``Problem`` (404) for an unknown photo.
    nonisolated func result(_ id: String) async throws -> Outcome? {
        // Large outcomes are decoded outside the actor, so that pages do not wait for each other.
        guard let json = try await outcome(id) else {
            _ = try await photo(id)
            return nil
        }
        return try JSONCoding.decode(Outcome.self, from: json)
    }

    /// The stored outcomes of a page of the history.
    func outcomes(_ query: HistoryQuery) throws -> (list: StoredJSON<OutcomeList>, next: HistoryCursor?) {
        let found = try page(query)
        let outcomes = try found.items.compactMap { item in try item.id.flatMap { try outcome($0) } }
        var body = Data("{\"items\":[".utf8)
        for (index, outcome) in outcomes.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(outcome)
        }
        body.append(Data("],\"total\":\(found.total)".utf8))
        if let next = found.next { body.append(Data(",\"next\":\"\(next.text)\"".utf8)) }
        body.append(UInt8(ascii: "}"))
        return (StoredJSON(body), found.next)
    }

    // MARK: History

    /// Summaries computed before a search; the heartbeat computes the rest of an old database.
    private static let mostRefreshed = 200

    /// A page of the history, newest first.
    ///
    /// - Parameter joinsFrames: true shows one entry for the photos of a game.
    func page(_ query: HistoryQuery, joinsFrames: Bool = false) throws -> History {
        try store.refreshSummaries(limit: Self.mostRefreshed)
        var filter = HistoryFilter(query)
        filter.joinsFrames = joinsFrames
        let limit = query.limit ?? HistoryQuery.usualLimit
        var entries = try store.history(filter, limit: limit + 1)
        let hasMore = entries.count > limit
        if hasMore { entries.removeLast() }
        return History(
            items: entries.map { HistoryItem($0) }, total: try store.historyCount(filter),
            next: hasMore ? entries.last.map { HistoryCursor($0) } : nil)
    }

    // MARK: Events

    /// The number of the newest event, or 0.
    func latestEvent() throws -> Int64 { try store.latestEvent() }

    /// Events after a number, in order.
    func events(after number: Int64, limit: Int) throws -> [StreamEvent] {
        try store.events(after: number, limit: limit).map {
            StreamEvent(number: $0.number, kind: $0.kind, body: $0.body)
        }
    }
}

extension Optional {
    /// The value of what the daemon knows of a photo.
    fileprivate var orUnknown: Wrapped {
        get throws(Problem) {
            guard let self else { throw PhotoUseCases.unknown }
            return self
        }
    }
}

/// Sides of pictures that can be requested, in pixels: a thumbnail and a page.
enum PictureSide: Int, Sendable, CaseIterable, Decodable, SelfDescribed {
    case thumbnail = 160
    case page = 1600

    /// - Parameter decoder: of a query, where a number is a text.
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let side = Int(text).flatMap(Self.init(rawValue:)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        self = side
    }

    static var sample: Self { .page }
    static var schema: Schema { Schema(type: "integer", choices: allCases.map { String($0.rawValue) }) }
}
