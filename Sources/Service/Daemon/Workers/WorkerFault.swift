import Core

/// Why a worker gave no answer.
enum WorkerFault: Error, Sendable, Equatable {
    /// It could not be started.
    case notStarted(String)
    /// It ended before it answered, as told.
    case died(String)
    /// Wall clock or processor time ran out.
    case timedOut(Duration)
    /// It took more memory than it may have, in bytes.
    case outOfMemory(Int)
    /// What it said is no answer.
    case garbled(String)
    /// The daemon ends, and the job with it: no fault of the photo's.
    case stopped

    /// The metric's label.
    var cause: String {
        switch self {
        case .notStarted: "notStarted"
        case .died: "crash"
        case .timedOut: "timeout"
        case .outOfMemory: "memory"
        case .garbled: "garbled"
        case .stopped: "stopped"
        }
    }

    /// True where the photo itself has to do with it, so that the next try is charged to it.
    var isCharged: Bool {
        switch self {
        case .notStarted, .stopped: false
        case .died, .timedOut, .outOfMemory, .garbled: true
        }
    }

    /// A crash may have been another photo's leak; a photo that took too much will do so again at its full size.
    var asksForReducedSize: Bool {
        switch self {
        case .timedOut, .outOfMemory: true
        default: false
        }
    }
}

extension ItemFailure {
    init(_ fault: WorkerFault) {
        switch fault {
        case .notStarted(let reason):
            self.init(
                stage: .recognition, code: .workerUnavailable, detail: "no worker could be started: \(reason)",
                hint: "run `tablesight doctor`", isTransient: true)
        case .stopped:
            self.init(
                stage: .recognition, code: .workerUnavailable, detail: "the daemon was stopped",
                hint: "start it again: it takes up what is left", isTransient: true)
        case .died(let ending):
            self.init(
                stage: .recognition, code: .workerCrashed,
                detail: "two workers died over this photo, the last with \(ending)",
                hint: "save the photo again in another program, or photograph it again")
        case .timedOut(let limit):
            self.init(
                stage: .recognition, code: .workerTimeout,
                detail: "reading took more than \(limit / .seconds(1)) s, at half the size too",
                hint: "send a smaller or simpler photo")
        case .outOfMemory(let bytes):
            self.init(
                stage: .recognition, code: .workerMemory,
                detail: "reading took more than \(bytes >> 20) MiB of memory, at half the size too",
                hint: "send a smaller or simpler photo")
        case .garbled(let what):
            self.init(
                stage: .recognition, code: .workerCrashed, detail: "the worker's message cannot be understood: \(what)",
                hint: "build tablesight and tablesight-worker from the same checkout")
        }
    }
}
