import Engine
import Foundation
import Logging
import Kinds
import ServiceLifecycle
import Store
import Core

/// Processes one photo at a time: takes it from the queue, opens, reads and judges it, and stores its outcome. What
/// follows is a list of ``OutcomeSink``. Runs on its own thread, because syncing files blocks.
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

    private func finish(_ photo: QueuedPhoto) async throws {
        let request = service.configuration.request(for: photo.path)
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
                photo, AnsweredPhoto(answer: ReadAnswer(failure: failure), attempts: photo.attempt))
        }
        if open.isBeingWritten { return try await journal.lookAgain(photo) }
        if try await journal.finishUnchanged(photo, content: content.id, asked: asked) { return }

        if let entry = try await journal.quarantined(content.id) {
            return try await store(
                photo, AnsweredPhoto(answer: entry.answer, content: content, attempts: entry.attempts))
        }
        if photo.attempt >= PhotoReading.mostAttempts {
            let entry = QuarantinedContent(endingDaemon: photo, content: content.id, bytes: content.bytes)
            try await journal.quarantine(entry)
            service.logger.error("quarantined", metadata: photo.metadata(["content": "\(content.id)"]))
            return try await store(
                photo,
                AnsweredPhoto(answer: entry.answer, content: content, attempts: entry.attempts, kind: "quarantined"))
        }
        if let answer = try await journal.answer(for: content.id, asked: asked) {
            // No worker records this photo, so the daemon records it here: judging it may crash the daemon.
            service.crashJournal.hold(photo, true)
            defer { service.crashJournal.hold(photo, false) }
            return try await store(
                photo, AnsweredPhoto(answer: answer, content: content, attempts: photo.attempt))
        }
        service.progress.note(.received, content.id, photo.path)
        let reading = try await processor.reading.read(
            open, request, content: content, number: photo.id, attempts: photo.attempt,
            noted: { [progress = service.progress, processor] note in
                progress.note(.decoded, content.id, photo.path)
                guard note.readings.barcodes != nil else { return }
                let facts = PhotoFacts(path: photo.path, id: content.id, bytes: content.bytes)
                var codes = request
                codes.domain = .barcode
                progress.note(productsOf: processor.judge(note, facts, codes))
            }
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
                "quarantined", metadata: photo.metadata(["content": "\(content.id)", "reason": "\(fault)"]))
        }
        service.health.set(\.workerAnswers, true)
        let isTransient = reading.answer.failure?.isTransient == true
        try await store(
            photo,
            AnsweredPhoto(
                answer: reading.answer, content: content, keepsReadings: reading.fault == nil && !isTransient,
                attempts: reading.attempts, kind: reading.fault == nil ? "completed" : "quarantined",
                worker: reading.worker, readers: reading.readers))
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

    /// Judges the photo, stores its outcome, and calls the sinks before and after that.
    private func store(_ photo: QueuedPhoto, _ read: AnsweredPhoto) async throws {
        let configuration = service.configuration
        let request = configuration.request(for: photo.path)
        let facts = PhotoFacts(path: photo.path, id: read.content?.id, bytes: read.content?.bytes ?? 0)
        let unanswered = await processor.fetchProducts(for: read.answer)
        var outcome = processor.judge(read.answer, facts, request, unanswered: unanswered) {
            service.progress.note(.parsed, facts.id, photo.path)
        }
        outcome.processing.attempt = max(1, read.attempts)
        outcome.processing.worker = read.worker
        let today = await processor.reading.backend.readers()
        let finished = FinishedPhoto(
            content: outcome.id, asked: request.asked(of: read.readers ?? today),
            answer: read.keepsReadings ? read.answer : nil, status: outcome.status,
            json: try JSONCoding.encode(outcome), summary: OutcomeSummary(outcome))
        service.progress.note(.judged, outcome.id, photo.path)
        var judged = JudgedPhoto(
            photo: photo, outcome: outcome, kind: read.kind, modified: read.content?.version.modified ?? 0,
            configuration: configuration, finished: finished)
        try await service.sinks.prepare(&judged)
        do { guard try await journal.finish(photo, judged.finished) else { return } } catch is SessionChanged {
            // Somebody asked for a hint meanwhile: the game judges the photo after it.
            return try await store(photo, read)
        }
        // People changed while this photo was judged: judge it for the new ones.
        if service.configuration.profiles != request.profiles, judged.step == nil {
            return try await store(photo, read)
        }
        try await service.sinks.follow(judged)
    }
}

/// The readings of a photo, or why there are none.
private struct AnsweredPhoto {
    var answer: ReadAnswer
    /// Nil if the photo could not be opened.
    var content: OpenPhoto.Content?
    var keepsReadings = false
    var attempts: Int
    /// Type of the event: `completed` or `quarantined`.
    var kind = "completed"
    var worker = "local"
    /// The key of the networks that made the answer; nil for those of today.
    var readers: String?
}

extension WatchConfiguration {
    /// What to look for on this photo.
    fileprivate func request(for path: FilePathBytes) -> PhotoProcessor.Request {
        guard let board = board(of: path) else { return PhotoProcessor.Request(profiles: profiles) }
        return PhotoProcessor.Request(domain: .board, pieceSet: board.pieceSet, profiles: profiles)
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
