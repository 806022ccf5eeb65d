import Core
import Diary
import Foods
import Foundation
import TestSupport
import Testing

@testable import App

/// The rules of the diary through two front ends, the command line and the API: one action stands behind both.
@Suite(.serialized) struct DiaryFrontEndTests {
    private let house: House
    private let ada: String
    /// A product number that no record has.
    private static let number = "4006381333931"
    private static let oats = """
        {"id":"own:oats","name":"Oats","calories":370,"protein":13,"carbs":60,"fat":7,"barcode":"\(number)",
        "defaultServing":{"sizeLabel":"100 g","grams":100,"multiplier":1},"altServings":[],"source":"userCreated"}
        """

    init() async throws {
        house = try await House.furnished().house
        ada = try house.device(of: "Ada", opens: true)
    }

    private func command(_ arguments: [String], person: String = "Ada") async throws -> Program.Result {
        try await Program("tablesight").finished(
            ["diary"] + arguments + ["--person", person, "--database", house.store.file.path])
    }

    private func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> House.Reply {
        try await house.call(method, "/v1/people/Ada/\(path)", body, as: ada)
    }

    /// A file for `diary import`.
    private func file(_ content: String) throws -> String {
        let file = house.folder.url.appending(path: "import-\(UUID().uuidString)")
        try Data(content.utf8).write(to: file)
        return file.path
    }

    /// The rows of the diary's tables.
    private func stored() throws -> [String: String] { try house.contents().filter { $0.key.hasPrefix("diary_") } }

