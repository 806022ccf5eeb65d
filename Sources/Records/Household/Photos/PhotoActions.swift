import Core
import Foundation
import Store

/// What the household does with its photos: see, keep and delete them, for every front end. Runs on a thread of its own,
/// because SQLite blocks.
///
/// A refusal is a ``PhotoProblem``, or what the folder of photos says of an upload.
package actor PhotoActions {
    private let executor = ThreadExecutor(label: "photos")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package let store: OutcomeStore
    private nonisolated let folder: any PhotoFolder
    private nonisolated let judged: any JudgedPhotos

    package init(_ store: OutcomeStore, folder: any PhotoFolder, judged: any JudgedPhotos) {
        self.store = store
        self.folder = folder
        self.judged = judged
    }

    package nonisolated var people: [AllergenProfile] { judged.people }

    // MARK: Photos

    /// The largest photo, bytes.
    package nonisolated var mostBytes: Int { get async { await folder.mostBytes } }

    /// Begins an upload; see ``PhotoFolder/begin(by:)``. Guests and children add no prices, so their photos are
    /// nobody's.
    package nonisolated func begin(by identity: Identity?) async throws -> any PhotoUpload {
        try await folder.begin(by: identity.flatMap { $0.role >= .adult ? $0.member?.name : nil })
    }

    package nonisolated func photo(_ id: String) async throws -> PhotoStatus { try await folder.photo(id).orUnknown }

    package nonisolated func delete(_ id: String) async throws -> PhotoDeletion {
        try await folder.delete(id).orUnknown
    }

    /// Queues a photo whose reading failed; see ``PhotoFolder/readAgain(_:)``.
    package nonisolated func readAgain(_ id: String) async throws { _ = try await folder.readAgain(id).orUnknown }

    /// The upright photo as JPEG.
    package nonisolated func picture(_ id: String, side: Int) async throws -> Data {
        try await folder.picture(id, side: side).orUnknown
    }

    /// The photo with the results drawn over it, as PNG.
    package nonisolated func overlay(_ id: String) async throws -> Data { try await folder.overlay(id).orUnknown }

    // MARK: Outcomes

    /// The outcome of a photo as it is stored; nil for a photo that was not read.
    package func outcome(_ id: String) throws -> Data? { try store.outcomeJSON(forContent: id) }

    /// The outcome of a photo; nil while it waits or is read, also if an earlier attempt failed.
    package nonisolated func result(_ id: String) async throws -> Outcome? {
        // Large outcomes are decoded outside the actor, so that pages do not wait for each other.
        guard let outcome = try store.outcome(forContent: id) else {
            _ = try await photo(id)
            return nil
        }
        if outcome.status == .failed, let state = try await folder.photo(id)?.state, state != .done { return nil }
        return outcome
    }

    /// Summaries computed before a search; the heartbeat computes the rest of an old database.
    package static let mostRefreshed = 200
}

extension Optional {
    /// The value of what the daemon knows of a photo.
    fileprivate var orUnknown: Wrapped {
        get throws(PhotoProblem) {
            guard let self else { throw .noPhoto }
            return self
        }
    }
}
