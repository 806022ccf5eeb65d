import ArgumentParser
import Core
import Daemon
import Foundation
import Household
import QRCodes
import Store

/// `tablesight pair`: a QR code that lets a phone in.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Prints a QR code that lets one phone use the app.",
        help: """
            The phone must reach the daemon: set api.host to an address of your network, and name it in
            api.allowedHosts. The code pairs one device and is valid for 10 minutes. The app lists paired devices and
            revokes them; so do --list and --revoke.

            EXAMPLES
              tablesight pair --address 192.168.1.20       for a daemon that watches ./inbox
              tablesight pair --config tablesight.yaml     with the settings of the daemon
              tablesight pair --address 192.168.1.20 --svg code.svg    also as a picture
            """)

    @Argument(help: "The daemon's watched folders.") var inboxes: [String] = []
    @OptionGroup var options: SettingOptions
    @Option(help: "Name or address by which the phone reaches this machine (default: api.host or api.allowedHosts).")
    var address: String?
    @Option(help: "File for the code as SVG.") var svg: String?
    @Flag(help: "List the paired devices.") var list = false
    @Option(help: "Revoke the device with this number.") var revoke: Int64?

    func run() async throws {
        let settings = try await Settings(flags: options.flags(inboxes: inboxes), file: options.config)
        let place = try WatchConfiguration.output(settings)
        let file = place.appending(names: "tablesight.sqlite").display
        guard FileManager.default.fileExists(atPath: file) else {
            throw StartupError(
                .noInput, "\(file) does not exist: start `tablesight watch` first, or name its folder as for watch")
        }
        let household = Household(try OutcomeStore(at: URL(filePath: file), checkpoints: false))
        if let revoke {
            guard try household.removeDevice(revoke) else {
                throw StartupError(.noInput, "no device has the number \(revoke): see tablesight pair --list")
            }
            return try StandardOutput.write("device \(revoke) is revoked\n")
        }
        if list {
            for device in try household.devices() {
                let seen = device.seen.map(Self.day) ?? "not yet"
                try StandardOutput.write(
                    "\(device.id)  \(device.name.printable)  paired \(Self.day(device.paired)), last seen \(seen)\n")
            }
            return
        }
        let (code, _) = try household.newCode()
        let link = "http://\(try host(settings, place))/pair?code=\(code)"
        guard let picture = QRCode(link) else {
            throw StartupError(.usage, "the address \(link) is too long for a QR code")
        }
        if let svg {
            do { try Data(picture.svg.utf8).write(to: URL(filePath: svg)) } catch {
                throw StartupError(.inputOutput, "cannot write \(svg): \(error.localizedDescription)")
            }
        }
        let lines = picture.lines(colours: isatty(STDOUT_FILENO) == 1)
        try StandardOutput.write(
            lines.joined(separator: "\n") + "\n\n\(link)\ncode \(code), valid for 10 minutes, once\n")
    }

    /// The authority of the link: a name that the phone can reach, and the daemon's port.
    ///
    /// - Throws: ``StartupError`` (78) if only the loopback is known.
    private func host(_ settings: Settings, _ place: FilePathBytes) throws -> String {
        let bound = settings.text("api.host") ?? "127.0.0.1"
        let isReachable = !["127.0.0.1", "localhost", "::1", "0.0.0.0", "::", ""].contains(bound)
        guard let name = address ?? (isReachable ? bound : settings.list("api.allowedHosts").first) else {
            throw StartupError(
                .configuration,
                "the daemon listens on \(bound): set api.host to an address of your network and name it in "
                    + "api.allowedHosts, or give --address")
        }
        let running = try? String(contentsOfFile: place.appending(names: "api-address").display, encoding: .utf8)
        let port = running?.split(separator: ":").last.flatMap {
            Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let shown = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        return "\(shown):\(port ?? settings.integer("api.port"))"
    }

    private static func day(_ seconds: Int64) -> String {
        String(Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601).prefix(10))
    }
}
