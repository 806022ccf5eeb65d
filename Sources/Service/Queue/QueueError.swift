internal import CNATS

package struct QueueError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// No answer, or no message, in time.
        case timeout
        /// No server, or the connection is down at the moment.
        case unreachable
        /// The server does not accept the credentials.
        case refused
        /// The TLS handshake failed.
        case tls
        /// The credentials do not allow this.
        case forbidden
        /// No such stream, consumer or message.
        case missing
        /// The server runs without JetStream.
        case noJetStream
        /// Larger than the server or the stream accepts.
        case tooLarge
        /// The connection is closed for good.
        case closed
        /// libnats is not installed.
        case noLibrary
        case failed
    }

    package var kind: Kind
    /// The library's words.
    package var detail: String

    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    package var description: String { detail }

    init(_ status: tsq_status, _ error: [CChar]) {
        let kind: Kind =
            switch status {
            case TSQ_TIMEOUT: .timeout
            case TSQ_UNREACHABLE: .unreachable
            case TSQ_REFUSED: .refused
            case TSQ_TLS: .tls
            case TSQ_FORBIDDEN: .forbidden
            case TSQ_MISSING: .missing
            case TSQ_NO_JETSTREAM: .noJetStream
            case TSQ_TOO_LARGE: .tooLarge
            case TSQ_CLOSED: .closed
            case TSQ_NO_LIBRARY: .noLibrary
            default: .failed
            }
        self.init(kind, String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}

/// Runs a call of the library and throws its failure.
func checked(_ call: (UnsafeMutablePointer<CChar>) -> tsq_status) throws(QueueError) {
    var error = [CChar](repeating: 0, count: Int(TSQ_ERROR_BYTES))
    let status = error.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map(call) ?? TSQ_FAILED
    }
    if status != TSQ_OK { throw QueueError(status, error) }
}
