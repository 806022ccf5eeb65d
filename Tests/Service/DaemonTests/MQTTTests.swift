import Foundation
import Intake
import Logging
import Store
import Synchronization
import TestSupport
import Testing
import Core

@testable import Daemon
@testable import Settings

@Suite(.enabled(if: Mosquitto.isInstalled && MQTTConnection.libraryVersion != nil, Mosquitto.reason))
struct MQTTTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    /// Stores the event of an outcome for the broker.
    private func store(_ name: String, household: String = "{}") throws {
        let path = try folder.path(below: name)
        let file = FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: 1, inode: 1, size: 1, modified: 1, changed: 1))
        try store.enqueue([file]) { $0.path.appending(suffix: ".json") }
        let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        #expect(try store.charge(photo, attempt: 1, content: "sha256:" + name))
        let body = Data(
            """
            {"data":{"domains":["label"],"household":\(household),"id":"sha256:\(name)","path":"in/\(name)",\
            "status":"completed","title":"Oat bar"},"timestamp":"2026-05-01T10:00:00Z","type":"completed"}
            """.utf8)
        let finished = FinishedPhoto(
            content: "sha256:" + name, asked: "", answer: nil, status: .completed, json: Data("{}".utf8),
            event: NewEvent(id: "evt_" + name, kind: "completed", body: body, receivers: [MQTTSettings.receiver]))
        #expect(try store.finish(photo, finished, noting: []))
    }

    private func settings(_ broker: Mosquitto, scheme: String = "mqtt", host: String = "127.0.0.1") throws
        -> MQTTSettings
    {
        try MQTTSettings(address: "\(scheme)://\(host):\(broker.port)")
    }

    /// Runs the outbox while `body` runs, and stops it like a daemon that ends.
    private func publishing(to settings: MQTTSettings, _ body: () async throws -> Void) async throws {
        let sender = MQTTSender(settings, counts: { [.label: 3] }, health: { ["no worker answers"] })
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let journal = Journal(store, known: KnownFiles(), health: DaemonHealth(), logger: logger)
        let outbox = OutboxService(settings: WebhookSettings(), journal: journal, logger: logger, broker: sender)
        let running = Task { try await outbox.run() }
        defer { running.cancel() }
        try await body()
        running.cancel()
        try await running.value
    }

    @Test func `an outcome is published with its id, and retained topics show the state`() async throws {
        let broker = try Mosquitto()
        defer { withExtendedLifetime(broker) {} }
        try await broker.start()
        try broker.subscribe()
        try store("a.jpg", household: #"{"Anna":{"avoid":["Oat bar"],"ask":[],"notMentioned":[]}}"#)
        try await publishing(to: try settings(broker)) { () async throws in
            #expect(try await eventually { try store.outboxFigures().waiting == 0 })
            #expect(try await eventually { try broker.last("tablesight/health").isEmpty == false })
            #expect(try await eventually { try broker.last("tablesight/counts").isEmpty == false })
            #expect(try broker.last("tablesight/status") == "online")
        }
        #expect(try broker.last("tablesight/outcome").hasPrefix(#"{"id":"evt_a.jpg","data":{"domains":["label"]"#))
        let alert = try broker.last("tablesight/alert")
        #expect(alert.contains(#""event_type":"avoid""#) && alert.contains(#""people":{"Anna":["Oat bar"]}"#))
        #expect(try broker.last("tablesight/last").contains(#""id":"evt_a.jpg""#))
        #expect(
            try broker.last("tablesight/health") == #"{"ready":false,"shortcomings":["no worker answers"]}"#)
        #expect(try broker.last("tablesight/counts").contains(#""label":3"#))
        #expect(try await eventually { try broker.last("tablesight/status") == "offline" })
    }

    @Test(arguments: [(String?.none, 0), ("homeassistant", 10)])
    func `descriptions for Home Assistant are retained, and absent without discovery`(
        prefix: String?, count: Int
    ) async throws {
        let broker = try Mosquitto()
        defer { withExtendedLifetime(broker) {} }
        try await broker.start()
        var settings = try settings(broker)
        settings.discoveryPrefix = prefix
        try store("a.jpg")
        try await publishing(to: settings) { () async throws in
            #expect(try await eventually { try store.outboxFigures().waiting == 0 })
        }
        // A client that comes later gets what is retained.
        try broker.subscribe()
        #expect(try await eventually { try broker.last("tablesight/status") == "offline" })
        #expect(try await eventually { try broker.received().count { $0.hasPrefix("1 homeassistant/") } == count })
        #expect(try broker.received().allSatisfy { $0.hasPrefix("1 ") })
    }

    @Test func `events wait while the broker is away, and arrive when it is back`() async throws {
        let broker = try Mosquitto()
        defer { withExtendedLifetime(broker) {} }
        try store("a.jpg")
        try await publishing(to: try settings(broker)) { () async throws in
            #expect(
                try await eventually {
                    try store.waitingDeliveries(to: MQTTSettings.receiver, limit: 1).first?.attempts ?? 0 > 0
                })
            try await broker.start()
            try broker.subscribe()
            #expect(try await eventually { try store.outboxFigures().waiting == 0 })
            broker.kill()
            try store("b.jpg")
            try await broker.start()
            #expect(try await eventually { try store.outboxFigures().waiting == 0 })
        }
        #expect(try store.outboxFigures().dead == 0)
    }

    @Test func `TLS needs a certificate of a known authority, with the broker's name`() async throws {
        let keys = folder.url
        for arguments in [
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key",
                "-out", "ca.pem", "-subj", "/CN=House", "-days", "2",
            ],
            [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "own.key",
                "-out", "own.csr", "-subj", "/CN=localhost",
            ],
            [
                "x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
                "own.pem",
                "-days", "2",
            ],
        ] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = arguments
            process.currentDirectoryURL = keys
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
        let broker = try Mosquitto(
            "allow_anonymous true\ncertfile \(keys.path)/own.pem\nkeyfile \(keys.path)/own.key")
        defer { withExtendedLifetime(broker) {} }
        try await broker.start()
        func failure(_ host: String, ca: String?) async throws -> String? {
            var settings = try settings(broker, scheme: "mqtts", host: host)
            settings.authorities = ca.map { keys.appending(path: $0).path }
            return try await onOwnThread { [settings] in
                do throws(MQTTError) {
                    _ = try MQTTConnection(settings)
                    return nil
                } catch { return error.description }
            }
        }
        #expect(try await failure("localhost", ca: "ca.pem") == nil)
        #expect(
            try await failure("127.0.0.1", ca: "ca.pem")?.hasPrefix("no TLS with the broker") == true, "another name")
        #expect(try await failure("localhost", ca: nil)?.contains("certificate verify failed") == true)
    }

    @Test func `a wrong password is reported plainly, and doctor reports it too`() async throws {
        let passwords = folder.url.appending(path: "passwords")
        // "right", as mosquitto_passwd stores it.
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/mosquitto_passwd")
        process.arguments = ["-b", "-c", passwords.path, "kitchen", "right"]
        try process.run()
        process.waitUntilExit()
        let broker = try Mosquitto("allow_anonymous false\npassword_file \(passwords.path)")
        defer { withExtendedLifetime(broker) {} }
        try await broker.start()
        var settings = try settings(broker)
        (settings.user, settings.password) = ("kitchen", "right")
        let accepted = settings
        let good = try await onOwnThread { Doctor.mqttFindings(accepted) }
        #expect(good.map(\.state) == [.present, .present], "\(good)")
        settings.password = "wrong"
        let refused = settings
        let findings = try await onOwnThread { Doctor.mqttFindings(refused) }
        #expect(findings.last?.state == .missing && findings.last?.isNeeded == true)
        let detail = try #require(findings.last?.detail)
        #expect(detail.contains("refuses the user kitchen") && detail.contains("compare mqtt.credentials"))
        #expect(!detail.contains("wrong"))
    }
}

