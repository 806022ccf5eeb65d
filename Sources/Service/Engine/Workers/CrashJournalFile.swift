import Core
import Foundation
import Glibc
import ReadJobs
import Store
import Synchronization

/// The files of the ``CrashJournal``: the daemon's own, and one for each worker, which can write to no other.
package final class CrashJournalFile: Sendable {
    /// Open for appending; workers do not get it.
    private let descriptor: Int32
    private let path: FilePathBytes
    package let notes: CrashJournal
    /// Numbers of running workers, with their descriptors.
    private let workers = Mutex<[Int64: Int32]>([:])
    /// Size in bytes above which a file is emptied; deleted notes charge no photo.
    private static let mostBytes = 1 << 20

    /// Maximum wait for workers of an earlier daemon, in steps. They exit at once, but may have to wait for a
    /// processor.
    private static let patience = 300

    /// Reads the notes of the previous run and empties the files.
    package init(at path: FilePathBytes) throws(StartupError) {
        let file = path.withCString { open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        guard file >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(path.display): \(String(cString: strerror(errno)))")
        }
        descriptor = file
        self.path = path
        let workers = Self.takeNotes(beside: path)
        notes = CrashJournal(daemon: FileManager.default.contents(atPath: path.display) ?? Data(), workers: workers)
        ftruncate(file, 0)
    }

    deinit { close(descriptor) }

    private static func place(_ path: FilePathBytes, _ worker: Int64) -> FilePathBytes {
        path.appending(suffix: "-\(worker)")
    }

    /// Reads and deletes the files of the previous run's workers, when they have exited.
    private static func takeNotes(beside path: FilePathBytes) -> [Int64: Data] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.folder.display)) ?? []
        let prefix = path.lastComponent.display + "-"
        var found: [Int64: Data] = [:]
        var steps = patience
        for worker in names.filter({ $0.hasPrefix(prefix) }).compactMap({ Int64($0.dropFirst(prefix.count)) }) {
            let place = place(path, worker)
            let file = place.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
            guard file >= 0 else { continue }
            defer { close(file) }
            // A worker shares its daemon's lock, so it is free when both have exited.
            while flock(file, LOCK_EX | LOCK_NB) != 0, steps > 0 {
                usleep(10_000)
                steps -= 1
            }
            found[worker] = FileManager.default.contents(atPath: place.display)
            place.withCString { _ = unlink($0) }
        }
        return found
    }

    /// Records crashes of the daemon for its next start.
    package func noteCrashes() { CrashJournal.noteCrashes(descriptor: descriptor) }

    /// Records that the daemon processes this photo's stored readings, or is done with them.
    package func hold(_ photo: QueuedPhoto, _ isHeld: Bool) {
        CrashJournal.hold(job: photo.id, isHeld, descriptor: descriptor)
    }

    /// Limits the files' sizes; called from time to time.
    package func trim() {
        for file in [descriptor] + workers.withLock({ Array($0.values) }) {
            var status = stat()
            if fstat(file, &status) == 0, status.st_size > Self.mostBytes { ftruncate(file, 0) }
        }
    }

    /// An empty file for a worker that starts; nil if it cannot be opened, then no photo is charged for this worker.
    func worker() -> WorkerNotes? {
        workers.withLock { workers in
            let number = (0...Int64(workers.count)).first { workers[$0] == nil } ?? 0
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW
            let file = Self.place(path, number).withCString { open($0, flags, 0o600) }
            guard file >= 0 else { return nil }
            flock(file, LOCK_SH)
            workers[number] = file
            return WorkerNotes(number: number, descriptor: file, journal: self)
        }
    }

    fileprivate func give(_ job: Int64, to worker: Int64) {
        CrashJournal.give(job: job, to: worker, descriptor: descriptor)
    }

    fileprivate func end(_ worker: Int64) {
        workers.withLock { workers in
            if let file = workers.removeValue(forKey: worker) { close(file) }
            Self.place(path, worker).withCString { _ = unlink($0) }
        }
    }
}

/// The file of one worker process, for as long as it runs.
final class WorkerNotes: Sendable {
    private let number: Int64
    /// For the worker.
    let descriptor: Int32
    private let journal: CrashJournalFile

    fileprivate init(number: Int64, descriptor: Int32, journal: CrashJournalFile) {
        self.number = number
        self.descriptor = descriptor
        self.journal = journal
    }

    deinit { journal.end(number) }

    /// Records that the worker gets this job.
    func give(_ job: Int64) { journal.give(job, to: number) }
}
