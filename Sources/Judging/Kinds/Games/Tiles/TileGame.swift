import Foundation
import Core

/// A game of tiles laid side by side: letters form words, shapes and colours form lines.
struct TileGame<Rules: TileRules>: Game {
    static var experience: Int { 50 }
    static var bonus: Int { 25 }

    let rules: Rules
    let level: GameLevel
    private var state = State()

    private struct State: Sendable, Hashable, Codable {
        var accepted = TileGrid(tiles: [])
        /// The last grid that was reported as wrong, so that it is reported only once.
        var wrong: TileGrid?
        var reached = 0
        var isDone = false
    }

    init(_ rules: Rules, level: GameLevel) {
        self.rules = rules
        self.level = level
    }

    var id: String { rules.facts.id }
    var title: String { rules.facts.title }
    var description: String { rules.facts.description }
    var recommendedAge: ClosedRange<Int> { rules.facts.recommendedAge }
    var skills: [String] { rules.facts.skills }

    mutating func process(_ frame: PieceFrame) -> GameReport {
        let steadiness = Steadiness(of: frame)
        if let doubt = steadiness.doubt { return makeReport(.noAction, doubt, steadiness.confidence) }
        let grid = TileGrid(frame.pieces, side: rules.side, readable: rules.isReadable, face: rules.face)
        return judge(grid, steadiness.confidence)
    }

    private mutating func judge(_ grid: TileGrid, _ confidence: Double) -> GameReport {
        guard grid.isSound else { return makeReport(.noAction, "twoPiecesOnOneSquare", confidence) }
        guard !grid.tiles.isEmpty else {
            let hadBegun = !state.accepted.tiles.isEmpty
            if hadBegun { state = State() }
            return makeReport(hadBegun ? .stateUpdated : .noAction, hadBegun ? "newGame" : "noPieces", confidence)
        }
        guard let (grid, fresh) = grid.added(to: state.accepted, readable: rules.isReadable) else {
            return makeReport(.noAction, "tilesTakenAway", confidence)
        }
        guard !fresh.isEmpty else {
            state.wrong = nil
            return makeReport(.noAction, "nothingNew", confidence)
        }
        let lines = grid.lines.filter { line in line.contains { fresh.contains($0) } }
        guard !lines.isEmpty else { return makeReport(.noAction, "singleTile", confidence) }
        guard grid != state.wrong else { return makeReport(.noAction, "alreadySaid", confidence) }
        if let fault = rules.fault(in: grid, fresh: fresh) ?? (isOneMove(fresh, in: grid) ? nil : "notOneLine") {
            state.wrong = grid
            return makeReport(.incorrectPlacement, fault, confidence)
        }
        state.accepted = grid
        state.wrong = nil
        state.reached += rules.progress(lines)
        return accepted(lines, confidence)
    }

    private mutating func accepted(_ lines: [[TileGrid.Tile]], _ confidence: Double) -> GameReport {
        let isDone = !state.isDone && state.reached >= rules.goal(level)
        var report = makeReport(.correctPlacement, "linesValid", confidence)
        report.placed = state.reached
        report.needed = rules.goal(level)
        report.outcome.points = rules.score(lines)
        if isDone {
            state.isDone = true
            report.outcome.kind = .levelComplete
            report.outcome.reason = "goalReached"
            report.outcome.xpAwarded = Self.experience
        } else if let name = rules.achievement(in: lines) {
            report.outcome.kind = .specialAchievement
            report.outcome.reason = name
            report.outcome.name = name
            report.outcome.bonusXP = Self.bonus
        }
        return report
    }

    /// True if the fresh tiles are in one row or column without a gap.
    private func isOneMove(_ fresh: [TileGrid.Tile], in grid: TileGrid) -> Bool {
        fresh.count == 1 || grid.lines.contains { line in fresh.allSatisfy(line.contains) }
    }

    private func makeReport(_ kind: PlayerActionOutcome.Kind, _ reason: String, _ confidence: Double) -> GameReport {
        GameReport(game: id, outcome: .init(kind: kind, confidence: confidence.rounded(toPlaces: 4), reason: reason))
    }

    func skill(in report: GameReport) -> String? {
        switch report.outcome.kind {
        case .correctPlacement, .incorrectPlacement, .levelComplete, .specialAchievement: skills.first
        case .noAction, .hintUsed, .stateUpdated: nil
        }
    }

    var standing: GameStanding {
        GameStanding(placed: min(state.reached, rules.goal(level)), needed: rules.goal(level))
    }

    func advice(_ step: HintStep) -> Advice? {
        step > .none ? rules.advice(step, on: state.wrong ?? state.accepted) : nil
    }

    mutating func reset() { state = State() }

    func saveState() throws -> Data { try JSONCoding.encode(state) }

    mutating func loadState(_ data: Data) throws {
        do { state = try JSONCoding.decode(State.self, from: data) } catch {
            throw StartupError(.badInput, "these bytes are not a saved state of the game \(id): start a new game")
        }
    }
}
