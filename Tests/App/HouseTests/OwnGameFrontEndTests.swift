import Core
import Foundation
import Household
import TestSupport
import Testing

@testable import App

/// A game of one's own in the lobby, in a play and in the report.
@Suite(.serialized) struct OwnGameFrontEndTests {
    private let house: House
    private let leo, ada: String
    /// `corner` is a game, `browser` is no valid one.
    private static let games = Repository.samples.appending(path: "games")

    init() async throws {
        house = try House(games: Self.games)
        _ = try await house.furnish()
        (leo, ada) = (try house.device(of: "Leo"), try house.device(of: "Ada", opens: true))
    }

    @Test func `a child sees it beside the other games, and only an adult sees what is wrong with another`()
        async throws
    {
        let german = ["Accept-Language": "de"]
        let lobby = try await house.browse("GET", "/games", cookie: leo, headers: german)
        #expect(lobby.status == 200)
        #expect(lobby.text.contains("Ecke") && lobby.text.contains("Bringe alle Teile in das Viertel oben links."))
        #expect(lobby.text.contains("ab 3 Jahren. Übt Sortieren"))
        #expect(lobby.text.contains("/static/game-own.svg"))
        #expect(!lobby.text.contains("game.json"))
        #expect(try await house.browse("GET", "/static/game-own.svg", cookie: leo).status == 200)
        let shown = try await house.browse("GET", "/games", cookie: ada)
        #expect(shown.text.contains("A game of yours cannot be played:") && shown.text.contains("browser/game.json"))
        let all = try await house.call("GET", "/v1/games", as: leo).array
        #expect(all.last?["id"] as? String == "corner" && all.last?["title"] as? String == "Corner")
    }

