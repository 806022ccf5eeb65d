import ArgumentParser
import Daemon
import Presentation
import Core

/// `tablesight scan`: photos in, outcomes out, no daemon.
struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Reads photos once and prints what is on them.",
        discussion: """
            EXAMPLES
              tablesight scan menu.jpg                          in a few lines
              tablesight scan --format json menu.jpg | jq .     the whole outcome, one object a line
              tablesight scan --as barcode IMG_*.jpg            barcodes alone: milliseconds a photo
              tablesight scan --overlay seen menu.jpg           also draws seen/menu.jpg.png
            """)

    @Argument(help: "Photos: JPEG, PNG, WebP, TIFF, BMP, GIF, HEIC.")
    var files: [String]

    @OptionGroup var reading: ReadingOptions

    @Option(help: "json: one outcome a line. text: a few lines for people.")
    var format = OutcomeFormat.text

    @Option(help: "Draw what was read over each photo, into this folder.")
    var overlay: String?

    func run() async throws {
        let engine = try TablesightEngine()
        let request = try reading.request(engine)
        let processor = try reading.processor(engine, workers: 1)
        let text = OutcomeText(
            for: request.profiles, try engine.wordings(), style: StandardOutput.style)
        var overlays = try overlay.map { try OverlayFolder($0) }
        var failed = false
        for file in files {
            guard let path = FilePathBytes(file) else { throw ValidationError("a file name must not be empty") }
            let outcome = await processor.outcome(for: path, request)
            try format.print(outcome, as: text)
            outcome.reportIfFailed(
                isShown: format == .text && StandardOutput.columns != nil && StandardError.isTerminal)
            failed = failed || outcome.isFailure
            if outcome.source.width != nil, let place = overlays?.place(for: path) {
                await draw(outcome, path, to: place, processor)
            }
        }
        if failed { throw ExitCode.someFailed }
    }

    private func draw(
        _ outcome: Outcome, _ photo: FilePathBytes, to place: FilePathBytes, _ processor: PhotoProcessor
    ) async {
        if let failure = await processor.drawOverlay(of: outcome, photo: photo, to: place) {
            StandardError.write("tablesight: no overlay of \(photo.display.printable): \(failure.detail)\n")
        }
    }
}
