import Foundation
internal import CMosquitto

/// Why a call of the broker failed, in words that name what to change.
struct MQTTError: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ status: tsm_status, _ error: [CChar], _ settings: MQTTSettings) {
        let detail = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let address = settings.address
        description =
            switch status {
            case TSM_REFUSED:
                "the broker \(address) refuses \(settings.user.map { "the user \($0)" } ?? "a client without a user")"
                    + " (\(detail)): compare mqtt.credentials with the broker's users"
            case TSM_TLS: "no TLS with the broker \(address): \(detail). Check mqtt.ca and the certificate's names"
            case TSM_NO_LIBRARY: "\(detail): sudo apt-get install libmosquitto1"
            default: "the broker \(address) cannot be reached: \(detail)"
            }
    }
}

/// One connection to a broker. Calls block, so they belong on a thread of their own; after a failed call it is over.
///
/// Not `Sendable`: one thread at a time uses it.
final class MQTTConnection {
    struct Message {
        var topic: String
        var body: Data
        var isRetained = false
    }

    private let handle: OpaquePointer
    private let settings: MQTTSettings
    private var hasFailed = false

    /// Version of libmosquitto; nil if it is not installed.
    static var libraryVersion: String? { tsm_library_version().map { String(cString: $0) } }

    /// Messages that are sent before the first of them is acknowledged.
    static let window = 20

    /// Connects; if the connection is later lost, the broker publishes `offline` on the status topic.
    init(_ settings: MQTTSettings, isObserver: Bool = false) throws(MQTTError) {
        self.settings = settings
        var texts: [UnsafeMutablePointer<CChar>?] = []
        defer { texts.forEach { free($0) } }
        func text(_ value: String?) -> UnsafePointer<CChar>? {
            let copy = value.map { strdup($0) } ?? nil
            texts.append(copy)
            return copy.map { UnsafePointer($0) }
        }
        var options = tsm_options()
        options.host = text(settings.host)
        options.port = Int32(clamping: settings.port)
        // An observer must not disconnect the daemon.
        options.client_id = text(settings.clientID + (isObserver ? "-doctor-\(getpid())" : ""))
        options.user = text(settings.user)
        options.password = text(settings.password)
        options.tls = settings.requiresTLS
        options.ca_file = text(settings.authorities)
        options.will_topic = isObserver ? nil : text(settings.topic("status"))
        options.will_text = isObserver ? nil : text("offline")
        options.window = Int32(Self.window)
        var made: OpaquePointer?
        var error = [CChar](repeating: 0, count: Int(TSM_ERROR_BYTES))
        let status = tsm_connect(&options, Int32(settings.wait / .milliseconds(1)), &made, &error)
        guard status == TSM_OK, let made else { throw MQTTError(status, error, settings) }
        handle = made
    }

    deinit { if hasFailed { tsm_drop(handle) } else { tsm_close(handle) } }

    /// Publishes messages in order with QoS 1, and waits until the broker has acknowledged all of them.
    ///
    /// - Returns: for each message whether it was acknowledged, and why the others were not.
    func publish(_ messages: [Message]) -> (acknowledged: [Bool], failure: MQTTError?) {
        var list = messages.map { message in
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, message.body.count), alignment: 1)
            message.body.copyBytes(to: bytes)
            return tsm_message(
                topic: strdup(message.topic), data: UnsafeRawPointer(bytes.baseAddress),
                length: Int32(clamping: message.body.count), retained: message.isRetained, acknowledged: false,
                number: 0
            )
        }
        defer {
            for one in list {
                free(UnsafeMutablePointer(mutating: one.topic))
                one.data?.deallocate()
            }
        }
        let failure = attempt {
            tsm_publish(handle, &list, Int32(list.count), Int32(settings.wait / .milliseconds(1)), $0)
        }
        return (list.map(\.acknowledged), failure)
    }

    /// Keeps the connection alive; to be called every few seconds.
    func serve() throws(MQTTError) {
        if let failure = attempt({ tsm_serve(handle, $0) }) { throw failure }
    }

    private func attempt(_ call: (UnsafeMutablePointer<CChar>?) -> tsm_status) -> MQTTError? {
        var error = [CChar](repeating: 0, count: Int(TSM_ERROR_BYTES))
        let status = error.withUnsafeMutableBufferPointer { call($0.baseAddress) }
        guard status != TSM_OK else { return nil }
        hasFailed = true
        return MQTTError(status, error, settings)
    }
}
