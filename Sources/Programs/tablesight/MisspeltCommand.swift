import ArgumentParser
import Core

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
