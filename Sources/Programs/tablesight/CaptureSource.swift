import Boards
import Engine
import Foundation
import Kinds
import Streaming
import Core

enum Capture {
    /// A picture: its file, its name for people, and its time in nanoseconds since the first capture.
    case picture(FilePathBytes, name: String, time: Int)
    /// A line of a recorded stream.
    case recorded(GameInput)
}

struct CaptureSource {
    /// False for a single photo, which has no earlier frames.
    let isStream: Bool
    /// The session's name: the source's, or the one in a recorded stream.
    let session: String
    /// True if pictures come while somebody plays, so that nothing waits for a game.
    let isLive: Bool
    /// Nanoseconds between two captures; nil if it is unknown before the first.
    let interval: Int?
    private var kind: Kind

    private enum Kind {
        case photos([FilePathBytes], next: Int)
        /// The stream, and its first line, which was read for the session's name.
        case recording(RecordedStream, GameInput?)
        case pictures(PictureStream, FrameSpool, next: Int, program: VideoProgram?)
        /// A camera: a late reader gets the newest picture.
        case camera(
            LatestPictures, AsyncThrowingStream<PictureStream.Picture, any Error>.Iterator, FrameSpool, next: Int)
    }

    /// Videos are recognised by their file extension.
    private static let videos: Set = ["mp4", "m4v", "mov", "avi", "mkv", "webm", "mjpeg", "mjpg", "mpg", "mpeg", "ogv"]
    /// Frames per second if neither the source nor an option states it.
    private static let usualRate = 30.0

    init(_ source: String, fps: Double?) throws {
        let spacing = Int(1e9 / (fps ?? Self.usualRate))
        var session = source
        if source == "-" {
            let first = try StandardInput.read()
            isStream = true
            isLive = first.first { !" \n\r\t".utf8.contains($0) } != UInt8(ascii: "{")
            if !isLive {
                interval = nil
                var stream = RecordedStream(beginning: first) { try StandardInput.read() }
                let beginning = try stream.next()
                session = beginning?.session ?? source
                kind = .recording(stream, beginning)
            } else {
                interval = spacing
                kind = .pictures(
                    PictureStream(beginning: first) { try StandardInput.read() }, try FrameSpool(), next: 0,
                    program: nil)
            }
        } else if LatestPictures.isCamera(source) {
            let pictures = try LatestPictures(of: source)
            (isStream, isLive) = (true, true)
            interval = spacing
            kind = .camera(pictures, pictures.stream.makeAsyncIterator(), try FrameSpool(), next: 0)
        } else if Self.videos.contains(URL(filePath: source).pathExtension.lowercased()) {
            let program = try VideoProgram(source)
            (isStream, isLive) = (true, false)
            interval = spacing
            kind = .pictures(PictureStream { try program.read() }, try FrameSpool(), next: 0, program: program)
        } else {
            let batch = try BatchRun(paths: [source])
            batch.reportUnreadable()
            let photos = batch.photos
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: source, isDirectory: &isFolder)
            (isStream, isLive) = (isFolder.boolValue, false)
            interval = fps == nil ? 1_000_000_000 : spacing
            kind = .photos(photos, next: 0)
        }
        self.session = session
    }

    mutating func next() async throws -> Capture? {
        switch kind {
        case .photos(let photos, let index):
            guard index < photos.count else { return nil }
            kind = .photos(photos, next: index + 1)
            return .picture(photos[index], name: photos[index].display, time: index * (interval ?? 0))
        case .recording(var stream, let waiting):
            let input = try waiting ?? stream.next()
            kind = .recording(stream, nil)
            return input.map { .recorded($0) }
        case .pictures(var stream, let spool, let index, let program):
            guard let picture = try stream.next() else {
                try program?.end()
                return nil
            }
            kind = .pictures(stream, spool, next: index + 1, program: program)
            return try capture(picture, index, spool)
        case .camera(let pictures, var iterator, let spool, let index):
            guard let picture = try await iterator.next() else { return nil }
            kind = .camera(pictures, iterator, spool, next: index + 1)
            return try capture(picture, index, spool)
        }
    }

    private func capture(_ picture: PictureStream.Picture, _ index: Int, _ spool: FrameSpool) throws -> Capture {
        let number = String(index + 1)
        let name = "frame-" + String(repeating: "0", count: max(0, 6 - number.count)) + number
        return .picture(try spool.write(picture), name: name, time: picture.time ?? index * (interval ?? 0))
    }
}

extension GameInput {
    fileprivate var session: String? {
        if case .frame(let frame) = self { frame.session } else { nil }
    }
}
