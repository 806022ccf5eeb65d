import Foundation
import TestSupport
import Testing

/// The daemon's guarantees, tested with the real program: the short form of `scripts/promises`. The full form measures
/// the figures of docs/reliability.md.
@Suite struct PromiseTests {
    /// One line of the script's output.
    private struct Line: Decodable {
        var title: String
        var state: String
        var figure: String
    }

    /// The checks wait most of their time.
    private static let turns = Turns(3)

    private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    private static let hasQueue = ["/usr/sbin", "/usr/bin", "/usr/local/bin"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + "/nats-server")
    }

    @Test(
        .enabled(if: hasPython, "the checks are written in Python 3"),
        arguments: [
            "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "counted", "stop", "clock",
            "steady",
        ])
    func `the daemon keeps its promise`(name: String) async throws {
        let (lines, _) = try await run(only: name)
        let line = try #require(lines.first)
        if line.state == "skipped" { print("promise \(name) was not checked: \(line.figure)") }
        #expect(line.state != "BROKEN", "promise \(name): \(line.figure)")
    }

    /// A group takes minutes one check after the other, so its shares run beside each other.
    private static let shares = ["1/3", "2/3", "3/3"]

    @Test(.enabled(if: hasPython, "the checks are written in Python 3"), arguments: shares)
    func `the daemon withstands the attacks, and a machine that can check none of them is reported`(
        share: String
    ) async throws {
        let (lines, exitCode) = try await run(only: "attacks", share: share)
        #expect(lines.count >= 4)
        for line in lines where line.state == "BROKEN" { Issue.record("\(line.title): \(line.figure)") }
        #expect(exitCode == 0, "an attack succeeded, or every check of the share was skipped")
    }

    @Test(
        .enabled(if: hasPython, "the checks are written in Python 3"),
        .enabled(if: hasQueue, "nats-server is not installed: scripts/setup --with-queue"), arguments: shares)
    func `workers on other machines keep the promises`(share: String) async throws {
        let (lines, exitCode) = try await run(only: "queue", share: share)
        #expect(lines.count >= 3)
        for line in lines where line.state == "BROKEN" { Issue.record("\(line.title): \(line.figure)") }
        for line in lines where line.state == "skipped" { print("\(line.title): not checked: \(line.figure)") }
        #expect(exitCode == 0)
    }

    private static let hasBroker = ["/usr/sbin", "/usr/bin", "/usr/local/sbin"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + "/mosquitto")
    }

    @Test(
        .enabled(if: hasPython, "the checks are written in Python 3"),
        .enabled(if: hasBroker, "mosquitto is not installed: scripts/setup --with-mqtt"))
    func `every outcome reaches a broker that is killed`() async throws {
        let (lines, exitCode) = try await run(only: "mqtt")
        #expect(lines.map(\.state) == ["kept"], "\(lines.map(\.figure))")
        #expect(exitCode == 0)
    }

    private func run(only names: String, share: String = "1/1") async throws -> (lines: [Line], exitCode: Int32) {
        let folder = try TemporaryFolder()
        let output = folder.url.appending(path: "out")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            Repository.root.appending(path: "scripts/promises").path, "--only", names, "--share", share, "--json",
            "--program",
            Program("tablesight").url.path,
        ]
        process.standardOutput = try FileHandle(forWritingTo: output)
        let status = try await Self.turns.taking {
            try await onOwnThread {
                try process.run()
                process.waitUntilExit()
                return process.terminationStatus
            }
        }
        let lines = try Data(contentsOf: output).split(separator: 0x0A).map {
            try JSONDecoder().decode(Line.self, from: $0)
        }
        return (lines, status)
    }
}
