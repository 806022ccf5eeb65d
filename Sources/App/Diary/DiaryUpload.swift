import Diary
import Foundation
import Glibc
import HTTP
import Store
import Synchronization

/// A file on its way into a diary.
///
/// Its bytes lie on disk in a file without a name, which the system deletes when the upload ends. Each upload has a thread,
/// so that reading a large file delays nobody's pages.
actor DiaryUpload {
    /// Maximum bytes of a file: Apple Health's exports of some years have several hundred million.
    static let mostBytes = 1 << 30
    /// Space that stays free for the database.
    private static let reserve = 256 << 20

    private let executor = ThreadExecutor(label: "diary-import")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let file: FileHandle
    private let actions: DiaryActions
    private let opened: OpenDiary
    private let slot: Slots.Slot

    /// - Parameter announced: bytes that the client announced, 0 if unknown.
    /// - Throws: ``DiaryProblem``; ``Problem`` 429 while too many files are imported, 507 if the disk is full.
    init(into opened: OpenDiary, of actions: DiaryActions, announced: Int, in slots: Slots) throws {
        try opened.owned()
        slot = try slots.take()
        (self.actions, self.opened) = (actions, opened)
        let database = actions.store.file
        guard OutcomeStore.freeBytes(beside: database) - announced > Self.reserve else { throw Self.full }
        let path = database.deletingLastPathComponent().appending(path: ".import-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.problem() }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard unlink(path) == 0 else { throw Self.problem() }
    }

    /// - Throws: ``Problem`` 507 on a full disk.
    func write(_ bytes: [UInt8]) throws {
        guard writeAll(bytes, to: file.fileDescriptor) else { throw Self.problem() }
    }

    /// Adds the content to the diary.
    func restore() throws -> ImportReport {
        guard lseek(file.fileDescriptor, 0, SEEK_SET) == 0 else { throw Self.problem() }
        return try actions.importFile(at: file.fileDescriptor, into: opened, mostWholeBytes: Diary.mostWholeBytes)
    }

    private static let full = Problem(
        507, "diskFull", "the disk is full: free some space, then send the file again", retryAfter: 60)

    /// The problem of the latest system call.
    private static func problem() -> Problem {
        [ENOSPC, EDQUOT].contains(errno)
            ? full : Problem(500, "internal", "the file cannot be stored; the daemon's log says why")
    }

    /// Uploads at the same time.
    final class Slots: Sendable {
        private static let most = 2
        private let taken = Mutex(0)

        /// - Throws: ``Problem`` 429.
        fileprivate func take() throws(Problem) -> Slot {
            let isTaken = taken.withLock { count in
                guard count < Self.most else { return false }
                count += 1
                return true
            }
            guard isTaken else {
                throw Problem(429, "tooMany", "too many files are imported at the same time: try again", retryAfter: 30)
            }
            return Slot(self)
        }

        /// One upload; ends with it.
        final class Slot: Sendable {
            private let slots: Slots

            fileprivate init(_ slots: Slots) { self.slots = slots }

            deinit { slots.taken.withLock { $0 -= 1 } }
        }
    }
}
