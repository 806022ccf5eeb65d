import ArgumentParser
import Core
import Daemon
import Engine
import Foundation
import HTTP
import Settings

extension HouseholdCommand {
    struct Certificate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "certificate",
            abstract: "Makes a certificate for HTTPS in the house, and a site for nginx.",
            help: """
                The first run makes an authority that is valid for 10 years and signs for names and addresses of this
                house only. Each phone trusts it once: the page /trust of the app says how. Every run makes a new
                certificate for the hosts, valid for 397 days; without hosts it keeps those of the last run. Browsers
                need HTTPS for live pictures of the camera, pages without a network and the installed app.

                EXAMPLES
                  tablesight household certificate kitchen.local 192.168.1.20    the first time
                  tablesight household certificate                               renew it, once a year
                """)
        @Argument(help: "Host names and addresses by which phones reach this machine.") var hosts: [String] = []
        @Option(help: "Folder for the files (default: https in the daemon's output folder, which the app serves).")
        var folder: String?
        @Option(help: "YAML file with the daemon's settings.") var config: String?
        @Option(help: "The daemon's output folder.") var output: String?
        @Flag(help: "Replace the authority. Each phone must then trust the new one.") var newAuthority = false

        func run() async throws {
            let (settings, output) = try await HouseholdPlace(config: config, output: output).daemon()
            let usual = HouseCertificate.usualFolder(in: output)
            let own = try folder.map { name in
                guard let path = FilePathBytes(name) else { throw ValidationError("--folder needs a name") }
                return path
            }
            let certificate = HouseCertificate(in: own ?? usual)
            var known: Set<CertifiedHost> = []
            let named = try hosts.map { try CertifiedHost($0) }.filter { known.insert($0).inserted }
            let site = try ProxySite(from: TablesightEngine().models)
            let daemon = daemon(settings, output)
            // Before the certificate: a file that nginx cannot name is of no use.
            _ = try site.text(for: named, daemon: daemon, certificate: certificate.server.display)
            let made = try certificate.make(for: named, replacesAuthority: newAuthority)
            let file = certificate.folder.appending(names: "nginx.conf")
            let text = try site.text(for: made.hosts, daemon: daemon, certificate: certificate.server.display)
            let before = try? String(contentsOfFile: file.display, encoding: .utf8)
            do { try Data(text.utf8).write(to: URL(filePath: file.display)) } catch {
                throw StartupError(.inputOutput, "cannot write \(file.display): \(error.localizedDescription)")
            }
            let lines = [
                "authority    \(certificate.authority.display), until \(made.authorityEnds)",
                "             SHA-256 \(made.fingerprint)",
                "certificate  \(made.hosts.map(\.text).joined(separator: ", ")), until \(made.ends)",
                "site         \(file.display)", "", "Next:",
            ]
            let isSame = before == text && !made.isNewAuthority
            let next = isSame ? Self.renewed : steps(made, settings, site: file.display)
            let numbered = next.enumerated().flatMap { number, step in
                step.enumerated().map { ($0.offset == 0 ? "\(number + 1). " : "   ") + $0.element }
            }
            try StandardOutput.write((lines + numbered).joined(separator: "\n") + "\n")
            if own != nil {
                StandardError.write(
                    "tablesight: the app offers an authority of \(usual.display) only: "
                        + "give phones \(certificate.authority.display) yourself\n")
            }
        }

        private static let usualPort = 8765
        private static let renewed = [["sudo systemctl reload nginx"]]

        private func steps(_ made: HouseCertificate.Made, _ settings: Settings, site: String) -> [[String]] {
            let host = made.hosts.first { !$0.isAddress } ?? made.hosts[0]
            let address = "https://\(host.inAddress)"
            let isSet = settings.text("api.publicAddress").flatMap(PublicAddress.init)?.text == address
            var steps = [
                [
                    "sudo apt-get install nginx-light", "sudo cp '\(site)' /etc/nginx/sites-available/tablesight",
                    "sudo ln -sf ../sites-available/tablesight /etc/nginx/sites-enabled/tablesight",
                    "sudo nginx -t && sudo systemctl reload nginx",
                ]
            ]
            if settings.integer("api.port") == 0 {
                steps.append(["Set api.port to a fixed port, the one in the site, and start the daemon again."])
            }
            let allowed = settings.list("api.allowedHosts").map { $0.lowercased() }
            let others = made.hosts.filter { $0 != host && !allowed.contains($0.inAddress) }.map(\.inAddress)
            var changes = isSet ? [] : ["Set api.publicAddress to \(address), and start the daemon again."]
            if !others.isEmpty {
                changes.append(
                    "To use the app by other hosts too, add to api.allowedHosts: \(others.joined(separator: ", ")).")
            }
            if !changes.isEmpty { steps.append(changes) }
            return steps + [
                ["Open http://\(host.inAddress)/trust on each phone, and follow the page."],
                ["tablesight household pair"],
            ]
        }

        /// Where nginx on this machine reaches the daemon.
        ///
        /// With api.port 0 a daemon that does not run has no port yet: then the usual one.
        private func daemon(_ settings: Settings, _ output: FilePathBytes) -> String {
            let bound = settings.text("api.host") ?? "127.0.0.1"
            let host = ["0.0.0.0", "::", "localhost", ""].contains(bound) ? "127.0.0.1" : bound
            let port = PairingLink.port(settings, output)
            return "\(host.contains(":") ? "[\(host)]" : host):\(port > 0 ? port : Self.usualPort)"
        }
    }
}
