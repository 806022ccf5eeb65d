import Glibc
import Core

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
