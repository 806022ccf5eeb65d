import ArgumentParser
import Queue

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

    /// The server; nil if no queue is named.
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
