/// Wakes a loop that waits for work. Several rings before the loop runs wake it once.
struct WakeUp: Sendable {
    /// One element for one or more rings; ends after ``end()``.
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { continuation.yield() }
    func end() { continuation.finish() }
}
