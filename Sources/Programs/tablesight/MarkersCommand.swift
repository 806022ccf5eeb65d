import ArgumentParser
import Daemon
import Foundation
import Streaming
import Core

/// `tablesight pieces markers`: a board to print.
struct MarkersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markers", abstract: "Writes a set's board with its markers as a PDF page at true scale.",
        discussion: """
            Print it at 100 %, and check the line of 100 mm. Pieces on a board with markers are measured to a fraction of a
            millimetre from any angle, and one piece by itself is recognised.

            EXAMPLE
              tablesight pieces markers --set tangram --pdf board.pdf
            """)

    @Option(help: "The piece set.")
    var set = "tangram"

    @Option(help: "The file to write.")
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

/// `tablesight pieces`: the stream, unless a sub-command is named.
struct PiecesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pieces", abstract: "Prints the play pieces on a table as a stream, one frame a line.",
        subcommands: [PiecesCommand.self, MarkersCommand.self, TeachCommand.self, TeachPuzzlesCommand.self],
        defaultSubcommand: PiecesCommand.self)
}
