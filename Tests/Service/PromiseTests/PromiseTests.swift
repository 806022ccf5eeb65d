import Foundation
import TestSupport
import Testing

/// The daemon's guarantees, tested with the real program: the short form of `scripts/promises`. The full form measures
/// the figures of docs/reliability.md.
@Suite(.serialized) struct PromiseTests {
    /// One line of the script's output.
    private struct Line: Decodable {
        var state: String
        var figure: String
    }

    private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    @Test(
        .enabled(if: hasPython, "the checks are written in Python 3"), .timeLimit(.minutes(15)),
        arguments: [
            "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "stop", "clock", "steady",
        ])
    func `the daemon keeps its promise`(name: String) throws {
        let folder = try TemporaryFolder()
        let output = folder.url.appending(path: "out")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            Repository.root.appending(path: "scripts/promises").path, "--only", name, "--json", "--program",
            Program("tablesight").url.path,
        ]
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        let line = try JSONDecoder().decode(Line.self, from: Data(contentsOf: output))
        if line.state == "skipped" { print("promise \(name) was not checked: \(line.figure)") }
        #expect(line.state != "BROKEN", "promise \(name): \(line.figure)")
    }
}
