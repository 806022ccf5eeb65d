import Core
import Diary
import Foundation
import HTTP
import Store

/// What the household sees of the daemon. Runs on a thread of its own, because SQLite blocks.
actor StatusUseCases {
    private let executor = ThreadExecutor(label: "status")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private nonisolated let figures: DaemonFigures

    init(_ store: OutcomeStore, figures: DaemonFigures) {
        self.store = store
        self.figures = figures
    }

    nonisolated var metrics: String { figures.metrics.text }

    /// What waits and what was read. Versions are those of the newest outcome.
    func status() throws -> DaemonStatus {
        var versions = [(part: "Tablesight", version: ProgramVersion.current)]
        if let id = try store.latestContents(limit: 1).first, let outcome = try? store.outcome(forContent: id) {
            versions += outcome.versions.models.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            if let lexicon = outcome.versions.lexicon { versions.append(("lexicon", lexicon)) }
            if let catalogue = outcome.versions.catalogue { versions.append(("catalogue", catalogue)) }
        }
        return DaemonStatus(
            shortcomings: figures.shortcomings(), waiting: try store.pendingCount(),
            outcomes: try store.outcomeCount(), freeBytes: figures.freeBytes(),
            quarantine: try store.quarantine().map { .init(path: $0.path.display, reason: $0.reason.detail) },
            times: times, versions: versions, minutes: figures.minutes(),
            diaryCounts: try Diary(store).counts())
    }

    private nonisolated var times: [DaemonStatus.StageTime] {
        figures.metrics.times("tablesight_stage_seconds", by: "stage").filter { $0.value.count > 0 }
            .sorted { $0.key < $1.key }.map { stage, time in
                .init(stage: stage, photos: time.count, milliseconds: time.seconds * 1000 / Double(time.count))
            }
    }
}
