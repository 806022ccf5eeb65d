import Core
import Foundation
import Store

/// The messages of one event. They hold what a webhook holds, and the event's id, by which a subscriber drops a repeat.
struct MQTTMessages {
    /// What of a stored event the messages need.
    private struct Told: Decodable {
        struct Summary: Decodable {
            var id: String?
            var path: String
            var status: String
            var domains: [String]
            var title: String?
            var household: [String: Outcome.PersonalSummary]?
        }

        var type: String
        var timestamp: String
        var data: Summary
    }

    /// Retained: what a sensor shows.
    private struct Last: Encodable {
        var id: String
        var type, timestamp: String
        /// Id of the content.
        var photo: String?
        var file: String
        var status: String
        var kinds: [String]
        var title: String?
    }

    /// For the event entity of Home Assistant, which needs `event_type`.
    private struct Alert: Encodable {
        var event_type: String
        var id: String
        var timestamp: String
        var photo: String?
        var file: String
        var title: String?
        /// What each person should avoid or ask about.
        var people: [String: [String]]
    }

    /// `avoid`: a product contains an allergen of a person. `ask`: it may contain one, or the photo does not tell.
    static let alertTypes = ["avoid", "ask"]

    let list: [MQTTConnection.Message]
    let last: MQTTConnection.Message

    /// - Throws: if the event is not one of an outcome.
    init(_ event: StoredEvent, _ settings: MQTTSettings) throws {
        let told = try JSONDecoder().decode(Told.self, from: event.body)
        let data = told.data
        let file = String(data.path.split(separator: "/").last ?? "")
        // The body is an object with members, so the id goes in front of them; the rest keeps its bytes.
        let body = Data("{\"id\":\"\(event.id)\",".utf8) + event.body.dropFirst()
        var messages = [MQTTConnection.Message(topic: settings.topic("outcome"), body: body)]
        let household = data.household ?? [:]
        let (avoid, ask) = (household.compactMapValues(\.avoid.some), household.compactMapValues(\.ask.some))
        for (type, people) in zip(Self.alertTypes, [avoid, ask]) where !people.isEmpty {
            let alert = Alert(
                event_type: type, id: event.id, timestamp: told.timestamp, photo: data.id, file: file,
                title: data.title, people: people)
            messages.append(.init(topic: settings.topic("alert"), body: try JSONCoding.encode(alert)))
        }
        list = messages
        last = .init(
            topic: settings.topic("last"),
            body: try JSONCoding.encode(
                Last(
                    id: event.id, type: told.type, timestamp: told.timestamp, photo: data.id, file: file,
                    status: data.status, kinds: data.domains, title: data.title)), isRetained: true)
    }
}

extension [String] {
    /// Nil if it is empty.
    fileprivate var some: [String]? { isEmpty ? nil : self }
}
