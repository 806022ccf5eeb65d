import Core
import Foundation
import Glibc
import Hashing
import Intake
import Store

package enum OutputFolder {
    /// Creates `path` and its missing parents.
    package static func make(_ path: FilePathBytes) throws(StartupError) { try SidecarFile.makeFolders(path) }

    /// Runs `work` if no daemon uses `folder`, and keeps daemons from starting meanwhile; does nothing otherwise.
    package static func whileUnused(_ folder: FilePathBytes, _ work: () throws -> Void) throws {
        guard let lock = try? InstanceLock(at: folder.appending(names: "lock")) else { return }
        try work()
        withExtendedLifetime(lock) {}
    }

    /// Deletes the sidecar `outcomes/<inbox>/<photo>.json` and the overlay `overlays/<inbox>/<photo>.png` of a photo, where
    /// they are files of the output folder.
    package static func removeResults(of photo: ForgottenPhoto, in output: FilePathBytes) {
        let (outcomes, overlays) = (output.appending(names: "outcomes"), output.appending(names: "overlays"))
        OpenFolder.remove(photo.sidecar, below: outcomes)
        guard let name = photo.sidecar.relative(to: outcomes)?.bytes.dropLast(".json".utf8.count),
            let overlay = FilePathBytes(name + Array(".png".utf8))
        else { return }
        OpenFolder.remove(overlays.appending(overlay), below: overlays)
    }

    /// Longer side of a thumbnail, pixels.
    package static let thumbnailSide = 160

    /// The cached picture of a content, `pictures/<hash>-<side>.jpg`. Thumbnails are upright by their print.
    package static func picture(of content: String, side: Int, in output: FilePathBytes) -> FilePathBytes {
        picture(of: content, side == thumbnailSide ? "thumb" : "\(side)", in: output)
    }

    private static func picture(of content: String, _ name: String, in output: FilePathBytes) -> FilePathBytes {
        output.appending(names: "pictures/\(content.dropFirst("sha256:".count))-\(name).jpg")
    }

    package static func removePictures(of content: String, in output: FilePathBytes) {
        // Versions before 1.0 named thumbnails by their side.
        for name in ["thumb", "160", "1600"] { picture(of: content, name, in: output).withCString { _ = unlink($0) } }
    }

    /// Creates missing folders to watch, `./inbox` if none is named. A folder whose parent is missing too is not created,
    /// because its name is more often misspelt.
    ///
    /// - Returns: the created folders, as they were named.
    package static func makeInboxes(_ names: [String]) throws(StartupError) -> [FilePathBytes] {
        var made: [FilePathBytes] = []
        for name in names.isEmpty ? ["inbox"] : names {
            guard let inbox = FilePathBytes(name), inbox.resolved == nil, inbox.folder.resolved != nil else { continue }
            try make(inbox)
            made.append(inbox)
        }
        return made
    }

    /// The token in this file, created if it is missing; only its owner may read it.
    package static func token(at place: FilePathBytes) throws(StartupError) -> String {
        if let data = FileManager.default.contents(atPath: place.display) {
            let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if token.count >= 16 { return token }
        }
        let token = RandomBytes.token()
        let before = umask(0o077)
        defer { umask(before) }
        try SidecarFile.write(Data((token + "\n").utf8), to: place)
        place.withCString { _ = chmod($0, 0o600) }
        return token
    }
}

/// Prevents a second daemon on the same output folder. The kernel releases the lock when the process ends.
package final class InstanceLock: Sendable {
    private let descriptor: Int32

    /// Waits this long for a lock: a worker that was being started when its daemon was killed holds it until its own program
    /// runs, some milliseconds on a busy machine.
    private static let patience = Duration.seconds(2)
    private static let pauseMicroseconds: UInt32 = 20_000

    /// - Throws: ``StartupError`` if another daemon holds it.
    package init(at path: FilePathBytes) throws(StartupError) {
        descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(path.display): \(String(cString: strerror(errno)))")
        }
        let end = ContinuousClock.now + Self.patience
        var isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        while !isLocked, ContinuousClock.now < end {
            usleep(Self.pauseMicroseconds)
            isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
        guard isLocked else {
            close(descriptor)
            throw StartupError(
                .unavailable,
                "another tablesight uses the output folder \(path.folder.display): stop it, or use another --output")
        }
    }

    deinit { close(descriptor) }
}
