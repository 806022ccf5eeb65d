import Core

/// Why a worker gave no answer.
package enum WorkerFault: Error, Sendable, Equatable {
    /// It could not be started; the text is the reason.
    case notStarted(String)
    /// It ended before it answered; the text says how.
    case died(String)
    /// Wall-clock or processor time ran out.
    case timedOut(Duration)
    /// It exceeded its memory limit; the bytes it used.
    case outOfMemory(Int)
    /// Its answer is invalid.
    case garbled(String)
    /// Workers of other machines got it twice and gave no sign of life.
    case lost
    /// The daemon is stopping; the photo is not charged.
    case stopped

    /// Value of the metric's label.
    package var cause: String {
        switch self {
        case .notStarted: "notStarted"
        case .died: "crash"
        case .timedOut: "timeout"
        case .outOfMemory: "memory"
        case .garbled: "garbled"
        case .lost: "lost"
        case .stopped: "stopped"
        }
    }

    /// True if the photo may be the cause, so that the attempt is charged to it.
    package var isCharged: Bool {
        switch self {
        case .notStarted, .stopped: false
        case .died, .timedOut, .outOfMemory, .garbled, .lost: true
        }
    }

    /// Attempts that it stands for: a lost job was delivered twice.
    var attempts: Int { self == .lost ? PhotoReading.mostAttempts : 1 }

    /// True if the next attempt uses half the size. A crash may come from another photo's leak, but a photo that
    /// exceeded a limit would do so again at full size.
    var asksForReducedSize: Bool {
        switch self {
        case .timedOut, .outOfMemory: true
        case .notStarted, .died, .garbled, .lost, .stopped: false
        }
    }
}

extension ItemFailure {
    package init(_ fault: WorkerFault) {
        switch fault {
        case .notStarted(let reason):
            self.init(
                stage: .recognition, code: .workerUnavailable, detail: "no worker could be started: \(reason)",
                hint: "run `tablesight doctor`", isTransient: true)
        case .stopped:
            self.init(
                stage: .recognition, code: .workerUnavailable, detail: "the daemon was stopped",
                hint: "start the daemon again: it continues with the remaining photos", isTransient: true)
        case .died(let ending):
            self.init(
                stage: .recognition, code: .workerCrashed,
                detail: "two workers crashed on this photo, the last with \(ending)",
                hint: "save the photo again in another program, or photograph it again")
        case .lost:
            self.init(
                stage: .recognition, code: .workerCrashed,
                detail: "two workers on other machines went away while they read this photo",
                hint: "save the photo again in another program, or photograph it again")
        case .timedOut(let limit):
            self.init(
                stage: .recognition, code: .workerTimeout,
                detail: "reading took more than \(limit / .seconds(1)) s, also at half the size",
                hint: "send a smaller or simpler photo")
        case .outOfMemory(let bytes):
            self.init(
                stage: .recognition, code: .workerMemory,
                detail: "reading took more than \(bytes >> 20) MiB of memory, also at half the size",
                hint: "send a smaller or simpler photo")
        case .garbled(let what):
            self.init(
                stage: .recognition, code: .workerCrashed, detail: "the worker's message cannot be understood: \(what)",
                hint: "build tablesight and tablesight-worker from the same checkout")
        }
    }
}
