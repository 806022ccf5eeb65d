import Boards
import Core

/// Adds the frame of a board's photo to its session.
struct BoardSink: OutcomeSink {
    let name = "board frame"
    let sessions: BoardSessions

    func prepare(_ photo: inout JudgedPhoto) async throws {
        guard let board = photo.configuration.board(of: photo.path), let frame = photo.outcome.readings.pieces else {
            return
        }
        photo.step = try await sessions.step(frame, on: board, modified: photo.modified)
    }

    func follow(_ photo: JudgedPhoto) async -> FilePathBytes? {
        if let step = photo.step { await sessions.stored(step) }
        return nil
    }
}
