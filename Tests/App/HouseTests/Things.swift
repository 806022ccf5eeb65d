import Core
import Diary
import Foundation
import Household
import Intake
import Foods
import Store
import Testing

@testable import App
@testable import Daemon

extension House {
    /// The people, and one thing of each kind that requests name.
    struct Things: Sendable {
        /// The PIN of Ada.
        static let pin = "4711"
        /// The PIN of Zed.
        static let otherPIN = "0815"
        static let photo = "sha256:" + String(repeating: "ab", count: 32)
        /// The smallest bytes that pass for a photo.
        static let picture = "GIF89a, or what an attacker calls so"

        var list: Int64 = 0
        var item: Int64 = 0
        var product: Int64 = 0
        var place: Int64 = 0
        /// A price that waits for a decision.
        var waiting: Int64 = 0
        var experience: Int64 = 0
        /// A number of a device that nobody else uses.
        var device: Int64 = 0
        var review: Int64 = 0
        /// Ada's, of the soup.
        var saved: Int64 = 0
        /// Of the salad, for Ada.
        var news: Int64 = 0
        /// Leo's number, and a play of his.
        var child: Int64 = 0
        var play: Int64 = 0
        /// In Ada's diary.
        let entry = "e1"
        let day = "2026-09-20"
    }

    /// A new house with its things.
    static func furnished() async throws -> (house: House, things: Things) {
        let house = try House()
        return (house, try await house.furnish())
    }

