import Household
import Core
import Engine
import Foundation
import Kinds

/// The games of boards and cameras for the app.
package struct RunningGames: GameTables {
    private let boards: BoardSessions
    private let cameras: LiveBoards
    private let reader: PictureReader

    /// - Parameter reading: of pictures from browsers, with a worker of its own: a photo of a menu takes seconds.
    package init(boards: BoardSessions, cameras: LiveBoards, reading: PhotoReading) {
        (self.boards, self.cameras) = (boards, cameras)
        reader = PictureReader(reading)
    }

    package func liveSessions() async -> [PlaySession] { await cameras.list() }

    package func liveLines(of session: String, after number: Int64, limit: Int) async -> [StreamEvent]? {
        await cameras.lines(of: session, after: number, limit: limit)
    }

    package func liveBoard(_ session: String) async -> ShownBoard? { await cameras.board(session) }

    package func play(_ action: GameAction, in session: String) async throws -> GameLine? {
        do {
            if let line = try await cameras.play(action, in: session) { return line }
            return try await boards.play(action, in: session)
        } catch let problem as StartupError where problem.exitCode == .usage {
            throw PlayProblem.badPuzzle(problem.message)
        } catch let problem as StartupError where problem.exitCode == .unavailable {
            throw PlayProblem.noStart(problem.message)
        }
    }

    // MARK: Plays of members

    package func begin(_ start: PlayStart) async throws {
        do { try await cameras.begin(start) } catch let problem as StartupError where problem.exitCode == .unavailable {
            throw PlayProblem.noStart(problem.message)
        }
    }

    package func take(_ picture: Data, isStill: Bool, in session: String) async throws -> TakenPicture {
        guard let set = try await cameras.reserve(session) else { throw PlayProblem.ended }
        let frame: PieceFrame?
        do { frame = try await reader.pieces(on: picture, set: set) } catch {
            _ = try await cameras.takeNext(nil, isStill: false, in: session)
            throw error
        }
        guard let taken = try await cameras.takeNext(frame, isStill: isStill, in: session) else {
            throw PlayProblem.ended
        }
        return taken
    }

    package func saved(_ session: String) async throws -> SavedPlay? { try await cameras.saved(session) }

    package func view(of session: String) async -> PlayView? { await cameras.view(of: session) }

    package func end(_ session: String) async { await cameras.end(session) }
}
