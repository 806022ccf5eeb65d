import ArgumentParser
import Daemon
import Foundation
import Core

/// `tablesight batch`: a whole sample set, read again.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Reads every photo below the given paths, with a progress bar and a report.",
        discussion: """
            One outcome a line, failed photos included; nothing below PATH is touched. Rows come in the order they finish.

            EXAMPLES
              tablesight batch ~/menus --out menus.ndjson            four hundred photos
              tablesight batch ~/menus --out menus.ndjson --resume   go on where it was stopped
            """)

    @Argument(help: "Photos, or folders that are searched to the bottom.")
    var paths: [String]

    @Option(help: "The file for the rows; standard output when left out.")
    var out: String?

    @Option(help: "Photos read at the same time.")
    var jobs = 2

    @Flag(help: "Keep the rows that --out has already, and read only the rest.")
    var resume = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if resume, out == nil { throw ValidationError("--resume goes on with a file: give --out") }
        if jobs < 1 { throw ValidationError("--jobs takes a number of 1 or more") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        let request = try reading.request(engine)
        // The paths first: a mistyped one must leave no empty file behind.
        _ = try BatchRun(paths: paths)
        let rows = try out.map {
            try OutcomeRows(file: $0, keeping: resume, people: Set(request.profiles.map(\.name)))
        }
        let batch = try BatchRun(paths: paths, leavingOut: rows?.paths ?? [])
        let stop = InterruptHint(
            out == nil ? "stopped\n" : "stopped: `--resume` goes on with the photos that have no row yet\n")
        defer { withExtendedLifetime(stop) {} }
        var report = BatchReport(total: batch.photos.count, kept: rows?.paths.count ?? 0)
        var progress = ProgressBar(total: batch.photos.count)
        try await batch.run(reading.processor(engine, workers: jobs), request, jobs: jobs) {
            photo, outcome in
            if let rows { try rows.append(outcome) } else { try StandardOutput.writeLine(outcome) }
            progress.clear()
            outcome.reportIfFailed()
            report.add(outcome)
            progress.advance(to: report.count, saying: photo.lastComponent.display)
        }
        progress.clear()
        StandardError.write(report.text)
        if report.hasFailures { throw ExitCode.someFailed }
    }
}
