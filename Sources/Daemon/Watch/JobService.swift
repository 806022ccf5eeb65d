import Foundation
import Logging
import Pipeline
import ServiceLifecycle
import Store
import Vocabulary

/// Takes queued photos one by one, and gives each its outcome: row, sidecar, done.
struct JobService: Service {
    let configuration: WatchConfiguration
    let store: OutcomeStore
    let processor: PhotoProcessor
    /// One for each runner; they end when nothing more will come.
    let wakeUps: [WakeUp]
    let logger: Logger
    let announce: @Sendable (Outcome, WatchedPlaces) -> Void

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { runners in
            for wakeUp in wakeUps {
                runners.addTask { try await work(wakeUp) }
            }
            try await runners.waitForAll()
        }
    }

    private func work(_ wakeUp: WakeUp) async throws {
        try await drainQueue()
        for await _ in wakeUp.rings { try await drainQueue() }
        // What was queued with the last ring is still to be done, unless we are asked to stop.
        try await drainQueue()
    }

    private func drainQueue() async throws {
        while !Task.isShuttingDownGracefully, let photo = try store.claimNext() { try await finish(photo) }
    }

    private func finish(_ photo: QueuedPhoto) async throws {
        let request = PhotoProcessor.Request(profiles: configuration.profiles)
        let result = await processor.process(photo.path, request) { content in
            // A database that cannot be read here fails loudly when the outcome is stored.
            try? store.answer(for: content, asked: request.asked)
        }
        var outcome = result.outcome
        if outcome.reason?.code == ItemFailure.Code.fileVanished.rawValue { return try store.forget(photo) }
        outcome.processing.attempt = max(outcome.processing.attempt, photo.attempt)
        let json = try JSONCoding.encode(outcome)
        try store.finish(
            photo, content: outcome.id, asked: request.asked, answer: result.freshAnswer, status: outcome.status,
            json: json)
        try SidecarFile.write(json + [0x0A], to: photo.sidecar)
        try store.markSidecarWritten(photo)

        var places = WatchedPlaces(sidecar: photo.sidecar)
        if configuration.drawsOverlays, outcome.source.width != nil {
            places.overlay = await overlay(of: outcome, photo.path)
        }
        announce(outcome, places)
    }

    private func overlay(of outcome: Outcome, _ photo: FilePathBytes) async -> FilePathBytes? {
        let place = configuration.overlay(for: photo)
        do { try SidecarFile.makeFolders(place.folder) } catch {
            logger.warning("no overlay", metadata: ["reason": "\(error.message)"])
            return nil
        }
        if let failure = await processor.drawOverlay(of: outcome, photo: photo, to: place) {
            logger.warning("no overlay", metadata: ["photo": "\(photo.display)", "reason": "\(failure.detail)"])
            return nil
        }
        return place
    }
}

/// Where the results of one photo lie.
public struct WatchedPlaces: Sendable, Hashable {
    public var sidecar: FilePathBytes
    public var overlay: FilePathBytes?
}
