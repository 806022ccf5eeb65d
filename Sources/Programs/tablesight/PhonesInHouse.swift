import Core
import Daemon
import Foundation
import Glibc
import HTTP

/// Whether phones of the house may use the daemon: asked once, at the first start in a terminal, and kept in the output folder.
/// The settings `api.host` and `api.publicAddress` go before.
struct PhonesInHouse {
    private let file: FilePathBytes
    private let output: FilePathBytes
    private static let refused = "no"
    /// Of HTTPS, where no setting names it.
    static let httpsPort = 8766

    init(_ output: FilePathBytes) {
        self.output = output
        file = output.appending(names: "phones")
    }

    private var answer: String? {
        (try? String(contentsOfFile: file.display, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The address of this machine for phones; nil if they may not use it.
    var address: String? { answer.flatMap { $0 == Self.refused || $0.isEmpty ? nil : $0 } }

    /// Lets phones reach the API, if that was answered before or is answered now.
    ///
    /// - Parameter isSet: true if a setting names the public address.
    func open(_ api: inout APISettings, _ configuration: WatchConfiguration, isSet: Bool) throws(StartupError) {
        // A program in the background would stop at a question.
        let isAsked = isatty(STDIN_FILENO) == 1 && StandardError.isTerminal && tcgetpgrp(STDIN_FILENO) == getpgrp()
        if answer == nil, isAsked, let own = Self.ownAddress() { try ask(own) }
        guard let address else { return }
        api.host = "0.0.0.0"
        guard !isSet else { return }
        api.allowedHosts.append(address)
        let hasCertificate = FileManager.default.fileExists(atPath: configuration.houseCertificate.server.display)
        if api.encrypted == nil, hasCertificate { try configuration.encrypt(&api, port: Self.httpsPort) }
        let (scheme, port) = api.encrypted.map { ("https", $0.port) } ?? ("http", api.port)
        api.publicAddress = PublicAddress("\(scheme)://\(address):\(port)")
        if api.encrypted != nil { api.publicAddress?.plainPort = api.port }
    }

    private func ask(_ own: String) throws(StartupError) {
        StandardError.write(
            "May phones of this house use Tablesight, at \(own)? Each phone is paired by a code. [y/N] ")
        guard let line = readLine() else { return }
        let isAllowed = ["y", "yes"].contains(line.lowercased())
        do { try Data(((isAllowed ? own : Self.refused) + "\n").utf8).write(to: URL(filePath: file.display)) } catch {
            throw StartupError(.inputOutput, "cannot write \(file.display): \(error.localizedDescription)")
        }
        guard isAllowed else { return }
        let authority = HouseCertificate(in: HouseCertificate.usualFolder(in: output)).authority
        let next =
            FileManager.default.fileExists(atPath: authority.display)
            ? ""
            : "  tablesight household certificate \(own)   HTTPS, for the live camera and pages without a network; then restart\n"
        StandardError.write(
            "In another terminal:\n  tablesight household pair               a code for each phone\n\(next)")
    }

    /// The first address of this machine in a private network; nil without one.
    static func ownAddress() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).lazy.compactMap { entry -> String? in
            guard let entry, let address = entry.pointee.ifa_addr, address.pointee.sa_family == UInt16(AF_INET) else {
                return nil
            }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                return nil
            }
            let own = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return isPrivate(own) ? own : nil
        }.first
    }

    /// True for an address of a network at home (RFC 1918).
    static func isPrivate(_ address: String) -> Bool {
        let parts = address.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4 else { return false }
        return parts[0] == 10 || (parts[0] == 192 && parts[1] == 168)
            || (parts[0] == 172 && (16...31).contains(parts[1]))
    }
}
