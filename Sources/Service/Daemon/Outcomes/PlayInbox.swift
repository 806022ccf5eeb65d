import App
import Core
import HTTP
import Logging

/// Plays photos of `play/<member>/` below a watched folder: each is a picture of that member's table.
struct PlayInbox: OutcomeSink {
    let name = "picture of a play"
    let app: Application
    let logger: Logger

    private static let folder = "play"

    func follow(_ photo: JudgedPhoto) async throws -> FilePathBytes? {
        guard let inbox = photo.inbox, let content = photo.outcome.id,
            let member = photo.path.owner(in: Self.folder, below: inbox)
        else { return nil }
        do {
            guard try await app.play(content, of: member) else {
                logger.notice(
                    "nobody plays with this folder: begin a play", metadata: ["photo": "\(photo.path.display)"])
                return nil
            }
        } catch let error as any AppError {
            // The photo is stored; only the game has nothing of it.
            logger.notice(
                "a picture is not played",
                metadata: ["photo": "\(photo.path.display)", "reason": "\(error.problem.detail)"])
        }
        return nil
    }
}

extension FilePathBytes {
    /// The name of the folder that holds this file below `folder` of a watched folder; nil for other files.
    func owner(in folder: String, below inbox: FilePathBytes) -> String? {
        guard let parts = relative(to: inbox)?.bytes.split(separator: UInt8(ascii: "/")), parts.count >= 3,
            parts[0].elementsEqual(folder.utf8)
        else { return nil }
        return String(decoding: parts[1], as: UTF8.self)
    }
}
