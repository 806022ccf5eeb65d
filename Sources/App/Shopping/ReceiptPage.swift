import Foods
import Core
import Foundation
import Groceries
import HTTP
import Household

/// A receipt: shop, date and total once, the lines, and one button that accepts them.
struct ReceiptPage: Page {
    static let template = "receipt"
    static let styles = ["form", "result", "receipt"]

    struct Line {
        let n, title, facts, amount: String
        let isUnsure, isNew: Bool
        /// Why a person should look at it.
        let check: String?
        /// What its name warns of.
        let chips: [ListChip]
        /// How many printed lines it has, if several.
        let merged: String?
        let form: Form?
        /// What was printed and what became of a line without a form.
        let note: String?
    }

    struct Form {
        let n, photo, name, product, count, price: String
        /// What the price may count by.
        let units: [Choice]
        let crop: PhotoOverlay?
        let median: String?
        /// Other products that the line may mean.
        let options: [Choice]
        let isMerged, isApart, isSeen, isNot: Bool
        let save, keepApart: String
        /// The button that accepts this line alone; nil for a line that was decided.
        let acceptOne: String?
    }

    let photo: String
    /// The whole photo, upright.
    let whole: PhotoOverlay?
    let heading: String
    /// The shop's short name on its badge.
    let badge: String
    /// Street and day.
    let facts: String
    let total, check: String
    let isRight: Bool
    let shop, date, today, currency, totalDigits: String
    /// Asks for the currency where none was read; nil where one was.
    let asked: String?
    /// The household's currencies, for an answer by one tap.
    let currencies: [String]
    /// True if something of the head should be looked at.
    let isOpen: Bool
    /// Why the date is only a proposal; nil for a date that was read or typed.
    let proposed: String?
    let count: String
    let lines: [Line]
    let shops, known: [String]
    let accept, tick: String?
    let hasDock: Bool
    /// Asked once prices were accepted.
    let rating: RatingPrompt?

    private static let proposedShops = 200

    /// - Parameter isAnswered: true once prices were accepted.
    init(_ content: ReceiptContent, _ form: ReceiptForm, _ language: PageLanguage, isAnswered: Bool = false) {
        let (reading, body, texts) = (content.reading, form.body, language.texts)
        let words = GroceryText(texts, today: content.today)
        let corrections = (try? form.corrections(content)) ?? [:]
        let typedTotal = form.total(reading)
        let sum = reading.sum(with: corrections, total: typedTotal)
        let place = content.places.first { $0.id == reading.place }
        func typed(_ name: String, _ usual: String?) -> String { body.has(name) ? body[name] : usual ?? "" }
        shop = typed("shop", place?.label ?? reading.merchant)
        date = typed("date", reading.date?.description)
        // The person chooses what was not read.
        currency = form.currency ?? (body.has("currency") ? "" : reading.currency ?? "")
        let isChosen = reading.isCurrencyPrinted || reading.lines.contains { $0.accepted != nil }
        asked =
            isChosen && reading.currency != nil
            ? nil : texts.text(reading.currency == nil ? "receipt.nocurrency" : "receipt.othercurrency")
        currencies = reading.currency == nil ? content.currencies.filter { [currency] in $0 != currency } : []
        totalDigits = typed("total", reading.total)
        let shared = SharedVerdicts(household: content.household, language: language)
        let text = ReceiptText(content: content, words: words, currency: currency, shared: shared)
        photo = reading.photo
        let (source, turns) = (content.outcome.source, content.outcome.quarterTurns)
        whole = source.width.flatMap { width in
            source.height.map { height in
                PhotoOverlay(
                    image: "/v1/outcomes/\(reading.photo)/image", width: width, height: height, quarters: turns,
                    items: [], underlines: [], words: [])
            }
        }
        let name = shop.split(separator: ",").first.map(String.init) ?? ""
        heading = name.isEmpty ? texts.text("receipt.noshop") : name
        let first = name.split(separator: " ").first ?? ""
        badge = String(first.prefix(first.count > 5 ? 1 : 5))
        let street = place?.address ?? reading.address
        facts = [street, Day(date).map { words.date($0) }].compactMap { $0 }.joined(separator: " · ")
        total = totalDigits.isEmpty ? "" : text.money(totalDigits)
        let isComputed = content.outcome.receipt?.total?.derived == true
        let kind = typedTotal != nil ? "typed" : isComputed ? "computed" : "printed"
        (check, isRight) = text.check(sum, total: totalDigits, texts.text("receipt.total.\(kind)"))
        today = content.today.description
        isOpen = shop.isEmpty || date.isEmpty || reading.currency == nil || !reading.isDateSure
        proposed =
            reading.isDateSure || date.isEmpty || date != reading.date?.description
            ? nil : texts.text(reading.isPhotoDate ? "receipt.photodate" : "receipt.datecheck")
        lines = reading.lines.map { text.line($0, corrections[$0.line], form) }
        count = words.count("receipt.lines", lines.count)
        shops = content.places.prefix(Self.proposedShops).map(\.label)
        known = content.known
        let open = reading.lines.filter { $0.state == .waiting }
        let ready = open.count - sum.left.count
        let all = texts.text("receipt.all", ["n": "\(open.count)"])
        let accepts =
            ready == 0
            ? nil : sum.left.isEmpty ? all : texts.text("receipt.some", ["n": "\(ready)", "all": "\(open.count)"])
        let changes = form.changes(content)
        let change = changes == 0 ? nil : texts.text("receipt.change", ["n": "\(changes)"])
        let buttons = [accepts, change].compactMap { $0 }
        accept = buttons.isEmpty ? nil : buttons.joined(separator: ", ")
        let listed = Set(reading.lines.compactMap(\.entry)).count
        tick = listed == 0 ? nil : texts.text("receipt.tick", ["n": "\(listed)"])
        hasDock = accept != nil || tick != nil
        let own = content.places.filter { $0.id == reading.place }
        rating = !isAnswered ? nil : RatingPrompt(of: own, texts)
    }
}

