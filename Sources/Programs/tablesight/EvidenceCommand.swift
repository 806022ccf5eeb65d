import ArgumentParser
import Core
import Engine
import Foundation
import Hashing
import Foods

struct EvidenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "Checks, shows and compares evidence releases.",
        help: """
            EXAMPLES
              tablesight evidence check              fail on dangling, duplicate or expired references
              tablesight evidence show E250          the records of an additive, with their documents
              tablesight evidence diff OLD/models    records that differ from another checkout
            """,
        subcommands: [Check.self, Show.self, Diff.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Fails on dangling, duplicate and expired references, and on changed files.")

        @Option(help: "Folder models/ to check (default: that of this program).")
        var models: String?

        func run() throws {
            let folder = try EvidenceCommand.folder(models)
            let files = try EvidenceRelease.Files(from: folder)
            var problems = files.problems.map { "\($0.record): \($0.detail)" }
            for (name, hash) in files.manifest.files.sorted(by: { $0.key < $1.key }) {
                let file = folder.url.appending(path: "risk/\(name)")
                guard let data = try? Data(contentsOf: file), SHA256.hexadecimal(SHA256.digest(of: data)) == hash else {
                    problems.append("\(name): differs from release.json; run scripts/make-evidence --seal")
                    continue
                }
            }
            for problem in problems { try StandardOutput.write(problem.printable + "\n") }
            guard problems.isEmpty else {
                throw StartupError(.badInput, "\(problems.count) problems in \(folder.url.path)/risk")
            }
            let release = try EvidenceRelease(files)
            let counts = release.counts
            try StandardOutput.write(
                "\(release.version): \(counts.documents) documents, \(counts.statements) statements, "
                    + "\(counts.verified) verified, \(counts.shown) shown; no problem\n")
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows the records of an additive, an ingredient, a statement or a document.")

        @Argument(help: "E250, salt, a statement's id or a document's id.")
        var subject: String

        func run() throws {
            let release = try EvidenceRelease(models: EvidenceCommand.folder(nil))
            let found = release.shown(subject)
            guard !found.isEmpty else {
                throw StartupError(.noInput, "no record about \(subject): name an additive (E250) or a record's id")
            }
            for one in found {
                let statement = one.statement
                var lines = [
                    "\(statement.id)  \(statement.kind), \(statement.jurisdiction), \(statement.date ?? "undated"), "
                        + statement.status.rawValue + (statement.supersededBy.map { " by \($0)" } ?? "")
                        + (statement.verified ? "" : ", UNVERIFIED: not shown"),
                    "  " + one.sentence,
                ]
                if let uses = statement.uses { lines.append("  uses: " + uses.joined(separator: ", ")) }
                if let finding = statement.finding { lines.append("  finding: \(finding.rawValue)") }
                if !statement.readIn.isEmpty { lines.append("  read in: " + statement.readIn.joined(separator: "; ")) }
                lines += one.citations.map { "  [\($0.id)] \($0.title) (\($0.year)) \($0.url)" }
                try StandardOutput.write(lines.map(\.printable).joined(separator: "\n") + "\n")
            }
        }
    }

    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Lists the records that differ between another release and this one.")

        @Argument(help: "Folder models/ of the other release.")
        var old: String

        @Option(help: "Folder models/ of the new release (default: that of this program).")
        var models: String?

        func run() throws {
            let before = try EvidenceRelease.Files(from: EvidenceCommand.folder(old))
            let after = try EvidenceRelease.Files(from: EvidenceCommand.folder(models))
            for change in before.changes(to: after) { try StandardOutput.write(change.printable + "\n") }
        }
    }

    private static func folder(_ named: String?) throws -> ModelFolder {
        if let named { return ModelFolder(URL(filePath: named)) }
        return try TablesightEngine().models
    }
}
