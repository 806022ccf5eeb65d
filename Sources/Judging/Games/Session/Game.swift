import Foundation
import Core

/// A game that is played with pieces on the table: frames go in, one report a frame comes out.
///
/// A game is a value: a session holds one and feeds it the frames of its stream in order; a single photo is a stream of one
/// frame. What happened between two frames travels in `PieceFrame.events`. A game must judge by poses, cells and faces alone,
/// never by outlines: outlines are rounded when a stream is recorded, and a replay must say the same.
public protocol Game: Sendable {
    /// The stable name that reports and requests use: `tangram`.
    var id: String { get }
    var title: String { get }
    /// One sentence for the person who chooses a game.
    var description: String { get }
    /// Years.
    var recommendedAge: ClosedRange<Int> { get }
    /// What is practised, by stable names; the first is meant where an outcome names none.
    var skills: [String] { get }

    /// What the frame means in this game. An uncertain frame is `noAction`, never `incorrectPlacement`.
    mutating func process(_ frame: PieceFrame) -> GameReport
    /// Which of `skills` an outcome tells about; nil for none.
    func skill(in report: GameReport) -> String?
    /// Help for the position that the last frame showed, as plain as `step` says; nil where there is nothing to say.
    func advice(_ step: NudgeStep) -> Advice?
    /// Back to the beginning: what was scored is forgotten.
    mutating func reset()
    /// What `loadState` needs to go on from here; opaque to the caller.
    func saveState() throws -> Data
    /// Goes on from a saved state; throws `StartupError(.badInput)` and stays as it is where the bytes are not one.
    mutating func loadState(_ data: Data) throws
}

extension Game {
    /// A placement, right or wrong, and a finished level tell about the first skill.
    public func skill(in report: GameReport) -> String? {
        switch report.outcome.kind {
        case .correctPlacement, .incorrectPlacement, .levelComplete: skills.first
        default: nil
        }
    }

    public func advice(_ step: NudgeStep) -> Advice? { nil }
}
