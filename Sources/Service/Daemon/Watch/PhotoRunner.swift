import Foundation
import Logging
import Metrics
import Kinds
import ServiceLifecycle
import Store
import Core

/// Processes one photo at a time on its own thread, because syncing sidecars blocks.
actor PhotoRunner {
    private let executor = ThreadExecutor(label: "runner")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let service: JobService
    private var journal: Journal { service.journal }
    private var processor: PhotoProcessor { service.processor }

    init(_ service: JobService) { self.service = service }

    func run(_ wakeUp: WakeUp) async throws {
        try await drainQueue()
        for await _ in wakeUp.rings { try await drainQueue() }
        // Photos of the last ring are still processed, unless the daemon is stopping.
        try await drainQueue()
    }

    private func drainQueue() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled, let photo = try await journal.next() {
            do {
                try await finish(photo)
                await leave(photo)
            } catch is Superseded {
                // The newer version is in the queue.
                await leave(photo)
            } catch {
                await journal.leave(photo)
                throw error
            }
        }
    }

    private func leave(_ photo: QueuedPhoto) async {
        await journal.leave(photo)
        // A suspect photo ran alone; wake the other runners.
        if photo.attempt > 0 { service.wakeUps.forEach { $0.ring() } }
    }

    private func request(for photo: QueuedPhoto) -> PhotoProcessor.Request {
        let configuration = service.configuration
        guard let board = configuration.board(of: photo.path) else {
            return PhotoProcessor.Request(profiles: configuration.profiles)
        }
        return PhotoProcessor.Request(domain: .board, pieceSet: board.pieceSet, profiles: configuration.profiles)
    }

    private func finish(_ photo: QueuedPhoto) async throws {
        let request = request(for: photo)
        let asked = request.asked(of: await processor.reading.backend.readers())
        let inbox = service.configuration.inbox(of: photo.path) ?? photo.path.folder
        let open: OpenPhoto
        let content: OpenPhoto.Content
        do {
            open = try OpenPhoto.open(photo.path, below: inbox)
            content = try await open.content(limit: processor.reading.photoLimits?.fileBytes ?? OpenPhoto.mostBytes)
        } catch OpenPhoto.Unproved.changed {
            return try await journal.lookAgain(photo)
        } catch OpenPhoto.Unproved.stopped {
            return
        } catch {
            guard let failure = error.itemFailure else { throw error }
            if failure.code == .fileVanished || failure.code == .notAFile { return try await journal.lookAgain(photo) }
            return try await store(
                photo, ReadAnswer(failure: failure), nil, keepsReadings: false, attempts: photo.attempt)
        }
        let modified = content.version.modified
        if open.isBeingWritten { return try await journal.lookAgain(photo) }
        if try await journal.finishUnchanged(photo, content: content.id, asked: asked) { return }

        if let entry = try await journal.quarantined(content.id) {
            return try await store(photo, entry.answer, content, keepsReadings: false, attempts: entry.attempts)
        }
        if photo.attempt >= PhotoReading.mostAttempts {
            let entry = QuarantinedContent(endingDaemon: photo, content: content.id, bytes: content.bytes)
            try await journal.quarantine(entry)
            service.logger.error("quarantined", metadata: metadata(photo, ["content": "\(content.id)"]))
            return try await store(
                photo, entry.answer, content, keepsReadings: false, attempts: entry.attempts, kind: "quarantined")
        }
        if let answer = try await journal.answer(for: content.id, asked: asked) {
            // No worker records this photo, so the daemon records it here: judging it may crash the daemon.
            service.crashJournal.hold(photo, true)
            defer { service.crashJournal.hold(photo, false) }
            return try await store(
                photo, answer, content, modified: modified, keepsReadings: false, attempts: max(1, photo.attempt))
        }
        service.progress.note(.received, content.id, photo.path)
        let reading = try await processor.reading.read(
            open, request, content: content, number: photo.id, attempts: photo.attempt,
            decoded: { [progress = service.progress] in progress.note(.decoded, content.id, photo.path) }
        ) { attempt in
            try await self.journal.charge(photo, attempt: attempt, content: content.id)
        }
        service.progress.note(.read, content.id, photo.path)
        // The file was written during reading, so the readings match no version of it.
        guard await open.stillHolds(content) else {
            return try await journal.lookAgain(photo)
        }
        if let fault = reading.fault {
            guard fault.isCharged else {
                try await journal.release(photo, attempt: reading.attempts)
                return await pause(after: fault)
            }
            try await journal.quarantine(QuarantinedContent(photo, content, reading))
            service.logger.error(
                "quarantined", metadata: metadata(photo, ["content": "\(content.id)", "reason": "\(fault)"]))
        }
        service.health.set(\.workerAnswers, true)
        let isTransient = reading.answer.failure?.isTransient == true
        try await store(
            photo, reading.answer, content, modified: modified, keepsReadings: reading.fault == nil && !isTransient,
            attempts: reading.attempts, kind: reading.fault == nil ? "completed" : "quarantined",
            worker: reading.worker)
    }

    /// Waits before the next attempt; without a worker no photo can be read.
    private func pause(after fault: WorkerFault) async {
        guard fault != .stopped else { return }
        if service.health.set(\.workerAnswers, false) {
            service.logger.error(
                "no worker could be started: photos wait", metadata: ["reason": "\(ItemFailure(fault).detail)"])
        }
        try? await Task.sleep(for: .seconds(1))
    }

    /// Stores the outcome, writes its sidecar and announces it.
    private func store(
        _ photo: QueuedPhoto, _ answer: ReadAnswer, _ content: OpenPhoto.Content?, modified: Int64 = 0,
        keepsReadings: Bool, attempts: Int, kind: String = "completed", worker: String = "local"
    ) async throws {
        let request = request(for: photo)
        let facts = PhotoFacts(path: photo.path, id: content?.id, bytes: content?.bytes ?? 0)
        let unanswered = await processor.fetchProducts(for: answer)
        var outcome = processor.judge(answer, facts, request, unanswered: unanswered) {
            service.progress.note(.parsed, content?.id, photo.path)
        }
        outcome.processing.attempt = max(1, attempts)
        outcome.processing.worker = worker
        let json = try JSONCoding.encode(outcome)
        let step = try await step(outcome, photo, modified)
        let finished = FinishedPhoto(
            content: outcome.id, asked: request.asked(of: await processor.reading.backend.readers()),
            answer: keepsReadings ? answer : nil, status: outcome.status,
            json: json,
            event: try OutcomeEvent(outcome, kind: kind, at: Date())
                .stored(receivers: service.configuration.webhooks.receivers),
            capture: step?.capture, summary: OutcomeSummary(outcome))
        service.progress.note(.judged, outcome.id, photo.path)
        // Before the photo is finished, so that a crash in between repeats both; the entry is made only once.
        let isLogged = logInDiary(outcome, photo, modified)
        guard try await journal.finish(photo, finished) else { return }
        // A full disk was waited for in between.
        if !isLogged { _ = logInDiary(outcome, photo, modified) }
        // People changed while this photo was judged: judge it for the new ones.
        if service.configuration.profiles != request.profiles, step == nil {
            return try await store(
                photo, answer, content, modified: modified, keepsReadings: keepsReadings, attempts: attempts,
                kind: kind, worker: worker)
        }
        if let step { await service.boards.stored(step) }
        service.prices(outcome)
        let hasSidecar = try await writeSidecar(json + [0x0A], photo)
        if hasSidecar { guard try await journal.wroteSidecar(photo, content: outcome.id) else { return } }
        service.progress.note(.done, outcome.id, photo.path)
        Counter(
            label: "tablesight_jobs_total",
            dimensions: [("outcome", outcome.status.rawValue), ("reason", outcome.reason?.code ?? "none")]
        ).increment()
        for (stage, milliseconds) in outcome.processing.timingsMs where keepsReadings {
            Metrics.Timer(label: "tablesight_stage_seconds", dimensions: [("stage", stage)])
                .recordNanoseconds(Int64(milliseconds * 1e6))
        }
        service.logger.info("done", metadata: metadata(photo, ["status": "\(outcome.status.rawValue)"]))

        var result = WatchedResult(
            people: service.configuration.profiles, sidecar: hasSidecar ? photo.sidecar : nil)
        if service.configuration.drawsOverlays, outcome.source.width != nil {
            result.overlay = await overlay(of: outcome, photo)
            if let overlay = result.overlay, try await journal.removeIfErased(overlay, of: photo) { return }
        }
        service.announce(outcome, result)
    }

    /// Makes an entry of a photo in a diary's inbox.
    ///
    /// - Returns: false if the entry could not be stored.
    private func logInDiary(_ outcome: Outcome, _ photo: QueuedPhoto, _ modified: Int64) -> Bool {
        guard let diary = service.diary, let inbox = service.configuration.inbox(of: photo.path) else { return true }
        return diary.log(outcome, at: photo.path, below: inbox, modified: modified, now: Date())
    }

    /// The photo's step in its board's session; nil if it has no board or pieces were not requested.
    private func step(_ outcome: Outcome, _ photo: QueuedPhoto, _ modified: Int64) async throws -> BoardSessions.Step? {
        guard let board = service.configuration.board(of: photo.path), let frame = outcome.readings.pieces else {
            return nil
        }
        return try await service.boards.step(frame, on: board, modified: modified)
    }

    /// - Returns: false if this sidecar cannot be written; this is logged, and the outcome stays in the database.
    /// - Throws: ``StartupError`` if nothing can be written.
    private func writeSidecar(_ data: Data, _ photo: QueuedPhoto) async throws -> Bool {
        while true {
            do {
                try SidecarFile.write(data, to: photo.sidecar)
                return true
            } catch {
                if error.concernsOnePath {
                    service.logger.error(
                        "cannot write a sidecar", metadata: metadata(photo, ["reason": "\(error.message)"]))
                    Counter(label: "tablesight_sidecars_refused_total").increment()
                    return false
                }
                guard error.isDiskFull, !Task.isShuttingDownGracefully else { throw error }
                if service.health.set(\.diskHasRoom, false) {
                    service.logger.error(
                        "the disk is full: waiting for free space", metadata: ["reason": "\(error.message)"])
                }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func overlay(of outcome: Outcome, _ photo: QueuedPhoto) async -> FilePathBytes? {
        let place = service.configuration.overlay(for: photo.path)
        do { try SidecarFile.makeFolders(place.folder) } catch {
            service.logger.warning("cannot draw an overlay", metadata: metadata(photo, ["reason": "\(error.message)"]))
            return nil
        }
        let inbox = service.configuration.inbox(of: photo.path)
        if let failure = await processor.drawOverlay(of: outcome, photo: photo.path, in: inbox, to: place) {
            service.logger.warning("cannot draw an overlay", metadata: metadata(photo, ["reason": "\(failure.detail)"]))
            return nil
        }
        return place
    }

    private func metadata(_ photo: QueuedPhoto, _ more: Logger.Metadata) -> Logger.Metadata {
        more.merging(["job": "\(photo.id)", "photo": "\(photo.path.display)"]) { $1 }
    }
}

extension QuarantinedContent {
    fileprivate init(_ photo: QueuedPhoto, _ content: OpenPhoto.Content, _ reading: PhotoReading.Reading) {
        let failure = reading.answer.failure ?? ItemFailure(.garbled("no answer"))
        self.init(
            content: content.id, reason: Outcome.Reason(failure).quarantined, attempts: reading.attempts,
            path: photo.path, bytes: content.bytes, since: Int64(Date().timeIntervalSince1970))
    }

    /// The entry of a content that crashed the daemon in every attempt.
    init(endingDaemon photo: QueuedPhoto, content: String, bytes: Int) {
        let reason = Outcome.Reason(
            code: ItemFailure.Code.workerCrashed.rawValue,
            detail: "\(photo.attempt) attempts to read it ended the daemon as well",
            hint: "save the photo again in another program, or photograph it again"
        ).quarantined
        self.init(
            content: content, reason: reason, attempts: photo.attempt, path: photo.path, bytes: bytes,
            since: Int64(Date().timeIntervalSince1970))
    }

    /// The answer for every file with this content, without a worker.
    var answer: ReadAnswer {
        ReadAnswer(
            failure: ItemFailure(
                stage: .recognition, code: ItemFailure.Code(rawValue: reason.code) ?? .workerCrashed,
                detail: reason.detail, hint: reason.hint))
    }
}

extension Outcome.Reason {
    /// The reason, with the command that releases it from quarantine.
    var quarantined: Outcome.Reason {
        Outcome.Reason(
            code: code, detail: detail,
            hint: hint + "; the photo is in quarantine: `tablesight quarantine retry` tries it again")
    }
}

extension Error {
    /// The failure of a single photo; nil if the error concerns more photos.
    fileprivate var itemFailure: ItemFailure? {
        if case .failed(let failure)? = self as? OpenPhoto.Unproved { return failure }
        return self as? ItemFailure
    }
}
