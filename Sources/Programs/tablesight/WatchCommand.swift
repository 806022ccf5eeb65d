import ArgumentParser
import Configuration
import Daemon
import Foundation
import HTTPAPI
import Logging
import Metrics
import Presentation
import Core

/// `tablesight watch`: the daemon.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watches folders: every photo that lands there gets one outcome.",
        discussion: """
            Photos stay where they are and are never changed. Results go to OUTPUT, beside the first folder:
              OUTPUT/outcomes/<folder>/<photo>.json   one outcome each
              OUTPUT/overlays/<folder>/<photo>.png    with --overlays: what was read, and why
              OUTPUT/tablesight.sqlite                what is known; a second start does nothing twice
            Ctrl-C lets running photos end; the rest is taken up at the next start. SIGHUP reads --config anew.

            Flags win over the environment (TABLESIGHT_WORKERS_COUNT=4), it over the file, the file over what is built in:
            `tablesight config show` lists every setting.

            EXAMPLES
              tablesight watch                             ./inbox, made when it is not there
              tablesight watch ~/Photos --overlays
              tablesight watch ~/Photos --once             do what is there, then end
              tablesight watch --config tablesight.yaml
            """)

    @Argument(help: "Folders that photos land in.")
    var inboxes: [String] = []

    @OptionGroup var options: SettingOptions

    @Flag(help: "End when everything that is there has its outcome.")
    var once = false

    @Option(help: "What is printed for each outcome: a few lines of text, or the outcome as one line of JSON.")
    var format = OutcomeFormat.text

    func run() async throws {
        let engine = try TablesightEngine()
        let flags = options.flags(inboxes: inboxes)
        let (file, isOnce) = (options.config, once)
        @Sendable func load() async throws -> (Settings, WatchConfiguration) {
            let settings = try await Settings(flags: flags, file: file)
            if settings.list("inboxes").isEmpty { try OutputFolder.makeDefaultInbox() }
            let configuration = try WatchConfiguration(settings, once: isOnce) { names, database in
                try engine.people(and: URL(filePath: database.display)).profiles(named: names)
            }
            try engine.check(configuration.boards)
            return (settings, configuration)
        }
        let (settings, configuration) = try await load()
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        var surroundings = WatchDaemon.Surroundings()
        surroundings.metrics = { registry.text }
        surroundings.reload = { try await load().1 }
        let names = settings.list("profiles")
        let people = engine.people(and: URL(filePath: configuration.database.display))
        surroundings.people = .init(signature: { people.signature }, load: { try people.profiles(named: names) })
        if !once, settings.flag("api.enabled") {
            surroundings.api = try configuration.api(settings)
            surroundings.isPortFixed = settings.origin(of: "api.port") != "built in"
        }
        let daemon = WatchDaemon(
            configuration, engine: engine, surroundings: surroundings, logger: settings.logger)
        let folders = configuration.inboxes.map(\.display).joined(separator: ", ").printable
        StandardError.write("watching \(folders), results in \(configuration.output.display.printable); Ctrl-C ends\n")
        let wordings = try engine.wordings()
        let counts = try await daemon.run { outcome, result in announce(outcome, result, wordings) }
        let parts = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        StandardError.write("outcomes: \(parts.isEmpty ? "none" : parts.joined(separator: ", "))\n")
        if once, counts[.failed, default: 0] + counts[.partial, default: 0] > 0 { throw ExitCode.someFailed }
    }

    private func announce(_ outcome: Outcome, _ result: WatchedResult, _ wordings: Wordings) {
        // A closed terminal does not stop the daemon: the outcome is stored.
        switch format {
        case .json: try? StandardOutput.writeLine(outcome)
        case .text:
            var lines = OutcomeText(for: result.people, wordings, style: StandardOutput.style).lines(of: outcome)
            if let sidecar = result.sidecar { lines.append("  outcome  \(sidecar.display.printable)") }
            if let overlay = result.overlay { lines.append("  overlay  \(overlay.display.printable)") }
            try? StandardOutput.write(lines.joined(separator: "\n") + "\n")
        }
    }
}
