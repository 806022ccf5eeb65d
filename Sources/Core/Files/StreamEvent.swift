import Foundation

/// An event of a stream, or a line of a session's stream.
package struct StreamEvent: Sendable, Hashable, Codable {
    /// Ascending number; a client that reconnects names the last one it received. Lines of a session are numbered from 1
    /// without gaps.
    package var number: Int64
    /// `completed`, `frame`, `game`, …
    package var kind: String
    /// One JSON object on one line.
    package var body: Data

    package init(number: Int64, kind: String, body: Data) {
        self.number = number
        self.kind = kind
        self.body = body
    }
}
