import Foods
import Catalogue
import Core
import Foundation
import HTTP
import Household
import Kinds
import Store
import TestSupport
import Testing

@testable import App
@testable import Groceries

/// What members do with lists and prices, without HTTP, on 2026-11-22.
@Suite struct GroceryActionsTests {
    private let home: GroceryHome
    private var actions: GroceryActions { home.actions }
    private var groceries: Groceries { actions.groceries }

    init() throws { home = try GroceryHome(hasSamples: true) }

    private func value(_ text: String, _ confidence: Double = 0.95) -> ReadValue { GroceryHome.value(text, confidence) }

    /// The status of what an error becomes.
    private func status(_ body: () async throws -> Void) async -> Int? {
        do { try await body() } catch { return Problem(error).status.code }
        return nil
    }

    private func add(_ product: NewProduct, to list: Int64) async throws -> GroceryItem? {
        let added = try await actions.add(NewEntry(product: product), to: list, by: "Ada")
        if case .added(let item) = added { return item }
        return nil
    }

    private func price(_ amount: String) throws -> Money { try #require(Money(price: amount, currency: .euro)) }

    // MARK: Lists

    @Test func `a list is shared with adults of the household only, whatever the spelling of the name`() async throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        for name in ["Nobody", "Leo", ""] {
            #expect(await status { _ = try await actions.share(list, with: name, by: "Ada") } == 404, "\(name)")
        }
        #expect(try await actions.share(list, with: "ZOË", by: "Ada").people == ["Ada", "Zoë"])
        #expect(try groceries.lists(of: "Zoë").map(\.name) == ["Week"])
        // Somebody who left the household can still be taken off.
        #expect(try Household(home.store).remove(try #require(try Household(home.store).member(named: "Zoë")).id))
        #expect(try await actions.share(list, with: "Zoë", isAllowed: false, by: "Ada").people == ["Ada"])
    }

