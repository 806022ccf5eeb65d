import ArgumentParser
import Daemon
import Foundation
import Logging
import Vocabulary

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
            Ctrl-C lets running photos end; the rest is taken up at the next start.

            EXAMPLES
              tablesight watch                             ./inbox, made when it is not there
              tablesight watch ~/Photos --overlays
              tablesight watch ~/Photos --once             do what is there, then end
            """)

    @Argument(help: "Folders that photos land in.")
    var inboxes: [String] = []

    @Option(help: "Where results go; default: the first folder's name with .tablesight.")
    var output: String?

    @Option(help: "Photos read at the same time.")
    var workers = 2

    @Flag(help: "Also draw what was read over each photo.")
    var overlays = false

    @Flag(help: "End when everything that is there has its outcome.")
    var once = false

    @Option(help: "Whose verdicts: a profile of models/profiles, or a file. Repeat it for a household.")
    var profile: [String] = ["everyone"]

    @Option(help: "What is printed for each outcome: a few lines of text, or the outcome as one line of JSON.")
    var format = OutcomeFormat.text

    func validate() throws {
        if workers < 1 { throw ValidationError("--workers takes a number of 1 or more") }
    }

    func run() async throws {
        let installation = try Installation()
        if inboxes.isEmpty { try OutputFolder.makeDefaultInbox() }
        let configuration = try WatchConfiguration(
            inboxes: inboxes.isEmpty ? ["inbox"] : inboxes, output: output, workers: workers,
            drawsOverlays: overlays, once: once,
            profiles: try profile.map { try installation.interpreter.profile(named: $0) })
        var logger = Logger(label: "tablesight", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .notice
        let names = configuration.inboxes.map(\.display).joined(separator: ", ")
        StandardError.write("watching \(names), results in \(configuration.output.display); Ctrl-C ends\n")
        let counts = try await WatchDaemon(configuration, installation: installation, logger: logger)
            .run { outcome, places in announce(outcome, places) }
        let parts = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        StandardError.write("outcomes: \(parts.isEmpty ? "none" : parts.joined(separator: ", "))\n")
        if once, counts[.failed, default: 0] + counts[.partial, default: 0] > 0 { throw ExitCode.someFailed }
    }

    private func announce(_ outcome: Outcome, _ places: WatchedPlaces) {
        // A closed terminal does not stop the daemon: the outcome is stored.
        switch format {
        case .json: try? StandardOutput.writeLine(outcome)
        case .text:
            var lines = OutcomeText(outcome).lines
            lines.append("  outcome  \(places.sidecar.display)")
            if let overlay = places.overlay { lines.append("  overlay  \(overlay.display)") }
            try? StandardOutput.write(lines.joined(separator: "\n") + "\n")
        }
    }
}
