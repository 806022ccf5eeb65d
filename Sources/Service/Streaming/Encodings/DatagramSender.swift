import Foundation
import Glibc
import Core

/// Sends datagrams to one address; nobody needs to listen there.
public final class DatagramSender: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: 3333 is where TUIO clients listen.
    /// - Throws: ``StartupError`` (64) where there is no such address.
    public init(host: String, port: UInt16) throws(StartupError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0, let address = found?.pointee else {
            throw StartupError(
                .usage, "no address \(host):\(port) to send to (\(String(cString: gai_strerror(status)))): name another"
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

    /// Sends one datagram. What cannot be sent is lost, as datagrams are: the next frame says everything anew.
    public func send(_ datagram: Data) {
        _ = datagram.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
    }
}
