import Foundation
import Streaming
import Core

/// The one file through which streamed pictures reach the worker, in memory where the machine has a place for that.
final class FrameSpool {
    private let folder: URL

    /// - Throws: ``StartupError`` (74) where no folder can be made.
    init() throws(StartupError) {
        let memory = URL(filePath: "/dev/shm")
        let parent =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        folder = parent.appending(path: "tablesight-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StartupError(.inputOutput, "cannot make \(folder.path): \(error.localizedDescription)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Where the picture lies until the next one is written.
    func write(_ picture: PictureStream.Picture) throws(StartupError) -> FilePathBytes {
        let file = folder.appending(path: "frame.\(picture.fileExtension)")
        do { try picture.data.write(to: file) } catch {
            throw StartupError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
        }
        guard let path = FilePathBytes(file.path) else { throw StartupError(.software, "no path for \(file.path)") }
        return path
    }
}