@Suite struct MQTTSettingsTests {
    @Test(arguments: [
        ["TABLESIGHT_MQTT_URL": "http://broker"], ["TABLESIGHT_MQTT_URL": "mqtt://"],
        ["TABLESIGHT_MQTT_URL": "mqtt://me:secret@broker"], ["TABLESIGHT_MQTT_URL": "mqtt://broker/x"],
        ["TABLESIGHT_MQTT_URL": "mqtt://broker", "TABLESIGHT_MQTT_PREFIX": "a/#"],
        ["TABLESIGHT_MQTT_URL": "mqtt://broker", "TABLESIGHT_MQTT_PREFIX": "/a"],
        ["TABLESIGHT_MQTT_URL": "mqtts://broker", "TABLESIGHT_MQTT_CA": "/nowhere.pem"],
        ["TABLESIGHT_MQTT_URL": "mqtts://broker", "TABLESIGHT_MQTT_CREDENTIALS": "/nowhere"],
    ])
    func `invalid settings of the broker are refused at the start`(environment: [String: String]) async throws {
        let settings = try await Settings(environment: environment)
        #expect { try MQTTSettings(settings) } throws: { ($0 as? StartupError)?.exitCode == .configuration }
    }

    @Test func `an address gives host, port and TLS`() throws {
        let plain = try MQTTSettings(address: "mqtt://broker.local")
        #expect((plain.host, plain.port, plain.requiresTLS) == ("broker.local", 1883, false))
        let secure = try MQTTSettings(address: "mqtts://[::1]")
        #expect((secure.host, secure.port, secure.requiresTLS) == ("::1", 8883, true))
        #expect(secure.address == "mqtts://[::1]:8883")
    }

    @Test func `without an address there is no broker`() async throws {
        #expect(try MQTTSettings(try await Settings(environment: [:])) == nil)
    }
}
