import Foundation
import Games
import Synchronization
import Core

/// A game that is a program of its own: any language, one JSON object a line, exactly one outcome for each input.
///
/// A game that does not answer in time says `noAction` for that input, and what it says later is the outcome of the next
/// input that has none of its own: nothing scored is lost. One that dies is started again, given its last state and every
/// input since then; what it had answered already is not told twice; no input waits longer for that than for an outcome. Copies of a session share the one process.
public final class ExternalGame: Game {
    /// How long an input waits for its outcome.
    public static let deadline = Duration.milliseconds(50)
    /// A process that died without an answer is not started again sooner, so that a broken game costs little.
    private static let pause = Duration.milliseconds(500)
    /// Inputs kept for a game that never tells its state; a longer game must.
    private static let longestJournal = 100_000

    public let id: String
    public let title: String
    public let description: String
    public let recommendedAge: ClosedRange<Int>
    public let skills: [String]

    private let session: String
    private let difficulty: GameLevel
    private let starter: GameStarter
    private let run: Mutex<Run>

    /// What changes while it runs; only used under the mutex.
    private struct Run {
        var process: GameProcess?
        var n = 0
        /// The last state that the game told, and what it was given since.
        var state: JSONValue?
        var journal: [HostMessage] = []
        /// Numbers of the inputs whose own outcome came.
        var answered = 0
        /// Outcomes that came too late, in order.
        var owed: [PlayerActionOutcome] = []
        /// True once the present process answered an input.
        var isProven = true
        var notBefore: ContinuousClock.Instant?
        /// True while the next process is being started.
        var isStarting = false
        var restarts = 0
    }

    /// Starts the program and waits for its `ready`.
    ///
    /// - Parameter patience: how long the first start may take.
    /// - Throws: ``StartupError`` (69) where it does not start or is not ready in time.
    public init(
        command: [String], session: String, difficulty: GameLevel = .normal, patience: Duration = .seconds(10)
    ) throws(StartupError) {
        let process = try GameProcess(command)
        let first = HostMessage(kind: .`init`, n: 0, session: session, difficulty: difficulty)
        let name = command.joined(separator: " ")
        do { try process.send(first) } catch { throw StartupError(.software, "cannot write to \(name): \(error)") }
        let said = process.receive(until: .now + patience) { $0.kind == .ready }
        guard let ready = said.first(where: { $0.kind == .ready }) else {
            throw StartupError(
                .unavailable, "the game \(name) did not say that it is ready: run it by itself and see what it says")
        }
        id = ready.id ?? command[0]
        title = ready.title ?? id
        description = ready.description ?? ""
        let ages = ready.recommendedAge ?? []
        recommendedAge = ages.count == 2 && ages[0] <= ages[1] ? ages[0]...ages[1] : 0...99
        skills = ready.skills ?? []
        starter = GameStarter(command)
        self.session = session
        self.difficulty = difficulty
        var run = Run()
        run.process = process
        self.run = Mutex(run)
    }

    /// How often it was started again.
    public var restarts: Int { run.withLock { $0.restarts } }
    /// Its process now; nil between two.
    var processID: Int32? { run.withLock { $0.process?.id } }

    public func process(_ frame: PieceFrame) -> GameReport {
        report(input(HostMessage(kind: frame.events.isEmpty ? .frame : .event, n: 0, frame: frame)))
    }

    public func advice(_ step: HintStep) -> Advice? {
        run.withLock { run in
            guard let process = revived(&run, until: .now + Self.deadline) else { return nil }
            run.n += 1
            let n = run.n
            try? process.send(HostMessage(kind: .hint, n: n, step: step))
            let said = process.receive(until: .now + Self.deadline) { $0.n == n }
            take(said, &run)
            return said.first { $0.n == n && $0.kind == .outcome }?.text.map { Advice(step: step, text: $0) }
        }
    }

    public func reset() {
        _ = input(HostMessage(kind: .reset, n: 0))
    }

    /// What is saved: the last state and what came after it.
    private struct Saved: Codable {
        var state: JSONValue?
        var journal: [HostMessage]
        var n, answered: Int
        var owed: [PlayerActionOutcome]
    }

