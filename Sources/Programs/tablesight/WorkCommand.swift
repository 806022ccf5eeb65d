import ArgumentParser
import Core
import Engine
import Foundation
import Glibc
import Hashing
import Queue
import Settings

struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Reads photos for a daemon on another machine.",
        help: """
            The daemon runs `tablesight watch --queue` and publishes jobs on a NATS server. This command takes them,
            fetches each photo from the daemon, and reads it in the same confined worker processes. Program, networks and
            languages must be the same on both machines; otherwise it says so and takes no jobs.
            Ctrl-C finishes running photos; other workers get the rest.

            EXAMPLES
              tablesight work --new-key worker.nk          make an NKey; prints the public key for the server
              tablesight work --queue nats://localhost --daemon http://localhost:8765 --token-file worker-token
              tablesight work --queue tls://queue.example --queue-credentials worker.nk --share /srv/photos --slots 8
            """)

    @OptionGroup var queue: QueueOptions

    @Option(help: "Address of the daemon's API, from which photos are fetched.")
    var daemon: String?

    @Option(help: "File with the daemon's token for workers: worker-token in its output folder.")
    var tokenFile: String?

    @Option(help: "Number of photos that are read at the same time.")
    var slots = 2

    @Option(help: "Name in results and metrics (default: the machine's name and a number of its own).")
    var name: String?

    @Option(help: "Folder for fetched photos (default: ~/.cache/tablesight/work).")
    var cache: String?

    @Option(name: .customLong("cache-mib"), help: "Maximum size of the fetched photos that are kept, in MiB.")
    var cacheMiB = 256

    @Flag(help: "Recognise text with Tesseract only, as a daemon without networks does.")
    var withoutModels = false

    @Option(help: "Write a new NKey seed to this file, print its public key, and exit.")
    var newKey: String?

    func validate() throws {
        if newKey != nil { return }
        if queue.access.queue == nil { throw ValidationError("name the queue: --queue nats://HOST:PORT") }
        if !(1...256).contains(slots) { throw ValidationError("--slots must be from 1 to 256") }
        if !(0...1_000_000).contains(cacheMiB) { throw ValidationError("--cache-mib must be from 0 to 1000000") }
        if (daemon == nil) == (queue.share == nil) {
            throw ValidationError("say where the photos are: --daemon with the address of its API, or --share FOLDER")
        }
        if daemon != nil, tokenFile == nil {
            throw ValidationError("name the file with the daemon's token for workers: --token-file")
        }
    }

    func run() async throws {
        if let newKey { return try makeKey(newKey) }
        guard let server = try queue.access.server() else { return }
        let settings = try await Settings()
        let folder = cache.map { URL(filePath: $0) } ?? Self.usualFolder
        let worker = QueueWorker(
            .init(
                server: server, names: try QueueNames(prefix: queue.access.queuePrefix), origin: try origin(),
                slots: slots,
                name: name ?? Self.usualName, folder: folder, cacheBytes: cacheMiB << 20),
            engine: try TablesightEngine(), logger: settings.logger)
        try await worker.run(withoutModels: withoutModels)
    }

    private func origin() throws -> PhotoSource.Origin {
        if let share = queue.share { return .share(try QueueSettings.share(share)) }
        guard let text = daemon, let address = URL(string: text), let host = address.host,
            ["http", "https"].contains(address.scheme)
        else {
            throw StartupError(.usage, "--daemon must be an address such as http://kitchen.example:8765")
        }
        guard let tokenFile else { throw StartupError(.usage, "name the file with the daemon's token: --token-file") }
        try QueueCredentials.checkOwner(of: tokenFile)
        let token = (try? String(contentsOfFile: tokenFile, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard let token, !token.isEmpty else {
            throw StartupError(.configuration, "\(tokenFile) holds no token: copy the daemon's worker-token again")
        }
        if address.scheme == "http", try !QueueAddress("nats://\(host.contains(":") ? "[\(host)]" : host)").isLoopback {
            StandardError.write(
                "tablesight: photos and token travel without encryption to \(host): use a network that you trust, or "
                    + "https\n")
        }
        return .daemon(address, token: token)
    }

    private func makeKey(_ file: String) throws {
        guard let pair = NKey.make() else { throw StartupError(.software, "no key could be made") }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StartupError(.inputOutput, "cannot write \(file): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data((pair.seed + "\n").utf8))
        try StandardOutput.write(pair.publicKey + "\n")
    }

    private static var usualFolder: URL { UserFolder.cache().appending(path: "tablesight/work") }

    /// The machine's name, as far as it can be one.
    private static var usualName: String {
        let name = ProcessInfo.processInfo.hostName.prefix(40).map {
            $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
        }
        return "\(String(name))-\(getpid())"
    }
}
