import ArgumentParser
import Core
import Dispatch
import Glibc
import Kinds

extension CommandConfiguration {
    /// A configuration whose help may have line ends of its own; see ``HelpText``.
    ///
    /// - Parameter help: paragraphs, headings in capitals, and indented examples.
    init(
        commandName: String? = nil, abstract: String = "", usage: String? = nil, help: String, version: String = "",
        shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil, aliases: [String] = []
    ) {
        self.init(
            commandName: commandName, abstract: abstract, usage: usage, discussion: HelpText.arranged(help),
            version: version, shouldDisplay: shouldDisplay, subcommands: subcommands,
            defaultSubcommand: defaultSubcommand, aliases: aliases)
    }
}

/// Suggests commands for a misspelt one; ArgumentParser suggests only options.
enum MisspeltCommand {
    /// - Parameters:
    ///   - arguments: the arguments as typed, without the program's name.
    ///   - root: the command whose subcommands they name.
    /// - Returns: the hint; nil if every command exists or the place allows another kind of argument.
    static func hint(for arguments: [String], below root: any ParsableCommand.Type) -> String? {
        var command = root
        for argument in arguments {
            let configuration = command.configuration
            guard !configuration.subcommands.isEmpty, configuration.defaultSubcommand == nil, !argument.hasPrefix("-"),
                argument != "help"
            else { return nil }
            guard let next = configuration.subcommands.first(where: { name(of: $0) == argument }) else {
                let names = configuration.subcommands.map(name)
                let meant = Suggestion.text(for: argument, among: names)
                return "there is no command \(argument)" + (meant.isEmpty ? ": see tablesight --help" : meant)
            }
            command = next
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? String(describing: command).lowercased()
    }
}

/// On Ctrl-C, prints how to continue and exits with 130, as shells expect. Active while the value exists.
/// Complete rows are on the disk by then.
final class InterruptHint {
    private let source: any DispatchSourceSignal

    init(_ hint: String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            StandardError.write("\n" + hint)
            Glibc.exit(128 + SIGINT)
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
