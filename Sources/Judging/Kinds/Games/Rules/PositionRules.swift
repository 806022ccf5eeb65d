import Core

/// The rules of a board game on a grid. Legal moves connect its positions.
protocol PositionRules: Sendable {
    associatedtype Position: Sendable, Hashable, Codable

    var id: String { get }
    var title: String { get }
    var description: String { get }
    var recommendedAge: ClosedRange<Int> { get }
    var skills: [String] { get }
    var rows: Int { get }
    var columns: Int { get }

    /// The names of marks 1 and 2.
    var marks: [String] { get }
    /// False for a square of the board on which nothing may stand, by its row-major index.
    func isUsed(_ square: Int) -> Bool

    var start: Position { get }
    /// All positions after one legal move; empty if the game is over.
    func successors(of position: Position) -> [Position]
    /// The marks that the table shows in the position, in row-major order; 0 is empty.
    func table(of position: Position) -> [UInt8]
    /// The mark of a piece; nil for a piece that is not part of the game.
    func mark(of piece: RecognizedPiece) -> UInt8?
    func result(of position: Position) -> PositionResult
    /// The position of a table without history, for a game already under way; nil if it is ambiguous.
    func position(showing table: [UInt8]) -> Position?
    /// True if the table shows an unfinished legal move, such as a captured piece that is still on the board.
    func isUnderway(_ table: [UInt8], from position: Position) -> Bool
    /// A stable code for the reason why no legal move leads to this table.
    func fault(of table: [UInt8], in position: Position) -> String
    /// The position after a good move; nil if the game is over.
    func best(in position: Position) -> Position?
}

/// The state of a game.
enum PositionResult: Sendable, Hashable { case open, won, drawn }

extension PositionRules {
    func isUsed(_ square: Int) -> Bool { true }

    /// True if a piece of the position is missing and nothing else has changed: a player holds it.
    func isUnderway(_ table: [UInt8], from position: Position) -> Bool {
        zip(table, self.table(of: position)).allSatisfy { $0 == $1 || $0 == 0 }
    }

    func best(in position: Position) -> Position? { successors(of: position).first }
}
