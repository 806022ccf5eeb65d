internal import CNATS
import Core
import Foundation

extension QueueConnection {
    /// Connects, and refuses a server that anybody can use, unless only this machine can reach it.
    ///
    /// - Throws: ``StartupError`` for what a person must change, ``QueueError`` for what may pass by itself.
    package static func open(_ server: QueueServer, name: String, inbox: String) throws -> QueueConnection {
        let address = server.address
        if libraryVersion == nil {
            throw StartupError(
                .unavailable, "the queue needs NATS' client libnats 3.4: sudo apt-get install libnats3.4")
        }
        if !address.isLoopback {
            guard server.credentials != .none || server.certificate != nil else {
                throw StartupError(
                    .configuration,
                    "the queue \(address) is on another machine: name a file with credentials (--queue-credentials)")
            }
            if try admitsAnybody(server) {
                throw StartupError(
                    .configuration,
                    "the server \(address) accepts clients without credentials: everybody in the network could read "
                        + "jobs and forge results. Set users or NKeys in its configuration (docs/operations.md)")
            }
        }
        do throws(QueueError) { return try QueueConnection(to: server, name: name, inbox: inbox) } catch {
            throw error.startup(address) ?? error
        }
    }

    /// What of a server's greeting says whom it admits.
    private struct Greeting: Decodable {
        var auth_required: Bool?
        var tls_verify: Bool?
    }

    /// True unless the server asks for credentials, or for a certificate of the client.
    private static func admitsAnybody(_ server: QueueServer) throws(QueueError) -> Bool {
        var line = [CChar](repeating: 0, count: 32 << 10)
        try checked { error in
            line.withUnsafeMutableBufferPointer {
                tsq_greeting(
                    server.address.host.trimmingCharacters(in: ["[", "]"]), "\(server.address.port)",
                    Int64(server.wait / .milliseconds(1)), $0.baseAddress, Int32($0.count), error)
            }
        }
        let json = line.dropFirst("INFO ".count).prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard let greeting = try? JSONDecoder().decode(Greeting.self, from: Data(json)) else {
            throw QueueError(.unreachable, "no NATS server answers there")
        }
        return greeting.auth_required != true && greeting.tls_verify != true
    }
}

extension QueueError {
    /// What a person must change; nil for what may pass by itself, such as a server that does not run.
    package func startup(_ address: QueueAddress) -> StartupError? {
        switch kind {
        case .refused:
            StartupError(
                .configuration,
                "the queue \(address) refuses these credentials: compare the file of --queue-credentials with the "
                    + "server's users")
        case .tls:
            StartupError(
                .configuration,
                "no TLS with the queue \(address): \(detail). Check --queue-ca, the certificate and tls:// in the "
                    + "address")
        case .forbidden:
            StartupError(
                .configuration,
                "the queue \(address) does not allow this user \(detail): give it the subjects of docs/operations.md")
        case .noJetStream:
            StartupError(
                .configuration,
                "the queue \(address) runs without JetStream: start nats-server with -js, or set "
                    + "jetstream in its configuration")
        case .noLibrary: StartupError(.unavailable, "\(detail): sudo apt-get install libnats3.4")
        case .timeout, .unreachable, .missing, .tooLarge, .closed, .failed: nil
        }
    }
}