private struct ReceiptText {
    let content: ReceiptContent
    let words: GroceryText
    let currency: String
    let shared: SharedVerdicts

    private var texts: PageTexts { words.texts }

    func money(_ digits: String) -> String {
        guard let parts = ReceiptReading.parts(digits), let currency = Currency(currency) else { return digits }
        return words.money(Money(parts: parts, currency: currency))
    }

    private func money(_ parts: Int64) -> String { money(Money(parts: parts, currency: .euro).digits) }

    /// Whether the lines make the total.
    ///
    /// - Parameter which: where the total is from, in words.
    func check(_ sum: ReceiptReading.Sum, total: String, _ which: String) -> (String, Bool) {
        guard let difference = sum.difference, let whole = ReceiptReading.parts(total.replacing(",", with: ".")) else {
            return (texts.text("receipt.check.none"), false)
        }
        let lines = words.count("receipt.lines", content.reading.lines.count)
        if difference == 0 {
            return (texts.text("receipt.check.right", ["lines": lines, "total": money(whole), "which": which]), true)
        }
        let key = difference > 0 ? "receipt.check.more" : "receipt.check.less"
        return (
            texts.text(key, ["total": money(whole), "difference": money(abs(difference)), "which": which]), false
        )
    }

    func line(_ line: ReceiptLine, _ correction: ReceiptCorrection?, _ form: ReceiptForm) -> ReceiptPage.Line {
        let product = correction?.product ?? (correction?.name == nil ? line.product : nil)
        let name = correction?.name ?? product.flatMap { content.names[$0] } ?? line.printed
        let (count, price) = (correction?.count ?? line.count, correction?.price ?? line.price)
        let isWaiting = line.state == .waiting
        let isNot = correction?.isProduct == false || line.state == .rejected && correction?.isProduct != true
        let isNew = isWaiting && product == nil && !isNot && (correction?.name != nil || !line.isNameless)
        let isUnsure = isWaiting && line.isUnsure && correction == nil
        let per = correction?.per ?? line.per
        let unit = per == .piece ? "" : " \(texts.text("shop.unit.\(per.rawValue)"))"
        let pieces = (count != "1" || per != .piece) && !price.isEmpty ? "\(count)\(unit) × \(price)" : nil
        let state: String? =
            switch line.state {
            case .accepted: texts.text("receipt.state.accepted")
            case .rejected: texts.text("receipt.state.rejected")
            case .priceless: texts.text("receipt.state.priceless")
            case .waiting:
                isNot
                    ? texts.text("receipt.state.rejected")
                    : line.entry != nil
                        ? texts.text("receipt.onlist") : product == nil ? nil : texts.text("receipt.bought")
            }
        let reason =
            line.isNameless
            ? "receipt.noname"
            : line.reason == .outlier
                ? "review.reason.outlier" : line.confidence < 0.85 ? "receipt.unclear" : "review.reason.product"
        return ReceiptPage.Line(
            n: "\(line.line)", title: isNew ? texts.quoted(name) : name,
            facts: [pieces, state].compactMap { $0 }.joined(separator: " · "), amount: line.amount,
            isUnsure: isUnsure, isNew: isNew, check: isUnsure ? texts.text(reason) : nil, chips: chips(line),
            merged: line.lines.count > 1 ? texts.text("receipt.merged", ["n": "\(line.lines.count)"]) : nil,
            form: line.hasForm
                ? fields(line, correction, form, name: name, product: product, count: count, price: price) : nil,
            note: isWaiting ? nil : texts.text("receipt.printed", ["text": line.printed]))
    }

