import Foundation
import TestSupport
import Testing
import Core

@testable import App
@testable import Daemon

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
        ("TABLESIGHT_WORKERS_CUONT", "TABLESIGHT_WORKERS_COUNT"), ("TABLESIGHT_MODLES", "TABLESIGHT_MODELS"),
        ("TABLESIGHT_SOMETHING_OF_NEXT_YEAR", nil),
    ])
    func `an unknown variable is ignored with a warning, once and with a suggestion`(
        name: String, meant: String?
    ) async throws {
        for command in [["config", "show"], ["catalogue", "stats"], ["evidence", "check"]] {
            let result = try await Program("tablesight").finished(
                command, environment: [name: "3", "HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path])
            #expect(result.exitCode == 0, "\(command): \(result.errors)")
            let warnings = result.errors.split(separator: "\n").filter { $0.contains(name) }
            #expect(warnings.count == 1, "\(command): \(result.errors)")
            #expect(meant.map { warnings.first?.hasSuffix("did you mean \($0)?") == true } ?? true, "\(warnings)")
        }
    }

    @Test func `a known variable with a wrong value ends with exit code 78`() async throws {
        let result = try await Program("tablesight").finished(
            ["config", "show"], environment: ["TABLESIGHT_WORKERS_COUNT": "many"])
        #expect(result.exitCode == 78)
        #expect(result.errors.contains("workers.count"), "\(result.errors)")
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

    @Test(arguments: [
        ("https://Kitchen.local/", "https://kitchen.local", "kitchen.local"),
        ("http://192.168.1.20:8765", "http://192.168.1.20:8765", "192.168.1.20"),
        ("https://[fd00::1]:8443", "https://[fd00::1]:8443", "[fd00::1]"),
    ])
    func `the host of the public address is allowed without being named again`(
        typed: String, text: String, host: String
    ) async throws {
        let settings = try await Settings(environment: [
            "TABLESIGHT_API_PUBLIC_ADDRESS": typed, "TABLESIGHT_API_TOKEN": "right",
            "TABLESIGHT_API_ALLOWED_HOSTS": "other.local",
        ])
        try folder.write(Data(), to: "in/x")
        let configuration = try WatchConfiguration(
            inboxes: [folder.url.appending(path: "in").path], output: folder.url.appending(path: "out").path,
            profiles: [])
        let api = try configuration.api(settings)
        #expect(api.publicAddress?.text == text)
        #expect(api.allowedHosts == ["other.local", host])
    }

    @Test func `secrets are not shown`() async throws {
        let settings = try await Settings(environment: ["TABLESIGHT_API_TOKEN": "hush-hush"])
        #expect(settings.text("api.token") == "hush-hush")
        #expect(settings.lines.contains { $0.hasPrefix("api.token: (secret)") })
        #expect(!settings.lines.contains { $0.contains("hush-hush") })
    }

    @Test func `every setting has a key, a description and a default of its kind`() {
        #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
        for setting in Setting.all { #expect(!setting.meaning.isEmpty, "\(setting.key)") }
    }

    @Test func `a name or path of almost maximum length has a sidecar path`() throws {
        try folder.write(Data(), to: "in/x")
        let configuration = try WatchConfiguration(
            inboxes: [folder.url.appending(path: "in").path], output: nil, profiles: [])
        let inbox = try #require(configuration.inboxes.first)
        let long = String(repeating: "x", count: 250)
        var places: Set<FilePathBytes> = []
        for name in [long + ".png", long + ".jpg", Array(repeating: long, count: 15).joined(separator: "/")] {
            let path = inbox.appending(names: name)
            let place = configuration.sidecar(for: FoundFile(path: path, relativePath: path, identity: .unknown))
            #expect(place.lastComponent.bytes.count + ".tmp".utf8.count <= 255)
            #expect(place.bytes.count + ".tmp".utf8.count < 4096)
            #expect(place.isBelow(configuration.output))
            places.insert(place)
        }
        #expect(places.count == 3)
    }

    @Test func `a folder below the inbox is a kitchen, and the inbox itself is not`() throws {
        try folder.write(Data(), to: "in/x")
        let configuration = try WatchConfiguration(
            inboxes: [folder.url.appending(path: "in").path], output: nil, profiles: [])
        let inbox = try #require(configuration.inboxes.first)
        #expect(configuration.kitchen(of: inbox.appending(names: "a.jpg")) == nil)
        let menu = inbox.appending(names: "luigi/summer/a.jpg")
        #expect(configuration.kitchen(of: menu) == inbox.appending(names: "luigi/summer"))
        // The app sends photos of all restaurants into one folder.
        let uploads = try #require(configuration.uploads)
        #expect(configuration.kitchen(of: uploads.appending(names: "a.jpg")) == nil)
    }

    @Test func `results of two photos never share a path or a folder name`() throws {
        try folder.write(Data(), to: "in/x")
        let configuration = try WatchConfiguration(
            inboxes: [folder.url.appending(path: "in").path], output: nil, profiles: [])
        let inbox = try #require(configuration.inboxes.first)
        let long = String(repeating: "x", count: 250) + ".png"
        let names = [
            "x", "x.json/y", "x.json.folder/y", "x.json.folder.folder/y", "x.folder/y", "x.png/y", "x.png",
            "x.png.json/y",
            long, "long-names/0", "long-names.folder/0", String(repeating: "y", count: 250) + ".json/z",
        ]
        for ending in [".json", ".png"] {
            var files: Set<FilePathBytes> = []
            var folders: Set<FilePathBytes> = []
            for name in names {
                let path = inbox.appending(names: name)
                let place =
                    ending == ".png"
                    ? configuration.overlay(for: path)
                    : configuration.sidecar(for: FoundFile(path: path, relativePath: path, identity: .unknown))
                #expect(files.insert(place).inserted, "\(place.display)")
                var above = place.folder
                while above.isBelow(configuration.output) {
                    #expect(above.lastComponent.bytes.count <= 255)
                    folders.insert(above)
                    above = above.folder
                }
            }
            #expect(files.isDisjoint(with: folders), "\(files.intersection(folders).map(\.display))")
        }
    }

    @Test func `a reload applies what can change and names what needs a restart`() throws {
        try folder.write(Data(), to: "in/x")
        let inbox = folder.url.appending(path: "in").path
        func configuration(workers: Int, settle: Duration) throws -> WatchConfiguration {
            try WatchConfiguration(inboxes: [inbox], output: nil, workers: workers, settle: settle, profiles: [])
        }
        let live = LiveConfiguration(try configuration(workers: 1, settle: .seconds(1)))
        #expect(live.swap(for: try configuration(workers: 2, settle: .seconds(3))) == ["workers.count"])
        #expect(live.current.settle == .seconds(3))
        #expect(live.current.workers == 1)
    }
}

extension FileIdentity {
    fileprivate static let unknown = FileIdentity(device: 0, inode: 0, size: 0, modified: 0, changed: 0)
}
