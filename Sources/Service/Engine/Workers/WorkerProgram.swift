internal import CLinuxSupport
import Core
import Foundation
import Glibc
import ReadJobs

package struct WorkerProgram: Sendable {
    package let executable: URL
    /// Environment of every worker: variables that libraries need, without the daemon's secrets.
    package let environment: [String: String]

    /// Variables that a worker may see.
    private static let passed: Set = [
        "PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "TABLESIGHT_WITHOUT_MODELS", "TABLESIGHT_ZXING", "LANG", "LC_ALL",
        "LC_CTYPE", "TZ", "ASAN_OPTIONS",
        "TSAN_OPTIONS",
    ]

    /// Finds the worker by ``HelperProgram``, or at `TABLESIGHT_WORKER`.
    ///
    /// - Throws: ``StartupError`` (69) if it is missing.
    package init(
        beside program: URL, models: ModelFolder, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StartupError) {
        let executable =
            environment["TABLESIGHT_WORKER"].map { URL(filePath: $0) }
            ?? HelperProgram.named("tablesight-worker", beside: program)
        guard access(executable.path, X_OK) == 0 else {
            throw StartupError(
                .unavailable,
                "the worker \(executable.path) is missing: build it with `swift build --product tablesight-worker`, "
                    + "or set TABLESIGHT_WORKER"
            )
        }
        self.executable = executable
        var variables = environment.filter { Self.passed.contains($0.key) }
        variables["TABLESIGHT_MODELS"] = models.url.path
        // Read before main. Photos are processed in parallel, so Tesseract's own threads only compete.
        variables["OMP_THREAD_LIMIT"] = "1"
        // A crashed worker must end at once; Swift's crash handler would examine its stack for seconds.
        variables["SWIFT_BACKTRACE"] = "enable=no"
        self.environment = variables
    }

    struct Started {
        var process: pid_t
        /// The daemon's end of the job socket.
        var socket: Int32
    }

    /// Starts one worker from the calling thread; the worker ends with that thread. Its standard input is the job
    /// socket, its output goes to standard error.
    ///
    /// - Parameter crashJournal: an open file for the ``CrashJournal``; nil without one.
    func start(addressBytes: Int?, crashJournal: Int32?) throws(WorkerFault) -> Started {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw .notStarted("socketpair: \(String(cString: strerror(errno)))")
        }
        let crashJournalInside: Int32 = 3
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        if let crashJournal { posix_spawn_file_actions_adddup2(&actions, crashJournal, crashJournalInside) }
        // Foundation waits for a program until each copy of a socket of its own is closed; a worker would keep one.
        _ = ts_spawn_close_from(&actions, crashJournalInside + (crashJournal == nil ? 0 : 1))
        var attributes = posix_spawnattr_t()
        _ = ts_spawn_apart(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let start = WorkerStart(
            parent: getpid(), crashJournal: crashJournal.map { _ in crashJournalInside }, addressBytes: addressBytes)
        let variables = environment.merging(start.environment) { $1 }.sorted { $0.key < $1.key }
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(executable.path), nil]
        let lines: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + lines).forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawn(&process, executable.path, &actions, &attributes, arguments, lines)
        close(pair[1])
        guard code == 0 else {
            close(pair[0])
            throw .notStarted("\(executable.path): \(String(cString: strerror(code)))")
        }
        return Started(process: process, socket: pair[0])
    }
}

/// The programs that `tablesight` starts: the worker, and the reader of videos.
package enum HelperProgram {
    /// Where a helper lies: next to `program`, as in a build folder, else in `../libexec/tablesight`, as in the Debian
    /// package.
    ///
    /// - Returns: the executable; the place next to `program` if neither exists, for the message about it.
    package static func named(_ name: String, beside program: URL) -> URL {
        let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
        let candidates = [
            folder.appending(path: name),
            folder.deletingLastPathComponent().appending(path: "libexec/tablesight").appending(path: name),
        ]
        return candidates.first { access($0.path, X_OK) == 0 } ?? candidates[0]
    }
}
