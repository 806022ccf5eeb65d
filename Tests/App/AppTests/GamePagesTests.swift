import Core
import Foundation
import HTTP
import Store
import TestSupport
import Testing

@testable import Kinds
@testable import App
@testable import Household

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

    @Test func `pieces still to place lie side by side below the figure, in the colours that it lacks`() throws {
        func part(_ type: String, _ state: PlayPicture.Part.State, _ half: Double) -> PlayPicture.Part {
            .init(type: type, state: state, corners: [Point(-half, -half), Point(half, -half), Point(half, half)])
        }
        var picture = PlayPicture(
            widthMM: 100, heightMM: 50,
            parts: [part("largeTriangle", .placed, 20), part("largeTriangle", .open, 20), part("square", .next, 10)])
        #expect(DrawnFigure(picture).tray == nil)
        picture.loose = [part("largeTriangle", .open, 40), part("square", .open, 40), part("square", .open, 40)]
        let figure = DrawnFigure(picture)
        let tray = try #require(figure.tray)
        #expect(tray.pieces.map(\.colour) == ["#e8404a", "#e6c430"], "a second square is not needed")
        let view = figure.viewBox.split(separator: " ").compactMap { Double($0) }
        let points = tray.pieces.map { $0.points.split { " ,".contains($0) }.compactMap { Double($0) } }
        let (first, second) = (points[0], points[1])
        #expect((first + second).count == 12)
        for piece in points {
            for index in stride(from: 0, to: piece.count, by: 2) {
                #expect((0...100).contains(piece[index]) && (50...view[1] + view[3]).contains(piece[index + 1]))
            }
        }
        #expect(try #require(first.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).max()) < second[0])
    }

    @Test func `dice and dominoes show the pips that were read`() throws {
        func piece(_ type: String, width: Double, value: Int? = nil, values: [Int]? = nil) -> RecognizedPiece {
            RecognizedPiece(
                id: 3, type: type, xMM: 100, yMM: 100, angleDegrees: 30, confidence: 0.9,
                polygonMM: [(-width, -10), (width, -10), (width, 10), (-width, 10)].map { corner in
                    let (turn, x, y) = (Double.pi / 6, corner.0, corner.1)
                    return Point(100 + x * cos(turn) - y * sin(turn), 100 + x * sin(turn) + y * cos(turn))
                }, value: value, values: values)
        }
        for count in 1...9 {
            let path = try #require(PipDrawing.path(of: piece("die", width: 10, value: count)))
            #expect(path.count { $0 == "M" } == count)
        }
        let domino = try #require(PipDrawing.path(of: piece("domino", width: 20, values: [1, 4])))
        let starts = domino.matches(of: /M([\d.]+) ([\d.]+)a([\d.]+)/)
        let along = starts.compactMap { match -> Double? in
            guard let x = Double(match.1), let y = Double(match.2), let r = Double(match.3) else { return nil }
            return (x + r - 100) * cos(Double.pi / 6) + (y - 100) * sin(Double.pi / 6)
        }
        #expect(along.count { $0 < 0 } == 1 && along.count { $0 > 0 } == 4, "the first number is on the half at -x")
        #expect(PipDrawing.path(of: piece("domino", width: 20)) == nil)
        #expect(PipDrawing.path(of: piece("die", width: 10, value: 24)) == nil)
        let live = BoardPage.Table(PieceFrame(board: nil, set: "dice@1", pieces: [piece("die", width: 10, value: 5)]))
        #expect(live.pieces.first?.pips.count == 1)
    }

    @Test func `a board on which nothing was read says what to do`() throws {
        #expect(try html(board([])).contains("Use more light"))
        for language in ["en", "de"] {
            let advice = try texts(language).text("play.seen.none", ["x": "Tangram"])
            #expect(advice.contains("Tangram") && advice.count > 100)
        }
    }

    @Test func `every sentence of help has the English of its game, and a German one`() throws {
        let games = Repository.root.appending(path: "Sources/Judging/Kinds/Games")
        let files = try #require(FileManager.default.enumerator(at: games, includingPropertiesForKeys: nil))
        let (english, german) = (try texts(), try texts("de"))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let code = try String(contentsOf: file, encoding: .utf8)
            for match in code.matches(of: /Advice\(\s*step, "(\w+)",\s+"([^"]+)"/) {
                count += 1
                #expect(english.text("say.\(match.1)") == match.2, "\(match.1)")
                #expect(german.text("say.\(match.1)") != match.2, "\(match.1)")
            }
        }
        #expect(count > 20)
        for reason in ["tooSmall", "tooLarge", "tooManyTiles", "order"] { #expect(german.has("say.\(reason)")) }
    }

    @Test func `help is said in the reader's language, with its shapes and colours`() throws {
        let advice = try #require(
            try? JSONCoding.decode(
                Advice.self,
                from: Data(
                    #"{"step":"solution","text":"x","key":"layshape","values":{"x":"star","others":"red, blue"}}"#.utf8)
            ))
        #expect(
            try texts("de").saying(advice)
                == "Lege ein Plättchen mit dieser Form: Stern. Die Farbe ist nicht rot, blau.")
        #expect(try texts("de").saying(Advice(step: .gentle, text: "Wag it.")) == "Wag it.", "an external game's")
        #expect(try texts("de").saying(Advice(step: .visual)) == nil)
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
        let games = ["tangram", "dominoes"].map { id in
            LobbyContent.Game(
                entry: GameCatalogue.Entry(
                    id: id, title: "T", description: "D", recommendedAge: [5, 99], skills: ["counting"]), sets: [id])
        }
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let leo = try Household(store).add(NewMember("Leo", role: .child))
        let content = LobbyContent(
            players: [leo], player: leo,
            games: games, xp: 0, level: 1, plays: [], seconds: 0, limit: nil,
            boards: [board([]).session], maySetLimit: true)
        let page = try PageRendering.html(LobbyPage(content, texts()))
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
