import Core
import Foundation
import Testing

@testable import Store

extension OutcomeStore {
    /// Queues a photo and takes it from the queue.
    func queued(_ path: FilePathBytes) throws -> QueuedPhoto {
        let file = FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: 1, inode: UInt64(path.bytes.count), size: 1, modified: 3, changed: 4))
        try enqueue([file]) { $0.path.appending(suffix: ".json") }
        return try #require(try nextQueued(after: Data(), leavingOut: []))
    }
}
