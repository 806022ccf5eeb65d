import Dispatch
import Synchronization

/// Starts a game's process beside the stream: starting waits until the system has loaded the program, which on a busy machine
/// takes longer than a frame may.
final class GameStarter: Sendable {
    /// What came of a start so far.
    enum Progress {
        case starting
        case failed
        case started(GameProcess)
    }

    private let command: [String]
    private let queue = DispatchQueue(label: "tablesight.game-start")
    private let done = DispatchSemaphore(value: 0)
    /// The process that was started last, until it is taken.
    private let process = Mutex<GameProcess?>(nil)

    init(_ command: [String]) { self.command = command }

    /// Begins to start one and returns at once. `wait` must have told the end of the start before.
    func begin() {
        queue.async { [self] in
            process.withLock { $0 = try? GameProcess(command) }
            done.signal()
        }
    }

    /// Waits for the end of the start, until `deadline` at most.
    func wait(until deadline: ContinuousClock.Instant) -> Progress {
        let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1)
        guard done.wait(timeout: .now() + .milliseconds(Int(left))) == .success else { return .starting }
        let started = process.withLock { process -> GameProcess? in
            let started = process
            process = nil
            return started
        }
        return started.map { .started($0) } ?? .failed
    }
}
