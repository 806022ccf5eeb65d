import Core
import Foundation
import Kinds

/// A table: its pieces with their ids, the game that is played with them, and the numbered lines of both. The command
/// `pieces`, boards, cameras and plays of members all go through it, so that the same frames mean the same everywhere.
///
/// It is a value without a clock: a turn that could not be stored leaves no trace in it. The process of a game of one's own
/// is outside.
package struct PlayTable: Sendable {
    /// What an input gave.
    package struct Turn: Sendable {
        /// Nil for a person's request.
        package var frame: PieceFrame?
        /// Nil without a game, and for a frame that is no news where only news are reported.
        package var said: GameLine?
    }

    private var tracker: PieceTracker?
    private var game: GameSession?
    private let reportsOnlyNews: Bool
    /// The newest frame.
    package private(set) var frame: PieceFrame?
    /// Nanoseconds since the session began, of the newest frame; -1 before the first.
    package private(set) var time = -1
    /// Number of the newest line.
    package var lastLine: Int64 = 0
    /// The newest help that nobody followed yet.
    package private(set) var advice: Advice?
    private var lastSaid: GameLine?

    /// - Parameters:
    ///   - isTracked: false for a single photo and for recorded frames, which have their ids.
    ///   - interval: nanoseconds between two frames; nil if it is unknown before the first.
    ///   - onlyNews: leaves out lines of the game that change nothing for the player.
    package init(
        session: String, isTracked: Bool = true, interval: Int?, game: GameSession?, onlyNews: Bool = false
    ) {
        tracker = isTracked ? PieceTracker(session: session, interval: interval) : nil
        self.game = game
        reportsOnlyNews = onlyNews
    }

    // MARK: Inputs

    /// Takes the pieces of a picture.
    ///
    /// - Parameters:
    ///   - time: nanoseconds since the session began.
    ///   - isPlayed: false for a frame that the game does not see.
    package mutating func take(
        _ capture: PieceFrame, at time: Int, isPlayed: (PieceFrame) -> Bool = { _ in true }
    ) -> Turn {
        self.time = time
        let next = tracker?.track(capture, at: time) ?? capture
        frame = next
        return Turn(frame: next, said: isPlayed(next) ? play(.frame(next)) : nil)
    }

    /// Takes an input of a recording.
    package mutating func replay(_ input: GameInput) -> Turn {
        guard case .frame(let recorded) = input else { return Turn(said: play(input)) }
        (frame, time) = (recorded, recorded.t_ns)
        return Turn(frame: recorded, said: play(input))
    }

    /// Passes a person's request to the game.
    ///
    /// - Throws: ``StartupError`` (64) for a puzzle that the game does not have.
    package mutating func take(_ action: GameAction, at time: Int) throws -> Turn {
        let said = try game?.take(action, at: max(self.time, time, 0))
        if let said { note(said) }
        return Turn(said: said)
    }

    private mutating func play(_ input: GameInput) -> GameLine? {
        guard let said = game?.receive(input) else { return nil }
        let isReported = !reportsOnlyNews || isNews(said)
        if isReported { note(said) }
        return isReported ? said : nil
    }

    private mutating func note(_ said: GameLine) {
        let outcome = said.report.outcome
        if outcome.kind == .correctPlacement || outcome.kind == .levelComplete || outcome.reason == "reset" {
            advice = nil
        } else if let given = said.advice {
            advice = given
        }
    }

    /// Most frames change nothing for the player. Their lines would push the others out.
    private mutating func isNews(_ said: GameLine) -> Bool {
        defer {
            let placed = lastSaid?.report.placed
            lastSaid = said
            // Some games say how far the player is only when it changes.
            if said.report.placed == nil { lastSaid?.report.placed = placed }
        }
        guard let lastSaid else { return true }
        return said.report.outcome.kind != .noAction || said.advice != nil
            || (said.report.placed ?? lastSaid.report.placed) != lastSaid.report.placed
            || said.report.puzzle != lastSaid.report.puzzle
    }

    // MARK: Lines

    /// The lines that a turn adds to the session's stream, numbered.
    package mutating func lines(of turn: Turn) throws -> [StreamEvent] {
        var lines: [StreamEvent] = []
        if let frame = turn.frame { lines.append(try line("frame", frame)) }
        if let said = turn.said { lines.append(try line("game", said)) }
        return lines
    }

    private mutating func line(_ kind: String, _ value: some Encodable) throws -> StreamEvent {
        let body = try JSONCoding.encode(value)
        lastLine += 1
        return StreamEvent(number: lastLine, kind: kind, body: body)
    }

    // MARK: The game

    package var hasGame: Bool { game != nil }
    package var progress: PlayerProgress { game?.progress ?? PlayerProgress() }
    package var standing: GameStanding { game?.standing ?? GameStanding() }
    /// What a page draws beside the table.
    package var picture: PlayPicture? { game?.picture(after: advice) }

    /// A saved game with the table.
    private struct Saved: Codable {
        var session: Data
        /// The newest frame.
        var table: PieceFrame?
    }

    /// The game's state; nil without a game.
    ///
    /// - Parameter withTable: also saves the pieces, for a session whose frames are not stored.
    package func save(withTable: Bool = false) throws -> Data? {
        guard let state = try game?.save() else { return nil }
        return withTable ? try JSONCoding.encode(Saved(session: state, table: frame)) : state
    }

    /// Continues a saved game after its newest input, with the table as it was saved or tracked.
    ///
    /// - Throws: ``StartupError`` (65) for other bytes; nothing changes then.
    package mutating func load(_ data: Data) throws {
        guard var loaded = game else { return }
        let saved = (try? JSONCoding.decode(Saved.self, from: data)) ?? Saved(session: data)
        try loaded.load(saved.session)
        time = max(time, loaded.time)
        if let table = saved.table ?? frame {
            // The game judged this table before, so it says nothing new.
            _ = loaded.process(table)
            frame = table
        }
        game = loaded
    }
}
