import Foundation
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The certificate of an HTTPS server, read again when its file is replaced: a renewal needs no restart.
package final class ServerCertificate: Sendable {
    /// PEM: the certificate with those between it and its authority, and its key.
    package let file: String
    private let loaded: Mutex<(context: NIOSSLContext, stamp: Stamp)>

    /// What changes when a file is replaced.
    private struct Stamp: Hashable {
        var inode, seconds, nanoseconds: Int

        init?(_ file: String) {
            var facts = stat()
            guard stat(file, &facts) == 0 else { return nil }
            (inode, seconds, nanoseconds) = (Int(facts.st_ino), facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
        }
    }

    /// - Throws: an error of NIOSSL, or of the file.
    package init(file: String) throws {
        self.file = file
        guard let stamp = Stamp(file) else { throw CocoaError(.fileReadNoSuchFile) }
        loaded = Mutex((try Self.context(of: file), stamp))
    }

    private static func context(of file: String) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(file).map { NIOSSLCertificateSource.certificate($0) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: file, format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }

    /// For the next connection. A new file that cannot be used leaves the certificate as it is.
    var context: NIOSSLContext {
        loaded.withLock { loaded in
            if let stamp = Stamp(file), stamp != loaded.stamp, let context = try? Self.context(of: file) {
                loaded = (context, stamp)
            }
            return loaded.context
        }
    }
}

/// A connection with TLS around another one.
struct EncryptedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let certificate: ServerCertificate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
