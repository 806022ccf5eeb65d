import ArgumentParser
import Configuration
import Queue

/// Settings with a flag of their own; all others are set in the file or by environment variables.
struct SettingOptions: ParsableArguments {
    @Option(help: "YAML file with settings.")
    var config: String?

    @Option(help: "Output folder (default: the first folder's name with .tablesight).")
    var output: String?

    @Option(help: "Number of photos that are read at the same time (default: 2).")
    var workers: Int?

    @Flag(help: "Also draw the results over each photo.")
    var overlays = false

    @Option(
        help:
            "Person to judge for: stored, or in models/profiles; household: all stored people. May be repeated.")
    var profile: [String] = []

    @Option(
        help:
            "Watched folder whose photos are frames of a board, as PLACE=SET or PLACE=SET:GAME. May be repeated.")
    var board: [String] = []

    @Option(
        help: "Address that the API listens on; 0.0.0.0: all, so that phones reach it (default: 127.0.0.1).")
    var host: String?

    @Option(help: "Port of the API; 0: any free port (default: 8765).")
    var port: Int?

    @Option(help: "NATS server for workers on other machines: nats://HOST:PORT or tls://HOST:PORT.")
    var queue: String?

    @Option(help: "File with user name and password for the queue, an NKey seed, or a .creds file.")
    var queueCredentials: String?

    func validate() throws {
        if let workers, workers < 0 { throw ValidationError("--workers must be 1 or more, or 0 with --queue") }
        if let port, !(0...65535).contains(port) { throw ValidationError("--port must be from 0 to 65535") }
    }

    /// The flags that were given, by setting name.
    func flags(inboxes: [String]) -> [String: ConfigContent] {
        var flags: [String: ConfigContent] = [:]
        if !inboxes.isEmpty { flags["inboxes"] = .stringArray(inboxes) }
        flags["output"] = output.map { .string($0) }
        flags["workers.count"] = workers.map { .int($0) }
        if overlays { flags["overlays"] = .bool(true) }
        if !profile.isEmpty { flags["profiles"] = .stringArray(profile) }
        if !board.isEmpty { flags["boards"] = .stringArray(board) }
        flags["api.host"] = host.map { .string($0) }
        flags["api.port"] = port.map { .int($0) }
        flags["queue.address"] = queue.map { .string($0) }
        flags["queue.credentials"] = queueCredentials.map { .string($0) }
        return flags
    }
}

/// How to reach a queue, for commands without the daemon's settings.
struct QueueAccessOptions: ParsableArguments {
    @Option(help: "NATS server: nats://HOST:PORT or tls://HOST:PORT.")
    var queue: String?

    @Option(help: "File with user name and password for the queue, an NKey seed, or a .creds file.")
    var queueCredentials: String?

    @Option(help: "File with certificates to trust for tls:// (default: those of the system).")
    var queueCa: String?

    @Option(help: "File with this client's certificate for the queue.")
    var queueCertificate: String?

    @Option(help: "File with the key of --queue-certificate.")
    var queueCertificateKey: String?

    @Option(help: "First word of the queue's names, as the daemon's queue.prefix.")
    var queuePrefix = "tablesight"

    func server() throws -> QueueServer? {
        guard let queue else { return nil }
        return QueueServer(
            address: try QueueAddress(queue),
            credentials: try queueCredentials.map { try QueueCredentials(file: $0) } ?? .none, authorities: queueCa,
            certificate: try QueueSettings.certificate(queueCertificate, key: queueCertificateKey))
    }
}

/// A queue, and the way of the photos.
struct QueueOptions: ParsableArguments {
    @OptionGroup var access: QueueAccessOptions

    @Option(help: "With --queue: folder that daemon and workers share; photos are not fetched then.")
    var share: String?
}
