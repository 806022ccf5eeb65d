import Core
import Engine
import Foundation
import Logging
import Metrics
import ServiceLifecycle

/// Reads the pictures of one camera for its live session. A camera that is unplugged is opened again.
package struct CameraService: Service {
    private let camera: Camera
    private let boards: LiveBoards
    private let reading: PhotoReading
    private let logger: Logger

    /// - Parameter reading: with a worker of its own: a photo of a menu takes seconds.
    package init(_ camera: Camera, boards: LiveBoards, reading: PhotoReading, logger: Logger) {
        self.camera = camera
        self.boards = boards
        self.reading = reading
        self.logger = logger
    }

    private static let pause = Duration.seconds(5)

    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            let begun = ContinuousClock.now
            var session: String?
            var hasWarned = false
            while !Task.isCancelled {
                do {
                    // A game of one's own may not start; the daemon runs without it, and tries again.
                    let id: String
                    if let session { id = session } else { id = try await boards.begin(camera) }
                    session = id
                    let spool = try FrameSpool()
                    let pictures = try LatestPictures(of: camera.source)
                    defer { pictures.stop() }
                    // Times continue, so that pieces keep their ids over a short interruption.
                    let offset = begun.duration(to: .now) / .nanoseconds(1)
                    for try await picture in pictures.stream {
                        hasWarned = false
                        let since = picture.time ?? 0
                        try await read(try spool.write(picture), into: id, at: Int(offset) + since)
                    }
                } catch {
                    guard !Task.isCancelled else { return }
                    if !hasWarned {
                        let reason = (error as? StartupError)?.message ?? "\(error)"
                        logger.warning(
                            "a camera gives no pictures",
                            metadata: ["camera": "\(camera.source)", "reason": "\(reason)"])
                    }
                    hasWarned = true
                }
                guard !Task.isCancelled else { return }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func read(_ path: FilePathBytes, into id: String, at time: Int) async throws {
        let request = PhotoProcessor.Request(domain: .board, pieceSet: camera.pieceSet, profiles: [])
        guard var frame = await reading.readings(of: path, request).pieces else { return }
        // Times of steps differ between runs and do not belong to a session.
        frame.timing_ms = [:]
        try await boards.take(frame, in: id, at: time)
        Counter(label: "tablesight_camera_frames_total", dimensions: [("camera", camera.name)]).increment()
    }
}
