import Foods
import Catalogue
import Core
import Foundation
import HTTP
import Kinds
import Store
import TestSupport
import Testing

@testable import App
@testable import Groceries

/// The pages of lists and prices over a database of their own, on 2026-11-22.
@Suite struct GroceryPagesTests {
    private let models = ModelFolder(Repository.models)
    let home: GroceryHome
    var actions: GroceryActions { home.actions }
    var groceries: Groceries { actions.groceries }

    init() throws { home = try GroceryHome() }

    func texts(_ language: String = "en") throws -> PageTexts { try PageRendering.texts(language) }

    func language(_ language: String = "en") throws -> PageLanguage {
        PageLanguage(
            texts: try texts(language), wording: try #require(try Wordings(from: models)[language]))
    }

    func html<Shown: Page>(_ page: Shown, _ language: String = "en") throws -> String {
        try PageRendering.html(page, language)
    }

    func words(_ language: String = "en") throws -> GroceryText {
        GroceryText(try texts(language), today: groceries.today)
    }

    func weight<Shown: Page>(_ page: String, _ type: Shown.Type) throws -> Int {
        let files = ["app.css"] + type.styles.map { $0 + ".css" } + type.scripts.map { $0 + ".js" }
        // The navigation of the shell is not part of the values here: 3,000 bytes.
        return try files.reduce(Icons.withoutUnused(page).utf8.count + 3000) {
            try $0 + Data(contentsOf: Repository.models.appending(path: "web/static/\($1)")).count
        }
    }

    func money(_ text: String, _ code: String = "GBP") throws -> Money {
        try #require(Currency(code).flatMap { Money(price: text, currency: $0) })
    }

    @discardableResult
    func add(_ name: String, to list: Int64) throws -> GroceryItem {
        let entry = NewEntry(product: NewProduct(name: name))
        guard case .added(let item) = try groceries.add(entry, to: list, by: "Ada", anyway: true) else {
            throw GroceryProblem.bad("it is a duplicate")
        }
        return item
    }

    /// Records a price and gives its place.
    @discardableResult
    func price(_ item: GroceryItem, _ amount: String, at shop: String, daysAgo: Int = 0) throws -> Int64 {
        let place = try groceries.place(of: NewPlace(name: shop), by: "Ada").id
        _ = try groceries.record(
            NewPrice(
                product: item.product, place: place, price: try money(amount),
                date: groceries.today.adding(-daysAgo), contributor: "Ada"))
        return place
    }

    func list(
        _ id: Int64, from: Int = 0, notice: ListNotice? = nil, _ language: String = "en"
    ) async throws -> String {
        var content = try await actions.listContent(id, for: "Ada")
        content.people = ["Ada", "Ben"]
        return try html(
            ListPage(content, for: "Ada", try self.language(language), from: from, notice: notice), language)
    }

    func compare(_ id: Int64, _ language: String = "en") async throws -> String {
        let (lists, list) = try await actions.lists(of: "Ada", showing: id)
        let report = try await actions.compare(id, for: "Ada")
        return try html(ComparePage(lists, list, report, try words(language)), language)
    }

    // MARK: List

    @Test func `a duplicate is a question that keeps what was typed, and names cannot become markup`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let item = try add("<b>Milk</b>", to: id)
        var addition = ListAddition(FormBody(encoded: "text=%22%3Ei&quantity=1%2C5&unit=kg"))
        let page = try await list(id, notice: .duplicate(addition, of: item, .near))
        #expect(page.contains("“&lt;b&gt;Milk&lt;/b&gt;” on the list has a similar name"))
        #expect(!page.contains("<b>Milk"))
        for field in ["name=\"text\" value=\"&quot;&gt;i\"", "name=\"quantity\" value=\"1,5\"", "value=\"kg\""] {
            #expect(page.contains(field), "\(field)")
        }
        #expect(page.contains("name=\"anyway\" value=\"yes\""))
        addition.isAnyway = true
        #expect(try await !list(id).contains("name=\"anyway\""))
        #expect(ListPage.refusal(Problem(409, "nothing", "x"), try texts("de")).contains("nichts rückgängig"))
        #expect(try await list(id, notice: .photoShowsNothing).contains("Neither one barcode nor one price tag"))
    }

