import Foundation
import Core

/// One game of one player. Inputs arrive in order, and each produces exactly one line.
///
/// A session is a value without a clock. It uses the times of the frames, so that a recorded stream replays to the
/// same bytes.
package struct GameSession: Sendable {
    package let id: String
    package let difficulty: GameLevel
    package private(set) var game: any Game
    package private(set) var progress = PlayerProgress()
    private var nudges = HintEscalation()
    private var seq = 0
    /// Nanoseconds since the session began, of the newest input.
    package private(set) var time = 0

    /// - Parameter progress: the player's progress from earlier sessions.
    package init(
        id: String, game: any Game, difficulty: GameLevel = .normal, progress: PlayerProgress = PlayerProgress()
    ) {
        self.id = id
        self.game = game
        self.difficulty = difficulty
        self.progress = progress
    }

    /// Processes one input.
    package mutating func receive(_ input: GameInput) -> GameLine {
        switch input {
        case .frame(let frame): process(frame)
        case .hint(let time): hint(at: time)
        case .reset(let time): reset(at: time)
        }
    }

    /// Passes a person's request to the game.
    ///
    /// - Throws: ``StartupError`` (64) for a puzzle that the game does not have.
    package mutating func take(_ action: GameAction, at time: Int) throws -> GameLine {
        switch action {
        case .hint: hint(at: time)
        case .reset: reset(at: time)
        case .choose(let puzzle): try choose(puzzle: puzzle, at: time)
        }
    }

    package mutating func process(_ frame: PieceFrame) -> GameLine {
        (seq, time) = (frame.seq, frame.t_ns)
        let report = game.process(frame)
        let advice = nudges.step(after: report.outcome, at: time).flatMap { game.advice($0) }
        return line(report, advice: advice)
    }

    /// Help on request: `hintUsed`, or `noAction` if the game has no help for the position (`noHint`), or has no help
    /// before a puzzle is known (`noPuzzle`).
    package mutating func hint(at time: Int) -> GameLine {
        self.time = max(self.time, time)
        guard let advice = game.advice(nudges.asked(at: self.time)) else {
            let needsPuzzle = !game.puzzles.isEmpty && game.puzzle == nil
            return line(makeReport(.noAction, needsPuzzle ? "noPuzzle" : "noHint"))
        }
        return line(makeReport(.hintUsed, advice.step.rawValue), advice: advice)
    }

    /// Chooses a puzzle; nil lets the game recognise it.
    ///
    /// - Throws: ``StartupError`` (64) if the game has no such puzzle.
    package mutating func choose(puzzle: String?, at time: Int) throws -> GameLine {
        try game.choose(puzzle: puzzle)
        self.time = max(self.time, time)
        nudges = HintEscalation()
        var report = makeReport(.stateUpdated, "puzzleChosen")
        report.puzzle = puzzle
        return line(report)
    }

    /// Restarts the game with a score of 0. Experience and skills are kept.
    package mutating func reset(at time: Int) -> GameLine {
        self.time = max(self.time, time)
        game.reset()
        progress.clearScore()
        nudges = HintEscalation()
        return line(makeReport(.stateUpdated, "reset"))
    }

    /// What a page draws beside the table, after the newest help.
    package func picture(after advice: Advice?) -> PlayPicture? { game.picture(after: advice) }

    package var standing: GameStanding { game.standing }

    /// Processes a recorded stream from the current state.
    package mutating func replay(_ inputs: [GameInput]) -> [GameLine] { inputs.map { receive($0) } }

    private func makeReport(_ kind: PlayerActionOutcome.Kind, _ reason: String) -> GameReport {
        GameReport(game: game.id, outcome: PlayerActionOutcome(kind: kind, confidence: 1, reason: reason))
    }

    private mutating func line(_ report: GameReport, advice: Advice? = nil) -> GameLine {
        let skills = progress.count(report.outcome, skill: game.skill(in: report))
        progress.count(advice)
        let suggestion = progress.suggestion(from: difficulty)
        return GameLine(
            session: id, seq: seq, t_ns: time, report: report, score: progress.score, xp: progress.xp,
            level: progress.level, difficulty: difficulty, advice: advice, skills: skills, suggestion: suggestion)
    }
}

extension GameSession {
    /// The saved form, one line of JSON. The format is opaque to callers.
    private struct Saved: Codable {
        var schema = "tablesight.game-session/1"
        var id, game: String
        var difficulty: GameLevel
        var progress: PlayerProgress
        var nudges: HintEscalation
        var seq, time: Int
        var state: Data
    }

    package func save() throws -> Data {
        try JSONCoding.encode(
            Saved(
                id: id, game: game.id, difficulty: difficulty, progress: progress, nudges: nudges, seq: seq, time: time,
                state: game.saveState()))
    }

    /// What the player of a saved session has earned; nil for other bytes.
    package static func progress(in saved: Data) -> PlayerProgress? {
        try? JSONCoding.decode(Saved.self, from: saved).progress
    }

    /// Restores a saved session of the same game.
    ///
    /// - Throws: ``StartupError`` (65) if the bytes are no saved session of this game; the session then stays
    ///   unchanged.
    package mutating func load(_ data: Data) throws {
        guard let saved = try? JSONCoding.decode(Saved.self, from: data), saved.schema == "tablesight.game-session/1",
            saved.game == game.id
        else {
            throw StartupError(
                .badInput, "these bytes are not a saved session of the game \(game.id): start a new session")
        }
        guard saved.difficulty == difficulty else {
            throw StartupError(
                .badInput, "the session was saved at the difficulty \(saved.difficulty.rawValue): go on with that one")
        }
        try game.loadState(saved.state)
        (progress, nudges, seq, time) = (saved.progress, saved.nudges, saved.seq, saved.time)
    }
}
