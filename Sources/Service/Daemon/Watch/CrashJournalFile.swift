import Foundation
import Glibc
import JobChannel
import Store
import Core

/// The file to which workers write when their daemon exits unexpectedly.
final class CrashJournalFile: Sendable {
    /// Descriptor for workers; open for appending.
    let descriptor: Int32
    /// The notes of the previous run.
    let notes: CrashJournal
    /// Size in bytes above which the file is emptied; deleted notes charge no photo.
    private static let mostBytes = 1 << 20

    /// Maximum wait for workers of an earlier daemon, in steps. They exit at once, but may have to wait for a
    /// processor.
    private static let patience = 300

    /// Reads the notes of the previous run and empties the file.
    init(at path: FilePathBytes) throws(StartupError) {
        let file = path.withCString { open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        guard file >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(path.display): \(String(cString: strerror(errno)))")
        }
        descriptor = file
        // Workers share their daemon's lock, so it is free when the last of them has exited.
        for _ in 0..<Self.patience {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(10_000)
        }
        notes = CrashJournal(FileManager.default.contents(atPath: path.display) ?? Data())
        ftruncate(file, 0)
        flock(file, LOCK_SH)
    }

    deinit { close(descriptor) }

    /// Records crashes of the daemon for its next start.
    func noteCrashes() { CrashJournal.noteCrashes(descriptor: descriptor) }

    /// Records that the daemon processes this photo's stored readings, or is done with them.
    func hold(_ photo: QueuedPhoto, _ isHeld: Bool) {
        CrashJournal.hold(job: photo.id, isHeld, descriptor: descriptor)
    }

    /// Limits the file's size; called from time to time.
    func trim() {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > Self.mostBytes { ftruncate(descriptor, 0) }
    }
}
