import Dispatch
import Foundation
import Glibc
import Core

internal import CLinuxSupport

/// A running game: its process, and a socket for lines of JSON. Not thread-safe.
final class GameProcess {
    private let process: pid_t
    private let socket: Int32
    private var inbox: [UInt8] = []
    private var outbox: [UInt8] = []
    /// False after the other end has closed the socket.
    private(set) var isAlive = true

    /// Maximum bytes that a game may leave unread before it counts as hung.
    private static let mostUnread = 8 << 20

    /// Starts the game in its folder. The socket is its standard input and output; its standard error goes to the
    /// terminal. It has no other file of this process, and no setting, as these may hold the token of the API.
    ///
    /// - Throws: ``StartupError`` (69) if it cannot be started.
    init(_ program: URL, in folder: URL) throws(StartupError) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw StartupError(.unavailable, "cannot create a socket for the game: \(String(cString: strerror(errno)))")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDOUT_FILENO)
        _ = ts_spawn_close_from(&actions, STDERR_FILENO + 1)
        _ = ts_spawn_in(&actions, folder.path)
        var attributes = posix_spawnattr_t()
        _ = ts_spawn_apart(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program.path), nil]
        let variables: [UnsafeMutablePointer<CChar>?] =
            Self.environment().map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawn(&process, program.path, &actions, &attributes, arguments, variables)
        close(pair[1])
        guard code == 0 else {
            close(pair[0])
            throw StartupError(
                .unavailable,
                "cannot start the game \(program.path): \(String(cString: strerror(code))); check the file, its first line "
                    + "and its permissions")
        }
        self.process = process
        socket = pair[0]
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    /// The variables of a game: all but settings.
    static func environment(
        from all: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String: String] {
        all.filter { !$0.key.hasPrefix("TABLESIGHT_") }
    }

    deinit {
        close(socket)
        kill(process, SIGKILL)
        // The process may take a while to exit, so it is reaped in the background.
        DispatchQueue.global().async { [process] in
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    /// Process id, for tests that kill it.
    var id: pid_t { process }

    /// Sends as much of a line as the game accepts now; the rest is sent while waiting for an answer.
    func send(_ message: HostMessage) throws {
        outbox += try JSONCoding.encode(message) + [0x0A]
        flush()
    }

    /// Returns the lines up to the first that `suffices`, or until `deadline`. Invalid lines are skipped.
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
