import Foundation
import FoundationNetworking
import Synchronization

/// How long a test waits for something that must happen. It only ends a test that hangs: a busy machine may take 50
/// times longer than an idle one, so no test may need a shorter limit.
public let patience = Duration.seconds(180)

/// How often ``eventually(isolation:_:)`` looks at least.
private let fewestLooks = 200

/// Waits until the condition holds, for what another process or thread does: it has no clock that a test could replace.
///
/// Looks are counted beside time: other tests may keep all threads of this process busy for minutes.
///
/// - Returns: false if the condition did not hold at any look for ``patience``.
public func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws -> Bool {
    let end = ContinuousClock.now + patience
    var looks = 0
    while looks < fewestLooks || .now < end {
        if try await condition() { return true }
        looks += 1
        try await Task.sleep(for: .milliseconds(20))
    }
    return false
}

/// Lets a few tests run at the same time, and the others wait.
public actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init(_ count: Int) { free = count }

    /// Waits for a turn, and runs `body` in it.
    public func taking<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        return try await body()
    }
}

/// Runs what blocks on a thread of its own: the few threads that all tests share stay free for them.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

extension URLSessionConfiguration {
    /// Waits for answers as long as ``patience``.
    public static var patient: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patience / .seconds(1)
        return configuration
    }
}

/// A clock that only its test moves.
public final class TestClock: Sendable {
    private let state: Mutex<(instant: ContinuousClock.Instant, date: Date)>

    public init(_ date: Date = Date(timeIntervalSince1970: 1_790_000_000)) {
        state = Mutex((ContinuousClock.now, date))
    }

    public var now: ContinuousClock.Instant { state.withLock { $0.instant } }
    public var date: Date { state.withLock { $0.date } }

    public func pass(seconds: Double) {
        state.withLock { state in
            state.instant += .seconds(seconds)
            state.date += seconds
        }
    }

    public func pass(days: Int) { pass(seconds: Double(days) * 86_400) }
}
