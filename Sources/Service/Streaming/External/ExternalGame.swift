import Foundation
import Kinds
import Synchronization
import Core

/// A game that runs as a separate program. It exchanges one JSON object per line and gives one outcome for each input.
///
/// If the game does not answer in time, the input gets `noAction`. A late outcome is returned for the next input
/// without one of its own, so that no score is lost.
///
/// A game that exits is started again with its last state and all inputs since then. Outcomes that it had already given
/// are not reported again. No input waits longer for a restart than for an outcome. Copies of a session share the
/// process.
package final class ExternalGame: Game {
    /// Maximum time an input waits for its outcome.
    package static let deadline = Duration.milliseconds(50)
    private let deadline: Duration
    /// Minimum time between restarts of a process that exits without an answer.
    private static let pause = Duration.milliseconds(500)
    /// Maximum number of inputs kept for a game that never reports its state.
    private static let longestJournal = 100_000

    package let id: String
    package let title: String
    package let description: String
    package let recommendedAge: ClosedRange<Int>
    package let skills: [String]

    /// Who plays, for the game.
    package struct Player: Sendable, Hashable, Codable {
        /// Nil if nobody is named.
        package var name: String?
        /// From 1; see ``PlayerProgress``.
        package var level: Int

        package init(name: String? = nil, level: Int = 1) {
            self.name = name
            self.level = level
        }
    }

    private let session: String
    private let difficulty: GameLevel
    private let player: Player
    private let starter: GameStarter
    private let run: Mutex<Run>

    /// Mutable state, protected by the mutex.
    private struct Run {
        var process: GameProcess?
        var n = 0
        /// The last state that the game reported, and the inputs since then.
        var state: JSONValue?
        var journal: [HostMessage] = []
        /// Number of the latest input whose own outcome arrived.
        var answered = 0
        /// Late outcomes, oldest first.
        var owed: [PlayerActionOutcome] = []
        /// True if the current process has answered an input.
        var isProven = true
        var notBefore: ContinuousClock.Instant?
        /// True while the next process starts.
        var isStarting = false
        var restarts = 0
    }

    /// Starts the program and waits for its `ready`.
    ///
    /// - Parameters:
    ///   - patience: maximum duration of the first start.
    ///   - deadline: maximum time an input waits for its outcome.
    /// - Throws: ``StartupError`` (69) if the program does not start or is not ready in time.
    package init(
        command: [String], session: String, difficulty: GameLevel = .normal, player: Player = Player(),
        patience: Duration = .seconds(10), deadline: Duration = ExternalGame.deadline
    ) throws(StartupError) {
        let process = try GameProcess(command)
        let first = HostMessage(kind: .`init`, n: 0, session: session, difficulty: difficulty, player: player)
        let name = command.joined(separator: " ")
        do { try process.send(first) } catch { throw StartupError(.software, "cannot write to \(name): \(error)") }
        let said = process.receive(until: .now + patience) { $0.kind == .ready }
        guard let ready = said.first(where: { $0.kind == .ready }) else {
            throw StartupError(
                .unavailable, "the game \(name) did not report that it is ready: run it alone and check its output")
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
        self.player = player
        self.deadline = deadline
        var run = Run()
        run.process = process
        self.run = Mutex(run)
    }

    /// Number of restarts.
    package var restarts: Int { run.withLock { $0.restarts } }
    /// The current process; nil between two processes.
    var processID: Int32? { run.withLock { $0.process?.id } }

    package func process(_ frame: PieceFrame) -> GameReport {
        report(input(HostMessage(kind: frame.events.isEmpty ? .frame : .event, n: 0, frame: frame)))
    }

    package func advice(_ step: HintStep) -> Advice? {
        run.withLock { run in
            guard let process = revived(&run, until: .now + deadline) else { return nil }
            run.n += 1
            let n = run.n
            try? process.send(HostMessage(kind: .hint, n: n, step: step))
            let said = process.receive(until: .now + deadline) { $0.n == n }
            take(said, &run)
            return said.first { $0.n == n && $0.kind == .outcome }?.text.map { Advice(step: step, text: $0) }
        }
    }

    package func reset() {
        _ = input(HostMessage(kind: .reset, n: 0))
    }

    /// Saved form: the last state and the inputs since then.
    private struct Saved: Codable {
        var state: JSONValue?
        var journal: [HostMessage]
        var n, answered: Int
        var owed: [PlayerActionOutcome]
    }

    package func saveState() throws -> Data {
        try run.withLock { run in
            if let process = revived(&run, until: .now + deadline) {
                run.n += 1
                let n = run.n
                try process.send(HostMessage(kind: .save, n: n))
                take(process.receive(until: .now + deadline) { $0.kind == .state && $0.n == n }, &run)
            }
            return try JSONCoding.encode(
                Saved(state: run.state, journal: run.journal, n: run.n, answered: run.answered, owed: run.owed))
        }
    }

    package func loadState(_ data: Data) throws {
        guard let saved = try? JSONCoding.decode(Saved.self, from: data) else {
            throw StartupError(.badInput, "the saved state is not of the game \(id): start a new game")
        }
        run.withLock { run in
            run.process = nil
            (run.state, run.journal, run.n) = (saved.state, saved.journal, saved.n)
            (run.answered, run.owed, run.notBefore) = (saved.answered, saved.owed, nil)
            _ = revived(&run, until: .now + deadline)
        }
    }

    /// Sends one input and waits for its outcome.
    private func input(_ message: HostMessage) -> PlayerActionOutcome {
        run.withLock { run in
            let deadline = ContinuousClock.now + self.deadline
            run.n += 1
            var message = message
            message.n = run.n
            run.journal.append(message)
            if run.journal.count > Self.longestJournal { run.journal.removeFirst() }
            // A process that starts now gets the journal, which includes this input.
            if let process = run.process, process.isAlive {
                try? process.send(message)
            } else {
                _ = revived(&run, until: deadline)
            }
            guard let process = run.process else { return late(&run, "gameRestarting") }
            let n = message.n
            let own = take(process.receive(until: deadline) { $0.kind == .outcome && $0.n == n }, &run, now: n)
            // Start the next process now, without waiting for it.
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

    /// Processes the game's messages: keeps states and late outcomes, and returns the outcome of `now`.
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

    /// The running process. After an exit a new one is started in the background and gets the last state and the inputs
    /// since then. Nil until it is ready.
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
        try? process.send(HostMessage(kind: .`init`, n: 0, session: session, difficulty: difficulty, player: player))
        if let state = run.state { try? process.send(HostMessage(kind: .load, n: 0, state: state)) }
        for message in run.journal { try? process.send(message) }
        run.process = process
        return process
    }

    private func report(_ outcome: PlayerActionOutcome) -> GameReport { GameReport(game: id, outcome: outcome) }
}
