import Foundation
import Kinds
import Synchronization
import Core

/// A game of one's own, which runs as a separate program. It exchanges one JSON object per line and gives one outcome for
/// each input.
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
    private static let longestJournal = 20_000
    /// Inputs without a state after which the game is asked for one.
    private static let inputsBeforeSave = 256

    private let manifest: GameManifest
    package var id: String { manifest.id }
    package var title: String { manifest.title.text(in: "en") }
    package var description: String { manifest.description.text(in: "en") }
    package var recommendedAge: ClosedRange<Int> {
        let ages = manifest.recommendedAge
        return (ages.first ?? 0)...max(ages.first ?? 0, ages.last ?? 0)
    }
    package var skills: [String] { (manifest.skills ?? []).map(\.id) }
    package var puzzles: [String] { (manifest.puzzles ?? []).map(\.id) }
    package var puzzle: String? { run.withLock { $0.puzzle } }

    private let session: String
    private let choice: GameCatalogue.Choice
    private let starter: GameStarter
    private let run: Mutex<Run>

    /// Mutable state, protected by the mutex.
    private struct Run {
        var process: GameProcess?
        /// The puzzle that is played; nil lets the game decide.
        var puzzle: String?
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
    /// - Throws: ``StartupError`` (64) for a puzzle that the game does not have, (69) if the program does not start or is
    ///   not ready in time.
    package init(
        _ game: OwnGame, session: String, _ choice: GameCatalogue.Choice = GameCatalogue.Choice(),
        patience: Duration = .seconds(10), deadline: Duration = ExternalGame.deadline
    ) throws {
        manifest = game.manifest
        starter = GameStarter(game.program, in: game.folder)
        self.session = session
        self.choice = choice
        self.deadline = deadline
        try Self.check(puzzle: choice.puzzle, of: manifest)
        let process = try GameProcess(game.program, in: game.folder)
        try process.send(Self.beginning(session, choice, choice.puzzle))
        let said = process.receive(until: .now + patience) { $0.kind == .ready }
        guard said.contains(where: { $0.kind == .ready }) else {
            throw StartupError(
                .unavailable,
                "the game \(game.program.path) did not report that it is ready: run it alone and check its output")
        }
        var run = Run()
        (run.puzzle, run.process) = (choice.puzzle, process)
        self.run = Mutex(run)
    }

    private static func beginning(_ session: String, _ choice: GameCatalogue.Choice, _ puzzle: String?) -> HostMessage {
        HostMessage(
            kind: .`init`, n: 0, session: session, difficulty: choice.difficulty, player: choice.player, puzzle: puzzle)
    }

    private static func check(puzzle: String?, of manifest: GameManifest) throws {
        let puzzles = (manifest.puzzles ?? []).map(\.id)
        guard let puzzle, !puzzles.contains(puzzle) else { return }
        let known = puzzles.isEmpty ? "it has none" : "choose one of \(puzzles.joined(separator: ", "))"
        throw StartupError(.usage, "the game \(manifest.id) has no puzzle \(puzzle): \(known)")
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

    package func choose(puzzle: String?) throws {
        guard !puzzles.isEmpty else { throw StartupError(.usage, "the game \(id) has no puzzles to choose") }
        try Self.check(puzzle: puzzle, of: manifest)
        run.withLock { $0.puzzle = puzzle }
        _ = input(HostMessage(kind: .choose, n: 0, puzzle: puzzle))
    }

    /// Saved form: the last state and the inputs since then.
    private struct Saved: Codable {
        var state: JSONValue?
        var journal: [HostMessage]
        var n, answered: Int
        var owed: [PlayerActionOutcome]
        var puzzle: String?
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
                Saved(
                    state: run.state, journal: run.journal, n: run.n, answered: run.answered, owed: run.owed,
                    puzzle: run.puzzle))
        }
    }

    package func loadState(_ data: Data) throws {
        guard let saved = try? JSONCoding.decode(Saved.self, from: data) else {
            throw StartupError(.badInput, "the saved state is not of the game \(id): start a new game")
        }
        run.withLock { run in
            // A process that has had no input yet gets the state.
            let fresh = run.n == 0 && saved.puzzle == run.puzzle ? run.process : nil
            run.process = nil
            (run.state, run.journal, run.n) = (saved.state, saved.journal, saved.n)
            (run.answered, run.owed, run.notBefore) = (saved.answered, saved.owed, nil)
            run.puzzle = saved.puzzle
            if let fresh, fresh.isAlive {
                resume(fresh, &run)
            } else {
                _ = revived(&run, until: .now + deadline)
            }
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
            if run.journal.count.isMultiple(of: Self.inputsBeforeSave) {
                run.n += 1
                try? run.process?.send(HostMessage(kind: .save, n: run.n))
            }
            let n = message.n
            while let process = run.process {
                let own = take(process.receive(until: deadline) { $0.kind == .outcome && $0.n == n }, &run, now: n)
                if let own {
                    if !process.isAlive { _ = revived(&run, until: .now) }
                    if own.kind == .noAction, !run.owed.isEmpty { return run.owed.removeFirst() }
                    return own
                }
                guard !process.isAlive else { return late(&run, "gameLate") }
                // The next process may still answer in time.
                _ = revived(&run, until: deadline)
            }
            return late(&run, "gameRestarting")
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
        try? process.send(Self.beginning(session, choice, run.puzzle))
        resume(process, &run)
        return process
    }

    /// Gives a new process the last state and the inputs since then.
    private func resume(_ process: GameProcess, _ run: inout Run) {
        if let state = run.state { try? process.send(HostMessage(kind: .load, n: 0, state: state)) }
        for message in run.journal { try? process.send(message) }
        run.process = process
    }

    private func report(_ outcome: PlayerActionOutcome) -> GameReport {
        GameReport(game: id, puzzle: puzzle, outcome: outcome)
    }
}
