/// Wakes a loop that waits for work. Several rings before the loop runs wake it once.
struct WakeUp: Sendable {
    /// One element for one or more rings; ends after ``end()``.
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Waits for a ring, at most for a time.
    func next(within limit: Duration) async {
        let timer = Task {
            // A cancelled sleep means that something else rang.
            if (try? await Task.sleep(for: limit)) != nil { ring() }
        }
        var iterator = rings.makeAsyncIterator()
        _ = await iterator.next()
        timer.cancel()
    }

    func ring() { continuation.yield() }
    func end() { continuation.finish() }
}
