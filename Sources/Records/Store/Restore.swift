import Core
import Foundation
import GRDB
import Glibc

extension OutcomeStore {
    /// Puts a copy of ``backUp(to:)`` in place of `file`. No other program may have `file` open.
    ///
    /// The copy is copied, migrated and checked beside `file`, and renamed last: after a crash `file` is either as it
    /// was, set aside, or restored.
    ///
    /// - Parameters:
    ///   - copy: is not changed.
    ///   - folder: where all of its sidecars must lie.
    ///   - replaces: moves an existing `file` to `file.before-restore`; an older file of that name is deleted.
    /// - Returns: the restored database; all of its sidecars are marked as unwritten.
    /// - Throws: ``StartupError``: 66 without a copy, 65 if it is no intact database of this program, 64 if it has the
    ///   sidecars of another folder or `file` exists, 78 if a newer version wrote it, 74 if the disk refuses.
    package static func restore(
        _ copy: URL, to file: URL, sidecarsBelow folder: FilePathBytes, replaces: Bool
    ) throws -> OutcomeStore {
        let manager = FileManager.default
        guard manager.fileExists(atPath: copy.path) else {
            throw StartupError(.noInput, "\(copy.path) does not exist: name a copy of `tablesight backup`")
        }
        guard replaces || !manager.fileExists(atPath: file.path) else {
            throw StartupError(
                .usage, "\(file.path) exists: use --replace, which moves it to \(file.lastPathComponent).before-restore"
            )
        }
        let trial = URL(filePath: file.path + ".restoring")
        defer { remove(trial) }
        remove(trial)
        do {
            try manager.copyItem(at: copy, to: trial)
            // The copy may be readable by others; the database never is.
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: trial.path)
            try check(trial, named: copy, sidecarsBelow: folder)
            if manager.fileExists(atPath: file.path) { try setAside(file) }
            try sync(trial)
            try manager.moveItem(at: trial, to: file)
            try sync(file.deletingLastPathComponent())
        } catch let error as CocoaError {
            throw StartupError(
                .inputOutput, "cannot restore \(copy.path) to \(file.path): \(error.localizedDescription)")
        }
        return try OutcomeStore(at: file)
    }

    /// Migrates the database, checks it, and marks all sidecars as unwritten.
    private static func check(_ trial: URL, named copy: URL, sidecarsBelow folder: FilePathBytes) throws {
        guard isOwn(trial) else {
            throw StartupError(.badInput, "\(copy.path) is not a copy of `tablesight backup`: name another file")
        }
        let store = try OutcomeStore(at: trial)
        let faults = try store.faults()
        guard faults.isEmpty else {
            throw StartupError(
                .badInput, "\(copy.path) is damaged (\(faults[0])): restore an older copy; nothing was changed")
        }
        let other = try store.read { database in
            // Photos without an outcome too: the daemon reads them and writes theirs.
            let sidecars = try Data.fetchAll(database, literal: "SELECT sidecar FROM photo")
            var folders: [FilePathBytes: Bool] = [:]
            return sidecars.compactMap { FilePathBytes(Array($0)) }.first { sidecar in
                guard sidecar.isBelow(folder) else { return true }
                let place = sidecar.folder
                let isInside = folders[place] ?? staysInside(place, folder)
                folders[place] = isInside
                return !isInside
            }
        }
        if let other {
            throw StartupError(
                .usage,
                "\(copy.path) has the outcome \(other.display), which is not below \(folder.display): restore it with "
                    + "the --output folder that it was made of")
        }
        try store.execute(literal: "UPDATE outcome SET sidecarWritten = 0")
        // The log is written into the file, which is then complete without it.
        _ = try store.emptyLog()
        try store.database.close()
    }

    /// True if no link leads from this place, be it made yet or not, out of `folder`.
    private static func staysInside(_ place: FilePathBytes, _ folder: FilePathBytes) -> Bool {
        guard let root = folder.resolved, place != folder, place.isBelow(folder) else { return true }
        if let real = place.resolved { return real == root || real.isBelow(root) }
        // Behind a link whose target is missing, a folder would be made at that target.
        var status = stat()
        guard place.withCString({ lstat($0, &status) }) != 0 else { return false }
        return staysInside(place.folder, folder)
    }

    /// True for a database that this program migrated; false for other databases and other files.
    private static func isOwn(_ file: URL) -> Bool {
        let applied = try? DatabaseQueue(path: file.path).read { try Migrations.all.appliedIdentifiers($0) }
        return applied?.isEmpty == false
    }

    /// Moves a database with its log.
    private static func setAside(_ file: URL) throws {
        let manager = FileManager.default
        let place = file.path + ".before-restore"
        for ending in ["", "-wal", "-shm"] {
            if manager.fileExists(atPath: place + ending) { try manager.removeItem(atPath: place + ending) }
            guard manager.fileExists(atPath: file.path + ending) else { continue }
            try manager.moveItem(atPath: file.path + ending, toPath: place + ending)
        }
    }

    /// Deletes a trial database, its log, and the copies that its migration made.
    private static func remove(_ trial: URL) {
        let folder = trial.deletingLastPathComponent()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(trial.lastPathComponent) {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private static func sync(_ place: URL) throws {
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(place.path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StartupError(.inputOutput, "cannot sync \(place.path): \(String(cString: strerror(errno)))")
        }
    }
}
