import ArgumentParser
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
