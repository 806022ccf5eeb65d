import ArgumentParser
import Daemon
import Foundation
import Presentation
import Store
import Core

/// The options of every command that reads photos.
struct ReadingOptions: ParsableArguments {
    /// What to look for; `auto` looks for everything.
    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case auto, menu, label, barcode, board
    }

    @Option(name: .customLong("as"), help: "Look for this alone.")
    var subject = Subject.auto

    @Option(
        help:
            "Whose verdicts: a stored person, or a profile of models/profiles; household: everybody stored. Repeat it.")
    var profile: [String] = ["everyone"]

    @OptionGroup var database: DatabaseOption

    @Flag(help: "Read text by Tesseract alone, also where the networks of scripts/fetch-models are there.")
    var withoutModels = false

    func request(_ engine: TablesightEngine, pieceSet: String? = nil) throws -> PhotoProcessor.Request {
        PhotoProcessor.Request(
            domain: Outcome.Domain(rawValue: subject.rawValue), pieceSet: pieceSet,
            profiles: try database.people(engine).profiles(named: profile))
    }

    /// With what people said of contents, where a database of photos exists.
    func processor(_ engine: TablesightEngine, workers: Int) throws -> PhotoProcessor {
        try engine.processor(
            workers: workers, withoutModels: withoutModels, reviewsIn: URL(filePath: database.file))
    }
}

/// How outcomes are printed.
enum OutcomeFormat: String, ExpressibleByArgument, CaseIterable {
    case json, text

    func print(_ outcome: Outcome, as text: OutcomeText) throws {
        switch self {
        case .json: try StandardOutput.writeLine(outcome)
        case .text: try StandardOutput.write(text.lines(of: outcome).joined(separator: "\n") + "\n")
        }
    }
}

extension Outcome {
    /// Reports a failed or partly read photo on standard error.
    ///
    /// - Parameter isShown: true where the same terminal has just shown the outcome, with its reason: once is enough.
    func reportIfFailed(isShown: Bool = false) {
        guard !isShown, isFailure, let reason else { return }
        StandardError.write(
            "tablesight: \(source.path): \(status.rawValue): \(reason.detail) (\(reason.code)); \(reason.hint)"
                .printable + "\n")
    }

    /// Unreadable is an outcome; failed and partial make the run end with exit code 1.
    var isFailure: Bool { status == .failed || status == .partial }
}
