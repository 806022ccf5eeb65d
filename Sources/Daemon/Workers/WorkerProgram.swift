import Foundation
import Glibc
import Vocabulary

/// Where the worker's executable lies, and in what surroundings it is started.
public struct WorkerProgram: Sendable {
    public let executable: URL
    /// Environment of every worker.
    let environment: [String: String]

    /// Looks beside `program`, or where `TABLESIGHT_WORKER` says.
    ///
    /// - Throws: ``StartupError`` with exit code 69 where there is none.
    public init(
        beside program: URL, models: ModelFolder, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StartupError) {
        let executable =
            environment["TABLESIGHT_WORKER"].map { URL(filePath: $0) }
            ?? program.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "tablesight-worker")
        guard access(executable.path, X_OK) == 0 else {
            throw StartupError(
                .unavailable,
                "no worker at \(executable.path): build it with `swift build --product tablesight-worker`, or set TABLESIGHT_WORKER"
            )
        }
        self.executable = executable
        var surroundings = environment
        surroundings["TABLESIGHT_MODELS"] = models.url.path
        // Read before main: parallelism is across photos, and Tesseract's threads only fight each other.
        surroundings["OMP_THREAD_LIMIT"] = "1"
        self.environment = surroundings
    }

    /// Starts one worker. Its standard input is the job socket; what it prints goes to standard error.
    func start() throws(WorkerFault) -> (process: pid_t, socket: Int32) {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw .notStarted("socketpair: \(String(cString: strerror(errno)))")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own: Ctrl-C at the terminal asks the daemon to drain and must not kill the jobs it waits for.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)

        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup(executable.path), nil]
        let variables: [UnsafeMutablePointer<CChar>?] =
            environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawn(&process, executable.path, &actions, &attributes, arguments, variables)
        close(pair[1])
        guard code == 0 else {
            close(pair[0])
            throw .notStarted("\(executable.path): \(String(cString: strerror(code)))")
        }
        return (process, pair[0])
    }
}
