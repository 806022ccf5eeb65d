import Foundation
import Glibc
import TestSupport
import Testing
import Core

/// The daemon as a real process in a temporary folder.
@Suite(.serialized) struct WatchTests {
    private let folder: TemporaryFolder
    private let inbox: URL
    private let program = Program("tablesight")
    private let photos: [URL]

    init() throws {
        folder = try TemporaryFolder()
        inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        photos = try Sample.all(in: "barcodes").map(\.photo)
    }

    private var sidecarFolder: URL { folder.url.appending(path: "inbox.tablesight/outcomes/inbox") }

    private func drop(_ photos: [URL]) throws {
        for photo in photos {
            try FileManager.default.copyItem(at: photo, to: inbox.appending(path: photo.lastPathComponent))
        }
    }

    /// Sidecars by photo name; an incomplete or temporary one fails the test.
    private func sidecars() throws -> [String: Outcome] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: sidecarFolder.path) else { return [:] }
        return try Dictionary(
            uniqueKeysWithValues: names.filter { !$0.hasSuffix(".tmp") }.map { name in
                let data = try Data(contentsOf: sidecarFolder.appending(path: name))
                return (String(name.dropLast(".json".count)), try JSONCoding.decode(Outcome.self, from: data))
            })
    }

    @Test func `every file has one outcome and one sidecar, and a second start does nothing`() async throws {
        try drop(photos)
        try Data("no photo".utf8).write(to: inbox.appending(path: "letter.jpg"))
        try Data().write(to: inbox.appending(path: "empty.png"))
        let first = try program.run(["watch", inbox.path, "--once", "--format", "json"])
        #expect(first.exitCode == 1, "two of the files are not photos: \(first.errors)")
        let names = Set(photos.map(\.lastPathComponent) + ["letter.jpg", "empty.png"])
        let outcomes = try sidecars()
        #expect(Set(outcomes.keys) == names)
        #expect(first.output.split(separator: "\n").count == names.count)
        #expect(outcomes["letter.jpg"]?.reason?.code == "notAnImage")
        #expect(outcomes["empty.png"]?.reason?.code == "emptyFile")
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: inbox.path)) == names, "no file is deleted")

        let second = try program.run(["watch", inbox.path, "--once", "--format", "json"])
        #expect(second.output.isEmpty)
        #expect(try sidecars() == outcomes)
    }

    @Test func `a photo that arrives is read, and Ctrl-C exits with 0`() async throws {
        let output = folder.url.appending(path: "out.ndjson")
        let daemon = try program.start(["watch", inbox.path, "--format", "json"], output: output)
        defer { daemon.terminate() }
        #expect(
            try await eventually {
                FileManager.default.fileExists(
                    atPath: folder.url.appending(path: "inbox.tablesight/tablesight.sqlite").path)
            })
        try drop([try #require(photos.first)])
        #expect(try await eventually { try sidecars().count == 1 })
        daemon.interrupt()
        daemon.waitUntilExit()
        #expect(daemon.terminationReason == .exit)
        #expect(daemon.terminationStatus == 0)
    }

    @Test func `after a kill, the next start reads the rest and repeats nothing`() async throws {
        try drop(photos)
        let output = folder.url.appending(path: "out.ndjson")
        let daemon = try program.start(
            ["watch", inbox.path, "--format", "json"], output: output, environment: ["TABLESIGHT_WORKERS_COUNT": "2"])
        #expect(try await eventually { try sidecars().count >= 2 })
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
        let before = try sidecars()

        let second = try program.run(["watch", inbox.path, "--once", "--format", "json"])
        #expect(second.exitCode == 0, "\(second.errors)")
        let after = try sidecars()
        #expect(Set(after.keys) == Set(photos.map(\.lastPathComponent)))
        for (name, outcome) in before { #expect(after[name] == outcome, "\(name) has the same outcome as before") }
        let repeated = second.output.split(separator: "\n").count + before.count - photos.count
        // Stored photos only get their missing sidecars; running ones are read again. With two workers, at most two of
        // each.
        #expect((-2...2).contains(repeated), "only jobs that ran at the kill may run again")
    }

    @Test func `a second daemon on the same output is refused`() async throws {
        let daemon = try program.start(["watch", inbox.path], output: folder.url.appending(path: "out"))
        defer { daemon.terminate() }
        #expect(
            try await eventually {
                FileManager.default.fileExists(
                    atPath: folder.url.appending(path: "inbox.tablesight/tablesight.sqlite").path)
            })
        let second = try program.run(["watch", inbox.path, "--once"])
        #expect(second.exitCode == 69)
        #expect(second.errors.contains("another tablesight"))
    }

    @Test func `an output folder in a watched folder is refused`() throws {
        let result = try program.run(["watch", inbox.path, "--output", inbox.path + "/results", "--once"])
        #expect(result.exitCode == 64)
        #expect(result.errors.contains("--output"))
    }

    @Test func `a missing folder is created and said; one whose parent is missing is named, with exit code 66`() throws
    {
        let new = folder.url.path + "/new"
        #expect(try program.run(["config", "check", new]).exitCode == 0)
        #expect(!FileManager.default.fileExists(atPath: new), "a check leaves nothing behind")
        let created = try program.run(["watch", new, "--once"])
        #expect(created.exitCode == 0, "\(created.errors)")
        #expect(created.errors.contains("created the folder \(new)\n"), "\(created.errors)")
        #expect(!(try program.run(["watch", new, "--once"])).errors.contains("created"))

        let result = try program.run(["watch", folder.url.path + "/gone/inbox", "--once"])
        #expect(result.exitCode == 66)
        #expect(result.errors.contains("gone/inbox"))
        #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/gone"))
    }
}
