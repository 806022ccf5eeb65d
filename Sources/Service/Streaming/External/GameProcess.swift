import Dispatch
import Foundation
import Glibc
import Core

/// A running game: its process, and lines of JSON to and from it over one socket. Used by one thread at a time.
final class GameProcess {
    private let process: pid_t
    private let socket: Int32
    private var inbox: [UInt8] = []
    private var outbox: [UInt8] = []
    /// False once the other end is gone.
    private(set) var isAlive = true

    /// What a game leaves unread before it is taken for hung.
    private static let mostUnread = 8 << 20

    /// Starts it. Its standard input and output are the socket; what it says on standard error is for people.
    ///
    /// - Throws: ``StartupError`` (69) where it cannot be started.
    init(_ command: [String]) throws(StartupError) {
        guard let program = command.first else { throw StartupError(.usage, "no program: name the game's command") }
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw StartupError(.unavailable, "no socket for a game: \(String(cString: strerror(errno)))")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDOUT_FILENO)
        let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawnp(&process, program, &actions, nil, arguments, environ)
        close(pair[1])
        guard code == 0 else {
            close(pair[0])
            throw StartupError(
                .unavailable,
                "cannot start the game \(program): \(String(cString: strerror(code))); name another program")
        }
        self.process = process
        socket = pair[0]
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(socket)
        kill(process, SIGKILL)
        // Its end may take a while on a busy machine; nobody waits for it.
        DispatchQueue.global().async { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    /// The process, for tests that kill it.
    var id: pid_t { process }

    /// Sends a line, or as much of it as the game takes now; the rest follows while waiting.
    func send(_ message: HostMessage) throws {
        outbox += try JSONCoding.encode(message) + [0x0A]
        flush()
    }

    /// The lines that come until there is one that `suffices`, or until `deadline`. Lines that are no message are passed over.
    func receive(until deadline: ContinuousClock.Instant, suffices: (GuestMessage) -> Bool) -> [GuestMessage] {
        var messages: [GuestMessage] = []
        while isAlive {
            let fresh = takeLines()
            messages += fresh
            if fresh.contains(where: suffices) { break }
            let left = ContinuousClock.now.duration(to: deadline)
            let milliseconds = left / .milliseconds(1)
            guard milliseconds > 0 else { break }
            var entry = pollfd(
                fd: socket, events: Int16(POLLIN) | (outbox.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
            guard poll(&entry, 1, Int32(milliseconds.rounded(.up))) > 0 else { continue }
            if entry.revents & Int16(POLLOUT) != 0 { flush() }
            if entry.revents & ~Int16(POLLOUT) != 0 { read() }
        }
        return messages + takeLines()
    }

    private func flush() {
        while isAlive, !outbox.isEmpty {
            let count = outbox.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                if outbox.count > Self.mostUnread { isAlive = false }
                return
            }
            guard count > 0 else {
                isAlive = false
                return
            }
            outbox.removeFirst(count)
        }
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = bytes.withUnsafeMutableBytes { Glibc.read(socket, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return }
            guard count > 0, inbox.count <= Self.mostUnread else {
                isAlive = false
                return
            }
            inbox += bytes.prefix(count)
        }
    }

    private func takeLines() -> [GuestMessage] {
        guard let end = inbox.lastIndex(of: 0x0A) else { return [] }
        let lines = inbox[..<end].split(separator: 0x0A)
        let messages = lines.compactMap { try? JSONCoding.decode(GuestMessage.self, from: Data($0)) }
        inbox.removeFirst(end + 1)
        return messages
    }
}
