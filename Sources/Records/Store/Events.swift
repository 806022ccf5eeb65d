import Foundation
import GRDB
import Core

package struct StoredEvent: Sendable, Hashable {
    /// Ascending number; a client that knows one can request the events after it.
    package var number: Int64
    /// The same for every delivery attempt.
    package var id: String
    /// `completed` or `quarantined`.
    package var kind: String
    /// One JSON object.
    package var body: Data
}

/// An event before it is stored.
package struct NewEvent: Sendable {
    package var id: String
    package var kind: String
    package var body: Data
    /// Addresses of the receivers.
    package var receivers: [String]

    package init(id: String, kind: String, body: Data, receivers: [String]) {
        self.id = id
        self.kind = kind
        self.body = body
        self.receivers = receivers
    }
}

package struct WaitingDelivery: Sendable, Hashable {
    package var event: StoredEvent
    package var receiver: String
    /// Number of failed attempts.
    package var attempts: Int
}

extension NewEvent {
    /// Stores the event and one row per receiver, in the transaction of the photo's outcome.
    func insert(_ database: Database) throws {
        try database.execute(literal: "INSERT INTO event (uid, kind, body) VALUES (\(id), \(kind), \(body))")
        let number = database.lastInsertedRowID
        for receiver in receivers {
            try database.execute(literal: "INSERT INTO delivery (event, receiver) VALUES (\(number), \(receiver))")
        }
    }
}

extension StoredEvent: Decodable, FetchableRecord {
    fileprivate static let columns = "event.id AS number, event.uid AS id, event.kind, event.body"
}

extension StoredEvent {
    /// Names of people are keys of these objects, and the values of `profile`.
    private static let keyedByPerson: Set = ["household", "verdicts"]

    /// Gives a person another name in all events; nil takes out what was said of them.
    static func rename(_ database: Database, _ old: String, _ new: String?) throws {
        guard try database.tableExists("event") else { return }
        let printed = String(decoding: try JSONCoding.encode(old), as: UTF8.self)
        let events = try StoredEvent.fetchAll(
            database, literal: "SELECT \(sql: columns) FROM event WHERE instr(CAST(body AS TEXT), \(printed)) > 0")
        for event in events {
            let body = try JSONCoding.encode(renamed(JSONCoding.decode(JSONValue.self, from: event.body), old, new))
            try database.execute(literal: "UPDATE event SET body = \(body) WHERE id = \(event.number)")
        }
    }

    private static func renamed(_ value: JSONValue, _ old: String, _ new: String?) -> JSONValue {
        switch value {
        case .array(let values):
            return .array(
                values.filter { new != nil || !isOf(old, $0) }.map { renamed($0, old, new) })
        case .object(var members):
            if let new, isOf(old, value) { members["profile"] = .string(new) }
            for (key, member) in members {
                guard keyedByPerson.contains(key), case .object(var people) = member else {
                    members[key] = renamed(member, old, new)
                    continue
                }
                let own = people.removeValue(forKey: old)
                if let new, let own { people[new] = own }
                members[key] = .object(people)
            }
            return .object(members)
        default: return value
        }
    }

    private static func isOf(_ person: String, _ value: JSONValue) -> Bool {
        guard case .object(let members) = value, case .string(let name) = members["profile"] else { return false }
        return name.utf8.elementsEqual(person.utf8)
    }
}

extension OutcomeStore {
    package func events(after number: Int64, limit: Int) throws -> [StoredEvent] {
        try read(
            StoredEvent.fetchAll,
            """
            SELECT \(sql: StoredEvent.columns) FROM event WHERE event.id > \(number) ORDER BY event.id LIMIT \(limit)
            """)
    }

    package func latestEvent() throws -> Int64 {
        try read(Int64.fetchOne, "SELECT max(id) FROM event") ?? 0
    }

    /// Queued events of this receiver, oldest first.
    package func waitingDeliveries(to receiver: String, limit: Int) throws -> [WaitingDelivery] {
        try read(
            Row.fetchAll,
            """
            SELECT \(sql: StoredEvent.columns), attempts FROM delivery JOIN event ON event.id = event
            WHERE state = 'waiting' AND receiver = \(receiver) ORDER BY event.id LIMIT \(limit)
            """
        ).map { WaitingDelivery(event: try StoredEvent(row: $0), receiver: receiver, attempts: $0["attempts"]) }
    }

    /// Records one delivery attempt.
    ///
    /// - Parameters:
    ///   - failure: the reason of a failure; nil if the event was delivered.
    ///   - isCharged: false does not count the attempt.
    ///   - isLast: true turns a failed delivery into a dead letter.
    package func note(_ delivery: WaitingDelivery, failure: String?, isCharged: Bool = true, isLast: Bool) throws {
        let state = failure == nil ? "delivered" : isLast ? "dead" : "waiting"
        try execute(
            literal: """
                UPDATE delivery SET attempts = attempts + \(isCharged), state = \(state), failure = \(failure)
                WHERE event = \(delivery.event.number) AND receiver = \(delivery.receiver)
                """)
    }

    package func outboxFigures() throws -> (waiting: Int, dead: Int) {
        let counts = try counts("SELECT state, count(*) FROM delivery WHERE state <> 'delivered' GROUP BY state")
        return (counts["waiting"] ?? 0, counts["dead"] ?? 0)
    }

    /// Deletes all but the newest events; those with waiting deliveries stay.
    package func pruneEvents(keeping count: Int) throws {
        try execute(
            literal: """
                DELETE FROM event WHERE id <= (SELECT max(id) FROM event) - \(count)
                AND id NOT IN (SELECT event FROM delivery WHERE state = 'waiting')
                """)
    }
}
