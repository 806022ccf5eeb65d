import ArgumentParser
import Core
import Glibc

/// The consent to a deletion that cannot be undone.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask.") var yes = false

    /// Asks in a terminal, unless `--yes` was given.
    ///
    /// - Parameters:
    ///   - what: what is removed, as the object of a question: "Ben and all of this".
    ///   - lines: shown before the question.
    /// - Throws: ``StartupError`` (64) if the person says no, and if there is no terminal to ask in.
    func ask(_ what: String, after lines: [String] = []) throws(StartupError) {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
            throw StartupError(
                .usage,
                "nothing was removed: this cannot be undone, and there is no terminal to ask in; confirm with --yes"
            )
        }
        StandardError.write((lines + ["Remove \(what)? [y/N] "]).joined(separator: "\n"))
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw StartupError(.usage, "nothing was removed")
        }
    }
}
