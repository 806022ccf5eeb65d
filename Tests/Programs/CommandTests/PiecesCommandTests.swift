import Foundation
import Kinds
import TestSupport
import Testing
import Core

/// `tablesight pieces` as a real process.
struct PiecesCommandTests {
    private let program = Program("tablesight")

    /// A folder with two photos of the same board, as one session.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let board = try Data(contentsOf: Repository.samples.appending(path: "boards/coloured-house.jpg"))
        for name in ["1.jpg", "2.jpg"] { try folder.write(board, to: name) }
        return folder
    }

    private func run(_ arguments: [String], input: String) throws -> String {
        let folder = try TemporaryFolder()
        let given = try folder.write(Data(input.utf8), to: "in.ndjson")
        let taken = try folder.write(Data(), to: "out")
        let process = Process()
        process.executableURL = program.url
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: given)
        process.standardOutput = try FileHandle(forWritingTo: taken)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try String(contentsOf: taken, encoding: .utf8)
    }

    @Test func `a folder is one session, and its output replays byte for byte`() throws {
        let folder = try folder()
        let play = ["--set", "tangram", "--game", "tangram", "--puzzle", "house"]
        let live = try program.run(["pieces", folder.url.path] + play)
        #expect(live.exitCode == 0, "\(live.errors)")
        let lines = live.output.split(separator: "\n")
        #expect(lines.count == 4)
        let first = try JSONCoding.decode(PieceFrame.self, from: Data(lines[0].utf8))
        let second = try JSONCoding.decode(PieceFrame.self, from: Data(lines[2].utf8))
        #expect(first.pieces.count == 7)
        #expect(first.pieces.map(\.id) == second.pieces.map(\.id))
        #expect(second.events.isEmpty)
        #expect(lines[1].contains("levelComplete"))
        #expect(lines[3].contains("alreadySolved"))
        #expect(try run(["pieces", "-"] + play, input: live.output) == live.output)
    }

    @Test func `Bemo output and an external game`() throws {
        let board = Repository.samples.appending(path: "boards/coloured-house.jpg").path
        let game = Repository.samples.appending(path: "games/corner").path
        let result = try program.run(["pieces", board, "--set", "tangram", "--format", "bemo", "--game", game])
        #expect(result.exitCode == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("\"pieceTypeId\":\"largeTriangle1\""))
        #expect(lines[1].contains("\"game\":\"corner\""))
    }

    @Test func `a game of one's own is played by its name, and listed`() throws {
        let games = ["TABLESIGHT_GAMES": Repository.samples.appending(path: "games").path]
        let board = Repository.samples.appending(path: "boards/coloured-house.jpg").path
        func play(_ game: String, _ more: [String] = []) throws -> Program.Result {
            try program.run(["pieces", board, "--set", "tangram", "--game", game] + more, environment: games)
        }
        let path = Repository.samples.appending(path: "games/corner").path
        let named = try play("corner")
        #expect(named.exitCode == 0, "\(named.errors)")
        func lines(_ output: String) -> [String] { output.split(separator: "\n").suffix(1).map(String.init) }
        #expect(lines(named.output) == lines(try play(path).output), "by name and by path")
        #expect(try play("corner", ["--report"]).output.contains("\"sentences\""))
        #expect(try play("corner", ["--difficulty", "hard"]).errors.contains("played at normal, not at hard"))
        let bare = try play(path + "/corner.py")
        #expect(bare.exitCode == 64 && bare.errors.contains("folder with game.json"), "\(bare.errors)")
        let broken = try play("browser")
        #expect(broken.exitCode == 64 && broken.errors.contains("browser/game.json"), "\(broken.errors)")

        let listed = try program.run(["pieces", "games"], environment: games)
        #expect(listed.exitCode == 1, "browser is no game")
        #expect(listed.errors.contains("browser/game.json"))
        let rows = listed.output.split(separator: "\n")
        #expect(rows.count == GameCatalogue.ids.count + 1)
        #expect(rows.last?.wholeMatch(of: /corner +3–9 +tangram, tangram-mono +Corner/) != nil, "\(rows.last ?? "")")
    }

    @Test func `a figure is learned and recognised; one with separate parts is refused`() throws {
        let folder = try TemporaryFolder()
        func board(_ name: String) -> String { Repository.samples.appending(path: "boards/\(name).jpg").path }
        let book = folder.url.appending(path: "own.json").path
        let taught = try program.run(
            ["pieces", "teach-puzzles", "--set", "tangram", "--book", book]
                + ["coloured-square", "coloured-scattered", "coloured-house"].map(board))
        #expect(taught.exitCode == 1)
        #expect(taught.output == "coloured-square\ncoloured-house\n")
        #expect(taught.errors.contains("parts that do not touch"))
        let named = try program.run(
            ["pieces", board("coloured-house"), "--set", "tangram", "--game", "tangram:\(book)"])
        #expect(named.exitCode == 0, "\(named.errors)")
        #expect(named.output.contains("\"puzzle\":\"coloured-house\""))
        #expect(named.output.contains("levelComplete"))
    }

    @Test func `a learned set is written only under the name by which it is found`() throws {
        let folder = try TemporaryFolder()
        let out = folder.url.appending(path: "other.json")
        let board = Repository.samples.appending(path: "boards/coloured-house.jpg").path
        let result = try program.run(
            ["pieces", "teach", "--set", "own", "--empty", board, "--laid-out", board, "--out", out.path])
        #expect(result.exitCode == 64 && result.errors.contains("own.json"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: out.path))
    }

    @Test(
        arguments: [
            (["--game", "chess"], Int32(64)), (["--format", "tuio", "--tuio-to", "nowhere"], 64), (["--fps", "0"], 64),
            (["--game", "/no/such/game"], 66), (["--game", "tangram", "--puzzle", "nothing"], 64),
        ] as [([String], Int32)])
    func `invalid arguments are refused before the first frame`(arguments: [String], code: Int32) throws {
        let board = Repository.samples.appending(path: "boards/coloured-house.jpg").path
        let result = try program.run(["pieces", board, "--set", "tangram"] + arguments)
        #expect(result.exitCode == code, "\(result.errors)")
        #expect(result.output.isEmpty)
    }
}