    @Test func `it is begun, asked for help, and named in the week with its skills`() async throws {
        let begun = try await house.call("POST", "/v1/plays", #"{"game":"corner"}"#, as: leo)
        #expect(begun.status == 201, "\(begun.text)")
        #expect(begun.json["pieceSet"] as? String == "tangram")
        let play = try #require((begun.json["play"] as? NSNumber)?.int64Value)
        let other = try await house.call("POST", "/v1/plays", #"{"game":"corner","pieceSet":"dice"}"#, as: leo)
        #expect(other.status == 400)
        #expect(try await house.call("POST", "/v1/plays", #"{"game":"browser"}"#, as: leo).status == 400)
        // The process may be late on a busy machine.
        let isHelped = try await eventually {
            let hint = try await house.call("POST", "/v1/plays/\(play)/hint", as: leo)
            return hint.text.contains("Leo, push a piece up and to the left.")
        }
        #expect(isHelped)
        let page = try await house.browse("GET", "/play/\(play)", cookie: leo, headers: ["Accept-Language": "de"])
        #expect(page.text.contains("Ecke"))
        let plays = Plays(house.store)
        var change = PlayChange()
        (change.seconds, change.isSolved) = (90, true)
        _ = try plays.change(play, change)
        let report = try await house.browse(
            "GET", "/games/report?who=\(try house.id("Leo"))", cookie: ada, headers: ["Accept-Language": "de"])
        #expect(report.text.contains("Ecke"))
        #expect(report.text.contains("Übt Sortieren"))
    }

    /// The sample with puzzles, one of them called as one of the program's.
    private func puzzles(in folder: TemporaryFolder) throws {
        let sample = Self.games.appending(path: "corner")
        let manifest = try String(contentsOf: sample.appending(path: "game.json"), encoding: .utf8)
        func puzzle(_ id: String, _ title: String, _ german: String, _ difficulty: Int) -> String {
            #"{"id": "\#(id)", "title": {"en": "\#(title)", "de": "\#(german)"}, "difficulty": \#(difficulty)}"#
        }
        let puzzles = [
            puzzle("far", "Far away", "Weit weg", 3), puzzle("near", "Close by", "Ganz nah", 1),
            puzzle("boat", "By boat", "Im Boot", 1),
        ]
        let changed = manifest.replacing(
            #""levels""#, with: #""puzzles": [\#(puzzles.joined(separator: ","))], "levels""#)
        try folder.write(Data(changed.utf8), to: "corner/game.json")
        let program = try folder.write(
            try Data(contentsOf: sample.appending(path: "corner.py")), to: "corner/corner.py")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }

    @Test func `its puzzles, their levels and its sets are chosen in the lobby as those of the program`() async throws {
        let folder = try TemporaryFolder()
        try puzzles(in: folder)
        let house = try House(games: folder.url)
        _ = try await house.furnish()
        let leo = try house.device(of: "Leo")
        /// The part of the lobby that is a game's, and its form.
        func shown(_ game: String, _ query: String = "", _ language: String = "en") async throws -> String {
            let page = try await house.browse(
                "GET", "/games" + query, cookie: leo, headers: ["Accept-Language": language])
            #expect(page.status == 200)
            let part = page.text.firstRange(of: " id=\"\(game)\"").map { page.text[$0.lowerBound...] }
            return String(try #require(part).split(separator: "</form>")[0])
        }
        let first = try await shown("corner")
        #expect(first.contains("Corner") && first.contains("name=\"game\" value=\"corner\""))
        #expect(first.contains("data-next"), "one fits the player")
        let easy = try await shown("corner", "?game=corner&level=1")
        #expect(easy.contains("value=\"near\"") && easy.contains("By boat") && !easy.contains("Far away"))
        let hard = try await shown("corner", "?game=corner&level=3", "de")
        #expect(hard.contains("value=\"far\"") && hard.contains("Weit weg") && !hard.contains("value=\"near\""))
        #expect(hard.contains("game=corner&amp;level=1#corner") && !hard.contains("level=2"))
        #expect(try await shown("tangram", "?game=corner&level=3") == (try await shown("tangram")))
        for set in ["tangram", "tangram-mono"] { #expect(easy.contains("<option value=\"\(set)\"")) }
        // Every game has one form, with the same fields.
        for game in try await house.call("GET", "/v1/games", as: leo).array.compactMap({ $0["id"] as? String }) {
            let form = try await shown(game)
            #expect(form.contains("action=\"/games/play\"") && form.contains("name=\"who\""), "\(game)")
            #expect(form.contains("name=\"game\" value=\"\(game)\""), "\(game)")
        }

        let wanted = "game=corner&puzzle=far&set=tangram-mono"
        let begun = try await house.browse("POST", "/games/play", wanted, cookie: leo)
        #expect(begun.status == 303)
        let play = try #require(begun.location.flatMap { Int64($0.dropFirst("/play/".count)) })
        let open = try await house.call("GET", "/v1/plays/\(play)", as: leo).json
        #expect(open["game"] as? String == "corner" && open["puzzle"] as? String == "far")
        #expect(open["pieceSet"] as? String == "tangram-mono" && open["difficulty"] as? String == "normal")
        #expect(try await house.browse("GET", "/play/\(play)", cookie: leo).text.contains("Far away"))
        for wrong in ["game=corner&puzzle=cat", "game=corner&puzzle=far&set=dice"] {
            let refused = try await house.browse("POST", "/games/play", wrong, cookie: leo)
            #expect(refused.status == 400 && refused.text.contains("id=\"corner\""), "\(wrong)")
        }
        // What was solved shows its stars, at this game's puzzle and not at the figure of the same name.
        var change = PlayChange()
        (change.seconds, change.isSolved) = (60, true)
        let boat = try await house.call("POST", "/v1/plays", #"{"game":"corner","puzzle":"boat"}"#, as: leo)
        _ = try Plays(house.store).change(try #require((boat.json["play"] as? NSNumber)?.int64Value), change)
        #expect(try await shown("corner", "?level=1").contains("class=\"stars\""))
        #expect(try await !shown("tangram", "?level=3").contains("class=\"stars\""))
    }
}
