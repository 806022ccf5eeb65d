internal import CLinuxSupport

/// Configures the allocator of a worker.
package enum ProcessMemory {
    /// Keeps freed memory in the process. A network allocates and frees tens of megabytes a hundred times per photo,
    /// and a third of its time went into fresh pages.
    package static func keepFreed() { ts_memory_keep() }

    /// Returns free memory to the system if it is more than `bytes`.
    package static func returnFreed(ifAbove bytes: Int = 0) { ts_memory_return(bytes) }
}
