import Configuration
import Core
import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite struct SettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> String {
        try folder.write(Data(text.utf8), to: "tablesight.yaml").path
    }

    @Test func `flags override the environment, the file and the defaults, in this order`() async throws {
        let file = try file("workers:\n  count: 3\n  recycleJobs: 7\nintake:\n  settleMilliseconds: 900\n")
        let settings = try await Settings(
            flags: ["workers.count": .int(5)],
            environment: ["TABLESIGHT_WORKERS_COUNT": "4", "TABLESIGHT_WORKERS_RECYCLE_JOBS": "8"], file: file)
        #expect(settings.integer("workers.count") == 5)
        #expect(settings.origin(of: "workers.count") == "flags")
        #expect(settings.integer("workers.recycleJobs") == 8)
        #expect(settings.origin(of: "workers.recycleJobs") == "environment")
        #expect(settings.integer("intake.settleMilliseconds") == 900)
        #expect(settings.integer("photos.megapixels") == 100)
        #expect(settings.origin(of: "photos.megapixels") == "built in")
    }

    @Test(arguments: [
        ("workers:\n  cuont: 3\n", "workers.cuont"), ("workers:\n  count: -1\n", "workers.count"),
        ("workers:\n  count: many\n", "workers.count"), ("log:\n  level: loud\n", "log.level"), ("a: [b\n", "YAML"),
    ])
    func `an invalid file is refused, and the message names the error`(text: String, name: String) async throws {
        let file = try file(text)
        await #expect {
            _ = try await Settings(environment: [:], file: file)
        } throws: { ($0 as? StartupError)?.exitCode == .configuration && "\($0)".contains(name) }
    }

    @Test(arguments: [
        "kitchen.local", "https://", "https://kitchen.local/app", "ftp://kitchen.local", "https://a@kitchen.local",
        "https://küche.local", "https://kitchen.local:0", "https://kitchen.local:70000",
    ])
    func `a public address is scheme, host and port`(text: String) async throws {
        await #expect {
            _ = try await Settings(environment: ["TABLESIGHT_API_PUBLIC_ADDRESS": text])
        } throws: { ($0 as? StartupError)?.exitCode == .configuration && "\($0)".contains("api.publicAddress") }
    }

    @Test func `secrets are not shown`() async throws {
        let settings = try await Settings(environment: ["TABLESIGHT_API_TOKEN": "hush-hush"])
        #expect(settings.text("api.token") == "hush-hush")
        #expect(settings.lines.contains { $0.hasPrefix("api.token: (secret)") })
        #expect(!settings.lines.contains { $0.contains("hush-hush") })
    }

    @Test func `no user name, password or query of any address is shown`() async throws {
        let parts = "://user:pass@host.example:99/hook/T0KEN?key=hush#part"
        for setting in Setting.all {
            let text = "https\(parts)"
            let content: ConfigContent =
                switch setting.kind {
                case .text, .address: .string(text)
                case .list: .stringArray([text, "nats\(parts)", "plain"])
                default: .bool(true)
                }
            if case .bool = content { continue }
            guard let settings = try? await Settings(flags: [setting.key: content], environment: [:]) else { continue }
            let line = try #require(settings.lines.first { $0.hasPrefix("\(setting.key): ") })
            for secret in ["user", "pass", "hush"] {
                #expect(!line.components(separatedBy: "  # ")[0].contains(secret), "\(line)")
            }
        }
        let hooks = try await Settings(flags: ["webhooks.urls": .stringArray(["https\(parts)"])], environment: [:])
        #expect(hooks.lines.contains { $0.hasPrefix("webhooks.urls: [https://(secret)@host.example:99/(secret)]") })
    }

    @Test func `every setting has a key, a description and a default of its kind`() {
        #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
        for setting in Setting.all { #expect(!setting.meaning.isEmpty, "\(setting.key)") }
    }
}
