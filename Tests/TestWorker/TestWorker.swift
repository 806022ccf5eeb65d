import Foundation
import Glibc
import JobChannel
import Core
import ReadJobs

/// Stands in for `tablesight-worker` in tests: reads no picture, and misbehaves where it is told to, by its arguments or by
/// the words `tablesight-test: VERB` in the photo.
@main
enum TestWorker {
    static func main() throws {
        let start = WorkerStart(environment: ProcessInfo.processInfo.environment)
        var verb = CommandLine.arguments.dropFirst().first
        var greeting = WorkerGreeting(landlock: nil, refused: [])
        greeting.readers = ProcessInfo.processInfo.environment["TABLESIGHT_TEST_READERS"]
        if let parent = start.parent { CrashJournal.prepare(descriptor: start.crashJournal ?? -1, parent: parent) }
        if verb == "confined" {
            verb = nil
            greeting = Confinement.install(.init(addressBytes: start.addressBytes), reading: [])
        }
        if verb == "silent" { return }
        let socket = JobSocket(STDIN_FILENO)
        try socket.send(greeting)
        while let (job, files) = try? socket.receive(ReadJob.self) {
            CrashJournal.begin(job: job.number)
            if let seconds = job.processorSeconds { Confinement.allowProcessorTime(seconds: seconds) }
            let answer = try perform(verb ?? Self.verb(in: files.first ?? -1), job, socket, files.first ?? -1)
            files.forEach { close($0) }
            // A library of the daemon's own that trips over what is answered: no answer comes before that, however long it takes.
            if answer.models["test"] == "segv" {
                kill(getppid(), SIGSEGV)
                while true { pause() }
            }
            CrashJournal.end(job: job.number)
            // A pool that was stopped does not listen any more.
            guard (try? socket.send(answer)) != nil else { return }
            if answer.models["test"] == "segv after" { kill(getppid(), SIGSEGV) }
        }
    }

    private static func words(of photo: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { pread(photo, $0.baseAddress, $0.count, 0) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func verb(in photo: Int32) -> String {
        let words = words(of: photo)
        guard let start = words.range(of: "tablesight-test: ")?.upperBound else { return "read" }
        return String(words[start...].prefix { !$0.isWhitespace && $0 != "\0" })
    }

    private static func perform(
        _ verb: String, _ job: ReadJob, _ socket: JobSocket, _ photo: Int32
    ) throws -> ReadAnswer {
        switch verb {
        case "exit": exit(0)
        case "crash": raise(SIGSEGV)
        case "abort": abort()
        case "hang": while true { pause() }
        case "spin": while true {}
        case "nonsense": write(STDIN_FILENO, [0xFF, 0xFF, 0xFF, 0xFF, 0x00], 5)
        case "grow": grow()
        case "slow": usleep(300_000)
        case "half": usleep(500_000)
        case "slowly": usleep(2_000_000)
        case "poison":
            signal(SIGUSR2, SIG_IGN)  // no last words
            kill(getppid(), SIGKILL)
            kill(getpid(), SIGKILL)
        case "reduced" where !job.reduced: while true { pause() }
        case "try": return tried(photo)
        case "files":
            for _ in 0..<100 {
                let file = open("/dev/null", O_RDONLY)
                try socket.send(ReadAnswer(models: ["pad": "x"]), descriptors: Array(repeating: file, count: 8))
                close(file)
            }
        case "huge":
            return ReadAnswer(
                image: .init(format: "png", width: 1, height: 1, orientation: 1), timingsMs: ["decode": 1e300])
        case "far":
            return ReadAnswer(
                image: .init(format: "png", width: 1, height: 1, orientation: 1),
                readings: Readings(barcodes: [
                    BarcodeReading(format: "EAN-13", text: "1", confidence: 1e300, corners: [Point(1e300, -1e300)])
                ]))
        case "deep":
            let nested = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
            let body = Data("{\"readings\":{},\"timingsMs\":{},\"models\":{},\"more\":\(nested)}".utf8)
            let frame = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) } + body
            frame.withUnsafeBytes { _ = write(STDIN_FILENO, $0.baseAddress, $0.count) }
            while true { pause() }
        case "segv", "segv-after":
            return ReadAnswer(
                image: .init(format: "png", width: 1, height: 1, orientation: 1), readings: Readings(barcodes: []),
                models: ["test": verb == "segv" ? "segv" : "segv after"])
        case "seen":
            usleep(500_000)
            let seen = words(of: photo)
            usleep(500_000)
            return ReadAnswer(
                image: .init(format: "png", width: 1, height: 1, orientation: 1), readings: Readings(barcodes: []),
                models: ["test": seen])
        default: break
        }
        return ReadAnswer(
            image: .init(format: "png", width: 1, height: 1, orientation: 1), readings: Readings(barcodes: []),
            models: ["test": job.reduced ? "reduced" : "whole"])
    }

    /// Takes memory until something ends it.
    private static func grow() {
        let step = 32 << 20
        while let memory = malloc(step) {
            memset(memory, 1, step)
            usleep(10_000)
        }
        while true { pause() }
    }

    /// What a confined worker gets from the kernel: call → errno.
    private static func tried(_ photo: Int32) -> ReadAnswer {
        func code(_ result: Int32) -> String { result < 0 ? String(cString: strerror(errno)) : "granted" }
        var results: [String: String] = [:]
        results["socket"] = code(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        results["unix socket"] = code(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr()
        results["connect"] = code(connect(STDIN_FILENO, &address, socklen_t(MemoryLayout<sockaddr>.size)))
        results["read /etc/passwd"] = code(open("/etc/passwd", O_RDONLY))
        results["write /tmp"] = code(open("/tmp/tablesight-test-worker", O_WRONLY | O_CREAT, 0o600))
        results["kill"] = code(kill(getppid(), 0))
        var child = pid_t()
        let program = strdup("/bin/true")
        var arguments: [UnsafeMutablePointer<CChar>?] = [program, nil]
        let spawned = posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil)
        results["spawn"] = spawned == 0 ? "granted" : String(cString: strerror(spawned))
        free(program)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(4), &limit)
        results["chmod"] = code(fchmod(photo, 0o777))
        results["chmod by path"] = code(chmod("/dev/null", 0o666))
        results["priority"] = code(setpriority(__priority_which_t(0), UInt32(getppid()), 5))
        // Calls that the module of the C library leaves out.
        typealias Limits = @convention(c) (pid_t, Int32, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Int32
        typealias Memory = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        let limits = unsafeBitCast(dlsym(nil, "prlimit"), to: Limits.self)
        let memory = unsafeBitCast(dlsym(nil, "memfd_create"), to: Memory.self)
        results["limits of the parent"] = code(limits(getppid(), 7, nil, &limit))
        results["shared memory"] = code(shmget(0, 4096, 0o600 | 0o1000))
        results["memory file"] = code(memory("x", 0))
        results["core"] = "\(limit.rlim_cur)"
        results["null"] = code(open("/dev/null", O_RDONLY))
        results["word lists"] = code(open("/usr/share/dict", O_RDONLY | O_DIRECTORY))
        return ReadAnswer(models: results)
    }
}
