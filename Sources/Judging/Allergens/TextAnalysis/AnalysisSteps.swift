import Synchronization

/// Counts the steps of an analysis, so that a test can compare the work for a long text with that for a short one on
/// any machine. A step is one word or the words around it, a place that gets a context, or one piece of
/// evidence that is compared. Release builds count nothing.
final class AnalysisSteps: Sendable {
    private let taken = Mutex(0)

    /// The steps of `body`, which runs on this task.
    static func count(in body: () throws -> Void) rethrows -> Int {
        let steps = AnalysisSteps()
        try $counter.withValue(steps, operation: body)
        return steps.taken.withLock { $0 }
    }

    @TaskLocal private static var counter: AnalysisSteps?

    @inline(__always)
    static func take(_ count: Int = 1) {
        #if DEBUG
            if let counter { counter.taken.withLock { $0 += count } }
        #endif
    }
}
