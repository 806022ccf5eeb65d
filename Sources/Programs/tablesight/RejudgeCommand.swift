import ArgumentParser
import Engine
import Foundation
import Store

struct RejudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejudge",
        abstract: "Judges stored readings again and prints the verdicts that changed.",
        help: """
            Recognition results are stored. After a change of a lexicon, a legend rule or a profile, verdicts are
            updated without reading a photo again. Each changed verdict is one JSON object per line, and so is each
            ingredient about which a new evidence release says something else.

            EXAMPLES
              tablesight rejudge --database photos.tablesight/tablesight.sqlite   update a daemon's photos
              tablesight rejudge --profile anna --dry-run                         show what would change for anna
            """)

    @Option(
        help: """
            People to judge for: stored, files, or in models/profiles; household: all stored people. May be \
            repeated (default: the people of each photo's last judgement).
            """)
    var profile: [String] = []

    @Flag(help: "Print the changes without storing them.")
    var dryRun = false

    @OptionGroup var database: DatabaseOption

    func run() throws {
        let store = try database.store(makes: false)
        let replay = try TablesightEngine().replay(of: store, in: URL(filePath: database.file), for: profile)
        var last: Int64 = 0
        var seen = 0
        var changed = 0
        var assessed = 0
        var unknown: Set<String> = []
        var kept = 0
        let started = Date()
        while true {
            let (rows, end) = try store.storedRows(after: last, limit: 256)
            guard let end else { break }
            last = end
            let replayed = replay.replayed(rows)
            seen += replayed.count
            for one in replayed {
                if let failure = one.failure {
                    StandardError.write("tablesight: photo \(one.photo) cannot be judged: \(failure)\n")
                }
                unknown.formUnion(one.unknown)
                kept += one.unknown.isEmpty ? 0 : 1
                changed += one.changes.isEmpty ? 0 : 1
                assessed += one.assessments.isEmpty ? 0 : 1
                for change in one.changes { try StandardOutput.writeLine(change) }
                for change in one.assessments { try StandardOutput.writeLine(change) }
            }
            if !dryRun { try store.replace(replayed.compactMap(\.outcome)) }
        }
        if !dryRun { try StoredSidecars.write(store, beside: URL(filePath: database.file)) }
        if kept > 0 {
            StandardError.write(
                "tablesight: \(kept) photos are unchanged; they were judged for "
                    + "\(unknown.sorted().joined(separator: ", ")), no longer stored; use other people with --profile\n"
            )
        }
        let seconds = String(format: "%.1f", Date().timeIntervalSince(started))
        StandardError.write(
            "rejudged \(seen) photos in \(seconds) s, \(changed) with changed verdicts, "
                + "\(assessed) with changed ingredients\n")
    }
}
