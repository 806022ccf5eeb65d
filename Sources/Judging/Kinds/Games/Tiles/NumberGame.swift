import Foundation
import Core

/// A sequence of number tasks with dice or number tiles.
struct NumberGame: Game {
    static let points = 10

    let file: NumberGameFile
    let level: GameLevel
    private var state = State()

    private struct State: Sendable, Hashable, Codable {
        /// Index of the current task.
        var task = 0
        /// The last judged numbers. Unchanged numbers are not judged again.
        var judged: [Int] = []
        /// True if pieces were handled since then. Dice may show the same numbers after another throw.
        var handled = false
        var isDone = false
    }

    init(_ file: NumberGameFile, level: GameLevel) {
        self.file = file
        self.level = level
    }

    var id: String { file.id }
    var title: String { file.title }
    var description: String { file.description }
    var recommendedAge: ClosedRange<Int> { file.youngest...99 }
    var skills: [String] { file.skills }
    private var tasks: [NumberTask] { file.tasks[level.rawValue] ?? [] }
    /// The current task; nil after the last one.
    var task: NumberTask? { state.isDone || !tasks.indices.contains(state.task) ? nil : tasks[state.task] }

    mutating func process(_ frame: PieceFrame) -> GameReport {
        let steadiness = Steadiness(of: frame)
        let confidence = steadiness.confidence
        if let doubt = steadiness.doubt {
            if doubt == "piecesMoving" || doubt == "piecesHidden" { state.handled = true }
            return makeReport(.noAction, doubt, confidence)
        }
        let values = frame.pieces.filter { $0.value != nil }
            .sorted { ($0.xMM, $0.yMM, $0.id) < ($1.xMM, $1.yMM, $1.id) }.compactMap(\.value)
        guard let task else { return makeReport(.noAction, "allDone", confidence) }
        let isNew = values != state.judged || (file.rolls && state.handled)
        state.handled = false
        guard isNew else { return makeReport(.noAction, "nothingNew", confidence) }
        state.judged = values
        switch task.verdict(on: values) {
        case .open: return makeReport(.noAction, "goOn", confidence)
        case .miss(let reason): return makeReport(.incorrectPlacement, reason, confidence)
        case .hit: return hit(confidence)
        }
    }

    private mutating func hit(_ confidence: Double) -> GameReport {
        state.task += 1
        var report = makeReport(.correctPlacement, "targetHit", confidence)
        report.outcome.points = Self.points
        if state.task >= tasks.count {
            state.isDone = true
            report.outcome.kind = .levelComplete
            report.outcome.reason = "goalReached"
            report.outcome.xpAwarded = 10 * tasks.count
        }
        return report
    }

    private func makeReport(_ kind: PlayerActionOutcome.Kind, _ reason: String, _ confidence: Double) -> GameReport {
        GameReport(
            game: id, puzzle: task?.prompt, placed: min(state.task, tasks.count), needed: tasks.count,
            outcome: .init(kind: kind, confidence: confidence.rounded(toPlaces: 4), reason: reason))
    }

    var standing: GameStanding {
        GameStanding(
            task: task?.prompt, translations: task?.translations, placed: min(state.task, tasks.count),
            needed: tasks.count)
    }

    func advice(_ step: HintStep) -> Advice? {
        guard let task else { return nil }
        switch step {
        case .none: return nil
        case .visual: return Advice(step: step)
        case .gentle: return Advice(step, "task", task.prompt)
        case .specific, .directed:
            guard case .miss(let reason) = task.verdict(on: state.judged) else {
                return Advice(step, "again", "Count once more.")
            }
            let words = [
                "tooSmall": "It must be more.", "tooLarge": "It must be less.", "tooManyTiles": "Take some away.",
            ]
            return Advice(step, words[reason] == nil ? "order" : reason, words[reason] ?? "The order is not right.")
        case .solution:
            let target = "\(task.target)"
            return task.kind == .connect
                ? Advice(
                    step, "row", "Begin with {n}, and go on by {step}.", ["n": target, "step": "\(task.step ?? 1)"])
                : Advice(step, "number", "It must be {n}.", ["n": target])
        }
    }

    mutating func reset() { state = State() }

    func saveState() throws -> Data { try JSONCoding.encode(state) }

    mutating func loadState(_ data: Data) throws {
        guard let loaded = try? JSONCoding.decode(State.self, from: data), (0...tasks.count).contains(loaded.task)
        else {
            throw StartupError(.badInput, "these bytes are not a saved state of the game \(id): start a new game")
        }
        state = loaded
    }
}

/// `models/games/<id>.json` of a number game.
struct NumberGameFile: Sendable, DataFile {
    static let schema = "tablesight.number-game/1"

    var id, title, description: String
    /// Minimum age in years.
    var youngest: Int
    var skills: [String]
    /// True for dice, which may show the same numbers after another throw.
    var rolls: Bool
    /// Tasks by difficulty.
    var tasks: [String: [NumberTask]]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(id == name, "id", "\(id) differs from the file's name")
        try DataFileProblem.check(!skills.isEmpty, "skills", "empty")
        try DataFileProblem.check((0...99).contains(youngest), "youngest", "\(youngest): give an age of 0 to 99")
        for level in GameLevel.allCases {
            guard let tasks = tasks[level.rawValue], !tasks.isEmpty else {
                throw DataFileProblem("tasks.\(level.rawValue)", "missing or empty")
            }
            for task in tasks where (task.kind == .connect) != (task.step != nil) || (task.pieces ?? 2) < 1 {
                throw DataFileProblem("tasks.\(level.rawValue)", "impossible task: \(task.prompt)")
            }
        }
    }
}
