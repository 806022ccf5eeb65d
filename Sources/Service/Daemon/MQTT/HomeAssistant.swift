import Core
import Foundation

/// Describes the topics to Home Assistant: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
struct HomeAssistant {
    struct Device: Encodable {
        var identifiers: [String]
        var name: String
        var manufacturer = "Tablesight"
        var sw_version = ProgramVersion.current
    }

    struct Origin: Encodable {
        var name = "Tablesight"
        var sw_version = ProgramVersion.current
    }

    struct Availability: Encodable {
        var topic: String
    }

    /// The description of one entity, with Home Assistant's names.
    struct Entity: Encodable {
        var name: String
        var unique_id = ""
        var state_topic: String
        var value_template: String?
        var json_attributes_topic: String?
        var event_types: [String]?
        var device_class: String?
        var state_class: String?
        var unit_of_measurement: String?
        var entity_category: String?
        var icon: String?
        var payload_on: String?
        var payload_off: String?
        var qos = 1
        var availability: [Availability]?
        var device: Device?
        var origin: Origin?

        init(_ name: String, _ topic: String, icon: String? = nil) {
            self.name = name
            self.icon = icon
            state_topic = topic
        }
    }

    /// Retained descriptions, one for each entity.
    let messages: [MQTTConnection.Message]

    init(_ settings: MQTTSettings, discoveryPrefix: String) throws {
        // Home Assistant allows letters, digits, _ and - in the ids of a topic.
        let node = String(settings.prefix.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let device = Device(
            identifiers: [node], name: settings.prefix == "tablesight" ? "Tablesight" : "Tablesight \(settings.prefix)")
        messages = try Self.entities(settings).map { component, id, entity in
            var entity = entity
            entity.unique_id = "\(node)_\(id)"
            entity.device = device
            entity.origin = Origin()
            // The connection itself is shown also while it is down.
            if id != "connection" { entity.availability = [Availability(topic: settings.topic("status"))] }
            return .init(
                topic: "\(discoveryPrefix)/\(component)/\(node)_\(id)/config", body: try JSONCoding.encode(entity),
                isRetained: true)
        }
    }

    private static func entities(_ settings: MQTTSettings) -> [(component: String, id: String, entity: Entity)] {
        var last = Entity("Last outcome", settings.topic("last"), icon: "mdi:image-text")
        // A state has at most 255 characters.
        last.value_template = "{{ (value_json.title | default(value_json.file, true))[:255] }}"
        last.json_attributes_topic = last.state_topic
        var alert = Entity("Allergen alert", settings.topic("alert"), icon: "mdi:food-off")
        alert.event_types = MQTTMessages.alertTypes
        var health = Entity("Problem", settings.topic("health"))
        health.value_template = "{{ 'OFF' if value_json.ready else 'ON' }}"
        health.json_attributes_topic = health.state_topic
        health.device_class = "problem"
        health.entity_category = "diagnostic"
        var connection = Entity("Connection", settings.topic("status"))
        (connection.payload_on, connection.payload_off) = ("online", "offline")
        connection.device_class = "connectivity"
        connection.entity_category = "diagnostic"
        let names: [Outcome.Domain: String] = [
            .menu: "Menus", .label: "Labels", .barcode: "Barcodes", .board: "Boards", .receipt: "Receipts",
            .priceTag: "Price tags",
        ]
        let counts = Outcome.Domain.allCases.map { domain in
            var count = Entity(names[domain] ?? domain.rawValue, settings.topic("counts"), icon: "mdi:counter")
            count.value_template = "{{ value_json.\(domain.rawValue) }}"
            count.state_class = "measurement"
            count.unit_of_measurement = "photos"
            return ("sensor", "count_\(domain.rawValue)", count)
        }
        return [
            ("sensor", "last", last), ("event", "alert", alert), ("binary_sensor", "problem", health),
            ("binary_sensor", "connection", connection),
        ] + counts
    }
}
