import ArgumentParser
import Daemon
import Foundation
import Pipeline
import Store
import Vocabulary

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
        help: "Whose verdicts: stored people, or profiles of models/profiles; household: everybody stored. Repeat it.")
    var profile: [String] = ["everyone"]

    @Flag(help: "Print what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var database: DatabaseOption

    func run() throws {
        // No worker is needed: readings are stored.
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let interpreter = try Interpreter(models: ModelFolder.locate(program: program))
        let store = try database.store(makes: false)
        let profiles = try ProfileLookup(interpreter: interpreter, database: URL(filePath: database.database))
            .profiles(named: profile)
        var last: Int64 = 0
        var seen = 0
        var changed = 0
        let started = Date()
        while true {
            let (rows, end) = try store.storedRows(after: last, limit: 256)
            guard let end else { break }
            last = end
            let replayed = try Replay(interpreter: interpreter, profiles: profiles).replayed(rows, asOf: started)
            seen += replayed.count
            for one in replayed {
                changed += one.changes.isEmpty ? 0 : 1
                for change in one.changes { try StandardOutput.writeLine(change) }
            }
            if !dryRun { try store.replace(replayed.compactMap { one in one.outcome.map { (one.photo, $0) } }) }
        }
        let seconds = String(format: "%.1f", Date().timeIntervalSince(started))
        StandardError.write("rejudged \(seen) photos in \(seconds) s, \(changed) with changed verdicts\n")
    }
}
