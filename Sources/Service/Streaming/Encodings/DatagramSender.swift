import Foundation
import Glibc
import Core

/// Sends datagrams to one address; a receiver is not required.
package final class DatagramSender: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - host: host name or address.
    ///   - port: UDP port; TUIO clients listen on 3333.
    /// - Throws: ``StartupError`` (64) if the address does not exist.
    package init(host: String, port: UInt16) throws(StartupError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0, let address = found?.pointee else {
            throw StartupError(
                .usage, "no address \(host):\(port) (\(String(cString: gai_strerror(status)))): use another"
            )
        }
        let opened = socket(address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), address.ai_protocol)
        guard opened >= 0, connect(opened, address.ai_addr, address.ai_addrlen) == 0 else {
            let reason = String(cString: strerror(errno))
            if opened >= 0 { close(opened) }
            throw StartupError(.inputOutput, "cannot send to \(host):\(port): \(reason)")
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Sends one datagram. Errors are ignored, because the next frame repeats the full state.
    package func send(_ datagram: Data) {
        _ = datagram.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
    }
}
