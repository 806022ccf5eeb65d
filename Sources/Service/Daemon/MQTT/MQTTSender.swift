import Core
import Foundation
import Store

/// Publishes the outbox to a broker. An event counts as delivered when the broker has acknowledged all its messages.
///
/// Topics below the prefix: `outcome` and `alert` for each event; `status`, `last`, `counts` and `health`, retained.
actor MQTTSender: OutboxSender {
    private let executor = ThreadExecutor(label: "mqtt")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let receiver = MQTTSettings.receiver
    let message = "message to the broker"
    let counter = "mqtt_messages_total"
    let window = MQTTConnection.window
    /// The outbox keeps events while the broker is away, however long.
    let mostAttempts: Int? = nil
    /// A broker of the house that comes back is noticed within a minute.
    let longestPause = 30.0

    private let settings: MQTTSettings
    private let counts: @Sendable () throws -> [Outcome.Domain: Int]
    private let health: @Sendable () -> [String]
    private var connection: MQTTConnection?
    /// Retained messages as they were last published on this connection.
    private var retained: [String: Data] = [:]
    /// True after events, until the counts are published again.
    private var hasNewCounts = true

    /// - Parameters:
    ///   - counts: number of stored outcomes of each kind.
    ///   - health: reasons why the daemon is not ready.
    init(
        _ settings: MQTTSettings, counts: @escaping @Sendable () throws -> [Outcome.Domain: Int],
        health: @escaping @Sendable () -> [String]
    ) {
        self.settings = settings
        self.counts = counts
        self.health = health
    }

    func send(_ deliveries: [WaitingDelivery]) -> [String?] {
        var messages: [MQTTConnection.Message] = []
        // Where each event's messages begin.
        var starts: [Int] = []
        do {
            for delivery in deliveries {
                starts.append(messages.count)
                messages += try MQTTMessages(delivery.event, settings).list
            }
            // A subscriber that comes later gets the newest event.
            if let last = deliveries.last { messages.append(try MQTTMessages(last.event, settings).last) }
            let connection = try connected()
            let (acknowledged, failure) = connection.publish(messages)
            hasNewCounts = true
            if failure != nil { self.connection = nil }
            return deliveries.indices.map { index in
                let end = index + 1 < starts.count ? starts[index + 1] : messages.count
                return acknowledged[starts[index]..<end].allSatisfy { $0 }
                    ? nil : failure?.description ?? "the broker did not acknowledge it"
            }
        } catch {
            return deliveries.map { _ in "\(error)" }
        }
    }

    func idle() -> String? {
        do {
            let connection = try connected()
            do {
                try connection.serve()
                if hasNewCounts { try publish("counts", MQTTCounts(try counts()), on: connection) }
                hasNewCounts = false
                try publish("health", MQTTHealth(shortcomings: health()), on: connection)
                return nil
            } catch {
                self.connection = nil
                throw error
            }
        } catch { return "\(error)" }
    }

    func close() {
        if let connection {
            let status = MQTTConnection.Message(
                topic: settings.topic("status"), body: Data("offline".utf8), isRetained: true)
            _ = connection.publish([status])
        }
        connection = nil
    }

    private func connected() throws -> MQTTConnection {
        if let connection { return connection }
        let made = try MQTTConnection(settings)
        retained = [:]
        hasNewCounts = true
        var messages =
            try settings.discoveryPrefix.map { try HomeAssistant(settings, discoveryPrefix: $0).messages } ?? []
        messages.append(.init(topic: settings.topic("status"), body: Data("online".utf8), isRetained: true))
        if let failure = made.publish(messages).failure { throw failure }
        connection = made
        return made
    }

    private func publish(_ name: String, _ value: some Encodable, on connection: MQTTConnection) throws {
        let body = try JSONCoding.encode(value)
        guard retained[name] != body else { return }
        let message = MQTTConnection.Message(topic: settings.topic(name), body: body, isRetained: true)
        if let failure = connection.publish([message]).failure { throw failure }
        retained[name] = body
    }
}

/// Number of stored outcomes of each kind.
struct MQTTCounts: Encodable {
    var counts: [String: Int]

    init(_ known: [Outcome.Domain: Int]) {
        counts = Dictionary(uniqueKeysWithValues: Outcome.Domain.allCases.map { ($0.rawValue, known[$0] ?? 0) })
    }

    func encode(to encoder: any Encoder) throws { try counts.encode(to: encoder) }
}

/// Whether the daemon is ready, and why not.
struct MQTTHealth: Encodable {
    var ready: Bool
    var shortcomings: [String]

    init(shortcomings: [String]) {
        self.shortcomings = shortcomings
        ready = shortcomings.isEmpty
    }
}
