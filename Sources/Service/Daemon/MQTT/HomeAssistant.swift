import Core
import Foundation

/// Describes the topics to Home Assistant: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
struct HomeAssistant {
    /// Retained descriptions, one for each entity.
    let messages: [MQTTConnection.Message]

    init(_ settings: MQTTSettings, discoveryPrefix: String) throws {
        // Home Assistant allows letters, digits, _ and - in the ids of a topic.
        let node = String(settings.prefix.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let name = settings.prefix == "tablesight" ? "Tablesight" : "Tablesight \(settings.prefix)"
        let version = JSONValue.string(ProgramVersion.current)
        let device: JSONValue = [
            "identifiers": [.string(node)], "name": .string(name), "manufacturer": "Tablesight", "sw_version": version,
        ]
        messages = try Self.entities(settings).map { component, id, description in
            var entity = description
            entity["unique_id"] = .string("\(node)_\(id)")
            entity["device"] = device
            entity["origin"] = ["name": "Tablesight", "sw_version": version]
            entity["qos"] = .integer(1)
            // The connection itself is shown also while it is down.
            if id != "connection" { entity["availability"] = [["topic": .string(settings.topic("status"))]] }
            return .init(
                topic: "\(discoveryPrefix)/\(component)/\(node)_\(id)/config", body: try JSONCoding.encode(entity),
                isRetained: true)
        }
    }

    /// The descriptions with Home Assistant's names.
    private static func entities(
        _ settings: MQTTSettings
    ) -> [(component: String, id: String, description: [String: JSONValue])] {
        func topic(_ name: String) -> JSONValue { .string(settings.topic(name)) }
        let names: [Outcome.Domain: String] = [
            .menu: "Menus", .label: "Labels", .barcode: "Barcodes", .board: "Boards", .receipt: "Receipts",
            .priceTag: "Price tags",
        ]
        let counts = Outcome.Domain.allCases.map { domain -> (String, String, [String: JSONValue]) in
            let description: [String: JSONValue] = [
                "name": .string(names[domain] ?? domain.rawValue), "state_topic": topic("counts"),
                "icon": "mdi:counter", "value_template": .string("{{ value_json.\(domain.rawValue) }}"),
                "state_class": "measurement", "unit_of_measurement": "photos",
            ]
            return ("sensor", "count_\(domain.rawValue)", description)
        }
        let last: [String: JSONValue] = [
            "name": "Last outcome", "state_topic": topic("last"), "json_attributes_topic": topic("last"),
            // A state has at most 255 characters.
            "value_template": "{{ (value_json.title | default(value_json.file, true))[:255] }}",
            "icon": "mdi:image-text",
        ]
        let alert: [String: JSONValue] = [
            "name": "Allergen alert", "state_topic": topic("alert"), "icon": "mdi:food-off",
            "event_types": .array(MQTTMessages.alertTypes.map(JSONValue.string)),
        ]
        let health: [String: JSONValue] = [
            "name": "Problem", "state_topic": topic("health"), "json_attributes_topic": topic("health"),
            "value_template": "{{ 'OFF' if value_json.ready else 'ON' }}", "device_class": "problem",
            "entity_category": "diagnostic",
        ]
        let connection: [String: JSONValue] = [
            "name": "Connection", "state_topic": topic("status"), "payload_on": "online", "payload_off": "offline",
            "device_class": "connectivity", "entity_category": "diagnostic",
        ]
        return [
            ("sensor", "last", last), ("event", "alert", alert), ("binary_sensor", "problem", health),
            ("binary_sensor", "connection", connection),
        ] + counts
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