    private func fields(
        _ line: ReceiptLine, _ correction: ReceiptCorrection?, _ form: ReceiptForm, name: String, product: Int64?,
        count: String, price: String
    ) -> ReceiptPage.Form {
        let (key, per) = (line.line, correction?.per ?? line.per)
        let options = ([line.product].compactMap { $0 } + line.candidates).filter { $0 != product }.compactMap { id in
            content.names[id].map { Choice(value: "\(key):\(id)", text: $0) }
        }
        return ReceiptPage.Form(
            n: "\(key)", photo: content.reading.photo, name: name, product: product.map { "\($0)" } ?? "",
            count: count, price: price, units: Choice.units(per, PriceUnit.allCases, texts), crop: crop(line),
            median: line.median.map { texts.text("prices.median", ["price": words.money($0)]) }, options: options,
            isMerged: line.lines.count > 1, isApart: form.apart.contains(key),
            isSeen: correction?.isChecked == true,
            isNot: correction?.isProduct == false || line.state == .rejected && correction?.isProduct != true,
            save: texts.text("receipt.save", ["name": name]), keepApart: texts.text("receipt.apart", ["name": name]),
            acceptOne: line.state == .waiting ? texts.text("receipt.one", ["name": name]) : nil)
    }

    private func chips(_ line: ReceiptLine) -> [ListChip] {
        let items = content.outcome.receipt?.items ?? []
        let printed = line.lines.first { items.indices.contains($0) }
        return shared.warnings(printed.flatMap { items[$0].verdicts } ?? [:])
    }

    private func crop(_ line: ReceiptLine) -> PhotoOverlay? {
        guard let width = content.outcome.source.width, let height = content.outcome.source.height,
            let items = content.outcome.receipt?.items
        else { return nil }
        let boxes = line.lines.flatMap { [items[$0].name.box, items[$0].amount.box] }.compactMap { $0 }
        guard let box = Quad(around: boxes) else { return nil }
        return PhotoOverlay(
            of: "/v1/outcomes/\(content.reading.photo)/image", width: width, height: height,
            quarters: content.outcome.quarterTurns, around: box, [])
    }
}

struct ReceiptContent: Sendable {
    var outcome: Outcome
    var reading: ReceiptReading
    var places: [GroceryPlace]
    /// Names of the products that the lines may mean.
    var names: [Int64: String]
    /// Names that a field proposes.
    var known: [String]
    /// Of the household's prices, the newest first.
    var currencies: [String]
    var today: Day
    /// Whom the names of the lines are judged for.
    var household: [AllergenProfile] = []

    static let proposed = 200
}

extension GroceryActions {
    func receiptContent(_ id: String, apart: Set<Int>, for person: String) throws -> ReceiptContent {
        let outcome = try outcome(ofPhoto: id)
        let reading = try receipt(outcome, apart: apart, for: person)
        var names: [Int64: String] = [:]
        for product in Set(reading.lines.flatMap { $0.candidates + [$0.product].compactMap { $0 } }) {
            names[product] = try groceries.product(product)?.name
        }
        return ReceiptContent(
            outcome: outcome, reading: reading, places: try groceries.places(for: person), names: names,
            known: try groceries.products(limit: ReceiptContent.proposed).map(\.name),
            currencies: try groceries.currencies(), today: today)
    }
}
