import Engine
import Foundation
import ReadJobs
import Logging
import Store
import Core

/// Completes the work of a killed run. Running it twice is harmless.
struct Recovery {
    let store: OutcomeStore
    let logger: Logger

    /// - Parameter journal: the crash journal of that run; only photos that it suspects are charged.
    func run(_ journal: CrashJournal) throws {
        let interrupted = try store.interrupted()
        for one in interrupted { try takeUp(one, isSuspect: journal.daemonCrashed || journal.isSuspect(one.photo.id)) }
        // Their readings were stored and no attempt had begun, but an attempt that crashed the daemon still counts.
        if journal.daemonCrashed {
            try store.chargeQueued(journal.held.subtracting(interrupted.map(\.photo.id)))
            logger.error("the previous run crashed; the photos in work are charged with one attempt")
        }
        let unwritten = try store.unwrittenSidecars()
        // One failed sidecar must not block the other photos; it is tried again at the next start.
        try SidecarSink.writeMissing(store, logger)
        if interrupted.count + unwritten.count > 0 {
            logger.notice(
                "recovered the photos of an interrupted run",
                metadata: ["jobs": "\(interrupted.count)", "sidecars": "\(unwritten.count)"])
        }
    }

    private func takeUp(_ one: InterruptedPhoto, isSuspect: Bool) throws {
        let photo = one.photo
        if !isSuspect { return try store.release(photo, attempt: photo.attempt - 1) }
        guard photo.attempt >= PhotoReading.mostAttempts, let content = one.content else {
            return try store.release(photo, attempt: photo.attempt)
        }
        try store.quarantine(QuarantinedContent(endingDaemon: photo, content: content, bytes: 0))
        // The next attempt finds the quarantine entry and ends with its reason, without a worker.
        try store.release(photo, attempt: photo.attempt)
        logger.error(
            "quarantined", metadata: ["job": "\(photo.id)", "photo": "\(photo.path.display)", "content": "\(content)"])
    }
}