    @Test func `a name that is typed for a packet is the name of its photo, and a packet without one has its day`()
        async throws
    {
        let id = "sha256:" + String(repeating: "e7", count: 32)
        var outcome = Outcome(
            id: id, source: .init(path: try house.folder.path(below: "inbox/nuts.jpg"), bytes: 4), status: .completed,
            domains: [.label], versions: .init(tablesight: "1"))
        var basis = Nutrition.Basis(per: "100g")
        basis.energyKcal = ReadValue(value: "600", unit: "kcal", confidence: 0.95)
        basis.fat = ReadValue(value: "50", unit: "g", confidence: 0.95)
        outcome.label = Label(
            ingredients: [], findings: [], verdicts: [:], coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        outcome.label?.nutrition = Nutrition(basis: [basis])
        let energy = TextLine(
            text: "Energy", confidence: 0.95, box: Quad(x: 0, y: 0, width: 90, height: 20), words: [])
        try house.storePhoto(outcome, Readings(text: TextReading(languages: ["en"], lines: [energy])))
        let page = try await house.browse("GET", "/today/photo/\(id)?day=2026-11-22", cookie: ada).text
        #expect(page.contains("value=\"Packet, 22 Nov\"") && page.contains("name=\"photo\" value=\"\(id)\""))
        let read = try #require(Food(label: outcome, name: "Packet, 22 Nov"))
        let food = String(decoding: try JSONCoding.encode(read), as: UTF8.self).escaped
        let form = "food=\(food)&photo=\(id)&checked=yes&calories=600&fat=50&portion=30%20g&day=2026-11-22&name="
        let own = try await house.browse("POST", "/today/add", form + "Packet%2C%2022%20Nov", cookie: ada)
        #expect(own.status == 303)
        func reviews() throws -> Int { (try house.contents()["review"] ?? "").matches(of: /rename/).count }
        #expect(try reviews() == 0, "nobody typed a name")
        #expect(try await house.browse("POST", "/today/add", form + "Salted%20nuts", cookie: ada).status == 303)
        #expect(try reviews() == 1)
    }

    private func counts() throws -> [String: Int] { try Diary(house.store).counts(of: "Ada") }

    /// What an entry says, but for its id and its time.
    private func content(of day: String) throws -> [String] {
        try Diary(house.store).day(#require(Day(day)), of: "Ada").entries.map {
            "\($0.meal) \($0.food.name) \($0.serving) \($0.totals) \($0.food.unknown ?? []) \($0.zone)"
        }
    }

    @Test func `what is refused through the API is refused on the command line, for the same reason`() async throws {
        #expect(try await send("POST", "entries", #"{"food":\#(Self.oats),"day":"2026-11-10"}"#).status == 201)
        let before = try stored()
        for (arguments, exit, method, path, body, status, reason) in [
            (["add", "--barcode", "123"], 65, "POST", "entries", #"{"barcode":"123"}"#, 400, "check digit"),
            (
                ["add", "--barcode", "5901234123457"], 66, "POST", "entries", #"{"barcode":"5901234123457"}"#, 404,
                "no record of"
            ),
            (
                ["add", "--barcode", Self.number, "--portion", "1 cup"], 65, "POST", "entries",
                #"{"barcode":"\#(Self.number)","portion":"1 cup"}"#, 422, "has no density"
            ),
            (
                ["add", "--barcode", Self.number, "--portion", "30 kg"], 65, "POST", "entries",
                #"{"barcode":"\#(Self.number)","portion":"30 kg"}"#, 422, "at most 20 kg"
            ),
            (
                ["add", "--quick", "30000"], 65, "POST", "entries", #"{"quick":{"calories":30000}}"#, 400,
                "calories must be"
            ),
            (
                ["add", "--quick", "1", "--day", "2150-01-01"], 65, "POST", "entries",
                #"{"quick":{"calories":1},"day":"2150-01-01"}"#, 400, "from 1970 to 2099"
            ),
            (
                ["add", "--reuse", "snack", "--from", "2020-01-01"], 66, "POST", "entries",
                #"{"reuse":"snack","from":"2020-01-01"}"#, 404, "to log again"
            ),
            (["goal", "5"], 64, "PUT", "goal", #"{"dailyCalories":5}"#, 400, "from 300 to 10,000 kcal"),
            (
                ["goal", "1800", "--by", "2099-01-01"], 64, "PUT", "goal",
                #"{"dailyCalories":1800,"targetDate":"2099-01-01"}"#, 400, "within ten years"
            ),
            (["goal", "1800", "--zone", "Moon"], 64, "PUT", "diary", #"{"zone":"Moon"}"#, 400, "no time zone"),
            (["weight", "5"], 64, "PUT", "weights/2026-11-10", #"{"weight":5}"#, 400, "from 20 to 400"),
            (
                ["weight", "70", "--day", "2150-01-01"], 64, "PUT", "weights/2150-01-01", #"{"weight":70}"#, 400,
                "from 1970 to 2099"
            ),
            (["remove", "none", "--yes"], 66, "DELETE", "entries/none", nil, 404, "no "),
            (["import", try file("{}")], 65, "POST", "import", "{}", 400, "not an export of a diary"),
            (["import", try file("PK\u{3}\u{4}")], 65, "POST", "import", "PK\u{3}\u{4}", 400, "unpack it"),
        ] as [([String], Int32, String, String, String?, Int, String)] {
            let (result, reply) = (try await command(arguments), try await send(method, path, body))
            #expect(result.exitCode == exit && result.errors.contains(reason), "\(arguments): \(result)")
            #expect(reply.status == status && reply.text.contains(reason), "\(path) \(body ?? ""): \(reply.text)")
        }
        let missing = try await command(["add", "--photo", "/none.jpg"])
        #expect(missing.exitCode == 66 && missing.errors.contains("cannot read /none.jpg"))
        #expect(try stored() == before, "nothing is stored, and no photo or search was counted")
        #expect(try await command(["day"], person: "Gus").exitCode == 66)
        #expect(try await command(["add", "--quick", "5"], person: "Gus").exitCode == 66, "a guest begins no diary")
        #expect(try await house.call("GET", "/v1/people/Gus/goal", as: ada).status == 404)
    }

    @Test func `what is logged in one way is the same entry and the same count through both`() async throws {
        let oats = #"{"food":\#(Self.oats),"meal":"breakfast","day":"2026-11-10"}"#
        #expect(try await send("POST", "entries", oats).status == 201)
        for (arguments, body, event) in [
            (
                ["--quick", "450.5", "--protein", "20", "--name", "Lunch", "--meal", "lunch"],
                #""quick":{"calories":450.5,"protein":20,"name":"Lunch"},"meal":"lunch""#, "quick_add_used"
            ),
            (["--quick", "450", "--meal", "snack"], #""quick":{"calories":450},"meal":"snack""#, "quick_add_used"),
            (
                ["--barcode", Self.number, "--portion", "½ x", "--meal", "dinner"],
                #""barcode":"\#(Self.number)","portion":"½ x","meal":"dinner""#, "meal_added"
            ),
            (
                ["--reuse", "breakfast", "--from", "2026-11-10"], #""reuse":"breakfast","from":"2026-11-10""#,
                "reuse_meal"
            ),
        ] {
            let (first, second, before) = ("2026-11-11", "2026-11-12", try counts())
            let result = try await command(["add"] + arguments + ["--day", first])
            #expect(result.exitCode == 0, "\(result)")
            let between = try counts()
            let reply = try await send("POST", "entries", #"{\#(body),"day":"\#(second)"}"#)
            #expect(reply.status == 201, "\(reply.text)")
            let after = try counts()
            for (name, count) in before {
                let more = name == event ? 1 : 0
                #expect(between[name] == count + more && after[name] == count + 2 * more, "\(arguments): \(name)")
            }
            #expect(try content(of: first) == content(of: second), "\(arguments)")
        }
        #expect(try content(of: "2026-11-11").count == 4)
    }

    @Test func `a checked table is scanned while its figures are those that were read, also after a refusal`()
        async throws
    {
        let read = Self.oats.replacing("userCreated", with: "scanned")
        func add(_ calories: String, _ portion: String) async throws -> House.Reply {
            let figures = "name=Oats&calories=\(calories)&protein=13&carbs=60&fat=7&portion=\(portion)"
            return try await house.browse(
                "POST", "/today/add", "food=\(read.escaped)&checked=yes&day=2026-11-10&meal=lunch&\(figures)",
                cookie: ada)
        }
        let refused = try await add("371", "30+kg")
        #expect(refused.status == 422 && refused.text.contains("value=\"371\""))
        #expect(refused.text.contains("&quot;calories&quot;:370") && refused.text.contains("&quot;scanned&quot;"))
        #expect(!refused.text.contains("&quot;calories&quot;:371"))
        for calories in ["370", "371"] { #expect(try await add(calories, "100+g").status == 303) }
        let day = try Diary(house.store).day(#require(Day("2026-11-10")), of: "Ada")
        #expect(day.entries.map(\.food.source) == [.scanned, .userCreated])
    }

    @Test func `goal, weight, zone, week, projection and files are the same through both`() async throws {
        let set = ["goal", "1800", "--weight", "72.5", "--target", "70", "--sex", "female", "--born", "1990"]
        let body = ["--height", "168", "--activity", "light", "--zone", "Europe/Vienna", "--json"]
        let result = try await command(set + body)
        #expect(result.exitCode == 0, "\(result)")
        let goal = try await send("GET", "goal").text
        #expect(result.output == goal + "\n")
        #expect(try await send("PUT", "goal", goal).text == goal)
        let person = try #require(try Diary(house.store).person("Ada"))
        #expect(person.zone == "Europe/Vienna" && person.goal?.currentWeight == Decimal(72.5))
        let today = Day(of: .now, in: person.timeZone)
        #expect(try Diary(house.store).weights(of: "Ada").last?.kilograms == Decimal(72.5))
        #expect(try await command(["weight", "71.25"]).exitCode == 0)
        let weights = try await send("GET", "weights").array
        #expect(weights.last?["date"] as? String == "\(today)" && weights.last?["weight"] as? Double == 71.25)
        #expect(try await command(["goal", "1900"]).exitCode == 0)
        #expect(
            try Diary(house.store).weights(of: "Ada").last?.kilograms == Decimal(71.25),
            "a goal without a weight changes none")

        let week = try await send("GET", "week/2026-W38").text
        #expect(try await command(["week", "2026-W38", "--json"]).output == week + "\n")
        let projected = try await command(["project", "--weeks", "104", "--json"])
        let projections = try await send("GET", "projection?weeks=104").array
        #expect(projected.exitCode == 0 && projections.count == (projected.output.matches(of: /"scenario"/).count))
        #expect(try await command(["project", "--weeks", "105"]).exitCode == 64)
        #expect(try await send("GET", "projection?weeks=105").status == 400)

        let file = try await send("GET", "export").text
        #expect(try await command(["export"]).output == file + "\n")
        let table = try await send("GET", "export?format=csv").text
        #expect(try await command(["export", "--format", "csv"]).output == table)
        let imported = try await command(["import", try self.file(file), "--json"])
        let again = try await send("POST", "import", file).text
        #expect(imported.exitCode == 0 && imported.output == again + "\n", "nothing is new")

        let entry = try #require(try Diary(house.store).entries(of: "Ada", from: today.adding(-400), to: today).first)
        #expect(try await command(["remove", entry.id, "--yes"]).exitCode == 0)
        #expect(try await send("DELETE", "entries/\(entry.id)").status == 404)
        #expect(try await command(["remove", "--all", "--yes"]).exitCode == 0)
        #expect(try Diary(house.store).person("Ada") == nil)
    }
}
