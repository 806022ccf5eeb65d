import Core
import Foundation
import HTTP
import TestSupport
import Testing

@testable import Games
@testable import App

@Suite struct GamePagesTests {
    private let models = ModelFolder(Repository.models)

    private func texts(_ language: String = "en") throws -> PageTexts { try PageRendering.texts(language) }

    private func html(_ board: ShownBoard) throws -> String { try PageRendering.html(BoardPage(board, texts())) }

    private func line(_ kind: PlayerActionOutcome.Kind, skills: [SkillEvent] = [], at seconds: Int = 0) -> GameLine {
        GameLine(
            session: "s", seq: 1, t_ns: seconds * 1_000_000_000,
            report: GameReport(
                game: "tangram", placed: 5, needed: 7,
                outcome: .init(kind: kind, points: 10, confidence: 1, reason: "x")),
            score: 50, xp: 120, level: 2, difficulty: .normal, skills: skills)
    }

    private func board(_ lines: [GameLine], pieces: [RecognizedPiece] = []) -> ShownBoard {
        ShownBoard(
            session: PlaySession(
                id: "table-1", game: "tangram", set: "tangram", board: "/srv/<table>", frames: 2, lastLine: 4),
            frame: PieceFrame(board: nil, set: "tangram@1", pieces: pieces), lines: lines,
            photo: .init(id: "sha256:1", width: 1280, height: 960))
    }

    @Test(arguments: ["en", "de"]) func `every game has a title, a text and a picture`(_ language: String) throws {
        let texts = try texts(language)
        for id in GameCatalogue.ids {
            #expect(texts.has("game.\(id)") && texts.has("game.\(id).text"), "\(id)")
            let picture = Repository.models.appending(path: "web/static/game-\(id).svg")
            #expect(FileManager.default.fileExists(atPath: picture.path), "\(id)")
        }
        for kind in ["correctPlacement", "incorrectPlacement", "levelComplete", "specialAchievement", "hintUsed"] {
            #expect(texts.has("play.\(kind)"))
        }
        #expect(texts.game("tangram:museum") == texts.game("tangram") + ", museum")
    }

    @Test(arguments: ["en", "de"]) func `every skill, piece and colour has a word`(_ language: String) throws {
        let texts = try texts(language)
        for game in try GameCatalogue(models: models).entries() {
            for skill in game.skills { #expect(texts.has("skill.\(skill)"), "\(game.id): \(skill)") }
        }
        for name in try models.names(in: "piece-sets", withExtension: "json") {
            for piece in try PieceSet.named(String(name.dropLast(5)), in: models).pieces {
                #expect(texts.has("piece.type.\(piece.type)"), "\(name): \(piece.type)")
            }
        }
    }

    @Test func `the lobby names sessions and ages`() throws {
        let games = [
            GameCatalogue.Entry(
                id: "tangram", title: "T", description: "D", recommendedAge: [5, 99], skills: ["counting"])
        ]
        let page = try PageRendering.html(LobbyPage(games, [board([]).session], texts()))
        #expect(page.contains("href=\"/games/tangram/table-1\""))
        #expect(page.contains("href=\"/games/tangram/table-1/report\""))
        #expect(page.contains("from 5 years"))
        #expect(page.contains("&lt;table&gt;") && !page.contains("<table>"))
    }

    @Test func `a board shows pieces as outlines, and the dot of a plain piece on its middle`() throws {
        let piece = RecognizedPiece(
            id: 1, type: "largeTriangle", colour: "blue", xMM: 0, yMM: 0, angleDegrees: 0, confidence: 0.97,
            polygonPX: [Point(500, 500), Point(700, 500), Point(600, 650)])
        let page = try html(board([line(.correctPlacement)], pieces: [piece]))
        #expect(page.contains("class=\"ov ov--piece\" points=\"500,500 700,500 600,650\""))
        #expect(page.contains("Large triangle, blue"))
        #expect(page.contains("5 / 7"))
        #expect(page.contains("data-stream=\"/v1/games/tangram/sessions/table-1/stream\""))
        let dot = try #require(page.firstMatch(of: /<\/title><circle cx="(-?[0-9]+)" cy="([0-9]+)" r="([0-9]+)"/))
        let (x, y, radius) = (Int(dot.1) ?? 0, Int(dot.2) ?? 0, Int(dot.3) ?? 0)
        #expect((x, y) == (600, 550), "the centroid of the triangle")
        #expect(radius >= 14)
    }

    private func asked(_ reason: String) -> GameLine {
        GameLine(
            session: "s", seq: 1, t_ns: 0,
            report: GameReport(game: "tangram", outcome: .init(kind: .noAction, confidence: 1, reason: reason)),
            score: 0, xp: 0, level: 1, difficulty: .normal, skills: [])
    }

    @Test func `a page says why there is no hint, offers the puzzles, and the report counts the request`() throws {
        var board = board([asked("noPuzzle")])
        board.puzzles = ["cat", "swan"]
        let page = try html(board)
        #expect(!page.contains("No hint yet"))
        #expect(page.contains("It is not known which puzzle is laid. Choose one below"))
        #expect(page.contains("action=\"/games/tangram/table-1/puzzle\""))
        #expect(page.contains("<option value=\"swan\">swan</option>"))
        #expect(try ReportPage(board, texts()).hints == "1")
        board.lines = [asked("noHint")]
        #expect(try html(board).contains("The game gives no help for what lies on the table now."))
        board.lines = []
        #expect(try html(board).contains("No hint yet"))
    }

    @Test func `a report with few placements has no share`() throws {
        let few = ReportPage(board([line(.correctPlacement)]), try texts())
        #expect(few.share == "–" && few.isFew)
        let skills = [SkillEvent(kind: .practised, skill: "counting")]
        let lines =
            (0..<4).map { line(.correctPlacement, skills: skills, at: $0) }
            + [line(.incorrectPlacement, skills: [SkillEvent(kind: .failed, skill: "counting")], at: 125)]
        let many = ReportPage(board(lines), try texts("de"))
        #expect(many.share == "80 %")
        #expect(many.minutes == "2:05")
        #expect(try PageRendering.html(many, "de").contains("4 von 5"))
    }
}
