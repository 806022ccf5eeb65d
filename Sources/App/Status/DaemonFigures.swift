import HTTP

/// What the page about the daemon shows of the running daemon.
package struct DaemonFigures: Sendable {
    /// Reasons why the daemon is not ready; empty if it is.
    var shortcomings: @Sendable () -> [String]
    /// Bytes that are free on the disk of the database.
    var freeBytes: @Sendable () -> Int
    /// The last hour at most, oldest first; the last entry is the current minute.
    var minutes: @Sendable () -> [DaemonStatus.Minute]
    var metrics: PrometheusRegistry

    package init(
        shortcomings: @escaping @Sendable () -> [String], freeBytes: @escaping @Sendable () -> Int,
        minutes: @escaping @Sendable () -> [DaemonStatus.Minute], metrics: PrometheusRegistry
    ) {
        self.shortcomings = shortcomings
        self.freeBytes = freeBytes
        self.minutes = minutes
        self.metrics = metrics
    }
}
