import ArgumentParser
import Engine
import Foundation
import Kinds
import Core

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Reads photos and prints the results.",
        help: """
            EXAMPLES
              tablesight scan menu.jpg                          print a summary
              tablesight scan --all menu.jpg                    also print each dish with its prices and verdicts
              tablesight scan --format json menu.jpg            print the complete outcome as JSON
              tablesight scan --as barcode *.jpg                read only barcodes, in milliseconds per photo
              tablesight scan --overlay seen menu.jpg           also draw the results into seen/menu.jpg.png
              tablesight scan --dishes menu.csv menu.jpg        also write the dishes and verdicts as a table
              tablesight scan - < menu.jpg                      read one photo from standard input
            """)

    @Argument(help: "Photos: JPEG, PNG, WebP, TIFF, BMP, GIF or HEIC; - for standard input.")
    var files: [String]

    @OptionGroup var reading: ReadingOptions

    @Option(help: "Output format: json (one outcome per line) or text (a summary).")
    var format = OutcomeFormat.text

    @Flag(help: "Print each dish of a menu, not only those that concern people.")
    var all = false

    @Option(help: "Folder for copies of the photos with the results drawn over.")
    var overlay: String?

    @Option(help: "CSV file for the dishes of menus with their verdicts; it is replaced.", completion: .file())
    var dishes: String?

    func run() async throws {
        let engine = try TablesightEngine()
        let request = try reading.request(engine)
        let piped = try files.contains(StandardInput.name) ? StandardInput.file() : nil
        defer { if let piped { try? FileManager.default.removeItem(at: piped.deletingLastPathComponent()) } }
        let photos = try files.map {
            guard let path = FilePathBytes($0 == StandardInput.name ? piped?.path ?? "" : $0) else {
                throw ValidationError("a file name must not be empty")
            }
            return path
        }
        let photoReading = try reading.photoReading(engine, workers: 1)
        var waiting = photos[...]
        func readNext() -> (path: FilePathBytes, readings: Task<PhotoReading.ReadPhoto, Never>)? {
            waiting.popFirst().map { path in (path, Task { await photoReading.readings(of: path, request) }) }
        }
        // The first photo is read while the lexicons load, each other one while the one before it is judged.
        var ahead = readNext()
        let processor = try reading.processor(engine, photoReading)
        let text = OutcomeText(
            for: request.profiles, try engine.wordings(), style: StandardOutput.style, isWhole: all)
        var overlays = try overlay.map { try OverlayFolder($0) }
        var (failed, isMissing) = (false, true)
        var table = DishTable.heading
        while let (path, readings) = ahead {
            let photo = await readings.value
            ahead = readNext()
            var outcome = processor.outcome(of: photo, request)
            // Readers must not see the name of the temporary copy.
            if path.display == piped?.path { outcome.source.path = StandardInput.name }
            try format.print(outcome, as: text)
            if dishes != nil { table += DishTable.rows(of: outcome) }
            outcome.reportIfFailed(
                isShown: format == .text && StandardOutput.columns != nil && StandardError.isTerminal)
            failed = failed || outcome.isFailure
            isMissing = isMissing && outcome.reason?.code == ItemFailure.Code.fileVanished.rawValue
            if outcome.source.width != nil, let place = overlays?.place(for: path) {
                await draw(outcome, path, to: place, processor)
            }
        }
        if let dishes {
            do { try Data(table.utf8).write(to: URL(filePath: dishes), options: .atomic) } catch {
                throw StartupError(.inputOutput, "cannot write \(dishes): \(error.localizedDescription)")
            }
        }
        if failed { throw isMissing ? ExitCode.noInput : ExitCode.someFailed }
    }

    private func draw(
        _ outcome: Outcome, _ photo: FilePathBytes, to place: FilePathBytes, _ processor: PhotoProcessor
    ) async {
        if let failure = await processor.drawOverlay(of: outcome, photo: photo, to: place) {
            StandardError.write(
                "tablesight: cannot draw an overlay of \(photo.display.printable): \(failure.detail)\n")
        }
    }
}
