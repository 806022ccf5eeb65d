import TestSupport
import Testing
import Core

@testable import Kinds

struct NumberAndDominoTests {
    private let catalogue = GameCatalogue(models: ModelFolder(Repository.models))

    private func frame(_ values: [Int], seq: Int = 1, moving: Bool = false) -> PieceFrame {
        PieceFrame(
            seq: seq,
            board: .init(widthMM: 400, heightMM: 300, located: .fixed, homography: [], reprojectionPX: 0),
            set: "test@1",
            pieces: values.enumerated().map { index, value in
                RecognizedPiece(
                    id: index, type: "die", xMM: Double(40 * index), yMM: 50, angleDegrees: 0,
                    state: moving ? .moving : .placed, stableMS: 800, confidence: 0.9, value: value)
            })
    }

    @Test func `dice with the target score, others miss, and each throw is judged once`() throws {
        var game = try catalogue.game("dice-target", .init(difficulty: .easy))
        #expect(game.process(frame([3])).outcome.reason == "goOn")
        #expect(game.process(frame([3, 3])).outcome.reason == "tooSmall")
        #expect(game.process(frame([3, 3])).outcome.reason == "nothingNew")
        #expect(game.process(frame([1, 2], moving: true)).outcome.kind == .noAction)
        #expect(game.process(frame([3, 3])).outcome.reason == "tooSmall")
        #expect(game.process(frame([3, 4])).outcome.kind == .correctPlacement)
        #expect(game.process(frame([2, 4])).outcome.kind == .correctPlacement)
        let done = game.process(frame([6, 2])).outcome
        #expect(done.kind == .levelComplete)
        #expect(done.xpAwarded == 30)
    }

    @Test func `a game says its task and how far the player is, also after it was saved`() throws {
        var game = try catalogue.game("number-count", .init(difficulty: .easy))
        func standing(_ task: String, _ german: String, _ placed: Int) -> GameStanding {
            GameStanding(task: task, translations: ["de": german], placed: placed, needed: 3)
        }
        #expect(game.standing == standing("How many eyes has a face?", "Wie viele Augen hat ein Gesicht?", 0))
        _ = game.process(frame([2]))
        var other = try catalogue.game("number-count", .init(difficulty: .easy))
        try other.loadState(game.saveState())
        #expect(other.standing == standing("How many fingers has a hand?", "Wie viele Finger hat eine Hand?", 1))
        #expect(try catalogue.game("tic-tac-toe").standing == GameStanding())
        #expect(try catalogue.game("colour-shapes").standing == GameStanding(placed: 0, needed: 30))
        #expect(try catalogue.game("tangram", .init(puzzle: "cat")).standing == GameStanding(placed: 0, needed: 7))
    }

    @Test func `every task has a German sentence with its numbers`() throws {
        for id in GameCatalogue.ids {
            for level in GameLevel.allCases {
                let standing = try catalogue.game(id, .init(difficulty: level)).standing
                guard let task = standing.task else { continue }
                let german = try #require(standing.translations?["de"], "\(id), \(task)")
                #expect(german.filter(\.isNumber) == task.filter(\.isNumber), "\(task)")
            }
        }
    }