    @Test func `a list of 40 entries has two pages, each below 60,000 bytes`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        for number in 1...40 { try add("Wholegrain oat flakes with honey \(number)", to: id) }
        let (first, second) = (try await list(id), try await list(id, from: 20))
        #expect(first.matches(of: /<li class="lrow" id="e/).count == 20)
        #expect(first.contains("20 more") && first.contains("from=20"))
        #expect(second.matches(of: /<li class="lrow" id="e/).count == 20)
        let bytes = try weight(first, ListPage.self)
        #expect(bytes < 60_000, "\(bytes)")
    }

    @Test func `a page of a list with verdicts for three people stays below 60,000 bytes`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        for number in 1...30 { try add("Wholegrain oat flakes with honey \(number)", to: id) }
        let household = ["Ada", "Ben", "Cleo"].map { AllergenProfile(name: $0, allergens: [.milk: .severe]) }
        var content = try await actions.listContent(id, for: "Ada")
        content.household = household
        func verdict(_ kind: AllergenVerdict.Kind) -> AllergenVerdict {
            AllergenVerdict(verdict: kind, risk: .high, probability: 0.9)
        }
        for index in content.items.indices {
            content.verdicts[content.items[index].id] = [
                "Ada": [.milk: verdict(.contains), .nuts: verdict(.contains), .celery: verdict(.mayContain)],
                "Ben": [.gluten: verdict(.contains), .eggs: verdict(.cannotTell)],
                "Cleo": [.fish: verdict(.notFoundInText)],
            ]
        }
        let shown = try html(ListPage(content, for: "Ada", try language()))
        #expect(shown.matches(of: /class="flag"/).count == 20)
        let bytes = try weight(shown, ListPage.self)
        #expect(bytes < 60_000, "\(bytes)")
    }

    @Test func `the list says what it costs at the cheapest place, or that too little is known`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        func page(_ code: String = "en") async throws -> String {
            var content = try await actions.listContent(id, for: "Ada")
            content.companions = [Companion(product: 7, name: "Butter", with: "Milk", days: 2, allDays: 3)]
            return try html(ListPage(content, for: "Ada", try language(code)), code)
        }
        #expect(try await page().contains("No price of what is still to buy is known."))
        try price(milk, "1.20", at: "Greenfield")
        #expect(try await page().contains("≈ £1.20 at Greenfield"))
        #expect(try await page().contains("1 of 1 price known"))
        for name in ["Bread", "Oats"] { try add(name, to: id) }
        #expect(try await page().contains("Most are known at Greenfield: 1 of 3."))
        #expect(try await page().contains("with Milk on 2 of 3 shopping days"))
        #expect(try await page().contains("name=\"product\" value=\"7\" aria-label=\"Add Butter\""))
        #expect(try await page("de").contains("mit Milk an 2 von 3 Einkaufstagen"))
    }

    @Test func `a list whose entries show prices does not say that no price is known`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let ginger = try add("Ginger", to: id)
        let place = try groceries.place(of: NewPlace(name: "Greenfield"), by: "Ada").id
        for unit in [PriceUnit.kilogram, .litre] {
            _ = try groceries.record(
                NewPrice(
                    product: ginger.product, place: place, price: try money("4.39"), per: unit, date: groceries.today))
            let page = try html(ListPage(try await actions.listContent(id, for: "Ada"), for: "Ada", try language()))
            #expect(page.contains("£4.39") && !page.contains("No price of"))
            #expect(page.contains("The known prices are for other units"))
        }
    }

    @Test func `a list is sorted by aisle, and an entry moves within its aisle`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        for name in ["Milk", "Apples", "Butter", "Xylophone", "Pears"] { try add(name, to: id) }
        func names() async throws -> [String] { try await actions.listContent(id, for: "Ada").open.map(\.item.name) }
        #expect(try await names() == ["Apples", "Pears", "Milk", "Butter", "Xylophone"])
        let butter = try #require(try await actions.listContent(id, for: "Ada").items.first { $0.name == "Butter" })
        for _ in 1...2 { try await actions.move(butter.id, isUp: true, for: "Ada") }
        #expect(try await names() == ["Apples", "Pears", "Butter", "Milk", "Xylophone"])
        try await actions.move(butter.id, isUp: false, for: "Ada")
        #expect(try await names() == ["Apples", "Pears", "Milk", "Butter", "Xylophone"])
        #expect(try await list(id).contains("<h2 class=\"aisle\">Fruit and vegetables</h2>"))
    }

    @Test func `suggestions show price, shop and age, and what was typed can be added as it is`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        try price(add("Joghurt natur", to: id), "0.49", at: "Lidl", daysAgo: 1)
        _ = try await actions.product(of: NewProduct(name: "Joghurt-Müsli"), by: "Ada")
        let found = try await actions.suggestions(for: "jog", list: id, limit: 6, for: "Ada")
        let page = try html(SuggestPage(found, for: "jog", on: try groceries.list(id, of: "Ada"), try words()))
        for text in ["on the list, £0.49 at Lidl, yesterday", "no price yet", "Add “jog” as it is", "name=\"product\""]
        {
            #expect(page.contains(text), "\(text)")
        }
        await #expect(throws: GroceryProblem.self) {
            try await actions.suggestions(for: "jog", list: id, limit: 6, for: "Ben")
        }
    }

    @Test func `a completed entry can be taken back, and what was bought is apart`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        _ = try groceries.change(milk.id, EntryChange(isCompleted: true), by: "Ada")
        let page = try await list(id)
        #expect(page.contains("Nothing to buy.") && page.contains("name=\"open\" value=\"\(milk.id)\""))
        #expect(!page.contains("name=\"done\" value=\"\(milk.id)\""))
    }

    @Test func `after a trip one tap says how the shop was, the usual shop first`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        #expect(try await !list(id, notice: .trip).contains("How was the shop?"), "no shop is known")
        try price(try add("Milk", to: id), "1.00", at: "Greenfield")
        let page = try await list(id, notice: .trip)
        #expect(page.contains("How was the shop?") && page.contains("name=\"rating\" value=\"5\""))
        #expect(page.contains("selected>Greenfield"))
    }

    // MARK: Item

    @Test func `the history leaves out rejected prices and shows the contributor's level`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        for (amount, days) in [("1.00", 40), ("1.10", 20), ("1.20", 0)] {
            try price(milk, amount, at: "Greenfield", daysAgo: days)
        }
        let wrong = try #require(try groceries.prices(of: milk.product).first { $0.price.digits == "1.10" })
        _ = try groceries.remove(wrong.id, by: "Ben")
        let page = try html(ItemPage(try await actions.itemContent(milk.product, for: "Ada"), try texts()))
        #expect(page.matches(of: /<circle class="ring r1"/).count == 2)
        #expect(page.matches(of: /<th scope="row" class="nobr">2026-/).count == 3)
        #expect(page.contains("rejected</span>"))
        #expect(page.contains("£1.20 at Greenfield, today"))
        #expect(page.contains("Ada <span class=\"tag\">New Shopper</span>"))
        let points = try #require(page.firstMatch(of: /<polyline class="s1" points="([^"]*)"/)).1
        for point in points.split(separator: " ") {
            let parts = point.split(separator: ",").compactMap { Double($0) }
            #expect((64...500).contains(parts[0]) && (16...190).contains(parts[1]), "\(points)")
        }
    }

    // MARK: Feed

    @Test func `comments are nested and end, and all of them are on their own page`() async throws {
        let posted = try groceries.post(NewExperience(kind: .general, rating: 3, comment: "Fine <i>"), by: "Ada")
        var parent: Int64?
        for depth in 1...4 {
            let answered = try groceries.comment("level \(depth)", on: posted.id, answering: parent, by: "Ben")
            func deepest(_ answers: [Experience.Answer]) -> Int64? {
                answers.last.flatMap { deepest($0.answers) ?? $0.id }
            }
            parent = deepest(answered.comments)
        }
        for number in 1...10 { _ = try groceries.comment("more \(number)", on: posted.id, by: "Ben") }
        let content = FeedContent(experiences: try groceries.experiences(), places: [])
        let feed = try html(FeedPage(content, try words()))
        #expect(feed.matches(of: /<li class="thread">/).count == 12)
        #expect(feed.contains("All comments") && feed.contains("aria-label=\"3 of 5\"") && !feed.contains("Fine <i>"))
        let page = try html(
            ThreadPage(try groceries.experience(posted.id), words: try words(), answering: parent))
        #expect(page.matches(of: /<li class="thread">/).count == 14 && !page.contains("All comments"))
        #expect(page.contains("Answer to Ben: level 4"))
    }

    // MARK: Prices, me, words

    @Test func `a waiting price proposes products, and says why it waits`() async throws {
        let id = try groceries.makeList("Week", by: "Ada").id
        let milk = try add("Milk", to: id)
        for shop in ["Greenfield", "Harbour", "Corner Shop"] { try price(milk, "1.20", at: shop) }
        try price(milk, "120", at: "Harbour")
        let content = try await actions.pricesContent(for: "Ada")
        let page = try html(PricesPage(content, try texts()))
        #expect(page.contains("far from other prices") && page.contains("Usual price: £1.20"))
        #expect(page.contains("<option value=\"\(milk.product)\" selected>Milk</option>"))
        #expect(page.contains("value=\"120.00\"") && page.contains("value=\"Harbour\""))
        #expect(page.contains("list=\"shops\"") && page.contains("<option value=\"Greenfield\">"))
    }

    @Test func `a refused form keeps what was typed, and what is missing must be typed`() async throws {
        let photo = "sha256:" + String(repeating: "5e", count: 32)
        var outcome = Outcome(
            id: photo, source: .init(path: try #require(FilePathBytes("r.jpg")), bytes: 1), status: .completed,
            versions: .init(tablesight: "test"))
        func value(_ text: String) -> ReadValue { ReadValue(value: text, confidence: 0.95) }
        outcome.receipt = Receipt(items: [.init(name: value("GTG02"), amount: value("58.30"))])
        try groceries.noteUpload(of: photo, by: "Ada")
        _ = try groceries.recordUploaded(outcome)
        let content = try await actions.pricesContent(photo: photo, for: "Ada")
        let id = try #require(content.waiting.first).id
        let empty = try html(PricesPage(content, try texts()))
        for field in ["currency\" maxlength=\"3\" autocomplete=\"off\"", "day\" type=\"date\"", "shop\""] {
            #expect(empty.contains("name=\"\(field) required"), "\(field)")
        }
        #expect(empty.contains("href=\"/photos/\(photo)\"") && empty.contains("Ada, New Shopper"))
        let form = FormBody(encoded: "amount=58.30&currency=MYR&day=2018-03-05&shop=&product=new&name=Guitar")
        let again = try html(PricesPage(content, try texts(), draft: form, refused: id))
        for typed in ["MYR", "2018-03-05", "Guitar"] { #expect(again.contains("value=\"\(typed)\""), "\(typed)") }
    }

    @Test func `a receipt without a readable price says so in both languages`() async throws {
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: try #require(FilePathBytes("r.jpg")), bytes: 1), status: .completed,
            versions: .init(tablesight: "test"))
        outcome.receipt = Receipt()
        _ = try groceries.recordUploaded(outcome)
        let content = try await actions.pricesContent(for: "Ada")
        #expect(try html(PricesPage(content, try texts())).contains("no price was read: type one from the photo"))
        #expect(try html(PricesPage(content, try texts("de")), "de").contains("kein Preis wurde gelesen"))
    }

    @Test(arguments: ["en", "de"]) func `every value of lists and prices has a word`(_ language: String) throws {
        let texts = try texts(language)
        var keys = PriceUnit.allCases.map { "shop.unit.\($0.rawValue)" }
        keys += PriceProof.allCases.map { "proof.\($0.rawValue)" }
        keys += Experience.Kind.allCases.map { "feed.kind.\($0.rawValue)" }
        keys += ["outlier", "product", "place", "date", "currency", "reading"].map { "review.reason.\($0)" }
        keys += ["gtin", "name", "near"].map { "list.duplicate.\($0)" }
        keys += ["notFound", "conflict", "tooMany", "nothing"].map { "refusal.\($0)" }
        for key in keys { #expect(texts.has(key), "\(key)") }
        for level in groceries.rules.levels {
            #expect(texts.has("rank.\(level.name.lowercased().replacing(" ", with: ""))"), "\(level.name)")
        }
    }

    @Test func `amounts, quantities and packs have the reader's form`() throws {
        let (english, german) = (try words(), try words("de"))
        let (pounds, euros, fuel) = (try money("2.15"), try money("2.15", "EUR"), try money("1.859", "EUR"))
        #expect(english.money(pounds) == "£2.15" && german.money(euros) == "2,15\u{a0}€")
        #expect(english.money(fuel) == "€1.859")
        #expect(english.quantity(1000, .piece).isEmpty && english.quantity(2000, .piece) == "2 ×")
        #expect(german.quantity(1500, .kilogram) == "1,5 kg")
        let range = english.range(try money("19.301"), try money("19.302"))
        #expect(range == "£19.30")
        let (bottle, bag) = (
            try #require(PackSize(thousandths: 1_500_000, .volume)), try #require(PackSize(thousandths: 500_000, .mass))
        )
        #expect(english.pack(bottle) == "1.5 l" && english.pack(bag) == "500 g")
    }
}
