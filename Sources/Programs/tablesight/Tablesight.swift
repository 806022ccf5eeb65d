import ArgumentParser
import Foundation
import Glibc
import Core
import Settings

@main
struct Tablesight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tablesight",
        abstract: "Reads photos of menus, food labels, barcodes and play pieces.",
        help: """
            Verdicts report what the text of a photo names. They never state that an allergen is absent: they say "no
            mention in the text that was read", or "cannot tell" with the reason. Ask the staff and check the package.

            EXAMPLES
              tablesight scan menu.jpg                     read one photo and print a summary
              tablesight watch photos                      read every photo that arrives in a folder, until Ctrl-C
              tablesight batch photos --out rows.ndjson    read a folder of photos and write one JSON line each
              tablesight pieces board.jpg --set tangram    recognise play pieces and print them as one frame
              tablesight doctor                            list installed and missing parts

            EXIT CODES
              0    done
              1    some photos failed; each failure is reported
              64   wrong usage
              65   the content of an input is wrong
              66   a file, an id or a piece set does not exist
              69   a needed part is missing
              70   internal error; please report it
              74   a file or a database cannot be read or written
              78   wrong configuration
            """,
        version: ProgramVersion.current,
        subcommands: [
            WatchCommand.self, WorkCommand.self, ScanCommand.self, BatchCommand.self, PiecesGroup.self,
            JudgeCommand.self,
            AssessCommand.self, EvidenceCommand.self, LookupCommand.self, CatalogueCommand.self, DiaryCommand.self,
            ListCommand.self, PricesCommand.self, SampleDataCommand.self,
            HouseholdCommand.self, ProfileCommand.self, ReviewCommand.self, RejudgeCommand.self,
            EvalCommand.self, QuarantineCommand.self, EraseCommand.self, BackupCommand.self, RestoreCommand.self,
            ConfigCommand.self, PairCommand.self, DoctorCommand.self,
        ])

    /// Maps errors to the documented exit codes; ArgumentParser itself knows only 64 and 0.
    static func main() async {
        // Output contains people's allergens, so files are readable by their owner only.
        umask(0o077)
        if CommandLine.arguments.dropFirst() == ["--version"] { return print(version) }
        do {
            var command = try parseAsRoot()
            for warning in Settings.warnings() { StandardError.write("tablesight: warning: \(warning.printable)\n") }
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let problem as any CommandRefusal { throw problem.commandError }
        } catch let error as StartupError {
            end(error)
        } catch let error where Self.exitCode(for: error) == .failure && !(error is ExitCode) {
            end(StartupError(.software, "internal error, please report it: \(error)"))
        } catch {
            if let hint = MisspeltCommand.hint(for: Array(CommandLine.arguments.dropFirst()), below: Self.self) {
                end(StartupError(.usage, hint))
            }
            Self.exit(withError: error)
        }
    }

    /// The version with the commit of an installed package, and the weights of the text networks, on which readings depend.
    /// No other command pays for the look.
    private static var version: String {
        let models = try? ModelFolder.locate(program: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
        let networks = "text networks: \(models.map { NetworkWeights(models: $0) } ?? .none)"
        // Written by scripts/package.
        let file = models.flatMap { try? String(contentsOf: $0.url.appending(path: "commit"), encoding: .utf8) }
        let commit = file.map { $0.prefix(40).filter(\.isHexDigit) }.flatMap { $0.isEmpty ? nil : "commit \($0), " }
        return "\(ProgramVersion.current) (\(commit ?? "")\(networks))"
    }

    private static func end(_ error: StartupError) -> Never {
        StandardError.write("tablesight: \(error.message.printable)\n")
        Glibc.exit(error.exitCode.rawValue)
    }
}

extension ExitCode {
    /// Some photos failed; each failure is on standard error and in the output.
    static let someFailed = ExitCode(1)
    /// All that was named does not exist; each was reported.
    static let noInput = ExitCode(StartupError.ExitCode.noInput.rawValue)
}
