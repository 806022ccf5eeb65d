internal import CLinuxSupport
import Foundation
import Glibc
import Core

/// One end of the socket between daemon and worker; it transfers messages and open files.
///
/// A message is ``JobFraming``'s four bytes of length and its JSON, split into packets of a SOCK_SEQPACKET socket. The
/// first packet carries the descriptors. The owner of the socket closes it.
package struct JobSocket: Sendable {
    /// Why sending or receiving failed.
    package enum Failure: Error, Sendable, Equatable {
        /// The other end closed the socket.
        case closed
        /// The deadline passed.
        case late
        /// The bytes are not a valid message.
        case garbled(String)
    }

    package let descriptor: Int32

    /// Below the kernel's usual limit per packet, net.core.wmem_default.
    private static let packetBytes = 64 << 10

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter descriptors: open files for the other end; they stay open here.
    package func send(_ message: some Encodable, descriptors: [Int32] = []) throws(Failure) {
        let frame: Data
        do { frame = try JobFraming.frame(message) } catch { throw .garbled("\(error)") }
        var rest = frame[...]
        while !rest.isEmpty {
            let packet = rest.prefix(Self.packetBytes)
            let files = rest.startIndex == frame.startIndex ? descriptors : []
            let code = packet.withUnsafeBytes {
                ts_send(descriptor, $0.baseAddress, $0.count, files, Int32(files.count))
            }
            guard code == 0 else { throw .closed }
            rest = rest.dropFirst(packet.count)
        }
    }

    /// - Parameters:
    ///   - deadline: nil waits without a limit.
    ///   - takesFiles: false rejects all descriptors, because no caller would close them.
    /// - Returns: the message, and descriptors that the caller closes; nil if the other end closed between two
    ///   messages.
    package func receive<Message: Decodable>(
        _ type: Message.Type, until deadline: ContinuousClock.Instant? = nil, takesFiles: Bool = true
    ) throws(Failure) -> (message: Message, descriptors: [Int32])? {
        var descriptors: [Int32] = []
        do throws(Failure) {
            guard var body = try packet(until: deadline, &descriptors, takesFiles) else { return nil }
            let length: Int
            do { length = try JobFraming.bodyLength(of: body.prefix(4)) } catch { throw .garbled("\(error)") }
            body.removeFirst(4)
            while body.count < length {
                guard let more = try packet(until: deadline, &descriptors, takesFiles) else { throw .closed }
                body += more
            }
            guard body.count == length else { throw .garbled("\(body.count) bytes received, \(length) were announced") }
            do { return (try JSONCoding.decode(type, from: Data(body)), descriptors) } catch {
                throw .garbled("\(error)")
            }
        } catch {
            descriptors.forEach { close($0) }
            throw error
        }
    }

    private func packet(
        until deadline: ContinuousClock.Instant?, _ descriptors: inout [Int32], _ takesFiles: Bool
    ) throws(Failure) -> [UInt8]? {
        if let deadline, !isReadable(until: deadline) { throw .late }
        var files = [Int32](repeating: -1, count: 8)
        var fileCount: Int32 = 0
        var length = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.packetBytes) { buffer, count in
            length =
                takesFiles
                ? ts_receive(descriptor, buffer.baseAddress, buffer.count, &files, &fileCount)
                : ts_receive(descriptor, buffer.baseAddress, buffer.count, nil, nil)
            count = max(0, length)
        }
        descriptors += files.prefix(Int(fileCount))
        if length == -Int(EMSGSIZE) { throw .garbled("a packet of more than \(Self.packetBytes) bytes") }
        guard length >= 0 else { throw .closed }
        return length == 0 ? nil : bytes
    }

    /// Waits until data or the end of the stream can be received; false if the deadline passed first.
    package func isReadable(until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = max(0, (deadline - .now) / .milliseconds(1))
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, Int32(min(left.rounded(.up), 60_000))) > 0 { return true }
            if left == 0 { return false }
        }
    }
}
