import Foundation
import Core

/// A board game on a grid: tic-tac-toe, connect four, English draughts.
struct PositionGame<Rules: PositionRules>: Game {
    /// Points for a legal move; experience points for a win and for a draw.
    static var pointsPerMove: Int { 10 }
    static var experienceOfWin: Int { 50 }
    static var experienceOfDraw: Int { 20 }

    let rules: Rules
    private var state: State

    /// The saved state.
    private struct State: Sendable, Hashable, Codable {
        /// Nil until a valid starting position was seen.
        var position: Rules.Position?
        /// The last table that was reported as wrong, so that it is reported only once.
        var wrong: [UInt8]?
        var moves = 0
    }

    init(_ rules: Rules) {
        self.rules = rules
        state = State()
    }

    var id: String { rules.id }
    var title: String { rules.title }
    var description: String { rules.description }
    var recommendedAge: ClosedRange<Int> { rules.recommendedAge }
    var skills: [String] { rules.skills }
    var position: Rules.Position? { state.position }

    mutating func process(_ frame: PieceFrame) -> GameReport {
        switch GridReading(frame, rows: rules.rows, columns: rules.columns, mark: rules.mark) {
        case .uncertain(let reason, let confidence): makeReport(.noAction, reason, confidence)
        case .certain(let table, let confidence): judge(table, confidence)
        }
    }

    private mutating func judge(_ table: [UInt8], _ confidence: Double) -> GameReport {
        guard let position = state.position else { return begin(table, confidence) }
        if table == rules.table(of: position) {
            state.wrong = nil
            return makeReport(.noAction, "nothingNew", confidence)
        }
        let next = rules.successors(of: position)
        if let reached = next.first(where: { rules.table(of: $0) == table }) {
            return move(to: reached, by: 1, confidence)
        }
        if table == rules.table(of: rules.start), state.moves > 0 || rules.result(of: position) != .open {
            state = State(position: rules.start)
            return makeReport(.stateUpdated, "newGame", confidence)
        }
        if rules.isUnderway(table, from: position) { return makeReport(.noAction, "moveUnderway", confidence) }
        // Two players may each move between two frames. Two moves are accepted only if they explain the table
        // uniquely.
        let afterTwo = Set(next.flatMap { rules.successors(of: $0) }.filter { rules.table(of: $0) == table })
        if afterTwo.count == 1, let reached = afterTwo.first { return move(to: reached, by: 2, confidence) }
        guard state.wrong != table else { return makeReport(.noAction, "alreadySaid", confidence) }
        state.wrong = table
        return makeReport(.incorrectPlacement, rules.fault(of: table, in: position), confidence)
    }

    private mutating func begin(_ table: [UInt8], _ confidence: Double) -> GameReport {
        guard let position = rules.position(showing: table) else {
            return makeReport(.noAction, "settingUp", confidence)
        }
        state.position = position
        switch rules.result(of: position) {
        case .open: return makeReport(.stateUpdated, "positionRead", confidence)
        case .won: return makeReport(.stateUpdated, "wonPositionRead", confidence)
        case .drawn: return makeReport(.stateUpdated, "drawnPositionRead", confidence)
        }
    }

    private mutating func move(to position: Rules.Position, by moves: Int, _ confidence: Double) -> GameReport {
        state.position = position
        state.wrong = nil
        state.moves += moves
        switch rules.result(of: position) {
        case .open:
            var report = makeReport(.correctPlacement, moves == 1 ? "legalMove" : "twoLegalMoves", confidence)
            report.outcome.points = Self.pointsPerMove * moves
            return report
        case .won:
            var report = makeReport(.levelComplete, "win", confidence)
            report.outcome.xpAwarded = Self.experienceOfWin
            return report
        case .drawn:
            var report = makeReport(.levelComplete, "draw", confidence)
            report.outcome.xpAwarded = Self.experienceOfDraw
            return report
        }
    }

    private func makeReport(_ kind: PlayerActionOutcome.Kind, _ reason: String, _ confidence: Double) -> GameReport {
        GameReport(
            game: id, outcome: .init(kind: kind, confidence: confidence.rounded(toPlaces: 4), reason: reason))
    }

    func advice(_ step: HintStep) -> Advice? {
        guard step > .none, let position = state.position, let best = rules.best(in: position) else { return nil }
        let (now, then) = (rules.table(of: position), rules.table(of: best))
        guard let index = now.indices.first(where: { then[$0] != 0 && then[$0] != now[$0] }) else { return nil }
        let cell = RecognizedPiece.Cell(row: index / rules.columns, column: index % rules.columns)
        switch step {
        case .none, .visual: return Advice(step: step)
        case .gentle: return Advice(step, "board", "Look at the whole board before you move.")
        case .specific: return Advice(step, "column", "Look closely at column {n}.", ["n": "\(cell.column + 1)"])
        case .directed:
            return Advice(step, "marked", "Something good is near the marked square.", cell: cell)
        case .solution:
            return Advice(
                step, "square", "Row {row}, column {n}.", ["row": "\(cell.row + 1)", "n": "\(cell.column + 1)"],
                cell: cell)
        }
    }

    mutating func reset() { state = State() }

    func saveState() throws -> Data { try JSONCoding.encode(state) }

    mutating func loadState(_ data: Data) throws {
        do { state = try JSONCoding.decode(State.self, from: data) } catch {
            throw StartupError(.badInput, "these bytes are not a saved state of the game \(id): start a new game")
        }
    }
}
