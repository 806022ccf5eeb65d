import Core
import HTTP
import Logging
import Metrics

/// Reports a finished photo in the progress, the metrics and the log.
struct DoneSink: OutcomeSink {
    let name = "report"
    let progress: StageProgress
    let logger: Logger

    func follow(_ photo: JudgedPhoto) -> FilePathBytes? {
        let outcome = photo.outcome
        progress.note(.done, outcome.id, photo.path)
        Counter(
            label: "tablesight_jobs_total",
            dimensions: [("outcome", outcome.status.rawValue), ("reason", outcome.reason?.code ?? "none")]
        ).increment()
        for (stage, milliseconds) in outcome.processing.timingsMs where photo.finished.answer != nil {
            Metrics.Timer(label: "tablesight_stage_seconds", dimensions: [("stage", stage)])
                .recordNanoseconds(Int64(nearest: milliseconds * 1e6))
        }
        logger.info("done", metadata: photo.photo.metadata(["status": "\(outcome.status.rawValue)"]))
        return nil
    }
}
