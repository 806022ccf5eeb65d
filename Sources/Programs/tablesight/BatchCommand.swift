import ArgumentParser
import Engine
import Foundation
import Core
import Kinds
import Queue
import Settings

struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Reads every photo below the given paths and prints a report.",
        help: """
            Writes one outcome per line, also for failed photos, in the order in which they finish. Files below PATH are
            not changed.

            EXAMPLES
              tablesight batch photos --out rows.ndjson            read a folder
              tablesight batch photos --out rows.ndjson --resume   continue a run that was interrupted
              tablesight batch photos --format csv --out dishes.csv   dishes, products and prices for a spreadsheet
              tablesight batch photos --queue nats://localhost --worker-token token   also let `tablesight work` read
            """)

    @Argument(help: "Photos, or folders that are searched with all subfolders.")
    var paths: [String]

    @Option(help: "File for the rows (default: standard output).")
    var out: String?

    @Option(
        help: "Form of the rows: ndjson (outcomes), or csv (dishes, products, receipts and price tags with verdicts).")
    var format = Format.ndjson

    enum Format: String, ExpressibleByArgument, CaseIterable { case ndjson, csv }

    @Option(help: "Number of photos that are read at the same time.")
    var jobs = 2

    @Flag(help: "Keep the rows of --out and read only the other photos.")
    var resume = false

    @OptionGroup var reading: ReadingOptions

    @OptionGroup var queue: QueueOptions

    @Option(help: "With --queue: number of photos that other machines read at the same time.")
    var queueSlots = 16

    @Option(help: "With --queue: address at which workers fetch photos, HOST:PORT.")
    var serve = "127.0.0.1:8766"

    @Option(help: "With --queue: file with the token for workers; it is made if it is missing.")
    var workerToken: String?

    func validate() throws {
        if resume, out == nil { throw ValidationError("--resume continues a file: name it with --out") }
        if resume, format == .csv { throw ValidationError("--resume continues NDJSON: leave --format out") }
        if jobs < 1, jobs != 0 || queue.access.queue == nil {
            throw ValidationError("--jobs must be 1 or more, or 0 with --queue")
        }
        if !(1...256).contains(queueSlots) { throw ValidationError("--queue-slots must be from 1 to 256") }
        if queue.access.queue != nil, (workerToken == nil) == (queue.share == nil) {
            throw ValidationError("say how workers get the photos: --worker-token FILE, or --share FOLDER")
        }
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
        if format == .csv { try rows?.append(DishTable.heading) ?? StandardOutput.write(DishTable.heading) }
        var report = BatchReport(
            total: batch.photos.count, kept: rows?.paths.count ?? 0, leftOut: batch.leftOut)
        var progress = ProgressBar(total: batch.photos.count)
        let run = try await queueRun()
        let processor = try reading.processor(engine, workers: max(1, jobs))
        let most = jobs + (run?.mostOutstanding ?? 0)
        func read(_ processor: PhotoProcessor) async throws {
            try await batch.run(processor, request, jobs: most) { photo, outcome in
                let row = try row(of: outcome)
                if let rows { try rows.append(row) } else { try StandardOutput.write(row) }
                progress.clear()
                outcome.reportIfFailed()
                report.add(outcome)
                progress.advance(to: report.count, saying: photo.lastComponent.display)
            }
        }
        if let run {
            try await run.with(processor, readsHere: jobs > 0) { try await read($0) }
        } else {
            try await read(processor)
        }
        progress.clear()
        StandardError.write(report.text)
        batch.reportUnreadable()
        if report.hasFailures || !batch.unreadable.isEmpty { throw ExitCode.someFailed }
    }

    private func row(of outcome: Outcome) throws -> String {
        switch format {
        case .ndjson: String(decoding: try JSONCoding.encode(outcome), as: UTF8.self) + "\n"
        case .csv: DishTable.rows(of: outcome, DishTable.Kind.allCases)
        }
    }

    /// The queue of `--queue`; nil without one.
    private func queueRun() async throws -> QueueRun? {
        guard let server = try queue.access.server() else { return nil }
        let settings = QueueSettings(
            server: server, names: try QueueNames(prefix: queue.access.queuePrefix), slots: queueSlots,
            share: try queue.share.map { try QueueSettings.share($0) })
        let contents = try workerToken.map { try QueueRun.Contents(serve, tokenFile: $0) }
        return QueueRun(settings, contents: contents, logger: try await Settings().logger)
    }
}

extension BatchRun {
    /// Names the folders whose photos are missing.
    func reportUnreadable() {
        for (folder, reason) in unreadable {
            StandardError.write(
                "tablesight: \(folder.display.printable): cannot be listed (\(reason)): photos of it are missing\n")
        }
    }
}
