/// Wakes loops that wait for work; however often it rings before a loop looks, the loop looks once.
struct WakeUp: Sendable {
    /// One element after one or more rings; ends after ``end()``.
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func ring() { continuation.yield() }
    func end() { continuation.finish() }
}
