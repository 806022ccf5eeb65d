import Core
import Foundation
import Kinds
import Streaming
import Household
import Store

/// The running sessions of cameras. They are in memory: fifteen frames a second are no record to keep. A restart begins
/// new ones.
///
/// Runs on a thread of its own, because games of one's own block.
package actor LiveBoards {
    private let executor = ThreadExecutor(label: "live boards")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let games: BoardGames
    private let socket: LineSocket?
    private let clock: @Sendable () -> ContinuousClock.Instant
    private var sessions: [String: LiveSession] = [:]
    /// When the plays of members began or continued, and those that read a picture.
    private var begun: [String: ContinuousClock.Instant] = [:]
    private var busy: Set<String> = []
    private var saves = 0
    /// What lay on the table when a play of this player and game ended solved.
    private var solved: [LiveSession.Player: [String]] = [:]

    /// - Parameters:
    ///   - socket: receives lines in addition to the API; nil for none.
    ///   - patience: for games of one's own.
    ///   - clock: the present time; tests give their own.
    package init(
        games: GameCatalogue, socket: LineSocket?, patience: GameCatalogue.Patience = .frames,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.games = BoardGames(catalogue: games, patience: patience)
        (self.socket, self.clock) = (socket, clock)
    }

    /// Begins the session of a camera.
    ///
    /// - Returns: the session's id.
    /// - Throws: ``StartupError`` if the game does not start.
    func begin(_ camera: Camera) async throws -> String {
        let random = UInt32.random(in: 0...0xFFFFFF)
        let suffix = String(random, radix: 16)
        let id = "camera-\(camera.name)-\(String(repeating: "0", count: 6 - suffix.count))\(suffix)"
        let game = try await game(camera.game, in: id, set: camera.pieceSet)
        sessions[id] = LiveSession(
            id: id, source: camera.source, set: camera.pieceSet, gameID: camera.game, game: game)
        return id
    }

    /// Makes the session of a game outside of the actor, because a program of one's own may take seconds to start.
    ///
    /// - Parameter name: nil for no game.
    private nonisolated func game(
        _ name: String?, in id: String, set: String, _ choice: GameCatalogue.Choice = .init(),
        progress: PlayerProgress = .init()
    ) async throws -> GameSession? {
        guard let name else { return nil }
        return try await withCheckedThrowingContinuation { made in
            DispatchQueue.global().async { [games] in
                made.resume(
                    with: Result {
                        try games.catalogue.session(
                            id, of: name, with: set, choice, progress: progress, patience: games.patience)
                    })
            }
        }
    }

    /// Begins a member's play, or continues a saved one; a running one stays.
    func begin(_ start: PlayStart) async throws {
        guard sessions[start.session] == nil else { return }
        let choice = GameCatalogue.Choice(
            difficulty: start.difficulty, puzzle: start.puzzle,
            player: .init(name: start.player, level: start.progress.level))
        let game = try await game(
            start.game, in: start.session, set: start.pieceSet, choice, progress: start.progress)
        // Another picture may have begun it meanwhile.
        guard sessions[start.session] == nil else { return }
        var session = LiveSession(
            id: start.session, source: start.player, set: start.pieceSet, gameID: start.game, game: game)
        if let state = start.state {
            // A state that another version saved may be unreadable; the play begins again then.
            try? session.table.load(state)
        } else if start.puzzle == nil {
            session.ignored = solved.removeValue(forKey: session.player)
        }
        sessions[start.session] = session
        begun[start.session] = clock() - .nanoseconds(max(0, session.table.time))
        forgetOldest()
    }

    /// The most plays in memory: those before were left long ago, and continue from what was saved.
    private static let mostPlays = 50

    private func forgetOldest() {
        guard begun.count > Self.mostPlays, let oldest = begun.min(by: { $0.value < $1.value })?.key else { return }
        end(oldest)
    }

    func end(_ id: String) {
        guard begun.removeValue(forKey: id) != nil, let session = sessions.removeValue(forKey: id) else { return }
        solved[session.player] = session.isSolved ? session.faces : nil
    }

    /// The piece set of a member's play, which is busy from now on until ``takeNext(_:in:)``.
    ///
    /// - Returns: nil for an unknown session.
    /// - Throws: ``PlayProblem/busy`` while it reads another picture.
    func reserve(_ id: String) throws -> String? {
        guard begun[id] != nil, let set = sessions[id]?.set else { return nil }
        guard busy.insert(id).inserted else { throw PlayProblem.busy }
        return set
    }

    /// Adds the pieces of the picture that was read.
    ///
    /// - Parameters:
    ///   - capture: nil for a picture without pieces.
    ///   - isStill: true for a photo. Its pieces lie as if they had been seen for a second.
    func takeNext(_ capture: PieceFrame?, isStill: Bool, in id: String) throws -> TakenPicture? {
        busy.remove(id)
        guard var session = sessions[id], begun[id] != nil else { return nil }
        var news: [GameLine] = []
        if let capture {
            // A photo stands for itself: what is not on it is gone, not covered by a hand for a moment.
            let time = isStill ? max(now(in: id), session.table.time + Self.betweenStills) : now(in: id)
            for step in 0..<(isStill ? Self.stillFrames : 1) {
                let lines = try session.take(capture, at: time + step * Self.stillPause)
                socket?.publish(lines)
                news += session.said
            }
            sessions[id] = session
            if isStill { begun[id] = clock() - .nanoseconds(session.table.time) }
        }
        return TakenPicture(view: session.view, lines: news, progress: session.table.progress)
    }

    func saved(_ id: String) throws -> SavedPlay? {
        guard let session = sessions[id], begun[id] != nil else { return nil }
        saves += 1
        return SavedPlay(
            number: saves, state: try session.table.save(withTable: true), standing: session.table.standing)
    }

    /// Frames that a photo stands for, and nanoseconds between them.
    private static let (stillFrames, stillPause) = (5, 250_000_000)
    /// The least nanoseconds between two photos. The tracker keeps a missing piece for 1.5 s.
    private static let betweenStills = 2_000_000_000

    /// Nanoseconds since a member's play began or continued; 0 for a camera.
    private func now(in id: String) -> Int {
        begun[id].map { Int($0.duration(to: clock()) / .nanoseconds(1)) } ?? 0
    }

    func view(of id: String) -> PlayView? { sessions[id]?.view }

    /// Adds the pieces of a picture to a session.
    ///
    /// - Parameter time: nanoseconds since the session began.
    func take(_ capture: PieceFrame, in id: String, at time: Int) throws {
        guard var session = sessions[id] else { return }
        let lines = try session.take(capture, at: time)
        sessions[id] = session
        socket?.publish(lines)
    }

    /// All sessions, by their ids.
    func list() -> [PlaySession] { sessions.values.map(\.summary).sorted { $0.id < $1.id } }

    /// The lines of a session after a number that are still kept; nil for an unknown session.
    func lines(of id: String, after number: Int64, limit: Int) -> [StreamEvent]? {
        sessions[id]?.lines(after: number, limit: limit)
    }

    func board(_ id: String) -> ShownBoard? { sessions[id]?.board }

    /// Passes a person's request to the game of a session.
    ///
    /// - Returns: the line; nil for an unknown session.
    /// - Throws: ``PlayProblem/onlyPieces`` for a camera without a game.
    func play(_ action: GameAction, in id: String) throws -> GameLine? {
        guard var session = sessions[id] else { return nil }
        guard let (said, line) = try session.play(action, at: now(in: id)) else { throw PlayProblem.onlyPieces }
        sessions[id] = session
        socket?.publish([line])
        return said
    }
}
