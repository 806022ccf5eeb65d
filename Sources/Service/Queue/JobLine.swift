import Core
import Foundation

/// The publisher's end of the queue: publishes jobs, and fetches results. There is one at a time for a prefix.
package final class JobLine: Sendable {
    /// The numbers of a queue.
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

    /// Removes all jobs.
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
