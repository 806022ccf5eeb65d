import Dispatch
import Glibc
import Synchronization
import Core

/// Reports which watched folders changed; a ``FolderScan`` finds out what changed.
///
/// Events are only hints, because the kernel's queue overflows at 16,384 events.
package final class FolderEvents: Sendable {
    /// Where to scan.
    package struct Dirty: Sendable, Equatable {
        /// Folders whose own entries changed.
        package var folders: Set<FilePathBytes> = []
        /// Folders in which subfolders appeared or disappeared; scan them with all subfolders.
        package var trees: Set<FilePathBytes> = []
        /// Files that were renamed into place, as programs do that write a file elsewhere first. At most
        /// `FolderEvents.mostArrived`; of others only the folder is known.
        package var arrived: Set<FilePathBytes> = []
        /// True if the kernel dropped events; scan everything.
        package var overflowed = false

        package init() {}
        package var isEmpty: Bool { folders.isEmpty && trees.isEmpty && !overflowed }
    }

    /// Bounds the memory of a burst. Files beyond wait for the settling interval.
    static let mostArrived = 1000

    private struct State {
        var paths: [Int32: FilePathBytes] = [:]
        var dirty = Dirty()
    }

    private let descriptor: Int32
    private let source: SourceHolder
    private let state: StateHolder

    /// - Parameter onEvent: called on a libdispatch queue after each burst of events; must not block.
    /// - Throws: ``StartupError`` if the kernel grants no inotify instance.
    package init(onEvent: @escaping @Sendable () -> Void) throws(StartupError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw StartupError(
                .unavailable,
                "no inotify instance: \(String(cString: strerror(errno))); raise fs.inotify.max_user_instances")
        }
        let state = StateHolder()
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    guard count > 0 else { break }
                    state.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
            onEvent()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.descriptor = descriptor
        self.source = SourceHolder(source: source)
        self.state = state
    }

    deinit { source.source.cancel() }

    package enum WatchResult: Sendable {
        /// `limitReached`: the user has `fs.inotify.max_user_watches` watches; `refused`: the folder is gone or unreadable.
        case watched, limitReached, refused
    }

    /// Starts watching a folder; for a folder that is watched already, updates its path.
    ///
    /// - Returns: why it cannot be watched, or `watched`.
    package func watch(_ folder: FilePathBytes) -> WatchResult {
        let mask =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_FROM)
            | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR)
            | UInt32(IN_DONT_FOLLOW) | UInt32(IN_EXCL_UNLINK)
        let number = folder.withCString { inotify_add_watch(descriptor, $0, mask) }
        guard number >= 0 else { return [ENOSPC, ENOMEM].contains(errno) ? .limitReached : .refused }
        state.locked.withLock { $0.paths[number] = folder }
        return .watched
    }

    /// Returns and clears the changes since the last call.
    package func takeDirty() -> Dirty {
        state.locked.withLock { state in
            defer { state.dirty = Dirty() }
            return state.dirty
        }
    }

    package var watchedCount: Int { state.locked.withLock { $0.paths.count } }

    /// State shared with the source's handler, which briefly outlives this object.
    private final class StateHolder: Sendable {
        let locked = Mutex(State())

        /// Parses one read of inotify(7): consecutive events, each with its name.
        func take(_ bytes: UnsafeRawBufferPointer) {
            let headerSize = MemoryLayout<inotify_event>.size
            locked.withLock { state in
                var offset = 0
                while offset + headerSize <= bytes.count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    offset += headerSize + Int(event.len)
                    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                        state.dirty.overflowed = true
                        continue
                    }
                    guard let folder = state.paths[event.wd] else { continue }
                    if event.mask & UInt32(IN_IGNORED) != 0 {
                        state.paths[event.wd] = nil
                    } else if event.mask & UInt32(IN_ISDIR) != 0, event.mask & UInt32(IN_ATTRIB) == 0 {
                        state.dirty.trees.insert(folder)
                    } else {
                        state.dirty.folders.insert(folder)
                        guard event.mask & UInt32(IN_MOVED_TO) != 0, state.dirty.arrived.count < mostArrived,
                            // The name is filled up with zeros.
                            let name = FilePathBytes(bytes[offset - Int(event.len)..<offset].prefix { $0 != 0 })
                        else { continue }
                        state.dirty.arrived.insert(folder.appending(name))
                    }
                }
            }
        }
    }

    /// Unchecked `Sendable`: the source is constant, and libdispatch locks inside `cancel()`.
    private struct SourceHolder: @unchecked Sendable {
        let source: any DispatchSourceRead
    }
}
