import Foundation
import Glibc
import JobChannel
import Store
import Core

/// The file into which workers write when their daemon dies under them.
final class CrashJournalFile: Sendable {
    /// For workers; open for appending.
    let descriptor: Int32
    /// What the last daemon's workers left.
    let words: CrashJournal
    /// Above this it is emptied: what is forgotten is held against nobody.
    private static let mostBytes = 1 << 20

    /// How long workers of a daemon that died are waited for. They end at once, but may have to wait for a processor.
    private static let patience = 300

    /// Reads what the last run's workers left, and empties the file for the next.
    init(at path: FilePathBytes) throws(StartupError) {
        let file = path.withCString { open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        guard file >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(path.display): \(String(cString: strerror(errno)))")
        }
        descriptor = file
        // Every worker shares the lock that its daemon took: it is free when the last of them is gone.
        for _ in 0..<Self.patience {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { break }
            usleep(10_000)
        }
        words = CrashJournal(FileManager.default.contents(atPath: path.display) ?? Data())
        ftruncate(file, 0)
        flock(file, LOCK_SH)
    }

    deinit { close(descriptor) }

    /// From now on a fault that ends the daemon is told to its next start.
    func noteCrashes() { CrashJournal.noteCrashes(descriptor: descriptor) }

    /// Notes that the daemon works on this photo's stored readings, or is done with them.
    func hold(_ photo: QueuedPhoto, _ isHeld: Bool) {
        CrashJournal.hold(job: photo.id, isHeld, descriptor: descriptor)
    }

    /// Keeps it short; called from time to time.
    func trim() {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size > Self.mostBytes { ftruncate(descriptor, 0) }
    }
}
