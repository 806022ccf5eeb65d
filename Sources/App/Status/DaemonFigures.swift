import Foundation

/// What the page about the daemon shows of the running daemon.
package struct DaemonFigures: Sendable {
    /// Reasons why the daemon is not ready; empty if it is.
    var shortcomings: @Sendable () -> [String]
    /// Bytes that are free on the disk of the database.
    var freeBytes: @Sendable () -> Int
    /// The last hour at most, oldest first; the last entry is the current minute.
    var minutes: @Sendable () -> [WebStatus.Minute]
    /// The recorded metrics as Prometheus text.
    var metrics: @Sendable () -> String

    package init(
        shortcomings: @escaping @Sendable () -> [String], freeBytes: @escaping @Sendable () -> Int,
        minutes: @escaping @Sendable () -> [WebStatus.Minute], metrics: @escaping @Sendable () -> String
    ) {
        self.shortcomings = shortcomings
        self.freeBytes = freeBytes
        self.minutes = minutes
        self.metrics = metrics
    }
}
