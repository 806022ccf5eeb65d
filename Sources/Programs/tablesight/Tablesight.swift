import ArgumentParser
import Daemon
import Glibc
import Core

/// The command line.
@main
struct Tablesight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tablesight",
        abstract: "Looks at what is on a table: menus, packets, barcodes, play pieces.",
        discussion: """
            Verdicts say what text proves to be there. They never say that something is absent: the words for that are
            "no mention in the text that was read" and "cannot tell, and here is why". Ask staff, check the package.

            EXAMPLES
              tablesight scan menu.jpg                     what is on this photo
              tablesight watch ~/Photos/inbox              every photo that lands there, until Ctrl-C
              tablesight batch samples --out rows.ndjson   a whole set, with a progress bar
              tablesight pieces board.jpg --set tangram    the pieces as one frame of the stream
              tablesight doctor                            what is installed, what is missing

            EXIT CODES
              0 done · 1 some photos failed, each said · 64 usage · 65 bad input · 66 no input ·
              69 a needed part is missing · 70 a fault of ours · 74 I/O · 78 configuration
            """,
        version: ProgramVersion.current,
        subcommands: [
            WatchCommand.self, ScanCommand.self, BatchCommand.self, PiecesGroup.self, JudgeCommand.self,
            LookupCommand.self, CatalogueCommand.self, ProfileCommand.self, ReviewCommand.self, RejudgeCommand.self,
            EvalCommand.self, QuarantineCommand.self, EraseCommand.self, BackupCommand.self, ConfigCommand.self,
            DoctorCommand.self,
        ])

    /// Maps errors to the exit codes of the contract; ArgumentParser itself knows 64 and 0.
    static func main() async {
        // What is written says what people must not eat: it is theirs alone.
        umask(0o077)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as StartupError {
            end(error)
        } catch let error where Self.exitCode(for: error) == .failure && !(error is ExitCode) {
            end(StartupError(.software, "a fault of ours, please report it: \(error)"))
        } catch {
            if let hint = MisspeltCommand.hint(for: Array(CommandLine.arguments.dropFirst()), below: Self.self) {
                end(StartupError(.usage, hint))
            }
            Self.exit(withError: error)
        }
    }

    private static func end(_ error: StartupError) -> Never {
        StandardError.write("tablesight: \(error.message.printable)\n")
        Glibc.exit(error.exitCode.rawValue)
    }
}

extension ExitCode {
    /// Some photos failed; each was said on standard error and in the output.
    static let someFailed = ExitCode(1)
}
