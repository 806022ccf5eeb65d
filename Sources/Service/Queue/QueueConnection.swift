internal import CNATS
import Foundation

/// A connection to a NATS server with JetStream. Calls block, so they belong on threads of their own.
package final class QueueConnection: Sendable {
    package struct Figures: Sendable, Hashable {
        /// Messages that were not delivered yet.
        package var waiting = 0
        /// Messages at workers.
        package var unacknowledged = 0
        /// The highest number that was delivered.
        package var delivered: UInt64 = 0
    }

    /// Constant, and closed in `deinit` alone. libnats locks inside its functions.
    nonisolated(unsafe) let handle: OpaquePointer

    /// Version of libnats; nil if it is not installed.
    package static var libraryVersion: String? { tsq_library_version().map { String(cString: $0) } }

    /// - Parameters:
    ///   - name: the client's name in the server's list of connections.
    ///   - inbox: first words of the subjects on which it gets answers. Workers may not listen to the daemon's.
    ///   - reconnects: true connects again after an interruption.
    package init(
        to server: QueueServer, name: String, inbox: String, reconnects: Bool = true
    ) throws(QueueError) {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        defer { texts.forEach { free($0) } }
        func text(_ value: String?) -> UnsafePointer<CChar>? {
            let copy = value.map { strdup($0) } ?? nil
            texts.append(copy)
            return copy.map { UnsafePointer($0) }
        }
        var options = tsq_options()
        options.url = text(server.address.description)
        options.name = text(name)
        options.inbox = text(inbox)
        switch server.credentials {
        case .none: break
        case .user(let user, let password): (options.user, options.password) = (text(user), text(password))
        case .nkey(let key, let seed): (options.nkey, options.seed_file) = (text(key), text(seed))
        case .jwt(let file): options.credentials_file = text(file)
        }
        options.tls = server.address.requiresTLS
        options.ca_file = text(server.authorities)
        options.certificate_file = text(server.certificate?.file)
        options.key_file = text(server.certificate?.key)
        options.reconnects = reconnects
        options.wait_ms = Int64(server.wait / .milliseconds(1))
        var made: OpaquePointer?
        try checked { tsq_connect(&options, &made, $0) }
        guard let made else { throw QueueError(.failed, "no connection") }
        handle = made
    }

    deinit { tsq_close(handle) }

    package var isConnected: Bool { tsq_is_connected(handle) }
    /// True if it does not come back by itself.
    package var isClosed: Bool { tsq_is_closed(handle) }
    /// Largest message that the server accepts, bytes.
    package var mostBytes: Int { Int(tsq_max_payload(handle)) }

    /// Makes a stream that keeps each message until it is acknowledged.
    package func makeStream(
        _ stream: String, subjects: String, age: Duration = .zero, bytes: Int = -1
    ) throws(QueueError) {
        try checked {
            tsq_make_stream(handle, stream, subjects, Int64(age / .seconds(1)), Int64(bytes), 120, $0)
        }
    }

    /// Makes a consumer, or gives an existing one these limits.
    ///
    /// - Parameters:
    ///   - patience: time after which an unacknowledged message is delivered again.
    ///   - deliveries: maximum deliveries of a message.
    ///   - pending: maximum unacknowledged messages.
    package func makeConsumer(
        _ consumer: String, of stream: String, subject: String, patience: Duration, deliveries: Int, pending: Int
    ) throws(QueueError) {
        try checked {
            tsq_make_consumer(
                handle, stream, consumer, subject, Int64(patience / .milliseconds(1)), Int64(deliveries),
                Int64(pending), $0)
        }
    }

    package func figures(of consumer: String, in stream: String) throws(QueueError) -> Figures {
        var figures = tsq_consumer_figures()
        try checked { tsq_consumer_info(handle, stream, consumer, &figures, $0) }
        return Figures(
            waiting: Int(clamping: figures.waiting), unacknowledged: Int(figures.unacknowledged),
            delivered: figures.delivered)
    }

    package func purge(_ stream: String, subject: String) throws(QueueError) {
        try checked { tsq_purge(handle, stream, subject, $0) }
    }

    package func delete(_ sequence: UInt64, from stream: String) throws(QueueError) {
        try checked { tsq_delete_message(handle, stream, sequence, $0) }
    }

    package func has(_ sequence: UInt64, in stream: String) throws(QueueError) -> Bool {
        do {
            try checked { tsq_has_message(handle, stream, sequence, $0) }
            return true
        } catch {
            if error.kind == .missing { return false }
            throw error
        }
    }

    /// Publishes to a stream and waits until the server has stored it.
    ///
    /// - Parameter id: the server drops a second message with this id that arrives within two minutes.
    /// - Returns: its number in the stream, and whether it was dropped.
    @discardableResult
    package func publish(
        _ data: Data, to subject: String, id: String? = nil
    ) throws(QueueError) -> (sequence: UInt64, isDuplicate: Bool) {
        var (sequence, isDuplicate): (UInt64, Bool) = (0, false)
        try checked { error in
            data.withUnsafeBytes {
                tsq_publish(
                    handle, subject, $0.baseAddress, Int32(clamping: $0.count), id, &sequence, &isDuplicate, error)
            }
        }
        return (sequence, isDuplicate)
    }

    package func pull(from consumer: String, of stream: String) throws(QueueError) -> QueuePull {
        var made: OpaquePointer?
        try checked { tsq_pull_open(handle, stream, consumer, &made, $0) }
        guard let made else { throw QueueError(.failed, "no subscription") }
        return QueuePull(made, of: self)
    }

    /// Answers each request on this subject, as long as the connection lives.
    package func answer(_ subject: String, with text: String) throws(QueueError) {
        try checked { tsq_answer(handle, subject, text, $0) }
    }

    /// The answer of whoever answers on this subject; nil if nobody does.
    package func ask(_ subject: String, wait: Duration = .seconds(1)) throws(QueueError) -> String? {
        var answer = [CChar](repeating: 0, count: 2048)
        do {
            try checked { error in
                answer.withUnsafeMutableBufferPointer {
                    tsq_ask(handle, subject, Int64(wait / .milliseconds(1)), $0.baseAddress, Int32($0.count), error)
                }
            }
        } catch {
            if error.kind == .timeout { return nil }
            throw error
        }
        return String(decoding: answer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A subscription from which messages are fetched, by one thread at a time.
package final class QueuePull: Sendable {
    /// Constant, and closed in `deinit` alone. libnats locks inside its functions.
    nonisolated(unsafe) private let handle: OpaquePointer
    /// It must outlive the subscription.
    private let connection: QueueConnection

    fileprivate init(_ handle: OpaquePointer, of connection: QueueConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { tsq_pull_close(handle) }

    /// Waits until a message arrives, and takes what is there.
    ///
    /// - Returns: at most `most` messages; empty if none came in time.
    package func fetch(_ most: Int, wait: Duration) throws(QueueError) -> [QueueMessage] {
        var found = [OpaquePointer?](repeating: nil, count: most)
        var count: Int32 = 0
        do {
            try checked { tsq_pull_fetch(handle, Int32(most), Int64(wait / .milliseconds(1)), &found, &count, $0) }
        } catch {
            if error.kind == .timeout { return [] }
            throw error
        }
        return found.prefix(Int(count)).compactMap { $0 }.map { QueueMessage($0, of: self) }
    }
}

package final class QueueMessage: Sendable {
    /// Constant, and freed in `deinit` alone. Its bytes never change; libnats locks its acknowledgement.
    nonisolated(unsafe) private let handle: OpaquePointer
    /// The library acknowledges through the subscription, so it must outlive the message.
    private let pull: QueuePull

    fileprivate init(_ handle: OpaquePointer, of pull: QueuePull) {
        self.handle = handle
        self.pull = pull
    }

    deinit { tsq_message_free(handle) }

    package var data: Data {
        var length: Int32 = 0
        guard let bytes = tsq_message_data(handle, &length), length > 0 else { return Data() }
        return Data(bytes: bytes, count: Int(length))
    }

    /// How often it was delivered, this time included.
    package var deliveries: Int { Int(clamping: tsq_message_deliveries(handle)) }

    /// The work is done. Without a connection the message comes again.
    package func acknowledge() { _ = tsq_message_ack(handle) }

    /// The work continues: the time until the next delivery starts again.
    package func extend() { _ = tsq_message_in_progress(handle) }
}
