import Daemon
import Foundation
import Games
import Streaming
import Core

/// One look at a board.
enum Look {
    /// A picture, the name it has for people, and its time in nanoseconds since the first.
    case picture(FilePathBytes, name: String, time: Int)
    /// A line of a recorded stream.
    case recorded(GameInput)
}

/// Where looks come from, one after the other.
struct LookSource {
    /// False for a photo by itself, which has no past.
    let isStream: Bool
    /// What the session is called: as the source is, and as a recorded stream says.
    let session: String
    /// Nanoseconds between two looks, where it is known before the first.
    let interval: Int?
    private var kind: Kind

    private enum Kind {
        case photos([FilePathBytes], next: Int)
        /// The stream, and its first line, which was read to learn the session's name.
        case recording(RecordedStream, GameInput?)
        case pictures(PictureStream, FrameSpool, next: Int, program: VideoProgram?)
    }

    /// Videos are told by their names' endings.
    private static let videos: Set = ["mp4", "m4v", "mov", "avi", "mkv", "webm", "mjpeg", "mjpg", "mpg", "mpeg", "ogv"]
    /// Frames a second where nothing says.
    private static let usualRate = 30.0

    /// - Throws: ``StartupError`` where there is nothing, or nothing that can be opened.
    init(_ source: String, fps: Double?) throws {
        let spacing = Int(1e9 / (fps ?? Self.usualRate))
        var session = source
        if source == "-" {
            let first = try StandardInput.read()
            isStream = true
            if first.first(where: { !" \n\r\t".utf8.contains($0) }) == UInt8(ascii: "{") {
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
        } else if source.hasPrefix("/dev/video")
            || Self.videos.contains(URL(filePath: source).pathExtension.lowercased())
        {
            let program = try VideoProgram(source)
            isStream = true
            interval = spacing
            kind = .pictures(PictureStream { try program.read() }, try FrameSpool(), next: 0, program: program)
        } else {
            let photos = try BatchRun(paths: [source]).photos
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: source, isDirectory: &isFolder)
            isStream = isFolder.boolValue
            interval = fps == nil ? 1_000_000_000 : spacing
            kind = .photos(photos, next: 0)
        }
        self.session = session
    }

    /// The next look; nil at the end.
    mutating func next() throws -> Look? {
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
            let number = String(index + 1)
            let name = "frame-" + String(repeating: "0", count: max(0, 6 - number.count)) + number
            return .picture(try spool.write(picture), name: name, time: picture.time ?? index * (interval ?? 0))
        }
    }
}

extension GameInput {
    fileprivate var session: String? {
        if case .frame(let frame) = self { frame.session } else { nil }
    }
}
