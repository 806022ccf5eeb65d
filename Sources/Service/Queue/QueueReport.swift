import Core
import Foundation

/// What `doctor` says of a queue.
package struct QueueReport: Sendable, Hashable {
    /// Server, library and limits.
    package var connection: String
    /// Who publishes jobs, and how many wait.
    package var jobs: String

    /// - Throws: ``StartupError`` for what a person must change, ``QueueError`` for what may pass by itself.
    package init(_ server: QueueServer, _ names: QueueNames) throws {
        let link = try QueueConnection.open(server, name: "tablesight doctor", inbox: names.daemonInbox)
        connection =
            "\(server.address), messages of at most \(link.mostBytes >> 10) KiB"
            + (server.address.isLoopback ? "" : ", clients need credentials")
        guard let text = try link.ask(names.owner),
            let owner = try? JSONCoding.decode(QueueOwner.self, from: Data(text.utf8))
        else {
            jobs = "nobody publishes jobs with the prefix \(names.prefix) at present"
            return
        }
        let figures = try link.figures(of: names.consumer(owner.versions), in: names.jobs)
        jobs =
            "tablesight \(owner.versions.program) publishes jobs: \(figures.waiting) wait, "
            + "\(figures.unacknowledged) at workers"
    }
}
