import Synchronization

/// Memory of pictures that are no longer used, for the next ones of about their size.
///
/// Recognition makes dozens of pictures of one size. Fresh memory costs more than most primitives take to fill it,
/// because the kernel clears each page.
enum PictureMemory {
    /// Smaller blocks are left to the allocator, which keeps them, bytes.
    private static let least = 64 << 10
    /// Maximum number of bytes that are kept; a larger block is freed at once.
    private static let most = 16 << 20
    /// Largest size of a block relative to what is asked for.
    private static let excess = 2

    /// Unchecked `Sendable`: whoever holds the block owns its memory, the list under the lock of `kept` or one picture.
    private struct Block: @unchecked Sendable {
        var start: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private struct Kept: Sendable {
        /// Last used last.
        var blocks: [Block] = []
        var byteCount = 0
    }

    private static let kept = Mutex(Kept())

    /// A block of at least this size, aligned for every sample, and its size. Its bytes are undefined.
    static func take(_ byteCount: Int) -> (start: UnsafeMutableRawPointer, byteCount: Int) {
        let known =
            byteCount < least
            ? nil
            : kept.withLock { kept -> Block? in
                let fitting = kept.blocks.indices.filter {
                    kept.blocks[$0].byteCount >= byteCount && kept.blocks[$0].byteCount <= excess * byteCount
                }
                guard let best = fitting.min(by: { kept.blocks[$0].byteCount < kept.blocks[$1].byteCount }) else {
                    return nil
                }
                kept.byteCount -= kept.blocks[best].byteCount
                return kept.blocks.remove(at: best)
            }
        if let known { return (known.start, known.byteCount) }
        return (.allocate(byteCount: max(1, byteCount), alignment: MemoryLayout<SIMD8<Float>>.alignment), byteCount)
    }

    /// Returns a block from `take`.
    static func give(_ start: UnsafeMutableRawPointer, byteCount: Int) {
        let block = Block(start: start, byteCount: byteCount)
        guard byteCount >= least, byteCount <= most else { return start.deallocate() }
        let dropped = kept.withLock { kept -> [Block] in
            kept.blocks.append(block)
            kept.byteCount += byteCount
            var dropped: [Block] = []
            while kept.byteCount > most {
                let first = kept.blocks.removeFirst()
                kept.byteCount -= first.byteCount
                dropped.append(first)
            }
            return dropped
        }
        for block in dropped { block.start.deallocate() }
    }
}
