import Foundation
import TestSupport

/// Commands that are shown together: those of a page of the documentation, or of the help of one command.
struct CommandPage: Sendable, CustomStringConvertible {
    /// Path from the repository's root, or `tablesight COMMAND --help`.
    let name: String
    /// True for a page whose reader has nothing but samples/ and types every line.
    let isTutorial: Bool
    let steps: [Step]

    /// Commands of one block.
    struct Step: Sendable {
        let commands: [String]
        /// What the page shows of their output.
        var shown: [String] = []
    }

    var description: String { name }
    var commands: [String] { steps.flatMap(\.commands) }

    /// Every page and every help that shows commands.
    static func all() throws -> [CommandPage] {
        let pages = try DocumentedPage.all().map(CommandPage.init)
        return (pages + (try help())).filter { !$0.commands.isEmpty }
    }

    private init(_ page: DocumentedPage) {
        let isTutorial = page.name.hasPrefix("docs/tutorials/")
        self.isTutorial = isTutorial
        name = page.name
        steps = page.shellBlocks.map { block in
            let lines = block.lines.map { $0.trimmingCharacters(in: .whitespaces) }
            return Step(
                commands: lines.filter { isTutorial ? !$0.isEmpty : Self.isCommand($0) },
                shown: isTutorial ? block.shown.map { $0.trimmingCharacters(in: .whitespaces) } : [])
        }
    }

    private init(name: String, lines: [String]) {
        self.name = name
        isTutorial = false
        steps = [Step(commands: lines.filter(Self.isCommand))]
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
