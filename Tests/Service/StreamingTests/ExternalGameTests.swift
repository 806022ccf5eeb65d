import Foundation
import Glibc
import TestSupport
import Testing
import Core

@testable import Kinds
@testable import Streaming

/// Runs the example game as a real process.
@Suite(.serialized) struct ExternalGameTests {
    private static let models = ModelFolder(Repository.models)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func example() throws -> OwnGame {
        try OwnGame(in: Repository.samples.appending(path: "games/corner"), models: Self.models)
    }

    /// A game that is never late, however busy the machine is.
    private func patientGame() throws -> ExternalGame {
        try ExternalGame(try example(), session: "s", patience: patience, deadline: patience)
    }

    /// A game whose program is this one, in Python.
    private func game(_ program: String, puzzles: [GameManifest.Puzzle]? = nil) throws -> OwnGame {
        let file = try folder.write(Data(("#!/usr/bin/env python3\n" + program).utf8), to: "play.py")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let manifest = GameManifest(
            id: "g", version: "1", title: ["en": "G"], description: ["en": "D"], recommendedAge: [3, 99],
            sets: ["tangram"], program: "play.py", puzzles: puzzles)
        return OwnGame(manifest: manifest, folder: folder.url)
    }

    /// Piece `k` reaches its goal at frame 10·k + 5.
    private func frame(_ seq: Int, pieces: Int) -> PieceFrame {
        PieceFrame(
            seq: seq, t_ns: seq * 33_000_000,
            board: .init(widthMM: 300, heightMM: 200, located: .aruco, homography: [], reprojectionPX: 0.2),
            set: "test@1",
            pieces: (1...pieces).map { id in
                RecognizedPiece(
                    id: id, type: "square", xMM: seq >= 10 * id + 5 ? 40 : 250, yMM: 50, angleDegrees: 0, stableMS: 900,
                    confidence: 0.9)
            })
    }

    private func scored(_ reports: [GameReport]) -> [PlayerActionOutcome] {
        reports.map(\.outcome).filter { $0.kind != .noAction }
    }

