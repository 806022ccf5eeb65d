import Foundation
import JobChannel
import Logging
import Store
import Vocabulary

/// Finishes what a run that was killed left half done. Doing it twice does no harm.
struct Recovery {
    let store: OutcomeStore
    let logger: Logger

    /// - Parameter words: what the workers of that run left: only what is suspect by them is held against a photo.
    func run(_ words: LastWords) throws {
        let interrupted = try store.interrupted()
        for one in interrupted { try takeUp(one, isSuspect: words.isSuspect(one.photo.id)) }
        let unwritten = try store.unwrittenSidecars()
        for (photo, json) in unwritten { try SidecarFile.write(json + [0x0A], to: photo.sidecar) }
        try store.markSidecarsWritten(unwritten.map(\.photo.id))
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
        let reason = Outcome.Reason(
            code: ItemFailure.Code.workerCrashed.rawValue,
            detail: "\(photo.attempt) tries to read it ended the daemon as well",
            hint: "save the photo again in another program, or photograph it again"
        ).quarantined
        let entry = QuarantinedContent(
            content: content, reason: reason, attempts: photo.attempt, path: photo.path, bytes: 0,
            since: Int64(Date().timeIntervalSince1970))
        try store.quarantine(entry)
        // The next try asks no worker: it finds the entry, and ends with its reason.
        try store.release(photo, attempt: photo.attempt)
        logger.error(
            "quarantined", metadata: ["job": "\(photo.id)", "photo": "\(photo.path.display)", "content": "\(content)"])
    }
}