    @Test func `every game helps somebody who has just begun`() throws {
        for id in GameCatalogue.ids where id != "tangram" {
            var game = try catalogue.game(id, .init(difficulty: .easy))
            _ = game.process(frame([]))
            if id == "draughts" { continue }  // It waits for the men.
            for step in HintStep.allCases where step > .none { #expect(game.advice(step) != nil, "\(id), \(step)") }
        }
    }

    @Test(
        arguments: [
            (NumberTask.Kind.count, [4], 4, nil, NumberTask.Verdict.hit), (.count, [3], 4, nil, .miss("tooSmall")),
            (.add, [2, 3], 9, nil, .open), (.add, [2, 3, 4], 9, nil, .hit), (.add, [9], 9, nil, .open),
            (.add, [5, 6], 9, nil, .miss("tooLarge")), (.multiply, [6, 7], 42, 2, .hit),
            (.multiply, [6, 6], 42, 2, .miss("tooSmall")), (.multiply, [.max, .max], 42, 2, .miss("tooLarge")),
            (.connect, [3, 4, 5], 3, 3, .hit), (.connect, [3, 4], 3, 3, .open),
            (.connect, [3, 5], 3, 3, .miss("wrongOrder")),
        ] as [(NumberTask.Kind, [Int], Int, Int?, NumberTask.Verdict)])
    func `a task evaluates the numbers on the table`(
        kind: NumberTask.Kind, values: [Int], target: Int, pieces: Int?, verdict: NumberTask.Verdict
    ) {
        let task = NumberTask(kind: kind, prompt: "", target: target, pieces: pieces, step: kind == .connect ? 1 : nil)
        #expect(task.verdict(on: values) == verdict)
    }

    @Test func `every task of the shipped games can be done with tiles of 0 to 9, or dice`() throws {
        for id in ["dice-target", "number-add", "number-connect", "number-count", "number-multiply"] {
            let file = try ModelFolder(Repository.models).load(NumberGameFile.self, from: "games/\(id).json")
            for task in file.tasks.values.joined() {
                let faces = file.rolls ? 1...6 : 0...9
                var hands: [[Int]] = [[]]
                var isPossible = false
                if task.kind == .connect {
                    let row = (0..<(task.pieces ?? 3)).map { task.target + $0 * (task.step ?? 1) }
                    isPossible = row.allSatisfy(faces.contains) && task.verdict(on: row) == .hit
                }
                for _ in 0..<3 where !isPossible {
                    hands = hands.flatMap { hand in faces.map { hand + [$0] } }
                    isPossible = hands.contains { task.verdict(on: $0) == .hit }
                }
                #expect(isPossible, "\(id): \(task.prompt)")
            }
        }
    }

    /// Dominoes of 48 × 24 mm: numbers, position and rotation.
    private func table(_ dominoes: [(Int, Int, Double, Double, Double)]) -> PieceFrame {
        PieceFrame(
            seq: 1, board: .init(widthMM: 400, heightMM: 300, located: .fixed, homography: [], reprojectionPX: 0),
            set: "test@1",
            pieces: dominoes.enumerated().map { index, domino in
                RecognizedPiece(
                    id: index, type: "domino", xMM: domino.2, yMM: domino.3, angleDegrees: domino.4, stableMS: 800,
                    confidence: 0.9, values: [domino.0, domino.1])
            })
    }

    @Test func `ends that match make a chain, ends that differ do not`() throws {
        var game = try catalogue.game("dominoes", .init(difficulty: .easy))
        #expect(game.process(table([(1, 3, 100, 100, 0), (5, 6, 300, 200, 0)])).outcome.reason == "notBegun")
        #expect(game.process(table([(1, 3, 100, 100, 0), (3, 5, 149, 100, 0)])).outcome.points == 20)
        #expect(game.advice(.directed)?.text == "One end shows 1, the other shows 5.")
        #expect(game.advice(.solution)?.text == "Look for a domino with 1 or 5.")
        let wrong = game.process(table([(1, 3, 100, 100, 0), (3, 5, 149, 100, 0), (4, 6, 198, 100, 0)])).outcome
        #expect(wrong.kind == .incorrectPlacement)
        #expect(wrong.reason == "endsDiffer")
        // Rotated by 180°: 6 and 5 from left to right become 5 and 6.
        let right = game.process(table([(1, 3, 100, 100, 0), (3, 5, 149, 100, 0), (6, 5, 198, 100, 180)])).outcome
        #expect(right.kind == .correctPlacement)
    }

    @Test func `a double may be placed crosswise`() throws {
        var game = try catalogue.game("dominoes")
        let crosswise = table([(1, 3, 100, 100, 0), (3, 3, 136.5, 100, 90), (3, 2, 173, 100, 0)])
        #expect(game.process(crosswise).outcome.kind == .correctPlacement)
    }
}
