import Core
import Foundation
import Streaming

/// The pictures of a camera, or of a recorded video that takes its place, as they come: whoever is late gets the newest.
///
/// A thread reads the pictures, because reading blocks. It keeps one picture, so that an old one is never shown.
package struct LatestPictures: Sendable {
    /// The pictures, each with its time in nanoseconds since the first.
    package let stream: AsyncThrowingStream<PictureStream.Picture, any Error>
    private let program: VideoProgram

    /// True for a camera; a file is played at its own speed instead.
    package static func isCamera(_ source: String) -> Bool { source.hasPrefix("/dev/video") }

    /// - Throws: ``StartupError`` if the source is missing or the program cannot be started.
    package init(of source: String) throws(StartupError) {
        let program = try VideoProgram(source)
        self.program = program
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: PictureStream.Picture.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        let isPaced = !Self.isCamera(source)
        let thread = Thread {
            var pictures = PictureStream { try program.read() }
            let begun = ContinuousClock.now
            do {
                while let picture = try pictures.next() {
                    if isPaced, let time = picture.time {
                        let due = begun + .nanoseconds(time)
                        let left = ContinuousClock.now.duration(to: due) / .seconds(1)
                        if left > 0 { Thread.sleep(forTimeInterval: left) }
                    }
                    if case .terminated = continuation.yield(picture) { break }
                }
                try program.end()
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        thread.name = "pictures"
        // A frame of 4K is 25 MB; the buffers are on the heap, the stack stays small.
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Ends the program and with it the stream.
    package func stop() { program.stop() }
}
