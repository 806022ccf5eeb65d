import ArgumentParser
import Daemon
import Vocabulary

/// `tablesight pieces`: the RecognizedPiece stream of a photo or a folder of frames.
struct PiecesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pieces",
        abstract: "Prints the play pieces of photos as NDJSON, one frame a line.",
        discussion: """
            Millimetres on the table, origin at the board's top-left corner, y down, angles clockwise; polygon_px holds the
            corners in pixels of the upright photo. A folder of stills is one session, in the order of the names.

            EXAMPLES
              tablesight pieces board.jpg --set tangram
              tablesight pieces frames/ --set tangram-mono --game tangram
            """)

    /// How frames are written.
    enum Format: String, ExpressibleByArgument, CaseIterable { case ndjson }

    @Argument(help: "A photo, or a folder of stills.")
    var source: String

    @Option(help: "The piece set: tangram (coloured), tangram-mono (one colour), or another of models/piece-sets.")
    var set: String

    @Option(help: "One frame a line.")
    var format = Format.ndjson

    @Option(help: "Also print what this game makes of each frame: tangram.")
    var game: String?

    func run() async throws {
        let installation = try Installation()
        try installation.requirePieceSet(set)
        let request = PhotoProcessor.Request(domain: .board, pieceSet: set, profiles: [])
        let processor = installation.processor(workers: 1)
        var failed = false
        var seq = 0
        for photo in try BatchRun(paths: [source]).photos {
            let outcome = await processor.outcome(for: photo, request)
            try print(outcome, seq)
            failed = failed || outcome.isFailure
            seq += 1
        }
        if failed { throw ExitCode.someFailed }
    }

    /// One frame of the session, and what the game makes of it.
    private func print(_ outcome: Outcome, _ seq: Int) throws {
        outcome.sayIfFailed()
        guard var frame = outcome.readings.pieces else { return }
        frame.seq = seq
        frame.session = source
        try StandardOutput.writeLine(frame)
        if let game, let report = outcome.game, report.game == game {
            try StandardOutput.writeLine(GameLine(seq, report))
        }
    }

    /// The game's word on one frame.
    private struct GameLine: Encodable {
        var kind = "game"
        var seq: Int
        var report: GameReport

        init(_ seq: Int, _ report: GameReport) {
            self.seq = seq
            self.report = report
        }
    }
}
