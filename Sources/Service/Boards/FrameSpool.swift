import Foundation
import Streaming
import Core

/// The file that passes streamed pictures to the worker; in memory if the machine has /dev/shm.
package final class FrameSpool: Sendable {
    private let folder: URL

    /// - Throws: ``StartupError`` (74) if no folder can be created.
    package init() throws(StartupError) {
        let memory = URL(filePath: "/dev/shm")
        let parent =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        folder = parent.appending(path: "tablesight-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StartupError(.inputOutput, "cannot create the folder \(folder.path): \(error.localizedDescription)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes the picture; its path is valid until the next write.
    package func write(_ picture: PictureStream.Picture) throws(StartupError) -> FilePathBytes {
        try write(picture.data, as: picture.fileExtension)
    }

    /// - Parameter fileExtension: such as `jpg`.
    func write(_ data: Data, as fileExtension: String) throws(StartupError) -> FilePathBytes {
        let file = folder.appending(path: "frame.\(fileExtension)")
        do { try data.write(to: file) } catch {
            throw StartupError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
        }
        guard let path = FilePathBytes(file.path) else {
            throw StartupError(.software, "internal error: no path for \(file.path)")
        }
        return path
    }
}
