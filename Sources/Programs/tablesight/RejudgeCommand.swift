import ArgumentParser
import Daemon
import Foundation
import Store
import Core

/// `tablesight rejudge`: replays interpretation over stored readings, and prints what changed.
struct RejudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejudge",
        abstract: "Judges stored readings again, and prints changed verdicts only.",
        discussion: """
            Readings are stored; when a lexicon, a legend rule or a person's profile changes, verdicts are made again without
            reading one photo. Each changed verdict is one JSON object a line.

            EXAMPLES
              tablesight rejudge --database photos.tablesight/tablesight.sqlite
              tablesight rejudge --profile anna --dry-run
            """)

    @Option(
        help: """
            Whose verdicts: stored people, files, or profiles of models/profiles; household: everybody stored. Repeat it. Default: \
            those that each photo was judged for before.
            """)
    var profile: [String] = []

    @Flag(help: "Print what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var database: DatabaseOption

    func run() throws {
        let store = try database.store(makes: false)
        let replay = try TablesightEngine().replay(of: store, in: URL(filePath: database.file), for: profile)
        var last: Int64 = 0
        var seen = 0
        var changed = 0
        var unknown: Set<String> = []
        var kept = 0
        let started = Date()
        while true {
            let (rows, end) = try store.storedRows(after: last, limit: 256)
            guard let end else { break }
            last = end
            let replayed = try replay.replayed(rows)
            seen += replayed.count
            for one in replayed {
                unknown.formUnion(one.unknown)
                kept += one.unknown.isEmpty ? 0 : 1
                changed += one.changes.isEmpty ? 0 : 1
                for change in one.changes { try StandardOutput.writeLine(change) }
            }
            if !dryRun { try store.replace(replayed.compactMap { one in one.outcome.map { (one.photo, $0) } }) }
        }
        if !dryRun { try StoredSidecars.write(store, beside: URL(filePath: database.file)) }
        if kept > 0 {
            StandardError.write(
                "tablesight: \(kept) photos stay as they are: they were judged for \(unknown.sorted().joined(separator: ", ")), "
                    + "who is not stored any more; name others with --profile\n")
        }
        let seconds = String(format: "%.1f", Date().timeIntervalSince(started))
        StandardError.write("rejudged \(seen) photos in \(seconds) s, \(changed) with changed verdicts\n")
    }
}