    /// Ada, Ben and Zed are adults, Leo is a child, Gus a guest; all but Gus have a diary. Ada and Zed have a PIN, and Ben
    /// asked for the removal of Ada's. The list and the place are Ada's; Zed sees her list and her diary.
    func furnish() async throws -> Things {
        for (name, role) in [
            ("Ada", Member.Role.adult), ("Ben", .adult), ("Zed", .adult), ("Leo", .child), ("Gus", .guest),
        ] {
            try household.add(
                NewMember(name, role: role, profile: AllergenProfile(name: name, allergens: [.milk: .severe])))
        }
        for name in ["Ada", "Ben", "Zed", "Leo"] { try Diary(store).save(.init(name: name, zone: "Europe/Berlin")) }
        try household.setPIN(Things.pin, of: try id("Ada"))
        try household.setPIN(Things.otherPIN, of: try id("Zed"))
        var things = Things()
        func make(_ method: String, _ path: String, _ body: String, by name: String = "Ada") async throws -> Reply {
            let reply = try await call(method, path, body, as: Self.key, headers: ["Tablesight-Member": name])
            try #require(reply.status < 300, "\(method) \(path): \(reply.text)")
            return reply
        }
        for name in ["Ada", "Ben", "Leo"] {
            let quick =
                #"{"quick":{"calories":450},"id":"\#(name == "Ada" ? things.entry : name)","meal":"lunch","day":"\#(things.day)"}"#
            _ = try await make("POST", "/v1/people/\(name)/entries", quick, by: name)
            _ = try await make("PUT", "/v1/people/\(name)/goal", #"{"dailyCalories":1800}"#, by: name)
            _ = try await make("PUT", "/v1/people/\(name)/weights/\(things.day)", #"{"weight":73.2}"#, by: name)
        }
        let favourite = #"{"food":\#(SampleRequest.food)}"#
        _ = try await make("PUT", "/v1/people/Ada/favourites/quick:t1", favourite)
        things.list = try await make("POST", "/v1/lists", #"{"name":"Week"}"#).id
        _ = try await make("PUT", "/v1/lists/\(things.list)/people/Zed", "")
        _ = try await make("POST", "/v1/items", #"{"list":\#(things.list),"name":"Bananas"}"#)
        let item = try await make("POST", "/v1/items", #"{"list":\#(things.list),"name":"Milk"}"#)
        things.item = item.id
        things.product = (item.json["product"] as? NSNumber)?.int64Value ?? 0
        // An outlier needs prices of three places.
        for (place, amount) in [
            ("Alnatura", "1.00"), ("Biomarkt", "1.01"), ("Kornfeld", "1.02"), ("Kornfeld", "99.00"),
        ] {
            things.place = try await make("POST", "/v1/places", #"{"name":"\#(place)"}"#).id
            let price = #""price":{"amount":"\#(amount)","currency":"EUR"}"#
            let recorded = try await make(
                "POST", "/v1/prices", #"{"product":\#(things.product),"place":\#(things.place),\#(price)}"#, by: "Ben")
            if recorded.status == 202 { things.waiting = recorded.id }
        }
        things.child = try id("Leo")
        let play = try await make("POST", "/v1/plays", #"{"game":"tangram","puzzle":"boat","player":\#(things.child)}"#)
        things.play = (play.json["play"] as? NSNumber)?.int64Value ?? 0
        things.experience = try await make("POST", "/v1/experiences", #"{"kind":"general","comment":"Fine"}"#).id
        things.device = try number(ofDevice: try device(of: "Zed"))
        try household.askRemoval(of: try id("Ada"), by: "Ben")
        try Diary(store).setReader("Zed", of: "Ada", isAllowed: true)
        try storePhoto()
        things.review =
            (try await make("POST", "/v1/reviews", Self.review(of: "Soup")).json["number"] as? NSNumber)?
            .int64Value ?? 0
        things.saved =
            (try await make("POST", "/v1/saved", Self.saved("Soup")).json["number"] as? NSNumber)?.int64Value ?? 0
        things.news = try storeNews()
        return things
    }

    /// - Returns: the number of the news.
    private func storeNews() throws -> Int64 {
        let row = try #require(try store.storedRows(of: Things.photo).first)
        var outcome = NewOutcome(photo: row.photo, json: row.outcome)
        outcome.missed = ["Ada": [.init(item: "Salad", allergen: .milk, before: .notFoundInText)]]
        try store.replace([outcome])
        return try #require(try store.news(of: try id("Ada"), andChildren: false, limit: 1).first).number
    }

    /// A review as JSON.
    static func review(of item: String, by name: String? = nil) -> String {
        let by = name.map { #","by":"\#($0)""# } ?? ""
        return
            #"{"id":"\#(Things.photo)","item":"\#(item)","allergen":"milk","action":"edit","value":"CONTAINS"\#(by)}"#
    }

    /// A dish to save, as JSON.
    static func saved(_ dish: String) -> String { #"{"photo":"\#(Things.photo)","kind":"dish","item":"\#(dish)"}"# }

    /// A menu that was read, with an unsure verdict.
    private func storePhoto() throws {
        let photo = try folder.path(below: "inbox/menu.jpg")
        let verdict = AllergenVerdict(verdict: .likely, risk: .high, probability: 0.6)
        let verdicts = ["Ada": [Allergen.milk: verdict]]
        var outcome = Outcome(
            id: Things.photo, source: .init(path: photo, bytes: 4), status: .completed, domains: [.menu],
            menu: Menu(
                currency: nil,
                sections: [
                    .init(
                        title: nil,
                        items: ["Soup", "Salad"].map { .init(name: $0, verdicts: verdicts, confidence: 0.9) })
                ], legend: [], coverage: Coverage(ocrQuality: 1, sourceKind: "menu")), versions: .init(tablesight: "1"))
        outcome.summarise()
        let lines = ["Soup 4.00", "Salad 5.00"].enumerated().map { row, line in
            let words = line.split(separator: " ").enumerated().map { column, word in
                Word(
                    text: String(word), confidence: 0.96,
                    box: Quad(x: Double(column) * 80, y: Double(row) * 30, width: 60, height: 20))
            }
            return TextLine(
                text: line, confidence: 0.96, box: Quad(x: 0, y: Double(row) * 30, width: 140, height: 20), words: words
            )
        }
        let readings = Readings(text: TextReading(languages: ["en"], lines: lines))
        try storePhoto(outcome, readings)
    }

    /// Stores a photo that was read, with the path of its outcome.
    func storePhoto(_ outcome: Outcome, _ readings: Readings = Readings()) throws {
        let photo = try #require(FilePathBytes(outcome.source.path))
        try Data(outcome.source.path.utf8).write(to: URL(filePath: outcome.source.path))
        let number = UInt64(outcome.source.path.utf8.reduce(1) { $0 &* 31 &+ Int($1) } & 0xFFFF)
        let found = FoundFile(
            path: photo, relativePath: photo,
            identity: FileIdentity(device: 1, inode: number, size: 4, modified: 1, changed: 1))
        try store.enqueue([found]) { $0.path.appending(suffix: ".json") }
        let queued = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        try store.finish(
            queued,
            FinishedPhoto(
                content: outcome.id, asked: "1 menu",
                answer: ReadAnswer(readings: readings, models: ["test": "1"]), status: .completed,
                json: try JSONCoding.encode(outcome)))
    }
}

/// A request of a route, such that it changes something if it may.
struct SampleRequest: Sendable {
    var path: String
    var body = Data()
    var type: String?

    /// Requests that change nothing in a house without boards, unfinished photos or a newer version, also if they may.
    static let idle: Set = [
        "POST /v1/games/{id}/sessions/{session}/hint", "POST /v1/games/{id}/sessions/{session}/reset",
        "POST /v1/games/{id}/sessions/{session}/puzzle", "POST /games/{game}/{session}/hint",
        "POST /games/{game}/{session}/reset", "POST /games/{game}/{session}/puzzle",
        // No daemon reads pictures here, and a play without pictures has nothing to help with or to forget.
        "POST /v1/plays/{play}/frames", "POST /v1/plays/{play}/hint", "POST /v1/plays/{play}/reset",
        "POST /play/{play}/hint", "POST /play/{play}/reset", "POST /play/{play}/stop", "POST /play/{play}/photo",
        // A proposal is not saved, and no day is closed.
        "POST /goal/propose", "DELETE /v1/people/{name}/days/{day}/closed",
        // What has no way back is done ten seconds later, and nothing was done.
        "POST /photos/{id}/delete", "POST /people/delete", "POST /list/delete", "POST /diary/delete", "POST /undo",
        // Nothing is stored.
        "POST /v1/codes",
        // The browser's cookie keeps the colours.
        "POST /more/theme",
        // The photo has no prices.
        "POST /v1/prices/photos/{id}",
        // The photo was read.
        "POST /photos/{id}/again",
        // The photo shows no product.
        "POST /list/photo/{id}",
        // The photo is no receipt.
        "POST /v1/receipts/{id}", "POST /v1/receipts/{id}/ticks", "POST /receipts/{id}",
    ]

    /// - Throws: if a code for pairing cannot be made.
    init(_ route: WantedRights.Route, in house: House, _ things: House.Things) throws {
        path = Self.paths[route.description] ?? route.path
        let words = [
            "GET /p/{code}": "code", "GET /pair": "code", "POST /pair": "code",
        ]
        let code = words[route.description] == nil ? "" : try house.household.newCode().code
        for (beginning, name, value) in Self.places(things, code) where route.path.hasPrefix(beginning) {
            path = path.replacing("{\(name)}", with: value)
        }
        path += Self.queries(things, code)[route.description] ?? (Self.isOfDiary(route) ? "?person=Ada" : "")
        if let text = Self.bodies(things, code)[route.description] {
            body = Data(text.utf8)
            type = route.isPage ? "application/x-www-form-urlencoded" : "application/json"
        }
        if route.description == "POST /v1/images" { (body, type) = (Data(House.Things.picture.utf8), "image/gif") }
        if let file = Self.files[route.description] {
            let head = "--edge\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"x\"\r\n\r\n"
            (body, type) = (Data("\(head)\(file)\r\n--edge--\r\n".utf8), "multipart/form-data; boundary=edge")
        }
    }

    /// Addresses of requests that would change nothing, were they about the same people as the others.
    private static let paths = [
        "POST /v1/people/{name}/pin/removal": "/v1/people/Zed/pin/removal",
        "PUT /v1/people/{name}/diary/readers/{reader}": "/v1/people/Ada/diary/readers/Ben",
        "PUT /v1/lists/{id}/people/{name}": "/v1/lists/{id}/people/Ben",
    ]

    private static func isOfDiary(_ route: WantedRights.Route) -> Bool {
        route.isPage && WantedRights.rule(of: route)?.isOfDiary == true
    }

    /// Values of the parameters below these addresses; the first one that fits counts.
    private static func places(_ things: House.Things, _ code: String) -> [(String, String, String)] {
        [
            ("/v1/lists", "id", "\(things.list)"), ("/v1/lists", "name", "Zed"), ("/v1/items", "id", "\(things.item)"),
            ("/v1/prices/reviews", "id", "\(things.waiting)"), ("/v1/places", "id", "\(things.place)"),
            ("/v1/prices", "id", "1"),
            ("/v1/goods", "id", "\(things.product)"), ("/v1/experiences", "id", "\(things.experience)"),
            ("/v1/devices", "id", "\(things.device)"), ("/v1/games", "id", "tangram"), ("/", "id", House.Things.photo),
            ("/", "session", "b-1"), ("/", "game", "tangram"), ("/", "day", things.day), ("/", "week", "2026-W38"),
            ("/", "reader", "Zed"), ("/", "ingredient", "1"), ("/v1/saved", "number", "\(things.saved)"),
            ("/v1/news", "number", "\(things.news)"),
            ("/", "number", "\(things.review)"), ("/", "play", "\(things.play)"),
            ("/", "gtin", "9520100001017"),
            ("/", "product", "\(things.product)"), ("/", "place", "\(things.place)"),
            ("/", "experience", "\(things.experience)"), ("/", "review", "\(things.waiting)"),
            ("/list", "entry", "\(things.item)"), ("/", "entry", things.entry), ("/", "food", "quick:t1"),
            ("/p/", "code", code.replacing("-", with: "")), ("/", "code", "9520100001017"),
            ("/static", "name", "app.css"), ("/v1/profiles", "name", "Zed"),
            ("/v1/people/{name}/", "name", "Ada"), ("/v1/people", "name", "Zed"),
        ]
    }

    private static func queries(_ things: House.Things, _ code: String) -> [String: String] {
        [
            "GET /pair": "?code=\(code)", "GET /v1/items": "?list=\(things.list)",
            "GET /v1/compare": "?list=\(things.list)", "GET /list": "?list=\(things.list)",
            "GET /compare": "?list=\(things.list)", "POST /list/photo": "?list=\(things.list)",
            "GET /v1/prices": "?product=\(things.product)", "GET /v1/search": "?q=oat", "GET /v1/foods": "?q=oat",
            "GET /v1/suggestions": "?q=oat&list=\(things.list)", "GET /list/suggest": "?text=oat&list=\(things.list)",
            "GET /who/pin": "?member=Ada", "GET /who/newpin": "?member=Ada",
        ]
    }

    /// Photos and files of forms.
    private static let files = [
        "POST /scan": House.Things.picture, "POST /list/photo": House.Things.picture,
        "POST /today/photo": House.Things.picture, "POST /diary/import": importedDiary,
    ]

    private static let importedDiary =
        #"{"schema":"tablesight.diary/1","person":"Ada","zone":"Europe/Berlin","entries":[],"#
        + #""weights":[{"date":"2026-09-19","weight":70}]}"#

    fileprivate static let food: String = {
        let tea = Food.quick(id: "t1", name: "Tea", calories: 5, protein: nil, carbs: nil, fat: nil)
        return String(decoding: (try? JSONCoding.encode(tea)) ?? Data(), as: UTF8.self)
    }()

    private static func bodies(_ things: House.Things, _ code: String) -> [String: String] {
        let photo = House.Things.photo
        let money = "amount=2.49&currency=EUR"
        return [
            "POST /pair": "code=\(code)&name=phone", "POST /sign-in": "token=\(House.key)",
            "PUT /v1/session": #"{"member":"Leo"}"#, "POST /who": "member=Leo", "POST /who/guest": "name=Emil",
            "POST /who/pin": "member=Zed&secret=\(House.Things.otherPIN)", "POST /who/add": "name=Mia",
            "POST /v1/reviews": House.review(of: "Salad"),
            "POST /review": "id=\(photo)&item=Salad&allergen=milk&answer=CONTAINS",
            "POST /review/undo": "undo=\(things.review)",
            "POST /photos/{id}/kind": "kind=label", "POST /photos/{id}/correct": "do=notADish&item=Salad",
            "POST /photos/{id}/staff": "item.1=Salad&answer=1+ABSENT+milk",
            "POST /v1/saved": House.saved("Salad"), "POST /photos/{id}/save": "save=dish-Salad",
            "POST /news/dismiss": "news=\(things.news)",
            "POST /more/theme": "theme=dark",
            "POST /v1/plays": #"{"game":"tangram","puzzle":"cat"}"#, "POST /games/play": "game=tangram&puzzle=house",
            "POST /games/limit": "who=\(things.child)&minutes=30",
            "POST /photos/{id}/undo": "undo=\(things.review)",
            "POST /who/newpin": "pin=2580", "POST /who/removal": "member=Zed", "POST /who/removal/cancel": "member=Ada",
            "PUT /v1/people/{name}": #"{"allergens":{"nuts":"mild"}}"#,
            "PUT /v1/profiles/{name}": #"{"allergens":{"nuts":"mild"}}"#, "PUT /v1/me/pin": #"{"pin":"2580"}"#,
            "POST /people": "stored=Zed&name=Zed&a.nuts=mild", "POST /people/delete": "name=Zed",
            "POST /devices/remove": "id=\(things.device)",
            "POST /v1/lists": #"{"name":"Party"}"#, "POST /v1/lists/{id}/sweep": #"{"action":"completeAll"}"#,
            "POST /v1/lists/{id}/changes": #"[{"key":"k1","action":"complete","entry":\#(things.item)}]"#,
            "POST /v1/items": #"{"list":\#(things.list),"name":"Bread"}"#,
            "PATCH /v1/items/{id}": #"{"isCompleted":true}"#, "POST /v1/items/{id}/move": "{}",
            "POST /v1/prices": #"{"product":\#(things.product),"place":\#(things.place),"#
                + #""price":{"amount":"1.05","currency":"EUR"}}"#,
            "POST /v1/prices/reviews/{id}": #"{"isAccepted":false}"#, "POST /v1/places": #"{"name":"Waldladen"}"#,
            "PATCH /v1/places/{id}": #"{"isFavorite":true}"#,
            "POST /v1/places/{id}/merge": #"{"into":\#(things.place - 1)}"#, "POST /v1/receipts/{id}": "{}",
            "POST /receipts/{id}": "do=check",
            "PUT /v1/goods/{id}/name": #"{"name":"Whole milk"}"#,
            "PUT /v1/goods/{id}/tags": ##"[{"name":"bio","colour":"#00aa00"}]"##,
            "POST /v1/experiences": #"{"kind":"general","comment":"Nice"}"#,
            "POST /v1/experiences/{id}/comments": #"{"text":"Yes"}"#,
            "POST /list/new": "name=Party", "POST /list/do": "list=\(things.list)&done=\(things.item)",
            "POST /list/share": "list=\(things.list)&name=Ben&allowed=yes", "POST /list/delete": "list=\(things.list)",
            "POST /list/add": "list=\(things.list)&text=Bread",
            "POST /list/entries/{entry}": "quantity=3&unit=piece", "POST /goods": "name=Tea",
            "POST /goods/{product}/prices": "price=1",
            "POST /goods/{product}/tags": "aisle=dairy&newtag=bio&newcolour=%2300aa00",
            "POST /list/photo/{id}": "list=\(things.list)&name=Tea",
            "POST /prices": "product=\(things.product)&shop=Kornfeld&\(money)",
            "POST /prices/reviews/{review}": "answer=reject", "POST /feed": "kind=general&comment=Nice",
            "POST /feed/{experience}": "text=Yes", "POST /me/places": "newPlace=Waldladen",
            "POST /me/places/{place}": "favourite=yes",
            "POST /v1/people/{name}/entries": #"{"quick":{"calories":99}}"#,
            "PUT /v1/people/{name}/entries/{entry}":
                #"{"food":\#(food),"meal":"lunch","timestamp":"2026-09-20T10:00:00Z"}"#,
            "POST /today/add": "food=\(food.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
            "PUT /v1/people/{name}/favourites/{food}": #"{"food":\#(food),"portion":"2"}"#,
            "POST /today/favourite":
                "favourite=yes&portion=2&food=\(food.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
            "POST /goal/propose": "weight=70&height=170&born=1980&sex=female&activity=light",
            "POST /goal/encouragement": "encouragement=no",
            "PUT /v1/people/{name}/goal": #"{"dailyCalories":1500}"#,
            "PUT /v1/people/{name}/weights/{day}": #"{"weight":60}"#, "POST /v1/people/{name}/import": importedDiary,
            "PUT /v1/people/{name}/diary": #"{"zone":"Asia/Tokyo"}"#,
            "POST /today/quick": "calories=99", "POST /today/reuse": "meal=lunch&from=\(things.day)",
            "POST /today/weight": "weight=60", "POST /today/entries/{entry}": "portion=2&meal=dinner",
            "POST /goal": "calories=1500", "POST /diary/reader": "name=Ben&allowed=yes",
            "POST /diary/zone": "zone=Asia/Tokyo", "POST /today/close": "day=\(things.day)",
        ]
    }
}
