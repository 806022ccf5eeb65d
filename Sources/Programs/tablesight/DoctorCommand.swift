import ArgumentParser
import Daemon
import Engine
import Foundation
import Core
import Queue
import Settings

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Lists installed and missing parts, what does not work without them, and how to install them.")

    @OptionGroup var database: DatabaseOption

    @OptionGroup var queue: QueueAccessOptions

    @Option(help: "Configuration file, whose MQTT broker and games are checked too.", completion: .file())
    var config: String?

    func run() async throws {
        let names = try QueueNames(prefix: queue.queuePrefix)
        let settings = try await Settings(file: config)
        let findings = Doctor.examine(
            database: URL(filePath: database.file), queue: try queue.server().map { ($0, names) },
            mqtt: try MQTTSettings(settings), games: settings.games)
        let width = findings.map(\.part.count).max() ?? 0
        for finding in findings {
            let mark = finding.state == .present ? "✓" : finding.isNeeded ? "✗" : "–"
            let name = finding.part.padding(toLength: width, withPad: " ", startingAt: 0)
            try StandardOutput.write("\(mark) \(name)  \(finding.detail.printable)\n")
            if let remedy = finding.remedy { try StandardOutput.write("    fix:  \(remedy)\n") }
        }
        let engine = try? TablesightEngine()
        let steps = Doctor.nextSteps(
            findings, people: try? engine.map { try database.people($0).members().map(\.name) },
            hasProducts: (try? engine?.catalogue.contents().isEmpty == false) ?? true)
        let longest = steps.map(\.command.count).max() ?? 0
        try StandardOutput.write("next:\n")
        for step in steps {
            let command = step.command.padding(toLength: longest, withPad: " ", startingAt: 0)
            try StandardOutput.write("  \(command)   \(step.reason)\n")
        }
        let missing = findings.filter { $0.state == .missing && $0.isNeeded }
        guard missing.isEmpty else {
            throw StartupError(.unavailable, "missing: \(missing.map(\.part).joined(separator: ", "))")
        }
    }
}
