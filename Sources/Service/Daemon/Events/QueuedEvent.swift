import Core
import Foundation
import Store

/// The event about a file that waits to be read.
struct QueuedEvent: Encodable {
    struct Waiting: Encodable {
        /// Known for uploads only; other files are hashed when they are read.
        var id: String?
        var path: String
        var bytes: Int64
    }

    var type = "queued"
    var timestamp: String
    var data: Waiting

    init(_ file: FoundFile, id: String?, at date: Date) {
        timestamp = date.formatted(.iso8601)
        data = Waiting(id: id, path: file.path.display, bytes: file.identity.size)
    }

    var stored: NewEvent {
        get throws {
            NewEvent(
                id: "evt_" + UUID().uuidString.lowercased(), kind: type, body: try JSONCoding.encode(self),
                receivers: [])
        }
    }
}
