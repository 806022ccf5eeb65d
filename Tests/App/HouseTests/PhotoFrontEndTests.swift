import Core
import Foundation
import Household
import Store
import TestSupport
import Testing

@testable import App

/// The rules of reviews through the command line, the API and the pages: one action stands behind all.
@Suite(.serialized) struct PhotoFrontEndTests {
    private let house: House
    private let things: House.Things
    private let photo = House.Things.photo

    init() async throws { (house, things) = try await House.furnished() }

    private func command(_ arguments: [String]) async throws -> Program.Result {
        try await Program("tablesight").finished(["review"] + arguments + ["--database", house.store.file.path])
    }

    private func send(_ body: String) async throws -> House.Reply {
        try await house.call("POST", "/v1/reviews", body, as: House.key)
    }

    /// What is stored of each review, but for its number and its time.
    private func said() throws -> [String] {
        try house.store.reviews(of: photo).map {
            "\($0.item) \($0.action) \($0.allergen?.rawValue ?? "") \($0.value ?? "") \($0.reviewer)"
        }
    }

    @Test func `what is refused through the API is refused on the command line, for the same reason`() async throws {
        let long = String(repeating: "z", count: 501)
        let before = try said()
        for (values, exit, status, reason) in [
            (
                ["item": "Salad", "action": "edit", "allergen": "milk"], 64, 400,
                "an edit needs an allergen and a value"
            ),
            (["item": "Salad", "action": "edit", "allergen": "milk", "value": "MAYBE"], 64, 400, "an edit needs"),
            (["item": "Salad", "action": "rename"], 64, 400, "rename needs the name"),
            (["item": "Salad", "action": "price", "value": "x"], 64, 400, "a price is a number"),
            (["item": "*", "action": "rename", "value": "X"], 64, 400, "needs the name of a dish"),
            (["item": "Salad", "action": "describe", "value": long], 64, 400, "longer than 500 characters"),
            (["item": long, "action": "rename", "value": "X"], 64, 400, "longer than 500 characters"),
            (["item": "Nothing", "action": "rename", "value": "X"], 66, 404, "the photo has no item Nothing"),
            (["item": "x", "action": "readAs", "value": "menu"], 64, 400, "readAs concerns the whole photo"),
            (["action": "readAs", "value": "board"], 66, 404, "was not read for play pieces"),
            (["item": "Salad", "action": "product", "value": "Bar"], 64, 400, "product needs the packet's number"),
            (["item": "4006381333931", "action": "product"], 64, 400, "its name as its value"),
            (
                ["item": "4006381333931", "action": "product", "value": "Bar"], 66, 404,
                "the photo has no label to name"
            ),
            (["action": "accept", "by": " "], 64, 400, "a name has 1 to 60 visible characters"),
        ] as [([String: String], Int32, Int, String)] {
            var (values, arguments) = (values, ["add", photo])
            values["by"] = values["by"] ?? "Ben"
            for (name, value) in values { arguments += ["--\(name)", value] }
            let result = try await command(arguments)
            #expect(result.exitCode == exit && result.errors.contains(reason), "\(values): \(result.errors)")
            values["id"] = photo
            let reply = try await send(String(decoding: try JSONCoding.encode(values), as: UTF8.self))
            #expect(reply.status == status && reply.text.contains(reason), "\(values): \(reply.text)")
        }
        #expect(try said() == before, "nothing is stored")
    }

