import Foundation

/// A photo that was sent or found in a watched folder.
package struct PhotoStatus: Sendable, Codable {
    package enum State: String, Sendable, Codable, CaseIterable { case queued, reading, done }

    /// `sha256:` and the hash of the content.
    package var id: String
    package var state: State
    /// The outcome's address; nil before there is one.
    package var outcome: String?
    /// The files with this content.
    package var paths: [String]

    package init(id: String, state: State, outcome: String?, paths: [String]) {
        self.id = id
        self.state = state
        self.outcome = outcome
        self.paths = paths
    }
}

package struct PhotoDeletion: Sendable, Codable {
    package var id: String
    package var deleted: [String]
    /// Files that a person keeps in a watched folder; they are not read again until they change.
    package var kept: [String]

    package init(id: String, deleted: [String], kept: [String]) {
        self.id = id
        self.deleted = deleted
        self.kept = kept
    }
}

package protocol PhotoUpload: Sendable {
    /// - Throws: an error of the daemon above the limit and on a full disk.
    func write(_ bytes: [UInt8]) async throws
    /// Stores the photo durably and queues it.
    ///
    /// - Parameter key: idempotency key of the request.
    /// - Throws: an error of the daemon for bytes that are no photo, and if the key named other bytes.
    func finish(key: String?) async throws -> PhotoStatus
    func cancel() async
}

package protocol PhotoFolder: Sendable {
    /// The largest photo, bytes.
    var mostBytes: Int { get async }
    /// - Parameter person: the adult who sends the photo, whose prices it may hold; nil for others.
    /// - Throws: an error of the daemon while the queue is full, and without a folder for uploads.
    func begin(by person: String?) async throws -> any PhotoUpload
    func photo(_ id: String) async throws -> PhotoStatus?
    /// Deletes everything that was derived from a photo, and its uploaded file. Nil if nothing is known of it.
    func delete(_ id: String) async throws -> PhotoDeletion?
    /// Queues a photo whose reading broke off. Any other photo stays as it is. Nil if nothing is known of it.
    func readAgain(_ id: String) async throws -> PhotoStatus?
    /// The upright photo as JPEG without metadata, with a longer side of at most `side` pixels.
    func picture(_ id: String, side: Int) async throws -> Data?
    /// The photo with the results drawn over it, as PNG.
    func overlay(_ id: String) async throws -> Data?
}

/// The formats that the worker can decode.
package enum PhotoFormats {
    package static let all = [
        "image/jpeg", "image/png", "image/webp", "image/tiff", "image/bmp", "image/gif", "image/heic", "image/avif",
    ]
}
