import Core
import Foundation

/// The publisher's end of the queue: publishes jobs, and fetches results. There is one at a time for a prefix.
package final class JobLine: Sendable {
    package struct Limits: Sendable, Hashable {
        /// Jobs that workers may hold at the same time.
        package var slots: Int
        /// Time after which a job without a sign of life is delivered again.
        package var patience: Duration

        package init(slots: Int, patience: Duration) {
            self.slots = slots
            self.patience = patience
        }
    }

    package let connection: QueueConnection
    private let names: QueueNames
    private let versions: ReaderVersions
    private let limits: Limits
    private let results: QueuePull

    /// Deliveries of a job, after which it is given up.
    private static let mostDeliveries = 2
    /// Size of all waiting results, bytes. Workers wait while it is reached.
    private static let mostResultBytes = 256 << 20
    /// Results of a publisher that does not come back.
    private static let resultAge = Duration.seconds(86_400)

    /// Makes streams and consumers, and drops the jobs of an earlier publisher: its photos are queued again in its
    /// database.
    ///
    /// - Throws: ``StartupError`` for what a person must change, ``QueueError`` for what may pass by itself.
    package init(
        _ server: QueueServer, _ names: QueueNames, _ versions: ReaderVersions, _ limits: Limits, id: String
    ) throws {
        self.names = names
        self.versions = versions
        self.limits = limits
        connection = try QueueConnection.open(server, name: "tablesight \(names.prefix)", inbox: names.daemonInbox)
        do {
            if let text = try connection.ask(names.owner),
                let owner = try? JSONCoding.decode(QueueOwner.self, from: Data(text.utf8)), owner.id != id
            {
                throw StartupError(
                    .configuration,
                    "another daemon or batch publishes jobs with the prefix \(names.prefix) on \(server.address): "
                        + "stop it, or set another queue.prefix")
            }
            let own = try JSONCoding.encode(QueueOwner(id: id, versions: versions))
            try connection.answer(names.owner, with: String(decoding: own, as: UTF8.self))
            try Self.make(connection, names, versions, limits)
            try connection.purge(names.jobs, subject: names.jobSubjects)
            results = try connection.pull(from: names.resultConsumer, of: names.results)
        } catch let error as QueueError {
            throw error.startup(server.address) ?? error
        }
    }

    private static func make(
        _ connection: QueueConnection, _ names: QueueNames, _ versions: ReaderVersions, _ limits: Limits
    ) throws(QueueError) {
        try connection.makeStream(names.jobs, subjects: names.jobSubjects)
        try connection.makeStream(
            names.results, subjects: names.resultSubject, age: resultAge, bytes: mostResultBytes)
        try connection.makeConsumer(
            names.consumer(versions), of: names.jobs, subject: names.jobSubject(versions), patience: limits.patience,
            deliveries: mostDeliveries, pending: limits.slots)
        try connection.makeConsumer(
            names.resultConsumer, of: names.results, subject: names.resultSubject, patience: .seconds(60),
            deliveries: 10, pending: 1000)
    }

    /// Makes again what a server that lost its data does not have.
    package func repair() throws(QueueError) { try Self.make(connection, names, versions, limits) }

    /// - Returns: the job's number in the stream.
    package func publish(_ job: QueueJob) throws(QueueError) -> UInt64 {
        guard let data = try? JSONCoding.encode(job) else { throw QueueError(.failed, "the job cannot be encoded") }
        return try connection.publish(data, to: names.jobSubject(versions), id: "\(job.dispatch)").sequence
    }

    /// Removes a job that nobody needs any more. A worker that has it is not stopped.
    package func withdraw(_ sequence: UInt64) { try? connection.delete(sequence, from: names.jobs) }

    package func withdrawAll() { try? connection.purge(names.jobs, subject: names.jobSubjects) }

    package func figures() throws(QueueError) -> QueueConnection.Figures {
        try connection.figures(of: names.consumer(versions), in: names.jobs)
    }

    /// True while the job was not acknowledged.
    package func holds(_ sequence: UInt64) throws(QueueError) -> Bool { try connection.has(sequence, in: names.jobs) }

    /// Waits for results; called by one thread.
    package func fetch(wait: Duration = .seconds(1)) throws(QueueError) -> [QueueMessage] {
        try results.fetch(64, wait: wait)
    }
}

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
