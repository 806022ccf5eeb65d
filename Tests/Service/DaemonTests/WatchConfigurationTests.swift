import Core
import Foundation
import HTTP
import Settings
import TestSupport
import Testing

@testable import Daemon

@Suite struct WatchConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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

    @Test func `boards must be in watched folders, and their photos take turns as one folder`() async throws {
        let inbox = folder.url.appending(path: "inbox")
        let table = inbox.appending(path: "a/table")
        try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
        func configuration(_ boards: [String], inbox: URL) async throws -> WatchConfiguration {
            let settings = try await Settings(flags: [
                "inboxes": .stringArray([inbox.path]), "boards": .stringArray(boards), "profiles": .stringArray([]),
            ])
            return try WatchConfiguration(settings, once: true) { _, _ in
                [AllergenProfile(name: "x", allergens: [:])]
            }
        }
        let made = try await configuration(["\(table.path)=tangram"], inbox: inbox)
        let path = try #require(FilePathBytes(table.path)?.resolved)
        #expect(made.board(of: path.appending(names: "x/1.png"))?.pieceSet == "tangram")
        #expect(made.top(of: path.appending(names: "x/1.png")) == path)
        let own = try await configuration(["\(table.path)=tangram:tangram:museum"], inbox: inbox)
        #expect(own.boards.map(\.game) == ["tangram:museum"])
        #expect(made.board(of: path.folder.appending(names: "1.png")) == nil)
        await #expect(throws: StartupError.self) {
            _ = try await configuration(["\(folder.url.path)=tangram"], inbox: inbox)
        }
    }
}

extension FileIdentity {
    fileprivate static let unknown = FileIdentity(device: 0, inode: 0, size: 0, modified: 0, changed: 0)
}
