import Boards
import Core
import Store

/// One consequence of an outcome, for example its sidecar or its entry in a diary. ``WatchDaemon`` has the list of all
/// sinks, and ``OutcomeSinks`` runs it.
///
/// Order: a sink does its part before the transaction that stores the outcome, after it, or both. All sinks get
/// ``prepare(_:)`` in the order of the list. Then the outcome is stored. Then all sinks get ``follow(_:)`` in the same
/// order.
///
/// Repetition: what happens before the transaction is repeated after a crash, and if the file, the people or the session
/// of a board changed meanwhile. It must therefore add to the transaction or be idempotent. What happens after it happens once for a
/// stored outcome, and a crash skips the rest; the next start writes a missing sidecar.
///
/// Failure: an error is logged and counted, and stops neither the other sinks nor the photo. Errors of the disk and the
/// database are different, because they concern every photo. While the disk is full or another program uses the
/// database, the sink is repeated until it succeeds. Any other such ``StartupError`` ends the run.
protocol OutcomeSink: Sendable {
    /// The consequence as a noun, for the log and the metrics.
    var name: String { get }

    /// Called before the outcome is stored.
    nonisolated(nonsending) func prepare(_ photo: inout JudgedPhoto) async throws

    /// Called after the outcome is stored.
    ///
    /// - Returns: the file that the sink wrote, or nil. If the photo was erased meanwhile, the file is removed and no
    ///   further sink is called.
    nonisolated(nonsending) func follow(_ photo: JudgedPhoto) async throws -> FilePathBytes?
}

extension OutcomeSink {
    nonisolated(nonsending) func prepare(_ photo: inout JudgedPhoto) async throws {}
    nonisolated(nonsending) func follow(_ photo: JudgedPhoto) async throws -> FilePathBytes? { nil }
}

struct JudgedPhoto: Sendable {
    let photo: QueuedPhoto
    let outcome: Outcome
    /// Type of the event: `completed` or `quarantined`.
    let kind: String
    /// When the file was changed, nanoseconds since 1970; 0 if unknown.
    let modified: Int64
    /// The configuration, with the people that the photo was judged for.
    let configuration: WatchConfiguration
    /// What the transaction stores; sinks add to it.
    var finished: FinishedPhoto
    /// The photo's step in the session of its board; nil for other photos.
    var step: BoardSessions.Step? { didSet { finished.capture = step?.capture } }
    /// The files that sinks wrote, in order.
    var files: [FilePathBytes] = []

    var path: FilePathBytes { photo.path }
    var inbox: FilePathBytes? { configuration.inbox(of: path) }
}
