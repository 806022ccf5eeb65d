import Foundation
import Intake
import Core

/// A sample set, read again: every photo below the given paths, one outcome each, in the order they finish.
public struct BatchRun: Sendable {
    /// What there is to do.
    public let photos: [FilePathBytes]
    /// The folder that each was found in; none for those that were named.
    private let folders: [FilePathBytes: FilePathBytes]

    /// - Parameters:
    ///   - paths: photos, or folders that are searched to the bottom.
    ///   - done: path bytes that have a row already and are left out.
    /// - Throws: ``StartupError`` (66) where a path does not exist or a folder cannot be listed.
    public init(paths: [String], leavingOut done: Set<FilePathBytes> = []) throws {
        var photos: [FilePathBytes] = []
        var folders: [FilePathBytes: FilePathBytes] = [:]
        for name in paths {
            guard let path = FilePathBytes(name) else { continue }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder) else {
                throw StartupError(.noInput, "nothing at \(name): name photos, or folders with photos")
            }
            guard isFolder.boolValue else {
                photos.append(path)
                continue
            }
            do throws(ScanError) {
                let scan = try FolderScan(of: path)
                // A link to a photo of the same folder is refused with a row: somebody may miss it. Other links are no jobs.
                let found = scan.files.map(\.path) + scan.links
                photos += found
                for photo in found { folders[photo] = path }
            } catch {
                throw StartupError(.noInput, "cannot list \(name): \(error.reason)")
            }
        }
        var seen = done
        self.photos = photos.filter { seen.insert($0).inserted }
        self.folders = folders
    }

    /// Judges all photos, `jobs` at a time.
    ///
    /// - Parameter finished: called for one outcome after the other, never two at once. When it throws, the run ends.
    public func run(
        _ processor: PhotoProcessor, _ request: PhotoProcessor.Request, jobs: Int,
        finished: (FilePathBytes, Outcome) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (FilePathBytes, Outcome).self) { group in
            var rest = photos[...]
            func add(_ photo: FilePathBytes) {
                let folder = folders[photo]
                group.addTask { (photo, await processor.outcome(for: photo, in: folder, request)) }
            }
            // One more than there are workers: it is hashed while the others are read.
            for _ in 0...max(1, jobs) { if let photo = rest.popFirst() { add(photo) } }
            do {
                while let (photo, outcome) = try await group.next() {
                    if let next = rest.popFirst() { add(next) }
                    try await finished(photo, outcome)
                }
            } catch {
                // The group waits for what runs: what nobody takes any more is not read to its end.
                await processor.workers.stop()
                throw error
            }
        }
    }
}
