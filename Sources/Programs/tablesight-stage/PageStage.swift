import ArgumentParser
import Core
import Foundation

/// Judging of stored readings, for measurement and for comparing two builds.
struct PageStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Judging of stored readings, and of texts.",
        subcommands: [Read.self, Evidence.self, Texts.self, Time.self])

    /// The part of an outcome that interpretation starts from.
    struct Photo: Decodable {
        struct Source: Decodable { var path: String }
        var source: Source
        var readings: Readings
    }

    struct Kind: ParsableArguments {
        @Option(name: .customLong("as"), help: "Judge as menu, label, product …, as --as of tablesight scan.")
        var domain: String?
    }

    struct Read: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the outcome of each photo, judged again.")

        @OptionGroup var models: ModelOption
        @OptionGroup var kind: Kind

        func run() throws {
            let steps = try PageSteps(models, kind)
            try Lines.forEach { try Lines.write(steps.outcome(of: steps.photo($0))) }
        }
    }

    struct Evidence: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints what the kind of each photo is decided from.")

        @OptionGroup var models: ModelOption

        func run() throws {
            let steps = try PageSteps(models)
            try Lines.forEach { try Lines.write(steps.evidence(of: steps.photo($0))) }
        }
    }

    struct Texts: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints findings, verdicts and assessment of each text.",
            discussion: "A case is {\"id\", \"text\", \"kind\", \"language\"?}.")

        @OptionGroup var models: ModelOption

        func run() throws {
            let steps = try PageSteps(models)
            try Lines.forEach { try Lines.write(steps.answer(to: $0)) }
        }
    }

    struct Time: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints milliseconds of processor time by step.",
            discussion: "The step page is the allergens of the text alone.")

        @OptionGroup var models: ModelOption
        @OptionGroup var kind: Kind
        @OptionGroup var passes: TimesOption
        @Option(help: "One step alone: decode, page, interpret or encode.") var only: String?

        func run() throws {
            let steps = try PageSteps(models, kind)
            var lines: [Data] = []
            try Lines.forEach { lines.append($0) }
            try steps.time(lines, times: passes.times, only: only)
        }
    }
}