    @Test func `the example game in Python plays`() throws {
        let source = try String(contentsOf: try example().program, encoding: .utf8)
        #expect(source.split(separator: "\n").count <= 40)
        let game = try patientGame()
        #expect(game.id == "corner")
        #expect(game.recommendedAge == 3...9)
        let outcomes = scored((0..<60).map { game.process(frame($0, pieces: 5)) })
        #expect(
            outcomes.map(\.kind) == [
                .correctPlacement, .correctPlacement, .correctPlacement, .correctPlacement, .levelComplete,
            ])
        #expect(game.advice(.gentle)?.text == "You, push a piece up and to the left.")
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "9223372036854775808", "1e308", "0.5"])
    func `the numbers of a game program may have any size`(number: String) throws {
        let program = """
            import sys
            for line in sys.stdin:
                n = line.split('"n":')[1].split(",")[0].split("}")[0]
                if '"kind":"init"' in line:
                    print('{"kind":"ready"}', flush=True)
                elif '"kind":"save"' in line:
                    print('{"kind":"state","n":%s,"state":1}' % n, flush=True)
                else:
                    print('{"kind":"outcome","n":%s,"outcome":{"kind":"levelComplete","points":\(number),'
                          '"xpAwarded":\(number),"bonusXP":\(number),"confidence":1,"reason":"r"}}' % n, flush=True)
            """
        let isWhole = Int(number) != nil
        let game = try ExternalGame(
            try game(program), session: "s", patience: patience,
            deadline: isWhole ? patience : .milliseconds(20))
        var session = GameSession(id: "s", game: game)
        let lines = (0..<3).map { session.process(frame($0, pieces: 1)) }
        #expect(!isWhole || lines.allSatisfy { $0.report.outcome.kind == .levelComplete })
        #expect(ParentReport(session: "s", lines: lines).sentences.isEmpty == false)
        #expect(GameSession.progress(in: try session.save()) == session.progress)
    }

    @Test func `a game learns who plays, also after a restart`() async throws {
        let game = try ExternalGame(
            try example(), session: "s", .init(player: .init(name: "Leo", level: 3)), patience: patience,
            deadline: patience)
        #expect(game.advice(.gentle)?.text == "Leo, push a piece up and to the left.")
        kill(try #require(game.processID), SIGKILL)
        #expect(try await eventually { game.advice(.gentle)?.text == "Leo, push a piece up and to the left." })
        #expect(game.restarts == 1)
    }

    @Test func `the level is that of the saved game`() throws {
        var session = GameSession(id: "s", game: try patientGame())
        for number in 0..<60 { _ = session.receive(.frame(frame(number, pieces: 5))) }
        #expect(session.progress.xp == 50)
        #expect(GameSession.progress(in: try session.save()) == session.progress)
        #expect(GameSession.progress(in: Data("{}".utf8)) == nil)
    }

    @Test func `a repeatedly killed game loses and repeats no outcome`() throws {
        let game = try patientGame()
        var outcomes: [PlayerActionOutcome] = []
        var kills = 0
        var seq = 0
        while seq < 400 || outcomes.count < 12, seq < 4000 {
            if seq % 37 == 11, kills < 6, let process = game.processID {
                kill(process, SIGKILL)
                kills += 1
            }
            outcomes += scored([game.process(frame(seq, pieces: 12))])
            seq += 1
        }
        #expect(kills == 6)
        #expect(game.restarts == 6)
        #expect(outcomes.filter { $0.kind == .correctPlacement }.count == 11)
        #expect(outcomes.filter { $0.kind == .levelComplete }.count == 1)
    }

    @Test func `a late answer gives no action, and its outcome comes with a later input`() async throws {
        let program = """
            import json, sys
            for line in sys.stdin:
                m = json.loads(line)
                if m["kind"] == "init": print(json.dumps({"kind": "ready"}), flush=True); continue
                if m["n"] == 2: continue
                for n in [2, 3] if m["n"] == 3 else [m["n"]]:
                    kind = "correctPlacement" if n == 2 else "noAction"
                    print(json.dumps({"kind": "outcome", "n": n, "outcome": {"kind": kind, "confidence": 1, "reason": str(n)}}), flush=True)
            """
        // The second answer comes after the third input.
        let game = try ExternalGame(try game(program), session: "s", patience: patience)
        var reports: [GameReport] = []
        _ = try await eventually {
            reports.append(game.process(frame(reports.count, pieces: 1)))
            return !scored(reports).isEmpty
        }
        #expect(reports[1].outcome.reason == "gameLate")
        #expect(scored(reports).map(\.reason) == ["2"])
        #expect(reports.count > 2)
    }

    @Test func `a saved state continues in another process`() throws {
        let first = try patientGame()
        let before = scored((0..<30).map { first.process(frame($0, pieces: 4)) })
        let second = try patientGame()
        try second.loadState(try first.saveState())
        var after: [PlayerActionOutcome] = []
        for seq in 30..<300 where after.count < 2 { after += scored([second.process(frame(seq, pieces: 4))]) }
        #expect(before.count == 2)
        #expect(after.map(\.kind) == [.correctPlacement, .levelComplete])
    }

    @Test func `a program that is not a game is refused`() throws {
        let silent = #expect(throws: StartupError.self) {
            try ExternalGame(try game("pass"), session: "s", patience: patience)
        }
        #expect(silent?.exitCode == .unavailable)
        let unknown = try game("pass")
        try Data("#!/no/such/interpreter\n".utf8).write(to: unknown.program)
        let missing = #expect(throws: StartupError.self) { try ExternalGame(unknown, session: "s") }
        #expect(missing?.exitCode == .unavailable)
        #expect(missing?.message.contains("first line") == true)
    }

    @Test func `a crash is no news to the player if the next process answers in time`() throws {
        // Each input kills the first process that gets it.
        let program = """
            import json, os, sys
            for line in sys.stdin:
                m = json.loads(line)
                if m["kind"] == "init": print(json.dumps({"kind": "ready"}), flush=True); continue
                mark = "seen-" + str(m["n"])
                if not os.path.exists(mark):
                    open(mark, "w").close()
                    os.kill(os.getpid(), 9)
                print(json.dumps({"kind": "outcome", "n": m["n"], "outcome": {"kind": "correctPlacement", "points": 1, "confidence": 1, "reason": mark}}), flush=True)
            """
        let game = try ExternalGame(try game(program), session: "s", patience: patience, deadline: patience)
        #expect(game.process(frame(0, pieces: 1)).outcome.reason == "seen-1")
        #expect(game.restarts == 1)
    }

    @Test func `a game gets no setting of the program, and works in its folder`() throws {
        let program = """
            import json, os, sys
            for line in sys.stdin:
                m = json.loads(line)
                if m["kind"] == "init": print(json.dumps({"kind": "ready"}), flush=True); continue
                files = [f for f in os.listdir("/proc/self/fd") if int(f) > 2]
                reason = " ".join([os.path.basename(sys.argv[0]), str(os.path.exists("play.py")), str(len(files))])
                print(json.dumps({"kind": "outcome", "n": m["n"], "outcome": {"kind": "stateUpdated", "confidence": 1, "reason": reason}}), flush=True)
            """
        // The daemon has files without the mark that closes them in other programs.
        let inherited = dup(STDERR_FILENO)
        defer { close(inherited) }
        let game = try ExternalGame(try game(program), session: "s", patience: patience, deadline: patience)
        #expect(game.process(frame(0, pieces: 1)).outcome.reason == "play.py True 1", "one file: the list itself")
        let variables = GameProcess.environment(from: ["TABLESIGHT_API_TOKEN": "secret", "PATH": "/bin"])
        #expect(variables == ["PATH": "/bin"])
    }

    @Test func `a game without states in its outcomes is asked for one, and does not replay the whole session`() throws
    {
        let program = """
            import json, sys
            base = new = 0
            for line in sys.stdin:
                m = json.loads(line)
                if m["kind"] == "init": print(json.dumps({"kind": "ready"}), flush=True); continue
                if m["kind"] == "load": base = m["state"]; continue
                if m["kind"] == "save": print(json.dumps({"kind": "state", "n": m["n"], "state": base + new}), flush=True); continue
                new += 1
                reason = "%d, %s" % (base + new, "few" if new < 100 else "many")
                print(json.dumps({"kind": "outcome", "n": m["n"], "outcome": {"kind": "stateUpdated", "confidence": 1, "reason": reason}}), flush=True)
            """
        let game = try ExternalGame(try game(program), session: "s", patience: patience, deadline: patience)
        for seq in 0..<300 { _ = game.process(frame(seq, pieces: 1)) }
        kill(try #require(game.processID), SIGKILL)
        #expect(game.process(frame(300, pieces: 1)).outcome.reason == "301, few")
    }

    @Test func `a chosen puzzle reaches the game, also after a restart`() throws {
        let program = """
            import json, sys
            puzzle = None
            for line in sys.stdin:
                m = json.loads(line)
                if m["kind"] in ("init", "choose"): puzzle = m.get("puzzle")
                if m["kind"] == "init": print(json.dumps({"kind": "ready"}), flush=True); continue
                print(json.dumps({"kind": "outcome", "n": m["n"], "outcome": {"kind": "stateUpdated", "confidence": 1, "reason": str(puzzle)}}), flush=True)
            """
        let puzzles = ["a", "b"].map { GameManifest.Puzzle(id: $0, title: ["en": $0], difficulty: 1) }
        let game = try ExternalGame(
            try game(program, puzzles: puzzles), session: "s", .init(puzzle: "a"), patience: patience,
            deadline: patience)
        #expect(game.process(frame(0, pieces: 1)).outcome.reason == "a")
        try game.choose(puzzle: "b")
        kill(try #require(game.processID), SIGKILL)
        let report = game.process(frame(1, pieces: 1))
        #expect(report.outcome.reason == "b" && report.puzzle == "b")
        #expect(throws: StartupError.self) { try game.choose(puzzle: "c") }
        #expect(throws: StartupError.self) { try patientGame().choose(puzzle: nil) }
    }
}
