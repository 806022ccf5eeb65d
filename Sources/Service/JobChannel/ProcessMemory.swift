internal import CLinuxSupport

/// What a worker does with memory between allocations, and between photos.
public enum ProcessMemory {
    /// From now on, freed memory stays with the process for the next allocation: a network frees and takes tens of megabytes a
    /// hundred times a photo, and a third of its time went into fresh pages.
    public static func keepFreed() { ts_memory_keep() }

    /// Gives what is free back to the system where it is more than `bytes`.
    public static func returnFreed(ifAbove bytes: Int = 0) { ts_memory_return(bytes) }
}
