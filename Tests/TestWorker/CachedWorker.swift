import Core
import Foundation
import Glibc
import ReadJobs

/// Stands in for `tablesight-worker` where tests read the same photos again and again. The real worker reads each photo
/// once; its answers are kept in a folder for the programs that start later.
///
/// Pictures that are drawn, and photos that cannot be read, always go to the real worker.
struct CachedWorker {
    private let real: String
    private let folder: URL
    private let environment: [String: String]
    private var running: JobSocket?

    /// - Parameters:
    ///   - real: path of the real worker.
    ///   - folder: holds the answers.
    init(_ real: String, folder: String, environment: [String: String]) {
        self.real = real
        self.folder = URL(filePath: folder)
        // The real worker answers this process. It keeps no notes of its own about crashes.
        self.environment = environment.filter { name, _ in
            !["TABLESIGHT_PARENT", "TABLESIGHT_LAST_WORDS", "TABLESIGHT_ADDRESS_BYTES"].contains(name)
        }
    }

    /// Continues as the real worker.
    func become(with arguments: [String]) -> Never {
        let pointers = ([real] + arguments).map { strdup($0) } + [nil]
        execv(real, pointers)
        exit(127)
    }

    mutating func greeting() throws -> WorkerGreeting {
        let place = folder.appending(path: "greeting-" + key([]))
        if let data = try? Data(contentsOf: place) { return try JSONCoding.decode(WorkerGreeting.self, from: data) }
        let greeting = try start()
        try keep(JSONCoding.encode(greeting), at: place)
        return greeting
    }

    /// The answer to a job.
    ///
    /// - Parameter note: called when the real worker notes that the photo is decoded.
    mutating func answer(_ job: ReadJob, _ files: [Int32], note: () throws -> Void) throws -> ReadAnswer {
        guard case .read = job.task, let photo = files.first else { return try ask(job, files, note) }
        var plain = job
        (plain.path, plain.number, plain.processorSeconds) = (FilePathBytes("/photo") ?? job.path, -1, nil)
        let place = folder.appending(path: key([try JSONCoding.encode(plain), try bytes(of: photo)]))
        if let data = try? Data(contentsOf: place) {
            try note()
            return try JSONCoding.decode(ReadAnswer.self, from: data)
        }
        let answer = try ask(job, files, note)
        if answer.failure == nil { try keep(JSONCoding.encode(answer), at: place) }
        return answer
    }

    private func bytes(of photo: Int32) throws -> Data {
        var status = stat()
        guard fstat(photo, &status) == 0 else { throw POSIXError(.EIO) }
        var data = Data(count: Int(status.st_size))
        let count = data.withUnsafeMutableBytes { pread(photo, $0.baseAddress, $0.count, 0) }
        return data.prefix(max(0, count))
    }

    /// A name for what decides an answer: these bytes, and the variables that the worker reads.
    private func key(_ parts: [Data]) -> String {
        let variables = environment.filter { $0.key.hasPrefix("TABLESIGHT_") || $0.key == "TESSDATA_PREFIX" }
        let words = variables.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\n")
        return ([Data(words.utf8)] + parts).map(Self.digest).joined(separator: "-")
    }

    private static func digest(_ data: Data) -> String {
        var (one, other) = (UInt64(data.count), UInt64(14_695_981_039_346_656_037))
        data.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            for place in stride(from: 0, to: bytes.count, by: 8) {
                var word: UInt64 = 0
                memcpy(&word, start + place, min(8, bytes.count - place))
                one = (one &+ word) &* 0x9E37_79B9_7F4A_7C15
                one ^= one >> 32
                other = (other ^ word) &* 1_099_511_628_211
                other ^= other >> 29
            }
        }
        return String(one, radix: 36) + String(other, radix: 36)
    }

    /// Other workers may keep the same answer at the same time.
    private func keep(_ data: Data, at place: URL) throws {
        let part = folder.appending(path: "part-\(getpid())")
        try data.write(to: part)
        rename(part.path, place.path)
    }

    // MARK: The real worker

    private mutating func ask(_ job: ReadJob, _ files: [Int32], _ note: () throws -> Void) throws -> ReadAnswer {
        if running == nil { _ = try start() }
        guard let running else { throw POSIXError(.ECHILD) }
        try running.send(job, descriptors: files)
        while true {
            guard let answer = try running.receive(ReadAnswer.self, takesFiles: false)?.message else {
                throw POSIXError(.ECHILD)
            }
            guard answer.isNote == true else { return answer }
            try note()
        }
    }

    private mutating func start() throws -> WorkerGreeting {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw POSIXError(.EMFILE)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pair[1], STDIN_FILENO)
        let arguments = [strdup(real), nil]
        let lines = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            posix_spawn_file_actions_destroy(&actions)
            (arguments + lines).forEach { free($0) }
        }
        var process = pid_t()
        let code = posix_spawn(&process, real, &actions, nil, arguments, lines)
        close(pair[1])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        let socket = JobSocket(pair[0])
        running = socket
        guard let greeting = try socket.receive(WorkerGreeting.self, takesFiles: false) else {
            throw POSIXError(.ECHILD)
        }
        return greeting.message
    }
}
