import Foundation
import FoundationNetworking
import Kinds
import TestSupport
import Testing
import Core

/// A board in a watched folder, with the daemon as a real process.
@Suite(.serialized) struct BoardWatchTests {
    private let folder: TemporaryFolder
    private let table: URL
    private let output: URL

    init() throws {
        folder = try TemporaryFolder()
        table = folder.url.appending(path: "inbox/table")
        output = folder.url.appending(path: "inbox.tablesight")
        try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
    }

    private func start() throws -> Process {
        try? FileManager.default.removeItem(at: output.appending(path: "api-address"))
        return try Program("tablesight").start(
            ["watch", folder.url.appending(path: "inbox").path, "--port", "0", "--format", "json"],
            output: folder.url.appending(path: "out"),
            environment: ["TABLESIGHT_BOARDS": "\(table.path)=tangram:tangram"])
    }

    private func get(_ path: String) async throws -> Data {
        let address = try String(contentsOf: output.appending(path: "api-address"), encoding: .utf8)
        let token = try String(contentsOf: output.appending(path: "api-token"), encoding: .utf8)
        let url = try #require(URL(string: address.trimmingCharacters(in: .newlines) + path))
        var request = URLRequest(url: url)
        request.setValue("Bearer " + token.trimmingCharacters(in: .newlines), forHTTPHeaderField: "Authorization")
        return try await URLSession(configuration: .patient).data(for: request).0
    }

    private struct Session: Decodable {
        var id: String
        var frames: Int
        var lastLine: Int
    }

    private func sessions() async throws -> [Session] {
        guard FileManager.default.fileExists(atPath: output.appending(path: "api-address").path) else { return [] }
        return (try? JSONDecoder().decode([Session].self, from: await get("/v1/games/tangram/sessions"))) ?? []
    }

    /// The session's stream up to this number, read with a client that does not parse events.
    private func stream(_ session: Session, after number: Int) async throws -> [Substring] {
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/env")
        let address = try String(contentsOf: output.appending(path: "api-address"), encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let token = try String(contentsOf: output.appending(path: "api-token"), encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        let file = folder.url.appending(path: "stream")
        try Data().write(to: file)
        curl.arguments = [
            "curl", "-sN", "-H", "Authorization: Bearer \(token)", "-H", "Last-Event-ID: \(number)",
            "\(address)/v1/games/tangram/sessions/\(session.id)/stream",
        ]
        curl.standardOutput = try FileHandle(forWritingTo: file)
        try curl.run()
        defer { curl.terminate() }
        let isWhole = try await eventually {
            try String(contentsOf: file, encoding: .utf8).contains("\nid: \(session.lastLine)\n")
        }
        #expect(isWhole)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("id: ") }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "streams are read with curl"))
    func `photos of a board are frames of one session, which continues after a restart`() async throws {
        let boards = Repository.samples.appending(path: "boards")
        var daemon = try start()
        for (count, name) in ["coloured-boat-begun", "coloured-house"].enumerated() {
            if count == 1 {
                kill(daemon.processIdentifier, SIGKILL)
                daemon.waitUntilExit()
                daemon = try start()
            }
            try FileManager.default.copyItem(
                at: boards.appending(path: name + ".jpg"), to: table.appending(path: name + ".jpg"))
            #expect(try await eventually { try await sessions().first?.frames == count + 1 })
        }
        let session = try #require(try await sessions().first)
        #expect(try await sessions().count == 1)
        #expect(session.lastLine == 4)
        #expect(try await stream(session, after: 0) == ["id: 1", "id: 2", "id: 3", "id: 4"])
        #expect(try await stream(session, after: 3) == ["id: 4"])
        let games = try await get("/v1/games")
        #expect(try JSONDecoder().decode([GameCatalogue.Entry].self, from: games).contains { $0.id == "tangram" })
        daemon.interrupt()
        daemon.waitUntilExit()
        #expect(daemon.terminationStatus == 0)
        let sidecars = try FileManager.default.contentsOfDirectory(
            atPath: output.appending(path: "outcomes/inbox/table").path)
        #expect(sidecars.count == 2, "a frame also has a sidecar")
    }

    @Test func `a board with an unknown set is refused, and the message lists the sets`() throws {
        let result = try Program("tablesight").run(
            ["watch", folder.url.appending(path: "inbox").path, "--once"],
            environment: ["TABLESIGHT_BOARDS": "\(table.path)=marbles"])
        #expect(result.exitCode == 78)
        #expect(result.errors.contains("marbles") && result.errors.contains("tangram"))
    }
}
