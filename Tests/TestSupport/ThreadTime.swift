import Glibc

/// Processor time of this thread for `work`, seconds; the least of several tries.
public func threadSeconds(tries: Int = 3, _ work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    var least = Double.infinity
    for _ in 0..<tries {
        let start = now()
        try work()
        least = min(least, now() - start)
    }
    return least
}

/// True if four times the size takes clearly less than the sixteen times that a square would take.
///
/// - Parameter work: gets the size.
public func isLinear(from size: Int, _ work: (Int) throws -> Void) rethrows -> Bool {
    let short = try threadSeconds { try work(size) }
    let long = try threadSeconds { try work(4 * size) }
    // Below this a clock says little.
    return long < 0.01 || long < 9 * short
}
