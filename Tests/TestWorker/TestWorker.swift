import Foundation
import Glibc
import ReadJobs
import Core

/// Stands in for `tablesight-worker` in tests: reads no picture, and misbehaves where it is told to, by its arguments or by
/// the words `tablesight-test: VERB` in the photo.
@main
enum TestWorker {
    static func main() throws {
        let environment = ProcessInfo.processInfo.environment
        let start = WorkerStart(environment: environment)
        let arguments = Array(CommandLine.arguments.dropFirst())
        var verb = arguments.first
        if verb == "cached" { return try cached(Array(arguments.dropFirst()), environment, start) }
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

    /// Arguments: the real worker, the folder of its answers, the folder of models, and arguments of the real worker.
    /// Programs with models of their own get the real worker.
    private static func cached(_ arguments: [String], _ environment: [String: String], _ start: WorkerStart) throws {
        guard arguments.count >= 3 else { return }
        var worker = CachedWorker(arguments[0], folder: arguments[1], environment: environment)
        let models = [environment["TABLESIGHT_MODELS"] ?? "", arguments[2]].map {
            URL(filePath: $0).resolvingSymlinksInPath().path
        }
        if arguments.count > 3 || models[0] != models[1] {
            worker.become(with: Array(arguments.dropFirst(3)))
        }
        if let parent = start.parent { CrashJournal.prepare(descriptor: start.crashJournal ?? -1, parent: parent) }
        let socket = JobSocket(STDIN_FILENO)
        try socket.send(worker.greeting())
        while let (job, files) = try? socket.receive(ReadJob.self) {
            CrashJournal.begin(job: job.number)
            let answer = try worker.answer(job, files) { try socket.send(ReadAnswer.decoded) }
            files.forEach { close($0) }
            CrashJournal.end(job: job.number)
            guard (try? socket.send(answer)) != nil else { return }
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

    /// The word behind the verb in a photo.
    private static func argument(of photo: Int32) -> String {
        let words = words(of: photo)
        let start = words.range(of: "tablesight-test: ")?.upperBound ?? words.endIndex
        return words[start...].split(separator: " ").dropFirst().first.map(String.init) ?? ""
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
        case "gate":
            let gate = argument(of: photo)
            while access(gate, F_OK) != 0 { usleep(10_000) }
        case "slow": usleep(300_000)
        case "half": usleep(500_000)
        case "slowly": usleep(2_000_000)
        case "poison":
            signal(SIGUSR2, SIG_IGN)  // no last words
            kill(getppid(), SIGKILL)
            kill(getpid(), SIGKILL)
        case "reduced" where !job.reduced: while true {}
        case "try": return tried(photo)
        case "files":
            for _ in 0..<100 {
                // No other test has this file open.
                let file = open("/proc/self/exe", O_RDONLY)
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
        case "swapped": return swapped(photo)
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

    /// Takes a gigabyte, and waits until something ends it.
    private static func grow() {
        let step = 32 << 20
        for _ in 0..<32 {
            if let memory = malloc(step) { memset(memory, 1, step) }
        }
        while true { pause() }
    }

    /// Waits until other bytes are in the photo, and then until the first ones are back. Answers what was there between.
    /// The file that the photo names is made once the first bytes are read, so that only the first reader waits, and has
    /// a byte once the others are.
    private static func swapped(_ photo: Int32) -> ReadAnswer {
        let first = words(of: photo)
        var seen = first
        let mark = open(argument(of: photo), O_WRONLY | O_CREAT | O_EXCL, 0o600)
        if mark >= 0 {
            defer { close(mark) }
            while seen == first || !seen.hasPrefix("tablesight-test: ") {
                usleep(1000)
                seen = words(of: photo)
            }
            write(mark, "1", 1)
            while words(of: photo) != first { usleep(1000) }
        }
        return ReadAnswer(
            image: .init(format: "png", width: 1, height: 1, orientation: 1), readings: Readings(barcodes: []),
            models: ["test": seen])
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
        typealias Processors = @convention(c) (pid_t, Int, UnsafeRawPointer) -> Int32
        let processors = unsafeBitCast(dlsym(nil, "sched_setaffinity"), to: Processors.self)
        var first = UInt64(1)
        results["processors of the parent"] = code(processors(getppid(), 8, &first))
        results["own processors"] = code(processors(0, 8, &first))
        results["signals to the parent"] = code(fcntl(STDIN_FILENO, F_SETOWN, getppid()))
        results["process group"] = code(setpgid(getpid(), getppid()))
        results["core"] = "\(limit.rlim_cur)"
        results["null"] = code(open("/dev/null", O_RDONLY))
        results["word lists"] = code(open("/usr/share/dict", O_RDONLY | O_DIRECTORY))
        return ReadAnswer(models: results)
    }
}