    public func saveState() throws -> Data {
        try run.withLock { run in
            if let process = revived(&run, until: .now + Self.deadline) {
                run.n += 1
                let n = run.n
                try process.send(HostMessage(kind: .save, n: n))
                take(process.receive(until: .now + Self.deadline) { $0.kind == .state && $0.n == n }, &run)
            }
            return try JSONCoding.encode(
                Saved(state: run.state, journal: run.journal, n: run.n, answered: run.answered, owed: run.owed))
        }
    }

    public func loadState(_ data: Data) throws {
        guard let saved = try? JSONCoding.decode(Saved.self, from: data) else {
            throw StartupError(.badInput, "this is no saved state of the game \(id): begin anew")
        }
        run.withLock { run in
            run.process = nil
            (run.state, run.journal, run.n) = (saved.state, saved.journal, saved.n)
            (run.answered, run.owed, run.notBefore) = (saved.answered, saved.owed, nil)
            _ = revived(&run, until: .now + Self.deadline)
        }
    }

    /// Gives the game one input and waits for its outcome.
    private func input(_ message: HostMessage) -> PlayerActionOutcome {
        run.withLock { run in
            let deadline = ContinuousClock.now + Self.deadline
            run.n += 1
            var message = message
            message.n = run.n
            run.journal.append(message)
            if run.journal.count > Self.longestJournal { run.journal.removeFirst() }
            // A process started now is given the journal, this input with it.
            if let process = run.process, process.isAlive {
                try? process.send(message)
            } else {
                _ = revived(&run, until: deadline)
            }
            guard let process = run.process else { return late(&run, "gameRestarting") }
            let n = message.n
            let own = take(process.receive(until: deadline) { $0.kind == .outcome && $0.n == n }, &run, now: n)
            // The next one is begun at once, and not waited for.
            if !process.isAlive { _ = revived(&run, until: .now) }
            guard let own else { return late(&run, process.isAlive ? "gameLate" : "gameRestarting") }
            if own.kind == .noAction, !run.owed.isEmpty { return run.owed.removeFirst() }
            return own
        }
    }

    private func late(_ run: inout Run, _ reason: String) -> PlayerActionOutcome {
        run.owed.isEmpty
            ? PlayerActionOutcome(kind: .noAction, confidence: 1, reason: reason) : run.owed.removeFirst()
    }

    /// Takes what the game said: states are kept, outcomes of earlier inputs are owed. The outcome of `now` is returned.
    @discardableResult
    private func take(_ messages: [GuestMessage], _ run: inout Run, now: Int = -1) -> PlayerActionOutcome? {
        var own: PlayerActionOutcome?
        for message in messages {
            guard let n = message.n, n <= run.n else { continue }
            if message.kind == .outcome, let outcome = message.outcome, n > run.answered,
                run.journal.contains(where: { $0.n == n })
            {
                run.answered = n
                run.isProven = true
                if n == now { own = outcome } else if outcome.kind != .noAction { run.owed.append(outcome) }
            }
            if let state = message.state, n >= run.answered {
                run.state = state
                run.journal.removeAll { $0.n <= n }
                run.answered = max(run.answered, n)
            }
        }
        return own
    }

    /// The running process. One that died is started again beside the stream; once that is done it is given its state and what
    /// came since. Nil until then.
    private func revived(_ run: inout Run, until deadline: ContinuousClock.Instant) -> GameProcess? {
        if let process = run.process, process.isAlive { return process }
        if run.process != nil {
            run.process = nil
            run.restarts += 1
        }
        if !run.isStarting {
            if let moment = run.notBefore, !run.isProven, ContinuousClock.now < moment { return nil }
            run.notBefore = .now + Self.pause
            run.isProven = false
            run.isStarting = true
            starter.begin()
        }
        let process: GameProcess
        switch starter.wait(until: deadline) {
        case .starting: return nil
        case .failed:
            run.isStarting = false
            return nil
        case .started(let started): process = started
        }
        run.isStarting = false
        try? process.send(HostMessage(kind: .`init`, n: 0, session: session, difficulty: difficulty))
        if let state = run.state { try? process.send(HostMessage(kind: .load, n: 0, state: state)) }
        for message in run.journal { try? process.send(message) }
        run.process = process
        return process
    }

    private func report(_ outcome: PlayerActionOutcome) -> GameReport { GameReport(game: id, outcome: outcome) }
}
