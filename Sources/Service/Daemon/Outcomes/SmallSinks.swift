import Boards
import Core
import Engine
import Foundation
import HTTP
import Logging
import Metrics
import Store

/// Adds the event to the outcome's transaction; streams, webhooks and the broker read it from there.
struct EventSink: OutcomeSink {
    let name = "event"

    func prepare(_ photo: inout JudgedPhoto) throws {
        photo.finished.event = try OutcomeEvent(photo.outcome, kind: photo.kind, at: Date())
            .stored(receivers: photo.configuration.receivers)
    }
}

/// Adds the frame of a board's photo to its session.
struct BoardSink: OutcomeSink {
    let name = "board frame"
    let sessions: BoardSessions

    func prepare(_ photo: inout JudgedPhoto) async throws {
        guard let board = photo.configuration.board(of: photo.path), let frame = photo.outcome.readings.pieces else {
            return
        }
        photo.step = try await sessions.step(frame, on: board, modified: photo.modified)
    }

    func follow(_ photo: JudgedPhoto) async -> FilePathBytes? {
        if let step = photo.step { await sessions.stored(step) }
        return nil
    }
}

/// Writes the sidecar. If it is refused, for example by a folder of its name, the outcome stays in the database.
struct SidecarSink: OutcomeSink {
    let name = "sidecar"

    func follow(_ photo: JudgedPhoto) throws -> FilePathBytes? {
        do { try SidecarFile.write(photo.finished.json + [0x0A], to: photo.photo.sidecar) } catch {
            if error.concernsOnePath { Counter(label: "tablesight_sidecars_refused_total").increment() }
            throw error
        }
        return photo.photo.sidecar
    }

    static func writeMissing(_ store: OutcomeStore, _ logger: Logger) throws {
        for (path, reason) in try store.writeSidecars() {
            logger.error("cannot write a sidecar", metadata: ["photo": "\(path.display)", "reason": "\(reason)"])
        }
    }
}

/// Draws the overlay, if the settings ask for it.
struct OverlaySink: OutcomeSink {
    let name = "overlay"
    let processor: PhotoProcessor

    func follow(_ photo: JudgedPhoto) async throws -> FilePathBytes? {
        guard photo.configuration.drawsOverlays, photo.outcome.source.width != nil else { return nil }
        let place = photo.configuration.overlay(for: photo.path)
        try SidecarFile.makeFolders(place.folder)
        let processor = processor.limited(to: photo.configuration.photoLimits)
        let failure = await processor.drawOverlay(of: photo.outcome, photo: photo.path, in: photo.inbox, to: place)
        if let failure { throw failure }
        return place
    }
}

/// Passes the finished outcome to the program, which prints it.
struct AnnouncementSink: OutcomeSink {
    let name = "announcement"
    let announce: @Sendable (Outcome, WatchedResult) -> Void

    func follow(_ photo: JudgedPhoto) -> FilePathBytes? {
        let overlay = photo.configuration.overlay(for: photo.path)
        announce(
            photo.outcome,
            WatchedResult(
                people: photo.configuration.profiles, sidecar: photo.files.first { $0 == photo.photo.sidecar },
                overlay: photo.files.first { $0 == overlay }))
        return nil
    }
}

/// Additional data of one photo's outcome.
package struct WatchedResult: Sendable, Hashable {
    package var people: [AllergenProfile]
    /// Nil if it could not be written; the outcome is in the database.
    package var sidecar: FilePathBytes?
    package var overlay: FilePathBytes?
}

/// Reports a finished photo in the progress, the metrics and the log.
struct DoneSink: OutcomeSink {
    let name = "report"
    let progress: StageProgress
    let logger: Logger

    func follow(_ photo: JudgedPhoto) -> FilePathBytes? {
        let outcome = photo.outcome
        progress.note(.done, outcome.id, photo.path)
        Counter(
            label: "tablesight_jobs_total",
            dimensions: [("outcome", outcome.status.rawValue), ("reason", outcome.reason?.code ?? "none")]
        ).increment()
        for (stage, milliseconds) in outcome.processing.timingsMs where photo.finished.answer != nil {
            Metrics.Timer(label: "tablesight_stage_seconds", dimensions: [("stage", stage)])
                .recordNanoseconds(Int64(nearest: milliseconds * 1e6))
        }
        logger.info("done", metadata: photo.photo.metadata(["status": "\(outcome.status.rawValue)"]))
        return nil
    }
}
