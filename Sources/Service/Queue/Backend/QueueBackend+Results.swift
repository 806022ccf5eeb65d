import Core
import Engine
import Metrics

struct QueueFigures: Sendable, Hashable {
    var published = 0
    var answers: [String: Int] = [:]
    var redeliveries = 0
    /// Results of jobs that have an end already.
    var late = 0
    /// Refused messages by reason.
    var refused: [String: Int] = [:]

    /// Workers with a label of their own in metrics; forged results could invent any number of names.
    static let mostWorkers = 256
}

extension QueueBackend {
    /// Takes messages of the results stream. None of them is trusted.
    func take(_ messages: [Result<QueueResult, QueueResult.Refusal>]) {
        for message in messages {
            switch message {
            case .failure(let refusal): refuse(refusal.rawValue, from: nil)
            case .success(let result): take(result)
            }
        }
    }

    private func take(_ result: QueueResult) {
        // A result of an earlier publication of the same work counts, too: the work is the same.
        let isOwn = waiting[result.dispatch] != nil
        let again = isOwn ? nil : waiting.first { result.answer != nil && $0.value.job.key == result.key }?.key
        guard let dispatch = isOwn ? result.dispatch : again, let job = waiting[dispatch]?.job else {
            return takeUnasked(result)
        }
        if result.deliveries > 1 {
            figures.redeliveries += result.deliveries - 1
            Counter(label: "tablesight_queue_redeliveries_total").increment(by: Int64(result.deliveries - 1))
        }
        if let fault = result.fault {
            if fault.cause == .hash { refuse("hash", from: result.worker, fault.detail) }
            if fault.cause == .source || fault.cause == .notStarted {
                logger.warning(
                    "a worker of the queue could not read a photo",
                    metadata: ["worker": "\(result.worker)", "reason": "\(fault.detail.printable)"])
            }
            // The publication is over: its worker may have gone without an acknowledgement.
            return end(dispatch, .fault(fault), withdraws: true)
        }
        guard let answer = result.answer else { return }
        if result.versions != job.versions { return refuse("versions", from: result.worker) }
        if result.content != job.content || result.key != job.key { return refuse("job", from: result.worker) }
        if let fault = answer.implausibility {
            refuse("values", from: result.worker, fault)
            return end(dispatch, .fault(.init(.garbled, fault)), withdraws: true)
        }
        count(result)
        end(
            dispatch,
            .answer(WorkerReading(answer: answer, worker: result.worker, readers: result.versions.readers)),
            withdraws: !isOwn)
    }

    private func takeUnasked(_ result: QueueResult) {
        // Of a job that the daemon published before it was started again: its photo is about to be asked for.
        if isFresh, let answer = result.answer, answer.implausibility == nil,
            early.count < settings.mostOutstanding
        {
            early[result.key] = WorkerReading(
                answer: answer, worker: result.worker, readers: result.versions.readers)
            return
        }
        figures.late += 1
        Counter(label: "tablesight_queue_late_results_total").increment()
    }

    private func count(_ result: QueueResult) {
        let isKnown = figures.answers[result.worker] != nil || figures.answers.count < QueueFigures.mostWorkers
        let worker = isKnown ? result.worker : "other"
        figures.answers[worker, default: 0] += 1
        Counter(label: "tablesight_queue_jobs_total", dimensions: [("worker", worker)]).increment()
        if let milliseconds = result.transferMs {
            Metrics.Timer(label: "tablesight_queue_transfer_seconds").recordNanoseconds(
                Int64(nearest: milliseconds * 1e6))
        }
    }

    /// Counts a message that is not used, and logs it.
    private func refuse(_ reason: String, from worker: String?, _ detail: String = "") {
        figures.refused[reason, default: 0] += 1
        Counter(label: "tablesight_queue_refused_total", dimensions: [("reason", reason)]).increment()
        let texts = [
            "size": "it is larger than a result may be", "compression": "it cannot be unpacked",
            "schema": "it has another format", "values": "its values are impossible",
            "versions": "it was made with other versions than were asked for", "job": "it belongs to another job",
            "hash": "the photo's bytes arrived with another hash",
        ]
        logger.error(
            "refused a result from the queue",
            metadata: [
                "reason": "\(texts[reason] ?? reason)\(detail.isEmpty ? "" : ": \(detail.printable)")",
                "worker": "\(worker ?? "unknown")",
            ])
    }
}
