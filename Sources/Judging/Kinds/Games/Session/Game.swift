import Foundation
import Core

/// A game with pieces on the table. Each frame produces one report.
///
/// A game is a value. A session feeds it the frames of its stream in order; a photo is a stream of one frame.
/// `PieceFrame.events` holds the changes between two frames. A game must use poses, cells and faces, but no outlines.
/// Outlines are rounded in recordings, and a replay must produce identical reports.
package protocol Game: Sendable {
    /// The stable name in reports and requests: `tangram`.
    var id: String { get }
    var title: String { get }
    /// One sentence for the person who chooses a game.
    var description: String { get }
    /// Age range in years.
    var recommendedAge: ClosedRange<Int> { get }
    /// Stable names of the skills that the game trains. The first one is the default for outcomes.
    var skills: [String] { get }

    /// Interprets a frame. An uncertain frame is `noAction`, never `incorrectPlacement`.
    mutating func process(_ frame: PieceFrame) -> GameReport
    /// The skill in `skills` that an outcome gives evidence about; nil for none.
    func skill(in report: GameReport) -> String?
    /// Help for the position of the last frame, at the level `step`, or nil.
    func advice(_ step: HintStep) -> Advice?
    /// What a page draws beside the table; nil for a game that lays no figure.
    ///
    /// - Parameter advice: the newest help.
    func picture(after advice: Advice?) -> PlayPicture?
    /// What the player is to do, and how far they are.
    var standing: GameStanding { get }
    /// The puzzles that a player may choose, by their ids; empty for a game without puzzles.
    var puzzles: [String] { get }
    /// The puzzle that is played: chosen, or recognised on the last frame; nil if it is unknown.
    var puzzle: String? { get }
    /// Chooses a puzzle; nil lets the game recognise it.
    /// - Throws: `StartupError(.usage)` with the known ids for any other id.
    mutating func choose(puzzle: String?) throws
    /// Restarts the game and clears its score.
    mutating func reset()
    /// The state that `loadState` restores. The format is opaque to the caller.
    func saveState() throws -> Data
    /// Restores a saved state.
    /// - Throws: `StartupError(.badInput)` if the bytes are no saved state; the game then stays unchanged.
    mutating func loadState(_ data: Data) throws
}

/// What a player is to do, and how far they are.
package struct GameStanding: Sendable, Hashable, Codable {
    /// A sentence; nil for a game without tasks, or after the last one.
    package var task: String?
    /// The sentence in other languages, by their codes; nil without any.
    package var translations: [String: String]?
    /// Pieces, words, points or tasks that are done; nil for a game that counts none.
    package var placed: Int?
    package var needed: Int?

    package init(
        task: String? = nil, translations: [String: String]? = nil, placed: Int? = nil, needed: Int? = nil
    ) {
        self.task = task
        self.translations = translations
        self.placed = placed
        self.needed = needed
    }
}

extension Game {
    /// Placements and finished levels give evidence about the first skill.
    package func skill(in report: GameReport) -> String? {
        switch report.outcome.kind {
        case .correctPlacement, .incorrectPlacement, .levelComplete: skills.first
        case .noAction, .specialAchievement, .hintUsed, .stateUpdated: nil
        }
    }

    package func advice(_ step: HintStep) -> Advice? { nil }
    package func picture(after advice: Advice?) -> PlayPicture? { nil }
    package var standing: GameStanding { GameStanding() }

    package var puzzles: [String] { [] }
    package var puzzle: String? { nil }

    package mutating func choose(puzzle: String?) throws {
        throw StartupError(.usage, "the game \(id) has no puzzles to choose")
    }
}
