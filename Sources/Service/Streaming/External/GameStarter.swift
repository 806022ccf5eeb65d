import Dispatch
import Foundation
import Synchronization

/// Starts a game's process in the background. A start waits until the system has loaded the program, which may take
/// longer than one frame.
final class GameStarter: Sendable {
    /// State of a start.
    enum Progress {
        case starting
        case failed
        case started(GameProcess)
    }

    private let program, folder: URL
    private let queue = DispatchQueue(label: "tablesight.game-start")
    private let done = DispatchSemaphore(value: 0)
    /// The process that was started last, until it is taken.
    private let process = Mutex<GameProcess?>(nil)

    init(_ program: URL, in folder: URL) { (self.program, self.folder) = (program, folder) }

    /// Starts a process and returns at once. The previous start must have ended, as reported by `wait`.
    func begin() {
        queue.async { [self] in
            process.withLock { $0 = try? GameProcess(program, in: folder) }
            done.signal()
        }
    }

    /// Waits for the end of the start, at most until `deadline`.
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
