import Foundation
import GRDB

/// Something that happened to a photo, as others are told of it.
public struct StoredEvent: Sendable, Hashable {
    /// Counts up without gaps that matter: whoever knows one asks for what came after it.
    public var number: Int64
    /// The same for every try to deliver it.
    public var id: String
    /// `completed` or `quarantined`.
    public var kind: String
    /// One JSON object.
    public var body: Data
}

/// An event before it is stored.
public struct NewEvent: Sendable {
    public var id: String
    public var kind: String
    public var body: Data
    /// Addresses that it is to be sent to.
    public var receivers: [String]

    public init(id: String, kind: String, body: Data, receivers: [String]) {
        self.id = id
        self.kind = kind
        self.body = body
        self.receivers = receivers
    }
}

/// An event that waits to be sent to one receiver.
public struct WaitingDelivery: Sendable, Hashable {
    public var event: StoredEvent
    public var receiver: String
    /// Tries so far.
    public var attempts: Int
}

extension NewEvent {
    /// Stores the event and one row for each receiver, in the transaction of what it tells of.
    func insert(_ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO event (uid, kind, body) VALUES (?, ?, ?)", arguments: [id, kind, body])
        let number = database.lastInsertedRowID
        for receiver in receivers {
            try database.execute(
                sql: "INSERT INTO delivery (event, receiver) VALUES (?, ?)", arguments: [number, receiver])
        }
    }
}

extension StoredEvent {
    fileprivate init(_ row: Row) {
        self.init(number: row["id"], id: row["uid"], kind: row["kind"], body: row["body"])
    }
}

extension OutcomeStore {
    /// Events after this number, in order.
    public func events(after number: Int64, limit: Int) throws -> [StoredEvent] {
        try read {
            try Row.fetchAll(
                $0, sql: "SELECT * FROM event WHERE id > ? ORDER BY id LIMIT ?", arguments: [number, limit])
        }.map { StoredEvent($0) }
    }

    /// The number of the latest event; 0 before the first.
    public func latestEvent() throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM event") ?? 0 }
    }

    /// What waits for this receiver, oldest first.
    public func waitingDeliveries(to receiver: String, limit: Int) throws -> [WaitingDelivery] {
        try read {
            try Row.fetchAll(
                $0,
                sql: """
                    SELECT event.*, delivery.attempts FROM delivery JOIN event ON event.id = delivery.event
                    WHERE delivery.state = 'waiting' AND delivery.receiver = ? ORDER BY event.id LIMIT ?
                    """, arguments: [receiver, limit])
        }.map { WaitingDelivery(event: StoredEvent($0), receiver: receiver, attempts: $0["attempts"]) }
    }

    /// Notes one try: `delivered`, or why not; `isLast` makes it a dead letter, and one that is not charged costs none of the
    /// tries.
    public func note(_ delivery: WaitingDelivery, failure: String?, isCharged: Bool = true, isLast: Bool) throws {
        let state = failure == nil ? "delivered" : isLast ? "dead" : "waiting"
        try write {
            try $0.execute(
                sql: """
                    UPDATE delivery SET attempts = attempts + ?, state = ?, failure = ? WHERE event = ? AND receiver = ?
                    """, arguments: [isCharged ? 1 : 0, state, failure, delivery.event.number, delivery.receiver])
        }
    }

    /// How many deliveries are in each state: waiting, dead.
    public func outboxFigures() throws -> (waiting: Int, dead: Int) {
        try read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT state, count(*) AS n FROM delivery WHERE state <> 'delivered' GROUP BY state")
            let counts = Dictionary(rows.map { ($0["state"] as String, $0["n"] as Int) }, uniquingKeysWith: +)
            return (counts["waiting"] ?? 0, counts["dead"] ?? 0)
        }
    }

    /// Forgets all but the newest events; those that still wait for a receiver stay.
    public func pruneEvents(keeping count: Int) throws {
        try write {
            try $0.execute(
                sql: """
                    DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - ?
                    AND id NOT IN (SELECT event FROM delivery WHERE state = 'waiting')
                    """, arguments: [count])
        }
    }
}
