import Foundation
import Glibc
import Synchronization
import Core

internal import CLinuxSupport

/// A Unix socket that sends the lines of all sessions as NDJSON to clients of the daemon's user.
///
/// A client that does not read is disconnected. It can continue with the session's event stream of the API.
package final class LineSocket: Sendable {
    private let path: FilePathBytes
    private let listener: Int32
    private let clients = Mutex<[Int32]>([])

    /// - Throws: ``StartupError`` (74) if it cannot be created; the kernel allows paths of at most 107 bytes.
    package init(at path: FilePathBytes) throws(StartupError) {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw StartupError(
                .inputOutput, "\(path.display) is too long for a socket: use an output folder with a shorter path")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
        // A killed run left its socket file; the daemon's lock proves that no process listens there.
        path.withCString { _ = unlink($0) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Clients cannot connect before listen(2), when the permissions are restricted already.
        let isOpen = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
                && path.withCString { chmod($0, 0o600) == 0 } && listen(listener, 16) == 0
        }
        guard isOpen else {
            let reason = String(cString: strerror(errno))
            if listener >= 0 { close(listener) }
            throw StartupError(.inputOutput, "cannot listen on \(path.display): \(reason)")
        }
        self.listener = listener
        let thread = Thread { [weak self] in
            while true {
                let client = ts_accept(listener)
                if client >= 0 {
                    if self?.welcome(client) != true { close(client) }
                } else if Self.passing.contains(-client) {
                    // Descriptors or memory become free again soon, and waiting clients are served then.
                    usleep(Self.pauseMicroseconds)
                } else if client != -EINTR && client != -ECONNABORTED {
                    // The socket was shut down.
                    break
                }
            }
            close(listener)
        }
        thread.name = "socket"
        thread.stackSize = 1 << 18
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        clients.withLock { $0.forEach { close($0) } }
        path.withCString { _ = unlink($0) }
    }

    private func welcome(_ client: Int32) -> Bool {
        clients.withLock { clients in
            if clients.count >= Self.mostClients { Self.dropGone(from: &clients) }
            guard clients.count < Self.mostClients else { return false }
            clients.append(client)
            return true
        }
    }

    /// Removes clients that disconnected; otherwise a client that leaves before any line keeps its place.
    private static func dropGone(from clients: inout [Int32]) {
        clients.removeAll { client in
            var state = pollfd(fd: client, events: 0, revents: 0)
            guard poll(&state, 1, 0) > 0, state.revents & Int16(POLLHUP | POLLERR) != 0 else { return false }
            close(client)
            return true
        }
    }

    /// Temporary reasons for a failed accept(2).
    private static let passing: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EAGAIN]
    private static let pauseMicroseconds: UInt32 = 100_000

    private static let mostClients = 64

    /// Sends these lines to all connected clients.
    func publish(_ lines: [Data]) {
        let data = Array(lines.map { $0 + [0x0A] }.joined())
        clients.withLock { clients in
            clients.removeAll { client in
                let sent = data.withUnsafeBytes {
                    send(client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                }
                guard sent != data.count else { return false }
                // Disconnect the client, because a partial line would corrupt its stream.
                close(client)
                return true
            }
        }
    }
}
