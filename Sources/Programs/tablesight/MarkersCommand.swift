import ArgumentParser
import Engine
import Foundation
import Streaming
import Core

struct MarkersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markers", abstract: "Writes a piece set's board with markers as a PDF page at true scale.",
        help: """
            Print at 100 % and check that the line measures 100 mm. On a board with markers, pieces are measured to a
            fraction of a millimetre from any angle, and a single piece is recognised.

            EXAMPLE
              tablesight pieces markers --set tangram --pdf board.pdf    write the tangram board
            """)

    @Option(help: "Piece set.")
    var set = "tangram"

    @Option(help: "File to write.")
    var pdf: String

    func run() throws {
        let engine = try TablesightEngine()
        try engine.requirePieceSet(set)
        let sheet = try MarkerSheet(set: set, models: engine.models)
        do { try sheet.pdf.write(to: URL(filePath: pdf), options: .atomic) } catch {
            throw StartupError(.inputOutput, "cannot write \(pdf): \(error.localizedDescription)")
        }
        StandardError.write("\(pdf): \(Int(sheet.paper.width)) × \(Int(sheet.paper.height)) mm\n")
    }
}

struct PiecesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pieces", abstract: "Recognises play pieces on a table and prints one frame per line.",
        help: """
            `pieces SOURCE --set SET` is short for `pieces stream`, which `tablesight pieces stream --help` explains: the
            sources, --game and --puzzle, --fps, --format and --overlay.

            EXAMPLES
              tablesight pieces board.jpg --set tangram     the pieces on one photo
              tablesight pieces stream --help               all options
            """,
        subcommands: [
            PiecesCommand.self, MarkersCommand.self, TeachCommand.self, TeachPuzzlesCommand.self, GamesCommand.self,
        ],
        defaultSubcommand: PiecesCommand.self)
}
