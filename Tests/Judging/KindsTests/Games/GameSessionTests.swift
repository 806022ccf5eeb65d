import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

struct GameSessionTests {
    private let catalogue = GameCatalogue(models: ModelFolder(Repository.models))

    private func session() throws -> GameSession {
        GameSession(id: "s", game: try catalogue.game("tic-tac-toe"))
    }

    private func recording() -> [GameInput] {
        var frames = GridFrames()
        let tables = [
            ["...", "...", "..."], ["X..", "...", "..."], ["XX.", "...", "..."], ["X..", "...", "..."],
            ["X..", ".O.", "..."], ["XX.", ".O.", "..."], ["XXO", ".O.", "..."], ["XXO", ".O.", "X.."],
            ["XXO", "OO.", "X.."], ["XXO", "OOX", "X.."], ["XXO", "OOX", "X.O"], ["XXO", "OOX", "XXO"],
        ]
        var inputs = tables.map { GameInput.frame(frames.show($0)) }
        inputs.insert(.hint(at: 3_500_000_000), at: 3)
        return inputs + [.reset(at: frames.t + 1)]
    }

    @Test func `a replayed recording gives identical lines`() throws {
        var live = try session()
        let lines = try recording().map { try JSONCoding.encode(live.receive($0)) }
        let recorded = try recording().reduce(Data()) { try $0 + JSONCoding.encode($1) + [0x0A] }
        var replayed = try session()
        #expect(try replayed.replay(GameInput.recorded(in: recorded)).map { try JSONCoding.encode($0) } == lines)
        #expect(lines.count == recording().count)
    }

    @Test func `saving and loading at any frame does not change a session`() throws {
        var whole = try session()
        let expected = whole.replay(recording())
        for cut in 0...expected.count {
            var first = try session()
            let before = first.replay(Array(recording()[..<cut]))
            var second = try session()
            try second.load(try first.save())
            let after = second.replay(Array(recording()[cut...]))
            #expect(before + after == expected, "cut after \(cut)")
        }
    }

    @Test func `a saved session of another game is rejected`() throws {
        var other = GameSession(id: "s", game: try catalogue.game("draughts"))
        let error = #expect(throws: StartupError.self) { try other.load(try session().save()) }
        #expect(error?.exitCode == .badInput)
    }

    @Test func `an invalid recording is reported with its line`() {
        let error = #expect(throws: StartupError.self) {
            try GameInput.recorded(in: Data("{\"kind\":\"hint\",\"t_ns\":1}\n{\"kind\":\"frame\"}\n".utf8))
        }
        #expect(error?.message.contains("line 2") == true)
    }

    @Test func `help starts after two misses and rises one level at most every three seconds`() {
        var ladder = HintEscalation()
        let miss = PlayerActionOutcome(kind: .incorrectPlacement, confidence: 1, reason: "")
        let hit = PlayerActionOutcome(kind: .correctPlacement, confidence: 1, reason: "")
        let second = 1_000_000_000
        #expect(ladder.step(after: miss, at: 0) == nil)
        #expect(ladder.step(after: miss, at: 1 * second) == .visual)
        #expect(ladder.step(after: miss, at: 3 * second) == nil)
        #expect(ladder.step(after: miss, at: 4 * second) == .gentle)
        #expect(ladder.step(after: miss, at: 7 * second) == .specific)
        #expect(ladder.step(after: miss, at: 10 * second) == .directed)
        #expect(ladder.step(after: miss, at: 13 * second) == .solution)
        #expect(ladder.step(after: miss, at: 16 * second) == .solution)
        #expect(ladder.step(after: hit, at: 17 * second) == nil)
        #expect(ladder.step(after: miss, at: 20 * second) == nil)
    }

    @Test func `a skill is mastered with eight of the last ten tries and lost below`() {
        var record = SkillRecord()
        var events: [SkillEvent.Kind?] = []
        for success in [false, false, true, true, true, true, true, true, true, true] {
            events.append(record.count(success))
        }
        #expect(events.compactMap { $0 } == [.mastered])
        #expect(events.last == .some(.mastered))
        // The two oldest tries, both failures, leave the window first.
        #expect(record.count(false) == nil)
        #expect(record.count(false) == nil)
        #expect(record.count(false) == .lapsed)
    }

    @Test func `a level is a hundred XP`() {
        var progress = PlayerProgress()
        #expect(progress.level == 1)
        let done = PlayerActionOutcome(kind: .levelComplete, xpAwarded: 50, confidence: 1, reason: "")
        _ = progress.count(done, skill: nil)
        #expect(progress.level == 1)
        _ = progress.count(done, skill: nil)
        #expect(progress.level == 2)
        _ = progress.count(done, skill: nil)
        #expect(progress.suggestion(from: .easy) == .normal)
        #expect(progress.suggestion(from: .normal) == nil)
    }

    @Test func `every sentence for parents cites exactly its counted lines`() throws {
        var session = try session()
        let lines = session.replay(recording())
        let report = ParentReport(session: "s", lines: lines)
        let tries = lines.filter { [.correctPlacement, .incorrectPlacement].contains($0.report.outcome.kind) }
        #expect(report.sentences[0].seqs == tries.map(\.seq))
        #expect(report.sentences[0].text.contains("of \(tries.count) placements"))
        #expect(report.sentences.contains { $0.text.hasPrefix("1 level was finished, for 20 XP") })
        let short = ParentReport(session: "s", lines: Array(lines.prefix(3)))
        #expect(short.sentences.allSatisfy { $0.notEnoughData || !$0.seqs.isEmpty })
        #expect(short.sentences[0].text == "Not enough data: 2 placements.")
    }

    @Test func `every game of the catalogue starts and survives saving`() throws {
        for id in GameCatalogue.ids {
            var game = try catalogue.game(id)
            #expect(game.id == id)
            #expect(!game.skills.isEmpty)
            try game.loadState(try game.saveState())
            #expect(throws: StartupError.self) { try game.loadState(Data("7".utf8)) }
        }
    }
}