    @Test func `a review is the same through all, and each takes back what the others stored`() async throws {
        let ben = try house.device(of: "Ben", opens: true)
        let before = try said()
        let edit = ["--item", "Salad", "--allergen", "milk", "--action", "edit", "--value", "CONTAINS"]
        let added = try await command(["add", photo] + edit + ["--by", " Ben "])
        #expect(added.exitCode == 0, "\(added)")
        let json = #"{"id":"\#(photo)","item":"Salad","allergen":"milk","action":"edit","value":"CONTAINS","by":"Ben"}"#
        #expect(try await send(json).status == 201)
        let form = "id=\(photo)&item=Salad&allergen=milk&answer=CONTAINS"
        #expect(try await house.browse("POST", "/review", form, cookie: ben).status == 303)
        let new = try said().dropFirst(before.count)
        #expect(new.count == 3 && Set(new) == ["Salad edit milk CONTAINS Ben"], "\(new)")

        let numbers = try house.store.reviews(of: photo).compactMap(\.number).suffix(3).map { "\($0)" }
        let path = "/v1/reviews/\(numbers[0])"
        #expect(try await house.call("DELETE", path, as: House.key).status == 200)
        #expect(try await house.browse("POST", "/review/undo", "undo=\(numbers[1])", cookie: ben).status == 303)
        #expect(try await command(["undo", numbers[2]]).exitCode == 0)
        #expect(try said() == before)
        for number in numbers + ["9999"] {
            #expect(try await command(["undo", number]).exitCode == 66)
            #expect(try await house.call("DELETE", "/v1/reviews/\(number)", as: House.key).status == 404)
            #expect(try await house.browse("POST", "/review/undo", "undo=\(number)", cookie: ben).status == 404)
        }
    }

    @Test func `somebody else's review stays for a device, and goes with who runs the daemon`() async throws {
        let ben = try house.device(of: "Ben", opens: true)
        #expect(try await house.call("DELETE", "/v1/reviews/\(things.review)", as: ben).status == 403)
        #expect(try await house.browse("POST", "/review/undo", "undo=\(things.review)", cookie: ben).status == 403)
        #expect(try await command(["undo", "\(things.review)"]).exitCode == 0)
        #expect(try house.store.reviews(of: photo).allSatisfy { $0.number != things.review })
    }

    /// A photo whose reading broke off.
    private func brokenOff() throws -> String {
        let failed = "sha256:" + String(repeating: "ce", count: 32)
        let reason = Outcome.Reason(code: "workerTimeout", detail: "reading took more than 20 s", hint: "smaller")
        let path = try #require(FilePathBytes(house.folder.url.appending(path: "inbox/slow.jpg").path))
        try house.storePhoto(
            Outcome(
                id: failed, source: .init(path: path, bytes: 1), status: .failed, reason: reason,
                versions: .init(tablesight: "1")))
        try house.store.quarantine(
            QuarantinedContent(content: failed, reason: reason, attempts: 2, path: path, bytes: 1, since: 1))
        return failed
    }

    @Test func `a photo whose reading broke off is tried again, and is said to be read until it is`() async throws {
        let failed = try brokenOff()
        func page(_ method: String = "GET", _ address: String = "") async throws -> House.Reply {
            try await house.browse(method, "/photos/\(failed)\(address)", cookie: house.device(of: "Leo"))
        }
        let before = try await page().text
        #expect(before.contains("This photo could not be read") && before.contains("Try again"))
        #expect(try await page("POST", "/again").location == "/photos/\(failed)")
        #expect(try house.store.quarantined(failed) == nil)
        let after = try await page().text
        #expect(after.contains("Reading your photo") && !after.contains("could not be"))
        #expect(try await house.call("GET", "/v1/images/\(failed)", as: House.key).json["state"] as? String == "queued")
        #expect(try await page("POST", "/again").status == 303, "a second tap changes nothing")
    }

    @Test func `photos that were sent together have a row each, with what became of it`() async throws {
        let (failed, unknown) = (try brokenOff(), "sha256:" + String(repeating: "0", count: 64))
        func page(_ sent: String) async throws -> House.Reply {
            try await house.browse("GET", "/scan?sent=\(sent)", cookie: house.device(of: "Leo"))
        }
        let finished = try await page("\(failed),\(photo),\(photo),\(unknown)").text
        #expect(finished.contains("2 of 2 finished"), "each once, an unknown one not at all")
        for id in [failed, photo] { #expect(finished.contains("href=\"/photos/\(id)\"")) }
        #expect(finished.contains("Not read") && !finished.contains("http-equiv=\"refresh\""))
        _ = try await house.browse("POST", "/photos/\(failed)/again", cookie: house.device(of: "Leo"))
        let waiting = try await page("\(failed),\(photo)").text
        #expect(waiting.contains("1 of 2 finished") && waiting.contains("Waiting") && !waiting.contains("Not read"))
        #expect(waiting.contains("http-equiv=\"refresh\""), "without scripts the page loads itself again")
        #expect(try await page("sha256:..%2F..%2Fsecret").status == 404)
    }
}
