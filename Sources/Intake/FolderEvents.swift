import Dispatch
import Glibc
import Vocabulary

/// Says that something happened in the watched folders; what, a ``FolderScan`` tells.
///
/// Events are only a hint: the queue of the kernel overflows at 16,384, and a lost event must lose nothing.
///
/// Unchecked: all stored properties are constants, and `source` is guarded by libdispatch's own lock.
public final class FolderEvents: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    /// - Parameter onEvent: called on a queue of libdispatch after each burst of events; must not block.
    /// - Throws: ``StartupError`` where the kernel grants no inotify instance.
    public init(onEvent: @escaping @Sendable () -> Void) throws(StartupError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw StartupError(
                .unavailable,
                "no inotify instance: \(String(cString: strerror(errno))); raise fs.inotify.max_user_instances")
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
                while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
            }
            onEvent()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.descriptor = descriptor
        self.source = source
    }

    deinit { source.cancel() }

    /// Watches these folders from now on; one that is watched already stays so. Answers those that cannot be watched.
    public func watch(_ folders: [FilePathBytes]) -> [FilePathBytes] {
        let mask =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_FROM)
            | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_ONLYDIR) | UInt32(IN_ATTRIB)
        return folders.filter { folder in folder.withCString { inotify_add_watch(descriptor, $0, mask) } < 0 }
    }
}
