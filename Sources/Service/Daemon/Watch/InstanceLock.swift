import Glibc
import Core

/// Keeps a second daemon off the same output folder; the kernel lets go of it when the process ends, however it ends.
final class InstanceLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``StartupError`` where another daemon holds it.
    init(at path: FilePathBytes) throws(StartupError) {
        descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(path.display): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StartupError(
                .unavailable,
                "another tablesight watches into \(path.folder.display): stop it, or give another --output")
        }
    }

    deinit { close(descriptor) }
}
