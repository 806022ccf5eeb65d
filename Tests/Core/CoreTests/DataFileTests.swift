import Core
import Foundation
import TestSupport
import Testing

/// A data file with one checked value.
private struct Oven: DataFile {
    static let schema = "tablesight.oven/1"

    struct Tray: Decodable { var loaves: Int }

    var trays: [Tray]

    func validate(name: String) throws(DataFileProblem) {
        for (index, tray) in trays.enumerated() {
            try DataFileProblem.check(tray.loaves > 0, "trays[\(index)].loaves", "give at least 1")
        }
    }
}

@Suite struct `Data files` {
    private static let valid =
        #"{"schema": "tablesight.oven/1", "version": "1", "source": "own", "licence": "CC0", "trays": [{"loaves": 2}]}"#

    private func error(for text: String, origin: DataFileOrigin = .shipped) throws -> StartupError? {
        let folder = try TemporaryFolder()
        try folder.write(Data(text.utf8), to: "oven.json")
        do {
            _ = try Oven(contentsOf: folder.url.appending(path: "oven.json"), origin: origin)
            return nil
        } catch let error as StartupError { return error }
    }

    @Test func `a valid file loads`() throws {
        #expect(try error(for: Self.valid) == nil)
    }

    @Test(arguments: [
        ("tablesight.oven/1", "tablesight.stove/3", "schema: tablesight.stove/3 is unknown; tablesight.oven/1"),
        (#""version": "1""#, #""version": " ""#, "version: missing or empty"),
        (#""source": "own", "#, "", "source: missing or empty"),
        (#""licence": "CC0", "#, "", "licence: missing or empty"),
        (#""loaves": 2"#, #""loaves": 0"#, "trays[0].loaves: give at least 1"),
        (#""loaves": 2"#, #""loaves": "two""#, "trays[0].loaves: Int expected"),
        (#"{"loaves": 2}"#, "{}", "trays[0]: key loaves missing"),
        ("[{", "[", "top level: "),
    ])
    func `an invalid file is reported with its path, its key and the remedy`(
        part: String, replacement: String, message: String
    ) throws {
        #expect(Self.valid.contains(part))
        let error = try error(for: Self.valid.replacingOccurrences(of: part, with: replacement))
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("oven.json, \(message)") == true, "\(error?.message ?? "no error")")
        #expect(error?.message.hasSuffix("; correct it or restore it from the repository") == true)
    }

    @Test func `a user's file needs no licence, but the right schema`() throws {
        let own = #"{"schema": "tablesight.oven/1", "trays": []}"#
        #expect(try error(for: own, origin: .user) == nil)
        #expect(try error(for: own, origin: .shipped)?.message.contains("version") == true)
        #expect(try error(for: #"{"schema": "x", "trays": []}"#, origin: .user)?.message.contains("schema") == true)
    }

    @Test func `a missing file is unavailable, not invalid`() {
        let error = #expect(throws: StartupError.self) { try Oven(contentsOf: URL(filePath: "/nowhere/oven.json")) }
        #expect(error?.exitCode == .unavailable)
    }

    /// Decodes only what every file must have.
    private struct Header: Decodable { var schema, version, source, licence: String }

    @Test func `every shipped data file states schema, version, source and licence`() throws {
        let files = try #require(FileManager.default.enumerator(at: Repository.models, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "json" && !$0.path.contains("/fetched/") }
            // An OpenAPI document has a format of its own.
            .filter { $0.lastPathComponent != "openapi.json" }
        #expect(files.count > 60)
        for file in files {
            let header = try JSONDecoder().decode(Header.self, from: Data(contentsOf: file))
            #expect(
                header.schema.wholeMatch(of: /tablesight\.[A-Za-z-]+\/[0-9]+/) != nil
                    && ![header.version, header.source, header.licence].contains { $0.isEmpty },
                "\(file.lastPathComponent)")
        }
    }
}