    @Test func `a list that a person may not open is not found, and a wrong value is named`() async throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        #expect(await status { _ = try groceries.list(list, of: "Zoë") } == 404)
        #expect(await status { _ = try await actions.compare(list, for: "Zoë") } == 404)
        #expect(await status { _ = try await actions.listContent(list, for: "Zoë") } == 404)
        #expect(await status { _ = try groceries.makeList(" ", by: "Ada") } == 400)
        #expect(try await actions.listContent(nil, for: "Zoë").list == nil)
        #expect(try await actions.listContent(nil, for: "Ada").list?.id == list)
    }

    /// Actions that know goods, with one kind of milk and two of butter that have prices.
    private func stocked() async throws -> (GroceryActions, list: Int64) {
        let actions = GroceryActions(
            groceries, catalogue: Catalogue(folder: home.folder.url.appending(path: "none")),
            foods: try FoodWords(models: ModelFolder(Repository.models)))
        let place = try groceries.place(of: NewPlace(name: "Aldi"), by: "Ada").id
        for name in ["Frische Vollmilch 3,5 %", "Haltbare Milch 1 l", "Milde Butter", "Gesalzene Butter"] {
            let product = try groceries.product(of: NewProduct(name: name, brand: "Milsani"), by: "Ada").id
            guard name != "Frische Vollmilch 3,5 %" else { continue }
            _ = try groceries.record(
                NewPrice(
                    product: product, place: place, price: try price("1.19"), per: .piece, date: groceries.today,
                    contributor: "Ada"))
        }
        return (actions, try groceries.makeList("Week", by: "Ada").id)
    }

    private func typed(
        _ text: String, isLinked: Bool = true, to list: Int64, _ actions: GroceryActions
    ) async throws -> GroceryItem {
        let entry = try await actions.entry(typed: text)
        let added = try await actions.add(entry, to: list, anyway: true, isLinked: isLinked, by: "Ada")
        guard case .added(let item) = added else { throw GroceryProblem.bad("not added") }
        return item
    }

    @Test func `a typed word is the one product with a price that it means, and can be the word again`() async throws {
        let (actions, list) = try await stocked()
        let milk = try await typed("Milch", to: list, actions)
        #expect(milk.name == "Haltbare Milch 1 l" && milk.typed == "Milch")
        let plain = try groceries.change(milk.id, EntryChange(isLinked: false), by: "Ada")
        #expect(plain.name == "Milch" && plain.typed == nil && plain.product != milk.product)
        #expect(try groceries.undo(list, by: "Ada") == 1)
        #expect(try groceries.items(of: list, for: "Ada").map(\.name) == ["Haltbare Milch 1 l"])
    }

    @Test func `a word that means several products waits for one tap, and a word as it is stays`() async throws {
        let (actions, list) = try await stocked()
        let butter = try await typed("Butter", to: list, actions)
        #expect(butter.name == "Butter" && butter.typed == nil)
        let offers = try await actions.meant(by: "Butter", limit: 3, for: "Ada")
        #expect(Set(offers.map(\.name)) == ["Milde Butter", "Gesalzene Butter"])
        let linked = try groceries.change(butter.id, EntryChange(product: offers[0].product), by: "Ada")
        #expect(linked.name == offers[0].name && linked.typed == "Butter")
        // The next time it is what the lists of the person had.
        _ = try groceries.change(butter.id, .removal, by: "Ada")
        #expect(try await typed("butter", to: list, actions).name == offers[0].name)
        #expect(try await typed("Milch", isLinked: false, to: list, actions).typed == nil)
        #expect(await status { _ = try groceries.change(butter.id, EntryChange(product: 999), by: "Ada") } == 404)
    }

    @Test func `a label without a number is a product by its name, and a photo of nothing is none`() async throws {
        var outcome = try GroceryHome.outcome("sha256:1")
        #expect(try await actions.product(on: outcome) == nil)
        let coverage = Coverage(ocrQuality: 1, sourceKind: "label")
        outcome.label = Label(ingredients: [], findings: [], verdicts: [:], coverage: coverage)
        outcome.label?.name = "Granola"
        #expect(try await actions.product(on: outcome)?.shown == NewProduct(name: "Granola"))
        // Two packets are not one product.
        outcome.products = ["4006381333931", "5449000000996"].map { Product(gtin: $0) }
        #expect(try await actions.product(on: outcome) == nil)
    }

    @Test func `a printed name that is no product offers those that its words mean on a list`() async throws {
        let (actions, _) = try await stocked()
        var outcome = try GroceryHome.outcome("sha256:1")
        let printed = ["BEURRE", "PFAND", "Milde Butter"]
        outcome.receipt = Receipt(items: printed.map { .init(name: value($0), amount: value("1.29")) })
        outcome.receipt?.currency = value("EUR")
        let lines = try await actions.receipt(outcome, for: "Ada").lines
        var offers: [String: [String]] = [:]
        for line in lines {
            #expect(line.product == nil || line.printed == "Milde Butter")
            offers[line.printed] = try line.candidates.compactMap { try groceries.product($0)?.name }.sorted()
        }
        #expect(offers["BEURRE"] == ["Gesalzene Butter", "Milde Butter"])
        #expect(offers["PFAND"]?.isEmpty != false && offers["Milde Butter"] == [], "\(offers)")
    }

    @Test func `an undo of what somebody else changed since is a conflict`() async throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        _ = try await actions.share(list, with: "Zoë", by: "Ada")
        let milk = try #require(try await add(NewProduct(name: "Milk"), to: list))
        _ = try groceries.change(milk.id, EntryChange(isCompleted: true), by: "Zoë")
        #expect(await status { _ = try groceries.undo(list, by: "Ada") } == 409)
        #expect(try groceries.undo(list, by: "Zoë") == 1)
        _ = try groceries.change(milk.id, .removal, by: "Zoë")
        #expect(try groceries.items(of: list, for: "Ada").isEmpty)
        #expect(try groceries.items(of: list, for: "Ada", isHistory: true).map(\.id) == [milk.id])
    }

    @Test(arguments: [
        ("9520100001017", NewProduct(gtin: "09520100001017")), ("en:bananas", NewProduct(category: "en:bananas")),
        ("Milk: 1 l", NewProduct(name: "Milk: 1 l")),
    ])
    func `what is typed is a number, a category or a name`(_ text: String, _ product: NewProduct) async throws {
        #expect(try await actions.entry(typed: text).product == product)
    }

    @Test func `a numbered product gets the name of the catalogue, and a second one is a question`() async throws {
        let list = try groceries.makeList("Week", by: "Ada").id
        let product = try await actions.entry(typed: "9520100001017").product
        let item = try #require(try await add(product, to: list))
        #expect(item.name == "Hazelnut Cocoa Spread")
        guard case .duplicate(let known, .gtin) = try await actions.add(NewEntry(product: product), to: list, by: "Ada")
        else {
            Issue.record("it was added twice")
            return
        }
        #expect(known.id == item.id)
        #expect(try await actions.entry(item.product, typed: "").product.gtin == item.gtin)
        #expect(await status { _ = try await actions.entry(item.product + 1, typed: "").product } == 404)
    }

    // MARK: Photos

    private func store(_ outcome: Outcome, as id: String) throws {
        let path = try #require(FilePathBytes("/in/\(id.suffix(4)).jpg"))
        let identity = FileIdentity(device: 1, inode: UInt64(id.suffix(4)) ?? 1, size: 1, modified: 1, changed: 1)
        try home.store.enqueue([FoundFile(path: path, relativePath: path, identity: identity)]) {
            $0.path.appending(suffix: ".json")
        }
        let photo = try #require(try home.store.nextQueued(after: Data(), leavingOut: []))
        try home.store.finish(
            photo,
            FinishedPhoto(
                content: id, asked: "auto", answer: ReadAnswer(models: ["a": "1"]), status: .completed,
                json: try JSONCoding.encode(outcome)))
    }

    @Test(arguments: ["bread", "egg", "apple", "Apfel", "Brot"])
    func `the page Search finds the generic foods that a list proposes`(_ typed: String) async throws {
        let found = try await actions.search(typed, category: nil, tag: nil, limit: 10, for: "Ada")
        let proposed = try await actions.suggestions(for: typed, list: nil, limit: 10, for: "Ada")
        #expect(!found.others.isEmpty && found.others.map(\.name) == proposed.map(\.name))
        let content = GoodsContent(
            found: found.products, others: found.others, tags: [], categories: [],
            lists: [try groceries.makeList("Week", by: "Ada")])
        let query = GoodsQuery(FormBody(encoded: "q=\(typed)"))
        let page = GoodsPage(content, of: query, GroceryText(try PageRendering.texts(), today: groceries.today))
        let row = try #require(page.rows.first)
        #expect(row.field == "gtin" && row.product == nil)
        let html = try PageRendering.html(page)
        #expect(html.contains("name=\"gtin\" value=\"\(row.value)\""))
        // Its button adds it.
        let entry = try await actions.entry(typed: row.value)
        #expect(entry.product.name == row.name)
    }

    @Test func `a product that got another name is found by it, and keeps its prices`() async throws {
        let product = try await actions.product(of: NewProduct(name: "33.7 KB"), by: "Ada").id
        let place = try await actions.place(typed: NewPlace(name: "Edeka"), by: "Ada").id
        _ = try await actions.record(try price("1.20"), of: product, at: place, by: "Ada")
        #expect(try await actions.suggestions(for: "33.7", list: nil, limit: 3, for: "Ada").first?.product == product)
        // As long as the old name.
        #expect(try await actions.rename(product, to: "Kefirkb").name == "Kefirkb")
        let found = try await actions.suggestions(for: "Kefirkb", list: nil, limit: 3, for: "Ada")
        #expect(found.first?.product == product)
        #expect(try await actions.search("kefir", category: nil, tag: nil, limit: 3, for: "Ada").products.count == 1)
        #expect(try groceries.prices(of: product).count == 1)
        #expect(await status { _ = try await actions.rename(product, to: " ") } == 400)
        #expect(await status { _ = try await actions.rename(999, to: "x") } == 404)
    }

    @Test func `the page of a receipt asks for an unread currency, and changes accepted prices`() async throws {
        let id = "sha256:" + String(repeating: "4", count: 64)
        var outcome = try GroceryHome.outcome(id)
        outcome.receipt = Receipt(items: [.init(name: value("Tacos"), amount: value("7.00"))])
        outcome.receipt?.total = value("7.00")
        outcome.receipt?.currency = value("USD", 0.6)
        #expect(outcome.title == "7.00", "a guess is no mark")
        try store(outcome, as: id)
        let known = try await actions.product(of: NewProduct(name: "Brot"), by: "Ada")
        let place = try await actions.place(typed: NewPlace(name: "Edeka"), by: "Ada").id
        _ = try await actions.record(try price("1.20"), of: known.id, at: place, by: "Ada")
        let language = PageLanguage(
            texts: try PageRendering.texts(),
            wording: try #require(try Wordings(from: ModelFolder(Repository.models))["en"]))
        func page(_ form: String) async throws -> ReceiptPage {
            let form = ReceiptForm(FormBody(encoded: form))
            let content = try await actions.receiptContent(id, apart: [], for: "Ada")
            return ReceiptPage(content, form, language)
        }
        let first = try await page("")
        #expect(first.currency.isEmpty && first.asked != nil && first.currencies == ["EUR"])
        #expect(first.total == "7.00" && !first.check.contains("€"))
        #expect(try await page("money=EUR").currency == "EUR")
        let day = try #require(first.proposed == nil ? nil : first.date)
        let form = try PageRendering.html(first)
        #expect(form.firstMatch(of: /id="da"[^>]*aria-describedby="dp">\s*<span[^>]*id="dp">Proposed:/) != nil)
        #expect(try await page("date=\(day)").proposed != nil, "the proposal was sent back unchanged")
        #expect(try await page("date=2026-11-19").proposed == nil)
        #expect(try await page("date=").proposed == nil)
        #expect(try await page("total=7.10&currency=").check.contains("the total that was typed"))
        func send(_ form: String) async throws -> ReceiptReport {
            let content = try await actions.receiptContent(id, apart: [], for: "Ada")
            let answer = try ReceiptForm(FormBody(encoded: form)).answer(content)
            return try await actions.accept(receipt: id, answer, by: "Ada")
        }
        let head = "date=2026-11-20&shop=Mustang"
        #expect(await status { _ = try await send(head + "&currency=") } == 400)
        #expect(try await send(head + "&currency=eur").accepted == 1)
        let accepted = try await page("")
        #expect(accepted.currency == "EUR" && accepted.accept == nil && accepted.lines[0].form != nil)
        let line = "&name0=Tacos&price0=7.00&count0=1&per0=piece"
        #expect(try await page(head + "&currency=EUR" + line).accept == nil, "nothing differs")
        #expect(try await page(head + "&currency=USD" + line).accept == "Change 1 accepted")
        #expect(try await send(head + "&currency=USD" + line).changed == 1)
        let product = try #require(try groceries.products(matching: "Tacos").first).id
        #expect(try groceries.prices(of: product).map(\.price.currency.code) == ["USD"])
    }

    @Test func `a photo gives the product of its barcode, and the prices of its receipt`() async throws {
        let (coded, receipt) = (
            "sha256:" + String(repeating: "1", count: 64), "sha256:" + String(repeating: "2", count: 64)
        )
        let list = try groceries.makeList("Week", by: "Ada").id
        await #expect(throws: GroceryProblem.noPhoto(coded)) {
            try await actions.scanned(coded, for: list, of: "Ada")
        }
        var outcome = try GroceryHome.outcome(coded)
        outcome.products = [Product(gtin: "09520100001017", name: nil, findings: [])]
        try store(outcome, as: coded)
        let content = try #require(try await actions.scanned(coded, for: list, of: "Ada"))
        #expect(content.product.name == "Hazelnut Cocoa Spread")
        #expect(await status { _ = try await actions.scanned(coded, for: list, of: "Zoë") } == 404)
        outcome.products = nil
        outcome.id = receipt
        outcome.receipt = Receipt(items: [.init(name: value("Milk"), amount: value("1.20"))])
        try store(outcome, as: receipt)
        #expect(try await actions.scanned(receipt, for: list, of: "Ada") == nil, "a receipt has no barcode")
        let report = try await actions.recordPrices(ofPhoto: receipt, place: nil, date: nil, by: "Ada")
        #expect(report.waiting == 1)
        #expect(try groceries.reviews(of: receipt).map(\.contributor) == ["Ada"])
        let unknown = "sha256:" + String(repeating: "3", count: 64)
        #expect(
            await status { _ = try await actions.recordPrices(ofPhoto: unknown, place: nil, date: nil, by: "Ada") }
                == 404
        )
    }

    // MARK: Prices

    @Test func `a price is accepted, or waits for somebody else`() async throws {
        let product = try await actions.product(of: NewProduct(name: "Milk"), by: "Ada").id
        let greenfield = try await actions.place(typed: NewPlace(name: "Greenfield", city: "Ashford"), by: "Ada").id
        #expect(try await actions.place(typed: NewPlace(name: "Greenfield"), by: "Zoë").id == greenfield)
        #expect(try await actions.place(typed: NewPlace(name: "Greenfield, Ashford"), by: "Zoë").id == greenfield)
        for shop in ["Greenfield", "Harbour", "Corner Shop"] {
            let place = try await actions.place(typed: NewPlace(name: shop), by: "Ada").id
            let recorded = try await actions.record(try price("1.20"), of: product, at: place, by: "Ada")
            #expect(PriceState(recorded).state == .accepted)
        }
        let waiting = PriceState(try await actions.record(try price("120"), of: product, at: greenfield, by: "Ada"))
        #expect(waiting.state == .waiting && waiting.reason == .outlier)
        let review = try #require(waiting.id)
        #expect(await status { _ = try await actions.decide(review, ReviewAnswer(isAccepted: true), by: "Ada") } == 409)
        let decided = try await actions.decide(review, ReviewAnswer(isAccepted: false), by: "Zoë")
        #expect(PriceState(decided).state == .rejected)
        #expect(try groceries.reputation(of: "Ada").rejected == 0, "Zoë has not contributed anything")
        #expect(
            await status { _ = try await actions.record(try price("1"), of: nil, at: greenfield, by: "Ada") } == 400)
    }

    @Test func `a product keeps its tags with their colours, and its aisle is one that lists have`() async throws {
        let product = try await actions.product(of: NewProduct(name: "Milk"), by: "Ada").id
        let form = FormBody(
            encoded: "tag:fresh=yes&colour:fresh=%2300aa00&colour:old=%23111111&newtag=white&newcolour=%23fafafa")
        _ = try groceries.setTags(form.tags, of: product, by: "Ada")
        #expect(
            try groceries.known(product: product).tags == [
                GroceryTag(name: "fresh", colour: "#00aa00"), GroceryTag(name: "white", colour: "#fafafa"),
            ])
        #expect(await status { _ = try groceries.setTags([], of: product + 1, by: "Ada") } == 404)
        try await actions.setAisle("other", of: product)
        #expect(try groceries.known(product: product).aisle == "other")
        #expect(try groceries.products(category: "other").map(\.id) == [product])
        #expect(await status { try await actions.setAisle("attic", of: product) } == 400)
    }

    @Test func `a confirmed card of a tag stores price, aisle and tags, and adds the product once`() async throws {
        let photo = "sha256:" + String(repeating: "3", count: 64)
        var outcome = try GroceryHome.outcome(photo)
        var tag = PriceTag()
        (tag.product, tag.price, tag.currency) = (value("Red lentils"), value("2.49"), value("EUR"))
        outcome.priceTag = tag
        try store(outcome, as: photo)
        _ = try await actions.recordPrices(ofPhoto: photo, place: nil, date: nil, by: "Ada")
        let list = try groceries.makeList("Week", by: "Ada").id
        let content = try #require(try await actions.scanned(photo, for: list, of: "Ada"))
        #expect(content.product.name == "Red lentils" && content.waiting?.draft.amount == "2.49")
        // A price without a shop stores nothing.
        #expect(throws: Problem.self) {
            try FormBody(encoded: "name=Red+lentils&amount=2.49&currency=EUR").card(of: content)
        }
        let form = FormBody(
            encoded: "name=Red+lentils&quantity=2&amount=2,39&currency=EUR&shop=Greenfield&aisle=other&newtag=dry")
        guard case .added(let item) = try await actions.add(try form.card(of: content), to: list, by: "Ada") else {
            Issue.record("it is no duplicate")
            return
        }
        #expect(item.quantity == 2000 && item.aisle == "other" && item.tags == ["dry"])
        let prices = try groceries.prices(of: item.product, limit: 5)
        #expect(prices.map(\.price.digits) == ["2.39"])
        // The tag says 2.49: what a person typed instead is not proved by it.
        #expect(prices.map(\.proof) == [.typed])
        #expect(try groceries.reviews(of: photo).isEmpty)
    }

    @Test(arguments: [(1, "0 0 950 380"), (2, "75 225 350 200")])
    func `a product's picture is all print of its packet, or what is around its own code`(
        _ codes: Int, _ shown: String
    ) throws {
        var outcome = Outcome(
            id: "sha256:1",
            source: .init(path: try #require(FilePathBytes("p.jpg")), bytes: 1, width: 1000, height: 800),
            status: .completed, versions: .init(tablesight: "test"))
        func code(_ text: String, _ x: Double) -> BarcodeReading {
            BarcodeReading(
                format: "EAN-13", text: text, gtin: "0" + text, confidence: 1,
                corners: Quad(x: x, y: 300, width: 100, height: 50).corners, rescue: "none")
        }
        outcome.readings.barcodes = Array([code("9520100001017", 200), code("9520100001116", 700)].prefix(codes))
        outcome.readings.text = TextReading(
            languages: [],
            lines: [TextLine(text: "Oats", confidence: 1, box: Quad(x: 10, y: 20, width: 900, height: 40), words: [])])
        let picture = try #require(ProductPicture(of: "09520100001017", on: outcome)).overlay
        #expect(picture.viewBox == shown)
        #expect(ProductPicture(of: "09520100001116", on: outcome) == nil || codes == 2)
    }
}
