import Core
import Foundation
import Settings

package struct QueueSettings: Sendable, Hashable {
    package var server: QueueServer
    package var names: QueueNames
    /// Jobs that workers of other machines may hold at the same time.
    package var slots: Int
    /// A folder that daemon and workers share; nil if workers fetch photos from the daemon.
    package var share: FilePathBytes?
    /// The token with which workers fetch photos; nil uses the one in the output folder.
    package var workerToken: String?

    package init(
        server: QueueServer, names: QueueNames, slots: Int = 16, share: FilePathBytes? = nil, workerToken: String? = nil
    ) {
        self.server = server
        self.names = names
        self.slots = slots
        self.share = share
        self.workerToken = workerToken
    }

    package init?(_ settings: Settings) throws(StartupError) {
        guard let address = settings.text("queue.address") else { return nil }
        let certificate = try Self.certificate(
            settings.text("queue.certificate"), key: settings.text("queue.certificateKey"))
        self.init(
            server: QueueServer(
                address: try QueueAddress(address),
                credentials: try settings.text("queue.credentials").map { text throws(StartupError) in
                    try QueueCredentials(file: text)
                } ?? .none,
                authorities: settings.text("queue.ca"), certificate: certificate),
            names: try QueueNames(prefix: settings.text("queue.prefix") ?? "tablesight"),
            slots: settings.integer("queue.slots"),
            share: try settings.text("queue.share").map { name throws(StartupError) in try Self.share(name) },
            workerToken: settings.text("queue.workerToken"))
        if let workerToken, workerToken.utf8.count < 16 {
            throw StartupError(.configuration, "queue.workerToken must have 16 bytes or more")
        }
    }

    /// - Throws: ``StartupError`` (78) if one is without the other.
    package static func certificate(
        _ file: String?, key: String?
    ) throws(StartupError) -> (file: String, key: String)? {
        switch (file, key) {
        case (nil, nil): return nil
        case (let file?, let key?):
            try QueueCredentials.checkOwner(of: key)
            return (file, key)
        default:
            throw StartupError(.configuration, "the queue's certificate and its key belong together: name both files")
        }
    }

    /// - Throws: ``StartupError`` (66) if the folder is missing.
    package static func share(_ name: String) throws(StartupError) -> FilePathBytes {
        guard let folder = FilePathBytes(name)?.resolved else {
            throw StartupError(.noInput, "the shared folder \(name) does not exist: mount it, or name another")
        }
        return folder
    }

    /// Most jobs that are published and not answered.
    package var mostOutstanding: Int { 2 * slots }
}
