import ArgumentParser
import Engine
import Foundation
import Kinds
import Core

struct ReadingOptions: ParsableArguments {
    /// The domain to look for; `auto` looks for all of them.
    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case auto, menu, label, barcode, board, receipt, priceTag
    }

    @Option(name: .customLong("as"), help: "Look only for this domain.")
    var subject = Subject.auto

    @Option(
        help:
            "Person to judge for: stored, or in models/profiles; household: all stored people (default: household, or everyone where nobody is stored). May be repeated."
    )
    var profile: [String] = []

    @OptionGroup var database: DatabaseOption

    @Flag(help: "Recognise text with Tesseract only, even if the networks of scripts/fetch-models are installed.")
    var withoutModels = false

    func request(_ engine: TablesightEngine, pieceSet: String? = nil) throws -> PhotoProcessor.Request {
        PhotoProcessor.Request(
            domain: Outcome.Domain(rawValue: subject.rawValue), pieceSet: pieceSet,
            profiles: try database.people(engine).judged(named: profile))
    }

    func photoReading(_ engine: TablesightEngine, workers: Int) throws -> PhotoReading {
        try engine.reading(workers: workers, withoutModels: withoutModels)
    }

    /// The processor of photos that are read so, with people's corrections if a database of photos exists.
    func processor(_ engine: TablesightEngine, _ reading: PhotoReading) throws -> PhotoProcessor {
        try engine.processor(reading, reviewsIn: URL(filePath: database.file))
    }

    func processor(_ engine: TablesightEngine, workers: Int) throws -> PhotoProcessor {
        try processor(engine, photoReading(engine, workers: workers))
    }
}

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
    /// - Parameter isShown: true if the terminal has just shown the outcome with its reason; nothing is repeated then.
    func reportIfFailed(isShown: Bool = false) {
        guard !isShown, isFailure, let reason else { return }
        StandardError.write(
            "tablesight: \(source.path): \(status.rawValue): \(reason.detail); \(reason.hint)"
                .printable + "\n")
    }

    /// `unreadable` is a result; `failed` and `partial` end the run with exit code 1.
    var isFailure: Bool { status == .failed || status == .partial }
}

extension ItemFailure {
    /// Writes what happened to a photo, and what to do.
    func report(of photo: String) {
        StandardError.write("tablesight: \(photo): \(detail); \(hint)".printable + "\n")
    }
}
