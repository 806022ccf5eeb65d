/// How long the oldest photo of the queue has been waiting, also while photos before it are read.
///
/// Counts from the heartbeat that saw the photo first: no decision depends on wall-clock time, and a restart begins at zero.
struct PendingAge {
    /// When each id was the newest one of the queue, oldest first: photos up to it have been waiting since then at least.
    private var seen: [(newest: Int64, at: ContinuousClock.Instant)] = []
    private static let most = 1000

    /// - Parameters:
    ///   - oldest: the id of the oldest waiting photo; nil if none waits. Ids ascend.
    ///   - newest: the id of the newest one.
    /// - Returns: the time that the oldest photo has been waiting for.
    mutating func note(oldest: Int64?, newest: Int64?, at now: ContinuousClock.Instant) -> Duration {
        guard let oldest, let newest else {
            seen = []
            return .zero
        }
        seen.removeAll { $0.newest < oldest }
        if seen.last.map({ $0.newest < newest }) ?? true { seen.append((newest, now)) }
        // A photo whose own time is left out has the next later one, so that no age is too long.
        if seen.count > Self.most { seen = seen.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
        return seen.first.map { $0.at.duration(to: now) } ?? .zero
    }
}
