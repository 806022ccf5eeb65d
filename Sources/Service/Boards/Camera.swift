import Core
import Foundation
import Settings

/// A camera above a table, whose pictures are frames of a session: `DEVICE=SET` or `DEVICE=SET:GAME`. A video file in its
/// place is played at its own speed.
package struct Camera: Sendable, Hashable {
    /// `/dev/videoN`, or a video.
    package var source: String
    /// The piece set to recognise.
    package var pieceSet: String
    /// The game; nil for none.
    package var game: String?

    /// - Throws: ``StartupError`` (78) if the syntax is wrong.
    init(_ text: String) throws(StartupError) {
        let played = try PlayedSet(
            text, setting: "cameras", usage: "DEVICE=SET or DEVICE=SET:GAME, such as /dev/video0=tangram:tangram")
        guard played.place.hasPrefix("/") else {
            throw StartupError(
                .configuration,
                "cameras: \(played.place) is not an absolute path such as /dev/video0: write it in full")
        }
        (source, pieceSet, game) = (played.place, played.pieceSet, played.game)
    }

    /// `video0`
    var name: String { URL(filePath: source).deletingPathExtension().lastPathComponent }

    /// The configured cameras.
    ///
    /// - Throws: ``StartupError`` (78) if one's syntax is wrong, or a device is named twice.
    package static func all(in settings: Settings) throws -> [Camera] {
        let cameras = try settings.list("cameras").map { try Camera($0) }
        for camera in cameras where cameras.filter({ $0.source == camera.source }).count > 1 {
            throw StartupError(.configuration, "cameras: \(camera.source) is declared twice: remove one")
        }
        return cameras
    }
}
