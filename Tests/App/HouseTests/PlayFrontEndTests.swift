import Core
import Foods
import Foundation
import Household
import Store
import TestSupport
import Testing

@testable import App

/// The rules of plays through the API and the pages: one action stands behind both.
@Suite(.serialized) struct PlayFrontEndTests {
    private let house: House
    private let things: House.Things
    private let leo, ada: String

    init() async throws {
        (house, things) = try await House.furnished()
        (leo, ada) = (try house.device(of: "Leo"), try house.device(of: "Ada", opens: true))
    }

    /// Sends a photo as the form of a play does.
    private func photo(_ bytes: String, to play: Int64, cookie: String) async throws -> House.Reply {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"x\"\r\n\r\n"
        return try await house.browse(
            "POST", "/play/\(play)/photo", head + bytes + "\r\n--edge--\r\n", cookie: cookie,
            headers: ["Content-Type": "multipart/form-data; boundary=edge"])
    }

    @Test func `what the API refuses is refused by the forms, with the same status`() async throws {
        let gus = try house.device(of: "Gus")
        let before = try house.contents()
        for (form, json, status) in [
            ("game=none", #"{"game":"none"}"#, 400),
            ("game=tangram&puzzle=none", #"{"game":"tangram","puzzle":"none"}"#, 400),
            ("game=tangram&set=none", #"{"game":"tangram","pieceSet":"none"}"#, 400),
            ("game=tangram&who=999", #"{"game":"tangram","player":999}"#, 404),
            ("game=tangram&who=\(try house.id("Ada"))", #"{"game":"tangram","player":\#(try house.id("Ada"))}"#, 404),
        ] {
            #expect(try await house.call("POST", "/v1/plays", json, as: leo).status == status, "\(json)")
            #expect(try await house.browse("POST", "/games/play", form, cookie: leo).status == status, "\(form)")
        }
        for (play, token) in [(9999, leo), (things.play, gus)] {
            for action in ["hint", "reset"] {
                #expect(try await house.call("POST", "/v1/plays/\(play)/\(action)", as: token).status == 404)
                #expect(try await house.browse("POST", "/play/\(play)/\(action)", "", cookie: token).status == 404)
            }
            #expect(try await house.call("POST", "/v1/plays/\(play)/frames", "GIF89a", as: token).status == 404)
            #expect(try await photo("GIF89a", to: play, cookie: token).status == 404)
        }
        #expect(try await house.call("POST", "/v1/plays/\(things.play)/frames", "GIF89a", as: leo).status == 422)
        #expect(try await photo("GIF89a", to: things.play, cookie: leo).status == 422)
        let week = "\(Week(of: Day(number: Plays(house.store).day(of: .now))))"
        #expect(try await house.call("GET", "/v1/people/Nobody/plays/\(week)", as: ada).status == 404)
        #expect(try await house.browse("GET", "/games/report?who=999", cookie: ada).status == 404)
        for path in ["none/b-1", "tangram/none"] {
            let parts = path.split(separator: "/")
            let session = "/v1/games/\(parts[0])/sessions/\(parts[1])/hint"
            #expect(try await house.call("POST", session, as: leo).status == 404)
            #expect(try await house.browse("POST", "/games/\(path)/hint", "", cookie: leo).status == 404)
        }
        let differing = House.differences(before, try house.contents())
        #expect(differing.isEmpty, "nothing is stored: \(differing)")
    }

    @Test func `a play that waits is continued by both, and each counts for the other`() async throws {
        let wanted = #"{"game":"tangram","puzzle":"boat"}"#
        #expect(try await house.call("POST", "/v1/plays", wanted, as: leo).json["play"] as? Int == Int(things.play))
        let form = try await house.browse("POST", "/games/play", "game=tangram&puzzle=boat", cookie: leo)
        #expect(form.status == 303 && form.location == "/play/\(things.play)")
        let other = try await house.browse("POST", "/games/play", "game=tangram&puzzle=house", cookie: leo)
        let number = try #require(other.location.flatMap { Int64($0.dropFirst("/play/".count)) })
        let shown = try await house.call("GET", "/v1/plays/\(number)", as: leo)
        #expect(shown.json["puzzle"] as? String == "house" && shown.json["player"] as? String == "Leo")
        #expect(try await house.browse("POST", "/play/\(number)/stop", "", cookie: leo).status == 303)
        let again = try await house.call("POST", "/v1/plays", #"{"game":"tangram","puzzle":"house"}"#, as: leo)
        #expect(again.json["play"] as? Int == Int(number))
    }

    @Test func `a book of figures is played as the figures of the program, and only by its name`() async throws {
        let wanted = #"{"game":"tangram:tangram","puzzle":"boat","pieceSet":"tangram-mono"}"#
        let begun = try await house.call("POST", "/v1/plays", wanted, as: leo)
        #expect(begun.status == 201, "\(begun.text)")
        let play = try #require(begun.json["play"] as? Int)
        #expect(begun.json["game"] as? String == "tangram:tangram")
        #expect(begun.json["pieceSet"] as? String == "tangram-mono" && begun.json["puzzle"] as? String == "boat")
        let parts = (begun.json["view"] as? [String: Any])?["figure"] as? [String: Any]
        #expect((parts?["parts"] as? [Any])?.count == 7, "\(begun.text)")
        let hint = try await house.call("POST", "/v1/plays/\(play)/hint", as: leo)
        #expect(hint.status == 200 && hint.text.contains("noHint"), "help needs a picture: \(hint.text)")
        #expect(try await house.call("POST", "/v1/plays/\(play)/reset", as: leo).status == 200)
        #expect(try await house.call("GET", "/v1/plays/\(play)", as: leo).json["play"] as? Int == play)
        let page = try await house.browse("GET", "/play/\(play)", cookie: leo)
        #expect(page.status == 200 && page.text.contains("0 of 7 pieces"))
        // Without a set and a figure it gets the usual set, and one that fits the player.
        let usual = try await house.call("POST", "/v1/plays", #"{"game":"tangram:tangram"}"#, as: leo)
        #expect(usual.status == 201 && usual.json["pieceSet"] as? String == "tangram", "\(usual.text)")
        #expect(usual.json["puzzle"] is String)

        let book = Repository.models.appending(path: "puzzles/tangram.json").path
        for game in ["tangram:museum", "tangram:\(book)", "tangram:../puzzles/tangram", "tangram:"] {
            let refused = try await house.call("POST", "/v1/plays", #"{"game":"\#(game)"}"#, as: leo)
            #expect(refused.status == 400 && refused.code == "badRequest", "\(game): \(refused.text)")
            #expect(try await house.browse("POST", "/games/play", "game=\(game)", cookie: leo).status == 400)
        }
        let wrong = #"{"game":"tangram:tangram","pieceSet":"dice"}"#
        #expect(try await house.call("POST", "/v1/plays", wrong, as: leo).status == 400)
    }

    @Test func `a child that has played enough is refused by both, until an adult allows more`() async throws {
        let plays = Plays(house.store)
        var change = PlayChange()
        change.seconds = 1801
        _ = try plays.change(things.play, change)
        let limit = "who=\(things.child)&minutes="
        #expect(try await house.browse("POST", "/games/limit", limit + "30", cookie: leo).status == 403)
        #expect(try await house.browse("POST", "/games/limit", limit + "30", cookie: ada).status == 303)
        #expect(try await house.call("GET", "/v1/plays/\(things.play)", as: leo).json["isOver"] as? Bool == true)
        let refused = try await house.call("POST", "/v1/plays/\(things.play)/frames", "GIF89a", as: leo)
        #expect(refused.status == 403 && refused.code == "enough")
        #expect(try await photo("GIF89a", to: things.play, cookie: leo).status == 403)
        #expect(try await house.browse("POST", "/games/limit", limit, cookie: ada).status == 303)
        #expect(try plays.limit(of: things.child) == nil)
        #expect(try await house.call("POST", "/v1/plays/\(things.play)/frames", "GIF89a", as: leo).status == 422)
    }

    @Test func `a limit is set together with the first PIN of its adult, as it was typed`() async throws {
        let (ben, plays) = (try house.device(of: "Ben", opens: true), Plays(house.store))
        let form = "who=\(things.child)&minutes="
        let asked = try await house.browse("POST", "/games/limit", form + "7", cookie: ben)
        #expect(asked.status == 409 && asked.text.contains("value=\"7\"") && asked.text.contains("name=\"pin\""))
        for (minutes, pin) in [("7", "12"), ("0", "2468"), ("601", "2468")] {
            let wrong = form + "\(minutes)&pin=\(pin)"
            #expect(try await house.browse("POST", "/games/limit", wrong, cookie: ben).status == 400)
        }
        #expect(try plays.limit(of: things.child) == nil)
        #expect(try await house.browse("POST", "/games/limit", form + "1&pin=2468", cookie: ben).status == 303)
        #expect(try plays.limit(of: things.child) == 1)
        // The PIN holds: another phone with Ben's picture does not raise it, and no other PIN replaces it.
        let other = try house.device(of: "Ben")
        #expect(try await house.browse("POST", "/games/limit", form + "60&pin=1357", cookie: other).status == 303)
        #expect(try plays.limit(of: things.child) == 1)
        #expect(try await house.browse("POST", "/games/limit", form + "2&pin=1357", cookie: ben).status == 303)
        #expect(try plays.limit(of: things.child) == 2, "their own PIN stays")
    }

    @Test func `a week has the same plays as JSON and as a table`() async throws {
        var change = PlayChange()
        (change.seconds, change.hints, change.isSolved) = (90, 2, true)
        _ = try Plays(house.store).change(things.play, change)
        let week = Week(of: Day(number: Plays(house.store).day(of: .now)))
        let json = try await house.call("GET", "/v1/people/Leo/plays/\(week)", as: ada).json
        let row = try #require((json["rows"] as? [[String: Any]])?.first)
        #expect(row["puzzle"] as? String == "boat" && row["seconds"] as? Int == 90 && row["hints"] as? Int == 2)
        let path = "/games/report.csv?who=\(things.child)&week=\(week)"
        let lines = try await house.browse("GET", path, cookie: ada).text.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2 && lines[1].hasSuffix(",tangram,boat,90,2,yes"), "\(lines)")
    }
}
