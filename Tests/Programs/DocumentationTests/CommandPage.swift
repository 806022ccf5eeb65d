import Foundation
import TestSupport

/// Commands that are shown together: those of a page of the documentation, or of the help of one command.
struct CommandPage: Sendable, CustomStringConvertible {
    /// Path from the repository's root, or `tablesight COMMAND --help`.
    let name: String
    let commands: [String]

    var description: String { name }

    /// Every page and every help that shows commands.
    static func all() throws -> [CommandPage] {
        let pages = try DocumentedPage.all().map { CommandPage(name: $0.name, lines: $0.shellLines) }
        return (pages + (try help())).filter { !$0.commands.isEmpty }
    }

    private init(name: String, lines: [some StringProtocol]) {
        self.name = name
        commands = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter(Self.isCommand)
    }

    /// True for a line that runs `tablesight`, also with variables before it or at the end of a pipe.
    private static func isCommand(_ line: String) -> Bool {
        line.prefixMatch(of: /([A-Z_]+=\S+ )*tablesight( |$)/) != nil || line.contains("| tablesight ")
    }

    // MARK: Help

    /// What `--experimental-dump-help` prints.
    private struct Dump: Decodable {
        var command: Command
    }
    private struct Command: Decodable {
        var commandName: String
        var discussion: String?
        var subcommands: [Command]?

        /// The examples of the command and of those below it, without the descriptions beside them. A long example
        /// continues after a backslash.
        var examples: [String] {
            let joined = (discussion ?? "").replacing(/\ \\\n\ */, with: " ")
            let lines = joined.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let own = lines.drop { $0 != "EXAMPLES" }.map { line in
                String(line[..<(line.firstRange(of: "   ")?.lowerBound ?? line.endIndex)])
            }
            return own + (subcommands ?? []).flatMap(\.examples)
        }
    }

    /// One page for the program itself, and one for each command with the commands below it.
    private static func help() throws -> [CommandPage] {
        let dump = try Program("tablesight").run(["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output.utf8)).command
        var own = root
        own.subcommands = nil
        return [CommandPage(name: "tablesight --help", lines: own.examples)]
            + (root.subcommands ?? []).map {
                CommandPage(name: "tablesight \($0.commandName) --help", lines: $0.examples)
            }
    }
}
