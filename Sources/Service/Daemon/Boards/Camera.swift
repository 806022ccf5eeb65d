import Core
import Foundation
import Games

/// A camera above a table, whose pictures are frames of a session: `DEVICE=SET` or `DEVICE=SET:GAME`. A video file in its
/// place is played at its own speed.
public struct Camera: Sendable, Hashable {
    /// `/dev/videoN`, or a video.
    public var source: String
    /// The piece set to recognise.
    public var pieceSet: String
    /// The game; nil for none.
    public var game: String?

    /// - Throws: ``StartupError`` (78) if the syntax is wrong or the game is unknown.
    init(_ text: String) throws(StartupError) {
        guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
            throw StartupError(
                .configuration,
                "cameras: \(text): use DEVICE=SET or DEVICE=SET:GAME, such as /dev/video0=tangram:tangram")
        }
        source = String(text[..<equals])
        guard source.hasPrefix("/") else {
            throw StartupError(
                .configuration, "cameras: \(source) is not an absolute path such as /dev/video0: write it in full")
        }
        let played = text[text.index(after: equals)...].split(separator: ":", maxSplits: 1).map(String.init)
        guard let set = played.first else {
            throw StartupError(.configuration, "cameras: \(text): name a piece set after the =")
        }
        pieceSet = set
        game = played.dropFirst().first
        if let game, !GameCatalogue.knows(game) {
            throw StartupError(
                .configuration,
                "cameras: \(text): unknown game \(game): choose one of \(GameCatalogue.ids.joined(separator: ", "))")
        }
    }

    /// `video0`
    var name: String { URL(filePath: source).deletingPathExtension().lastPathComponent }
}

extension WatchConfiguration {
    /// The configured cameras.
    ///
    /// - Throws: ``StartupError`` (78) if one's syntax is wrong, or a device is named twice.
    public static func cameras(_ settings: Settings) throws -> [Camera] {
        let cameras = try settings.list("cameras").map { try Camera($0) }
        for camera in cameras where cameras.filter({ $0.source == camera.source }).count > 1 {
            throw StartupError(.configuration, "cameras: \(camera.source) is declared twice: remove one")
        }
        return cameras
    }
}
