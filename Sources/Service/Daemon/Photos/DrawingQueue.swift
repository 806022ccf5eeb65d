import HTTP

/// Pictures that requests ask for, drawn one after the other: photos that are read share the workers with them, and wait
/// for one of them at most.
actor DrawingQueue {
    /// Drawings that wait at most.
    static let mostWaiting = 32

    private var isDrawing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Runs `draw` after those before it. A request that ended meanwhile draws nothing.
    ///
    /// - Throws: ``Problem`` 429 while too many wait, `CancellationError`, or what `draw` throws.
    func perform<Result: Sendable>(_ draw: @Sendable () async throws -> Result) async throws -> Result {
        if isDrawing {
            guard waiting.count < Self.mostWaiting else {
                throw Problem(429, "tooMany", "too many pictures are drawn at the same time: try again", retryAfter: 5)
            }
            await withCheckedContinuation { waiting.append($0) }
        }
        isDrawing = true
        defer { if waiting.isEmpty { isDrawing = false } else { waiting.removeFirst().resume() } }
        try Task.checkCancellation()
        return try await draw()
    }
}
