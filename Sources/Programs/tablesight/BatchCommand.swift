import ArgumentParser
import Daemon
import Foundation
import Core

/// `tablesight batch`: reads a set of photos.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Reads every photo below the given paths and prints a report.",
        discussion: """
            Writes one outcome per line, also for failed photos, in the order in which they finish. Files below PATH are
            not changed.

            EXAMPLES
              tablesight batch ~/menus --out menus.ndjson            read a folder
              tablesight batch ~/menus --out menus.ndjson --resume   continue a run that was interrupted
            """)

    @Argument(help: "Photos, or folders that are searched with all subfolders.")
    var paths: [String]

    @Option(help: "File for the rows (default: standard output).")
    var out: String?

    @Option(help: "Number of photos that are read at the same time.")
    var jobs = 2

    @Flag(help: "Keep the rows of --out and read only the other photos.")
    var resume = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if resume, out == nil { throw ValidationError("--resume continues a file: name it with --out") }
        if jobs < 1 { throw ValidationError("--jobs must be 1 or more") }
    }

    func run() async throws {
        let engine = try TablesightEngine()
        let request = try reading.request(engine)
        // Check the paths first, so that a mistyped path leaves no empty file.
        _ = try BatchRun(paths: paths)
        let rows = try out.map {
            try OutcomeRows(file: $0, keeping: resume, people: Set(request.profiles.map(\.name)))
        }
        let batch = try BatchRun(paths: paths, leavingOut: rows?.paths ?? [])
        let stop = InterruptHint(
            out == nil ? "stopped\n" : "stopped: run again with `--resume` to read the remaining photos\n")
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
