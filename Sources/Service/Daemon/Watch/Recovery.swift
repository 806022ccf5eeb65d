import Foundation
import JobChannel
import Logging
import Store
import Core

/// Finishes what a run that was killed left half done. Doing it twice does no harm.
struct Recovery {
    let store: OutcomeStore
    let logger: Logger

    /// - Parameter words: what the workers of that run left: only what is suspect by them is held against a photo.
    func run(_ words: CrashJournal) throws {
        let interrupted = try store.interrupted()
        for one in interrupted { try takeUp(one, isSuspect: words.daemonCrashed || words.isSuspect(one.photo.id)) }
        // Their readings were stored, so no try had begun; the try that ended the daemon counts all the same.
        if words.daemonCrashed {
            try store.chargeQueued(words.held.subtracting(interrupted.map(\.photo.id)))
            logger.error("an earlier run ended by a fault of its own; what it was working on is charged")
        }
        let unwritten = try store.unwrittenSidecars()
        // One photo's place must not keep all the others from being read; it is tried again at the next start.
        for (path, reason) in try store.writeSidecars() {
            logger.error("a sidecar cannot be written", metadata: ["photo": "\(path.display)", "reason": "\(reason)"])
        }
        if interrupted.count + unwritten.count > 0 {
            logger.notice(
                "took up what an earlier run left",
                metadata: ["jobs": "\(interrupted.count)", "sidecars": "\(unwritten.count)"])
        }
    }

    private func takeUp(_ one: InterruptedPhoto, isSuspect: Bool) throws {
        let photo = one.photo
        if !isSuspect { return try store.release(photo, attempt: photo.attempt - 1) }
        guard photo.attempt >= PhotoProcessor.mostAttempts, let content = one.content else {
            return try store.release(photo, attempt: photo.attempt)
        }
        try store.quarantine(QuarantinedContent(endingDaemon: photo, content: content, bytes: 0))
        // The next try asks no worker: it finds the entry, and ends with its reason.
        try store.release(photo, attempt: photo.attempt)
        logger.error(
            "quarantined", metadata: ["job": "\(photo.id)", "photo": "\(photo.path.display)", "content": "\(content)"])
    }
}
