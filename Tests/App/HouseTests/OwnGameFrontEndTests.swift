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
}
