import ArgumentParser
import Engine
import Foundation
import Kinds
import Streaming
import Core

struct PiecesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Recognises play pieces on a table and prints one frame per line.",
        help: """
            Coordinates are millimetres on the table, origin at the board's top-left corner, y down, angles clockwise.
            polygon_px holds the corners in pixels of the upright photo. A folder of stills is one session, in order of
            file names. So is a video, a camera, or a series of JPEG, PNG or PNM pictures on standard input. Printed
            frames (NDJSON) can be piped in again; with --game they replay the session byte for byte.

            EXAMPLES
              tablesight pieces board.jpg --set tangram                                      the pieces on one photo
              tablesight pieces frames/ --fps 30 --set tangram --game tangram --puzzle cat   play a puzzle
              tablesight pieces /dev/video0 --set tangram --format tuio                      send TUIO
              cat frames/*.jpg | tablesight pieces - --fps 25 --set tangram > play.ndjson    frames on standard input
              tablesight pieces - --set tangram --game tangram < play.ndjson                 replay frames
            """)

    @Argument(help: "Photo, folder of stills, video, /dev/videoN, or - for standard input.")
    var source: String

    @Option(help: "Piece set: tangram (coloured), tangram-mono (one colour), or another of models/piece-sets.")
    var set: String

    @Option(help: "Output format: ndjson, bemo (the Bemo app's field names), or tuio (sent by UDP).")
    var format = PieceFormat.ndjson

    @Option(help: "Receiver of TUIO, HOST:PORT.")
    var tuioTo = "127.0.0.1:3333"

    @Option(help: "Frames per second, if the source does not state it (stills without it: 1).")
    var fps: Double?

    @Option(help: "Folder for pictures with the results drawn over; created if it is missing.")
    var overlay: String?

    @OptionGroup var play: PlayOptions

    func validate() throws {
        if let fps, !(fps > 0 && fps <= 1000) { throw ValidationError("--fps must be above 0 and at most 1000") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        try engine.requirePieceSet(set)
        var captures = try CaptureSource(source, fps: fps)
        var table = try PrintedTable(
            play, of: captures, set: set, models: engine.models,
            output: try PieceOutput(format, tuioTo: tuioTo, set: set, models: engine.models))
        var overlays = try overlay.map { try OverlayFolder($0) }
        let reading = try engine.reading(workers: 1)
        // Only pictures with the results drawn over need a judgement.
        let processor = try overlay.map { _ in try engine.processor(reading) }
        let request = PhotoProcessor.Request(domain: .board, pieceSet: set, profiles: [])
        var failed = false
        while let capture = try await captures.next() {
            switch capture {
            case .recorded(let input): try table.replay(input)
            case .picture(let photo, let name, let time):
                let read = await reading.readings(of: photo, request)
                if let failure = read.failure {
                    failure.report(of: name)
                    failed = true
                }
                guard let pieces = read.pieces else { continue }
                let frame = try table.take(pieces, at: time)
                if !captures.isStream {
                    frame.remarks.forEach { StandardError.write("tablesight: \(name): \($0)".printable + "\n") }
                }
                if let place = overlays?.place(for: FilePathBytes(name) ?? photo), let processor {
                    var outcome = processor.outcome(of: read, request)
                    outcome.readings.pieces = frame
                    if let failure = await processor.drawOverlay(of: outcome, photo: photo, to: place) {
                        failure.report(of: name)
                        failed = true
                    }
                }
            }
        }
        try table.end()
        if failed { throw ExitCode.someFailed }
    }
}
