import Foods
import Core
import Foundation
import Groceries

/// Amounts, quantities, ages and names of the shop's pages in the reader's language.
struct GroceryText {
    let texts: PageTexts
    let today: Day
    private let days: DiaryText
    private let locale: Locale

    init(_ texts: PageTexts, today: Day) {
        self.texts = texts
        self.today = today
        days = DiaryText(texts)
        locale = Locale(identifier: texts.language == "en" ? "en_GB" : texts.language)
    }

    // MARK: Amounts

    /// `£2.15`, `2,15 €`; four decimals only where an amount has them.
    func money(_ money: Money) -> String {
        let style = Decimal.FormatStyle.Currency(code: money.currency.code, locale: locale)
        return money.amount.formatted(money.parts % 100 == 0 ? style : style.precision(.fractionLength(2...4)))
    }

    /// `£19.30 to £19.95`, or one amount where both read the same.
    func range(_ low: Money, _ high: Money) -> String {
        // A range is no exact figure: hundredths are enough.
        let (from, to) = (money(low.rounded), money(high.rounded))
        return from == to ? from : texts.text("shop.range", ["low": from, "high": to])
    }

    /// `2 ×`, `1.5 kg`; empty for one piece.
    func quantity(_ thousandths: Int64, _ unit: PriceUnit) -> String {
        if unit == .piece { return thousandths == 1000 ? "" : "\(number(thousandths)) ×" }
        return "\(number(thousandths)) \(texts.text("shop.unit.\(unit.rawValue)"))"
    }

    /// Thousandths with at most three decimals.
    func number(_ thousandths: Int64) -> String {
        (Decimal(thousandths) / 1000).formatted(
            .number.locale(locale).grouping(.never).precision(.fractionLength(0...3)))
    }

    /// `per kg`; empty for a piece.
    func per(_ unit: PriceUnit) -> String {
        unit == .piece ? "" : texts.text("shop.per", ["unit": texts.text("shop.unit.\(unit.rawValue)")])
    }

    func price(_ price: Money, _ unit: PriceUnit) -> String {
        unit == .piece ? money(price) : "\(money(price)) \(per(unit))"
    }

    func unitPrice(_ unit: UnitPrice) -> String { price(unit.price.rounded, unit.per) }

    /// `500 g`, `1.5 l`
    func pack(_ pack: PackSize) -> String {
        let isLarge = pack.thousandths >= 1_000_000
        let unit = pack.dimension == .mass ? (isLarge ? "kg" : "g") : (isLarge ? "l" : "ml")
        return "\(number(isLarge ? pack.thousandths / 1000 : pack.thousandths)) \(unit)"
    }

    // MARK: Days

    /// `today`, `yesterday`, `41 days old`, `7 months old`, `6 years old`
    func age(_ day: Day) -> String {
        switch today.number - day.number {
        case ...0: texts.text("diary.today.word")
        case 1: texts.text("diary.yesterday")
        case let days where days < 61: texts.text("shop.age", ["n": "\(days)"])
        case let days where days < 730: texts.text("shop.age.months", ["n": "\(days / 30)"])
        case let days: texts.text("shop.age.years", ["n": "\(days / 365)"])
        }
    }

    /// `21 November 2026`
    func date(_ day: Day) -> String { "\(days.short(day)) \(day.components.year)" }
    func date(_ instant: Date) -> String { date(Day(of: instant, in: .gmt)) }

    // MARK: Names

    /// Brand, package and category of a product.
    func facts(_ product: GroceryProduct) -> String {
        let loose = product.gtin == nil ? product.category.map { category($0) } : nil
        // Loose goods often have the name of their category.
        let own = loose?.lowercased() == product.name.lowercased() ? nil : loose
        return [product.brand, product.pack.map(pack), own].compactMap { $0 }.joined(separator: ", ")
    }

    /// `en:fresh-bananas` → `fresh bananas`; an aisle in the reader's language.
    func category(_ name: String) -> String {
        if texts.has("aisle.\(name)") { return texts.text("aisle.\(name)") }
        return String(name.split(separator: ":").last ?? "").replacing("-", with: " ")
    }

    func level(_ name: String) -> String {
        let key = "rank.\(name.lowercased().replacing(" ", with: ""))"
        return texts.has(key) ? texts.text(key) : name
    }

    /// `1 item`, `7 items`
    func count(_ key: String, _ number: Int) -> String {
        texts.text(key, ["n": "\(number)"])
    }

    /// A contributor; a word for somebody whose data was erased.
    func contributor(_ name: String?) -> String { name ?? texts.text("shop.nobody") }

    /// Name and level of somebody who contributed a price; nil for a price of nobody.
    func contributed(_ name: String?, _ levels: [String: String]) -> String? {
        name.map { name in [name, levels[name].map { level($0) }].compactMap { $0 }.joined(separator: ", ") }
    }
}
