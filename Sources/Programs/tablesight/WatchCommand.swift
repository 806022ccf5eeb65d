import ArgumentParser
import Configuration
import Daemon
import Engine
import Foundation
import HTTP
import Logging
import Metrics
import Kinds
import Core
import Settings

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watches folders and writes one outcome for every photo that arrives.",
        help: """
            A missing folder is created if its parent exists. Photos are not moved or changed. Results are written to OUTPUT, by default next to the first folder:
              OUTPUT/outcomes/<folder>/<photo>.json   one outcome per photo
              OUTPUT/overlays/<folder>/<photo>.png    with --overlays: the photo with the results
              OUTPUT/tablesight.sqlite                the database; finished photos are not read again after a restart
            Ctrl-C waits for running photos; queued photos are read after the next start. SIGHUP reloads --config.

            Flags override environment variables (TABLESIGHT_WORKERS_COUNT=4), which override the file, which overrides
            defaults. `tablesight config show` lists every setting.

            EXAMPLES
              tablesight watch                             watch ./inbox, which is created if it is missing
              tablesight watch --host 0.0.0.0              also for phones of your network; then `household pair`
              tablesight watch photos --overlays           also draw the results over each photo
              tablesight watch photos --once               read the photos that are there, then exit
              tablesight watch photos --board photos/table=tangram:tangram        also play with a folder's photos
              tablesight watch --config tablesight.yaml    read the settings from a file
              tablesight watch --queue nats://localhost    also let `tablesight work` read, on any machine
            """)

    @Argument(help: "Folders to watch.")
    var inboxes: [String] = []

    @OptionGroup var options: SettingOptions

    @Flag(help: "Exit when every photo in the folders has an outcome.")
    var once = false

    @Option(help: "Output for each outcome: text (a summary) or json (one line).")
    var format = OutcomeFormat.text

    @Flag(help: "With text: each dish of a menu, not only those that concern people.")
    var all = false

    func run() async throws {
        let engine = try TablesightEngine()
        let flags = options.flags(inboxes: inboxes)
        let (file, isOnce) = (options.config, once)
        @Sendable func load() async throws -> (Settings, WatchConfiguration) {
            let settings = try await Settings(flags: flags, file: file)
            for inbox in try OutputFolder.makeInboxes(settings.list("inboxes")) {
                StandardError.write("created the folder \(inbox.display.printable)\n")
            }
            return (settings, try engine.watchConfiguration(settings, once: isOnce))
        }
        let (settings, configuration) = try await load()
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        var environment = WatchDaemon.Environment()
        environment.metrics = registry
        environment.reload = { try await load().1 }
        let names = settings.list("profiles")
        // The heartbeat looks at the people of the daemon's own database by itself.
        let people = engine.usersPeople
        let isChosen = settings.origin(of: "profiles") != "built in"
        environment.people = .init(
            signature: { people.signature },
            load: { try engine.watched(names, isChosen: isChosen, configuration.database) })
        if !once, settings.flag("api.enabled") {
            var api = try configuration.api(settings)
            if settings.origin(of: "api.host") == "built in" {
                try PhonesInHouse(configuration.output).open(
                    &api, configuration, isSet: settings.text("api.publicAddress") != nil)
            }
            environment.api = api
            environment.isPortFixed = settings.origin(of: "api.port") != "built in"
        }
        let daemon = try WatchDaemon(
            configuration, engine: engine, environment: environment, logger: settings.logger)
        let folders = configuration.inboxes.map(\.display).joined(separator: ", ").printable
        StandardError.write(
            "watching \(folders), results in \(configuration.output.display.printable); stop with Ctrl-C\n")
        let wordings = try engine.wordings()
        let counts = try await daemon.run { outcome, result in announce(outcome, result, wordings) }
        let parts = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        StandardError.write("outcomes: \(parts.isEmpty ? "none" : parts.joined(separator: ", "))\n")
        if once, counts[.failed, default: 0] + counts[.partial, default: 0] > 0 { throw ExitCode.someFailed }
    }

    private func announce(_ outcome: Outcome, _ result: WatchedResult, _ wordings: Wordings) {
        // The outcome is stored, so a closed terminal does not stop the daemon.
        switch format {
        case .json: try? StandardOutput.writeLine(outcome)
        case .text:
            let text = OutcomeText(for: result.people, wordings, style: StandardOutput.style, isWhole: all)
            var lines = text.lines(of: outcome)
            if let sidecar = result.sidecar { lines.append("  outcome  \(sidecar.display.printable)") }
            if let overlay = result.overlay { lines.append("  overlay  \(overlay.display.printable)") }
            try? StandardOutput.write(lines.joined(separator: "\n") + "\n")
        }
    }
}
