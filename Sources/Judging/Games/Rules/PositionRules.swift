import Core

/// The rules of a game that is a row of positions on a grid, each reached from the last by one legal move.
protocol PositionRules: Sendable {
    associatedtype Position: Sendable, Hashable, Codable

    var id: String { get }
    var title: String { get }
    var description: String { get }
    var recommendedAge: ClosedRange<Int> { get }
    var skills: [String] { get }
    var rows: Int { get }
    var columns: Int { get }

    var start: Position { get }
    /// All positions that a legal move leads to; empty where the game is over.
    func successors(of position: Position) -> [Position]
    /// What the table shows in that position, row by row; 0 is empty.
    func table(of position: Position) -> [UInt8]
    /// The mark that a piece is; nil for one that is none of the game's.
    func mark(of piece: RecognizedPiece) -> UInt8?
    func result(of position: Position) -> PositionResult
    /// The position that a table shows by itself, for a game that was begun before anybody looked; nil where it cannot tell.
    func position(showing table: [UInt8]) -> Position?
    /// True where the table shows a legal move that is not finished, as a captured piece not yet taken away.
    func isUnderway(_ table: [UInt8], from position: Position) -> Bool
    /// Why no legal move leads to this table: a stable code.
    func fault(of table: [UInt8], in position: Position) -> String
    /// The position that a good player goes to; nil where the game is over.
    func best(in position: Position) -> Position?
}

/// How a game stands.
enum PositionResult: Sendable, Hashable { case open, won, drawn }

extension PositionRules {
    /// Something of the present position is missing, and nothing else has changed: a piece in somebody's hand.
    func isUnderway(_ table: [UInt8], from position: Position) -> Bool {
        zip(table, self.table(of: position)).allSatisfy { $0 == $1 || $0 == 0 }
    }

    func best(in position: Position) -> Position? { successors(of: position).first }
}
