import ArgumentParser
import Daemon
import Foundation
import Core

/// `tablesight doctor`: what is installed, what is missing, and the command that mends it.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what is installed, what is missing, what that costs, and what mends it.")

    func run() throws {
        let findings = Doctor.examine()
        let width = findings.map(\.part.count).max() ?? 0
        for finding in findings {
            let mark = finding.state == .present ? "✓" : finding.isNeeded ? "✗" : "–"
            let name = finding.part.padding(toLength: width, withPad: " ", startingAt: 0)
            try StandardOutput.write("\(mark) \(name)  \(finding.detail)\n")
            if let remedy = finding.remedy { try StandardOutput.write("    mend it: \(remedy)\n") }
        }
        let missing = findings.filter { $0.state == .missing && $0.isNeeded }
        guard missing.isEmpty else {
            throw StartupError(.unavailable, "missing: \(missing.map(\.part).joined(separator: ", "))")
        }
    }
}
