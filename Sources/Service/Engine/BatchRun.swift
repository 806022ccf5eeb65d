import Foundation
import Intake
import Core

/// Reads every photo below the given paths; one outcome each, in the order in which they finish.
package struct BatchRun: Sendable {
    package let photos: [FilePathBytes]
    /// The folder in which each photo was found; photos that were named have none.
    private let folders: [FilePathBytes: FilePathBytes]
    /// Number of files in the folders whose names are not those of photos; `watch` ignores the same names.
    package let leftOut: Int
    /// Folders below the given ones that could not be listed, with the kernel's reason. Photos of them are missing.
    package let unreadable: [(folder: FilePathBytes, reason: String)]

    /// - Parameters:
    ///   - paths: photos, or folders that are searched with all subfolders.
    ///   - done: paths to skip, because they have a row already.
    /// - Throws: ``StartupError`` (66) if a path does not exist or a folder cannot be listed.
    package init(paths: [String], leavingOut done: Set<FilePathBytes> = []) throws {
        var photos: [FilePathBytes] = []
        var folders: [FilePathBytes: FilePathBytes] = [:]
        var unreadable: [(folder: FilePathBytes, reason: String)] = []
        var leftOut = 0
        for name in paths {
            guard let path = FilePathBytes(name) else { continue }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder) else {
                throw StartupError(.noInput, "\(name) does not exist: name photos, or folders with photos")
            }
            guard isFolder.boolValue else {
                photos.append(path)
                continue
            }
            do throws(ScanError) {
                let scan = try FolderScan(of: path)
                // A link to a photo in the same folder gets a row with a refusal, so that it is not silently missing.
                // Other links are ignored.
                let found = scan.files.map(\.path) + scan.links
                photos += found
                for photo in found { folders[photo] = path }
                unreadable += scan.unreadable
                leftOut += scan.leftOut
            } catch {
                throw StartupError(.noInput, "cannot list \(name): \(error.reason)")
            }
        }
        var seen = done
        self.photos = photos.filter { seen.insert($0).inserted }
        self.folders = folders
        self.unreadable = unreadable
        self.leftOut = leftOut
    }

    /// Reads all photos, `jobs` at a time.
    ///
    /// - Parameter finished: called with each outcome, never concurrently. If it throws, the run ends.
    package func run(
        _ processor: PhotoProcessor, _ request: PhotoProcessor.Request, jobs: Int,
        finished: (FilePathBytes, Outcome) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (FilePathBytes, Outcome).self) { group in
            var rest = photos[...]
            func add(_ photo: FilePathBytes) {
                let folder = folders[photo]
                group.addTask { (photo, await processor.outcome(for: photo, in: folder, request)) }
            }
            // One more than the workers: it is hashed while the others are read.
            for _ in 0...max(1, jobs) { if let photo = rest.popFirst() { add(photo) } }
            do {
                while let (photo, outcome) = try await group.next() {
                    if let next = rest.popFirst() { add(next) }
                    try await finished(photo, outcome)
                }
            } catch {
                // Results are no longer needed, so running jobs are stopped.
                await processor.reading.backend.stop()
                throw error
            }
        }
    }
}
