import ArgumentParser
import Engine
import Foundation
import Kinds
import Core

/// `tablesight pieces teach-puzzles`: makes a book of puzzles from photos of figures.
struct TeachPuzzlesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "teach-puzzles",
        abstract: "Makes tangram puzzles from photos of figures.",
        help: """
            Each photo shows one figure from straight above, with all pieces of the set and no others. The file name
            names the puzzle: swan.jpg becomes the puzzle swan. --game tangram:BOOK reports when somebody solves it, in
            any rotation, also if two players' sets are on one photo.

            EXAMPLES
              tablesight pieces teach-puzzles swan.jpg fox.jpg --set tangram-mono --book animals     make a book
              tablesight pieces table.jpg --set tangram-mono --game tangram:animals                  play any of them
              tablesight pieces frames/ --set tangram-mono --game tangram:animals --puzzle swan      play one puzzle
            """)

    @Argument(help: "Photos, one figure each.")
    var photos: [String]

    @Option(help: "Piece set of the figures.")
    var set: String

    @Option(help: "Book: a name in models/puzzles, or a path with a slash. An existing book is extended.")
    var book: String

    @Option(help: "Difficulty, 1 to 5; a solved puzzle gives 50 points of experience per step.")
    var difficulty = 3

    func validate() throws {
        guard (1...5).contains(difficulty) else { throw ValidationError("--difficulty must be from 1 to 5") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        try engine.requirePieceSet(set)
        var puzzles = try TaughtPuzzles(book: book, set: set, models: engine.models)
        let reading = try engine.reading(workers: 1)
        let request = PhotoProcessor.Request(domain: .board, pieceSet: set, profiles: [])
        var failed = false
        for name in photos {
            guard let photo = FilePathBytes(name) else {
                throw StartupError(.usage, "the path of a photo is empty: name a file")
            }
            let read = await reading.readings(of: photo, request)
            read.failure?.report(of: name)
            guard read.failure == nil, let frame = read.pieces else {
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

    /// The title in lower-case letters, digits and hyphens.
    private static func id(_ title: String) -> String {
        String(title.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }
}
