import Allergens
import ArgumentParser
import Core
import Foundation

struct VocabularyStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocabulary", abstract: "The vocabulary of allergens.",
        subcommands: [Compile.self, Relations.self])

    struct Compile: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compiles the lexicons and name lists to models/vocabulary/vocabulary.bin.",
            discussion: """
                Prints a line for each phrase that is left out because it would hide an allergen: language, phrase, \
                reason.
                """)

        @OptionGroup var models: ModelOption

        func run() throws {
            let folder = try models.folder()
            let (file, conflicts) = try VocabularySources(models: folder).compiled()
            try file.write(to: folder.url.appending(path: "vocabulary/vocabulary.bin"), options: .atomic)
            for line in conflicts { print(line) }
        }
    }
}

extension VocabularyStage {
    struct Relations: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Generates texts from the lists of names and checks relations between their verdicts.",
            discussion: """
                Prints texts, false reassurances and false alarms by relation, and up to a hundred failures of each \
                to the file of --failures. Exit 1 after a false reassurance.
                """)

        @OptionGroup var models: ModelOption
        @Option(help: "Number of texts.") var texts = 200_000
        @Option(help: "Seed of the texts.") var seed: UInt64 = 1
        @Option(help: "File for the failures, tab-separated, one a line.") var failures: String?

        func validate() throws {
            guard (1...1_000_000_000).contains(texts) else { throw ValidationError("--texts is at least 1.") }
        }

        func run() throws {
            let folder = try models.folder()
            let relations = try VocabularyRelations(AllergenInterpreter(models: folder), models: folder)
            let report = relations.run(texts: texts, seed: seed)
            for relation in VocabularyRelations.Relation.allCases {
                let values = [report.counts, report.falseReassurances, report.falseAlarms].map {
                    "\($0[relation] ?? 0)"
                }
                print(([relation.rawValue] + values).joined(separator: "\t"))
            }
            let totals = [report.falseReassurances, report.falseAlarms].map { $0.values.reduce(0, +) }
            print("all\t\(report.texts)\t\(totals[0])\t\(totals[1])")
            if let failures {
                let lines = report.failures.map { failure in
                    [
                        failure.relation.rawValue, failure.language, failure.name, failure.allergen, failure.verdict,
                        failure.text,
                    ]
                    .map { $0.replacing("\n", with: "⏎").replacing("\t", with: " ") }.joined(separator: "\t")
                }
                try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: failures))
            }
            if totals[0] > 0 { throw ExitCode(1) }
        }
    }
}
