import Foundation
import TestSupport
import Testing

/// The help of every command.
@Suite struct HelpTests {
    private struct Dump: Decodable { var command: Command }

    private struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var subcommands: [Command]?

        /// The command and all below it, by their full names.
        func all(_ before: String = "") -> [(name: String, command: Command)] {
            let name = before.isEmpty ? commandName : "\(before) \(commandName)"
            return [(name, self)] + (subcommands ?? []).flatMap { $0.all(name) }
        }
    }

    /// ArgumentParser wraps text that is longer at any place, without the indentation.
    private static let width = 80

    @Test func `no sentence is broken at the end of a line, and no indented line is too long`() throws {
        let dump = try Program("tablesight").run(["--experimental-dump-help"])
        let commands = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command.all()
        #expect(commands.count > 40)
        for (name, command) in commands {
            #expect(command.abstract?.contains("\n") != true, "\(name)")
            let lines = (command.discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(lines, lines.dropFirst() + [""]) where !line.isEmpty {
                if line.hasPrefix(" ") {
                    #expect(line.count <= Self.width, "\(name): \(line)")
                } else if !next.isEmpty, !next.hasPrefix(" ") {
                    #expect(line == line.uppercased(), "\(name): a paragraph goes on after “\(line.suffix(40))”")
                }
            }
        }
    }

    @Test func `each exit code has its line, and the help of pieces says where its options are`() throws {
        let help = try Program("tablesight").run(["--help"]).output
        for code in [0, 1, 64, 65, 66, 69, 70, 74, 78] {
            #expect(help.contains(try Regex("\\n  \(code) +[a-z][^\\n]+\\n")), "\(code)")
        }
        let pieces = try Program("tablesight").run(["pieces", "--help"]).output
        #expect(pieces.contains("--game") && pieces.contains("tablesight pieces stream --help"))
    }

    @Test func `the printed help of watch keeps each example together`() throws {
        let help = try Program("tablesight").run(["watch", "--help"]).output
        #expect(help.contains("\n  tablesight watch --queue nats://localhost\n"))
        #expect(help.contains("--board <board>"))
        #expect(!help.contains("override the\ndefaults"))
    }
}
