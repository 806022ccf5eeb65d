import ArgumentParser
import Daemon
import Foundation
import Games
import Core

/// `tablesight pieces teach-puzzles`: a book of puzzles from photos of laid figures.
struct TeachPuzzlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach-puzzles",
        abstract: "Makes puzzles from photos of figures that somebody laid.",
        discussion: """
            One figure a photo, from straight above: all pieces of the set and nothing else of it. A figure is called what its
            file is called: swan.jpg becomes the puzzle swan. Whoever lays it later, turned as they like, is told so by
            --game tangram:BOOK, also where two players' sets lie in one photo.

            EXAMPLES
              tablesight pieces teach-puzzles swan.jpg fox.jpg --set tangram-mono --book animals
              tablesight pieces table.jpg --set tangram-mono --game tangram:animals
              tablesight pieces frames/ --set tangram-mono --game tangram:animals --puzzle swan
            """)

    @Argument(help: "Photos of figures, one each.")
    var photos: [String]

    @Option(help: "The piece set that the figures are laid with.")
    var set: String

    @Option(help: "The book: a name in models/puzzles, or a path with a /. It is added to where it is there.")
    var book: String

    @Option(help: "How hard the figures are, 1 to 5; 50 points of experience for each step.")
    var difficulty = 3

    func validate() throws {
        guard (1...5).contains(difficulty) else { throw ValidationError("--difficulty must be 1 to 5") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        try engine.requirePieceSet(set)
        var puzzles = try TaughtPuzzles(book: book, set: set, models: engine.models)
        let processor = try engine.processor(workers: 1)
        let request = PhotoProcessor.Request(domain: .board, pieceSet: set, profiles: [])
        var failed = false
        for name in photos {
            guard let photo = FilePathBytes(name) else { throw StartupError(.usage, "a path has no bytes") }
            var outcome = await processor.outcome(for: photo, request)
            outcome.source.path = name
            outcome.reportIfFailed()
            guard !outcome.isFailure, let frame = outcome.readings.pieces else {
                failed = true
                continue
            }
            let title = URL(filePath: name).deletingPathExtension().lastPathComponent
            do {
                try puzzles.add(frame, id: Self.id(title), title: title, difficulty: difficulty)
                print(Self.id(title))
            } catch let error as StartupError {
                StandardError.write("tablesight: \(name): \(error.message)\n")
                failed = true
            }
        }
        try puzzles.write()
        StandardError.write("\(puzzles.url.path)\n")
        if failed { throw ExitCode.someFailed }
    }

    /// Small letters, digits and hyphens.
    private static func id(_ title: String) -> String {
        String(title.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }
}
