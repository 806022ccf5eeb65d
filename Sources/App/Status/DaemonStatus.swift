import Diary
import HTTP

package struct DaemonStatus: Sendable {
    /// A photo that is not tried again.
    package struct Quarantined: Sendable {
        package var path: String
        package var reason: String
    }

    /// The time of one stage over all photos since the start.
    package struct StageTime: Sendable {
        package var stage: String
        package var photos: Int
        /// Mean, milliseconds.
        package var milliseconds: Double
    }

    package struct Minute: Sendable, Hashable {
        /// Photos that got an answer.
        package var photos: Int
        /// The most photos that waited at a time.
        package var waiting: Int
        /// From the start of reading to the stored answer, milliseconds; nil without photos.
        package var median, p95, p99: Double?

        package init(
            photos: Int = 0, waiting: Int = 0, median: Double? = nil, p95: Double? = nil, p99: Double? = nil
        ) {
            self.photos = photos
            self.waiting = waiting
            self.median = median
            self.p95 = p95
            self.p99 = p99
        }
    }

    /// Reasons why the daemon is not ready; empty if it is.
    package var shortcomings: [String]
    package var waiting: Int
    package var outcomes: Int
    package var freeBytes: Int
    package var quarantine: [Quarantined]
    package var times: [StageTime]
    /// Part → version.
    package var versions: [(part: String, version: String)]
    /// The last hour at most, oldest first; the last entry is the current minute.
    package var minutes: [Minute] = []
    /// How often diaries were used, by event, all members together.
    package var diaryCounts: [Diary.Event: Int] = [:]
}

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
