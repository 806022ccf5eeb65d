import ArgumentParser
import Core
import Daemon
import Foundation
import HTTP
import Household
import App
import Settings

extension HouseholdCommand {
    struct Pair: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pair", abstract: "Prints a link and its QR code that let one phone or browser use the app.",
            help: """
                A daemon without settings is reached by browsers of its own machine only. For phones, start it as
                `tablesight watch --host 0.0.0.0`, then give the address of this machine, such as --address 192.168.1.20.
                The code pairs one device and is valid for 10 minutes.

                EXAMPLES
                  tablesight household pair                                      for a browser on this machine
                  tablesight household pair --config tablesight.yaml             with the settings of the daemon
                  tablesight household pair --address https://kitchen.local      behind a server that forwards
                  tablesight household pair --svg code.svg                       also as a picture
                """)
        @Option(
            help: "Name or address by which the phone reaches this machine (default: api.publicAddress, else api.host)."
        )
        var address: String?
        @Option(help: "File for the code as SVG.") var svg: String?
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            let (household, settings, output) = try await place.daemonHousehold()
            try PairingLink(address: address, settings: settings, output: output)
                .printCode(of: household.household, svg: svg)
        }
    }

    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "Lists the paired phones and browsers.",
            help: """
                EXAMPLES
                  tablesight household devices --config tablesight.yaml
                  tablesight household devices --config tablesight.yaml --json
                """)
        @Flag(help: "Print one JSON object a line.") var json = false
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            let lines = try await place.daemonHousehold().household.devices()
            if json { return try lines.forEach { try StandardOutput.writeLine($0) } }
            guard !lines.isEmpty else {
                return StandardError.write("tablesight: no device is paired: tablesight household pair\n")
            }
            let table = TextTable(
                head: ["NUMBER", "NAME", "USED BY", "PAIRED", "LAST SEEN"],
                rows: lines.map {
                    ["\($0.id)", $0.name.printable, $0.member?.printable ?? "–", Self.day($0.paired)]
                        + [$0.seen.map(Self.day) ?? "not yet"]
                })
            try StandardOutput.write(table.lines.joined(separator: "\n") + "\n")
        }

        static func day(_ time: Date) -> String { String(time.formatted(.iso8601).prefix(10)) }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Ends the access of a device, and of those that it paired.",
            help: """
                `tablesight household devices` lists the numbers.
                """)
        @Argument(help: "Number of the device.") var device: Int64
        @OptionGroup var place: HouseholdPlace

        func run() async throws {
            try await HouseholdCommand.revoke(device, in: try await place.daemonHousehold().household)
        }
    }

    static func revoke(_ device: Int64, in household: HouseholdActions) async throws {
        try await household.remove(device: device)
        try StandardOutput.write("device \(device) is revoked\n")
    }
}

/// The link that pairs a phone, and its QR code.
struct PairingLink {
    /// What `--address` names; nil for the address of the settings.
    let address: String?
    let settings: Settings
    let output: FilePathBytes

    func printCode(of household: Household, svg: String?) throws {
        let app = try base()
        let code = try household.newCode().code
        let link = "\(app)/p/\(code.filter { $0.isLetter || $0.isNumber })"
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
        if PublicAddress(app).map({ HostGuard.isLoopback($0.host) }) ?? false {
            StandardError.write(
                "tablesight: open the link on this machine. For a phone, start the daemon as `tablesight watch --host 0.0.0.0`, "
                    + "or set api.publicAddress\n")
        }
        let certificate = HouseCertificate(in: HouseCertificate.usualFolder(in: output))
        if let own = publicAddress(app), own.isEncrypted, HouseCertificate.authority(at: certificate.authority) != nil {
            StandardError.write("tablesight: a phone that is here for the first time opens \(own.trustPage) before\n")
        }
    }

    /// Scheme, host and port: a name that the phone can reach, and the daemon's port. A daemon that only this machine reaches
    /// is called localhost.
    ///
    /// - Throws: ``StartupError`` (78) if the daemon listens on all addresses and none of them is named, or if no other machine
    ///   reaches it at the named one.
    private func base() throws -> String {
        if let address, address.contains("://") {
            guard let own = PublicAddress(address) else {
                throw StartupError(.usage, "\(address) is not an address such as https://kitchen.local")
            }
            return own.text
        }
        if address == nil, let own = settings.text("api.publicAddress").flatMap(PublicAddress.init) { return own.text }
        let bound = Self.running(output)?.host ?? settings.text("api.host") ?? "127.0.0.1"
        let allowed = settings.list("api.allowedHosts").first
        if let address, HostGuard.isLoopback(bound), !isForwarded(address) {
            throw StartupError(
                .configuration,
                "the daemon is reached from this machine only, so no phone can open a link with \(address.printable): start "
                    + "it as `tablesight watch --host \(address.printable)`, or name the whole address if a server of yours "
                    + "forwards it: --address https://\(address.printable)")
        }
        let named: String? =
            if ["0.0.0.0", "::", ""].contains(bound) { allowed } else if HostGuard.isLoopback(bound) {
                allowed ?? "localhost"
            } else { bound }
        let known = PhonesInHouse(output).address
        guard let name = address ?? named ?? known else {
            throw StartupError(
                .configuration,
                "the daemon listens on all addresses of this machine: give one with --address, such as --address 192.168.1.20, "
                    + "or set api.publicAddress")
        }
        let shown = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        let certificate = HouseCertificate(in: HouseCertificate.usualFolder(in: output))
        // As `watch` serves phones of the house that were allowed at its first start.
        let isEncrypted =
            address == nil && named == nil && FileManager.default.fileExists(atPath: certificate.server.display)
        return isEncrypted
            ? "https://\(shown):\(httpsPort)" : "http://\(shown):\(Self.port(settings, output))"
    }

    private var httpsPort: Int {
        let port = settings.integer("api.httpsPort")
        return port > 0 ? port : PhonesInHouse.httpsPort
    }

    /// The address with the port of HTTP, where the daemon serves HTTPS itself.
    private func publicAddress(_ app: String) -> PublicAddress? {
        var own = PublicAddress(app)
        if app.hasSuffix(":\(httpsPort)") { own?.plainPort = Self.port(settings, output) }
        return own
    }

    /// True for a name that only this machine uses, and one that the settings allow: a server forwards it.
    private func isForwarded(_ address: String) -> Bool {
        HostGuard.isLoopback(address)
            || settings.list("api.allowedHosts").contains { $0.lowercased() == address.lowercased() }
            || settings.text("api.publicAddress").flatMap(PublicAddress.init)?.host == address.lowercased()
    }

    /// The port of the running daemon, else that of the settings.
    static func port(_ settings: Settings, _ output: FilePathBytes) -> Int {
        running(output)?.port ?? settings.integer("api.port")
    }

    /// What the running daemon listens on; nil if none runs.
    private static func running(_ output: FilePathBytes) -> (host: String, port: Int)? {
        let text = try? String(contentsOfFile: output.appending(names: "api-address").display, encoding: .utf8)
        guard let text, let parts = text.firstMatch(of: /http:\/\/(.+):([0-9]+)\s*/), let port = Int(parts.2) else {
            return nil
        }
        return (parts.1.trimmingCharacters(in: ["[", "]"]), port)
    }
}
