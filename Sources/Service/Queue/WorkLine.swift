import Core
import Foundation

/// A worker's end of the queue: fetches jobs for its own versions, and publishes results.
package final class WorkLine: Sendable {
    package let connection: QueueConnection
    private let names: QueueNames
    private let versions: ReaderVersions

    /// - Throws: ``StartupError`` for what a person must change, ``QueueError`` for what may pass by itself.
    package init(_ server: QueueServer, _ names: QueueNames, _ versions: ReaderVersions, name: String) throws {
        self.names = names
        self.versions = versions
        connection = try QueueConnection.open(server, name: name, inbox: names.workerInbox)
    }

    /// Who publishes jobs at present; nil if nobody answers.
    package func owner() throws(QueueError) -> QueueOwner? {
        try connection.ask(names.owner).flatMap {
            try? JSONCoding.decode(QueueOwner.self, from: Data($0.utf8))
        }
    }

    /// The jobs for this worker's versions; nil while nobody wants these versions.
    package func jobs() throws(QueueError) -> QueuePull? {
        do { return try connection.pull(from: names.consumer(versions), of: names.jobs) } catch {
            if error.kind == .missing { return nil }
            throw error
        }
    }

    /// - Returns: false if another worker's result of the same publication was stored already.
    package func publish(_ result: QueueResult, message: Data) throws(QueueError) -> Bool {
        // Faults have no id: after a fault the same publication may still be answered.
        let id = result.answer.map { _ in "\(result.key)-\(result.dispatch)" }
        return try !connection.publish(message, to: names.resultSubject, id: id).isDuplicate
    }
}
