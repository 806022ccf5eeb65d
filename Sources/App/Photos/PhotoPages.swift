import Core
import Foundation
import HTTP
import Household
import Store

// The history and the events as JSON.
extension PhotoActions {
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

/// Sides of pictures that can be requested, in pixels: a thumbnail and a page.
enum PictureSide: Int, Sendable, CaseIterable, Decodable, SelfDescribed {
    case thumbnail = 160
    case page = 1600

    static var sample: Self { .page }
    static var schema: Schema { Schema(type: "integer", choices: allCases.map { String($0.rawValue) }) }
}
