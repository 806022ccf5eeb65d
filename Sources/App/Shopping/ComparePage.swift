import Foods
import Groceries

/// Where a list is cheapest: places with their ranges, what all of them have, and two stops.
struct ComparePage: Page {
    static let template = "compare"
    static let styles = ["table", "shop"]

    struct Listed { let id, name: String }
    struct Answer { let head, text: String }
    struct Line {
        let product, name, facts, cost: String
        /// Age and range of an old price; nil for a recent one.
        let old: String?
    }

    /// An entry without a price at the place.
    struct Missing { let name, note: String }

    struct Place {
        let name, count, range, total: String
        /// How old its prices are.
        let note: String
        /// What the bar shows, in words.
        let label: String
        /// The style of the bar: `f1s`; `old` if more than half of its width comes from old prices.
        let style: String
        let bar: RangePlot.Bar
        /// What the entries cost that all places have.
        let common: String?
        let lines: [Line]
        let missing: [Missing]
    }

    struct Stop {
        let name: String
        let lines: [Line]
    }

    struct Split {
        let text: String
        let stops: [Stop]
    }

    struct OldPrice { let product, place, text, age: String }

    let lists: [ListLink]
    let hasMore: Bool
    var list: Listed?
    var count: String?
    var nothing: String?
    /// Entries whose prices are for other units.
    var units: [String] = []
    var currency: String?
    /// The other currencies with prices.
    var currencies: [String] = []
    var answer: Answer?
    var places: [Place] = []
    var axis: [RangePlot.Tick] = []
    var ageing: String?
    var commonText: String?
    /// Packages of different content.
    var packs: String?
    var split: Split?
    var old: [OldPrice] = []

    /// - Parameters:
    ///   - list: the one of the lists that is compared; nil for a person without lists.
    init(_ lists: [GroceryList], _ list: GroceryList?, _ report: ComparisonReport?, _ words: GroceryText) {
        let texts = words.texts
        self.lists = ListLink.all(lists, current: list)
        hasMore = lists.count > 1
        guard let list, let report else {
            nothing = texts.text("compare.nolist")
            return
        }
        let words = ComparisonText(report: report, words: words)
        self.list = Listed(id: "\(list.id)", name: list.name)
        count = words.words.count("list.items", report.entries)
        guard let group = report.currencies.first else {
            nothing = words.nothing
            return
        }
        units = words.otherUnits
        currency = group.currency.code
        currencies = report.currencies.dropFirst().map(\.currency.code)
        answer = words.answer(group)
        if let plot = PricePlots.ranges(group.cheapest.map { ($0.low, $0.total, $0.high) }, words: words.words) {
            places = words.places(group, plot.bars)
            axis = plot.axis
            ageing = texts.text("compare.old.text", ["n": "\(Int(report.halfLife.rounded()))"])
        }
        if let common = group.common {
            commonText = texts.text(
                "compare.common.text", ["n": "\(common.entries.count)", "names": texts.list(common.entries)])
        }
        if !group.packsDiffer.isEmpty {
            packs = texts.text("compare.packs", ["names": texts.list(group.packsDiffer)])
        }
        split = group.split.map { words.split($0) }
        old = words.old(group)
    }
}

private struct ComparisonText {
    let report: ComparisonReport
    let words: GroceryText

    /// The oldest prices that the page asks to look at again.
    private static let shownOld = 5

    private var texts: PageTexts { words.texts }

    /// Why there is no comparison.
    var nothing: String {
        let units = otherUnits
        let reason =
            report.entries == 0
            ? texts.text("compare.empty") : notEnough ?? (units.isEmpty ? texts.text("compare.noprices") : "")
        return ([reason] + units).filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: Places

    /// The cheapest place, or that none has enough, and whether the ranges allow to say so.
    func answer(_ group: ComparisonReport.Group) -> ComparePage.Answer {
        guard let first = group.cheapest.first else {
            return .init(
                head: texts.text("compare.notenough"), text: notEnough ?? texts.text("compare.notenough.text"))
        }
        let isSure = group.cheapest.dropFirst().allSatisfy { $0.low.parts > first.high.parts }
        var sentences = [
            texts.text(
                "compare.answer",
                ["range": words.range(first.low, first.high), "n": "\(first.lines.count)", "all": "\(report.entries)"])
        ]
        if !first.missing.isEmpty { sentences.append(without(first.missing)) }
        if let second = group.cheapest.dropFirst().first {
            let (saved, lost) = (first.high.parts - second.low.parts, second.high.parts - first.low.parts)
            func amount(_ parts: Int64) -> String {
                words.money(Money(parts: parts, currency: group.currency).rounded)
            }
            // Baskets of different content are not compared by their totals.
            if second.lines.count == first.lines.count, saved > 0, lost > 0 {
                sentences.append(
                    texts.text(
                        "compare.maybe",
                        ["place": second.placeName, "less": amount(saved), "more": amount(lost)]))
            }
        }
        return .init(
            head: isSure ? first.placeName : texts.text("compare.likely", ["place": first.placeName]),
            text: sentences.joined(separator: " "))
    }

    /// Which shop has most of the list, where none has enough; nil if one has, or none has anything.
    private var notEnough: String? {
        report.closest.map { closest in
            let most = texts.text(
                "compare.closest",
                ["place": closest.placeName, "n": "\(closest.count)", "all": "\(report.entries)"])
            return [texts.text("compare.notenough.text"), most, without(closest.missing)].joined(separator: " ")
        }
    }

    /// One sentence for each entry whose prices are for other units.
    var otherUnits: [String] {
        report.otherUnits.map { entry in
            let units = entry.units.map { texts.text("shop.unit.\($0.rawValue)") }
            return texts.text("compare.unit", ["name": entry.name, "units": texts.list(units)])
        }
    }

    private func without(_ names: [String]) -> String { texts.text("compare.without", ["names": texts.list(names)]) }

    func places(_ group: ComparisonReport.Group, _ bars: [RangePlot.Bar]) -> [ComparePage.Place] {
        let common = Dictionary(
            group.common?.totals.map { ($0.place, $0.total) } ?? [], uniquingKeysWith: { first, _ in first })
        return zip(group.cheapest, bars).map { basket, bar in
            let (range, total) = (words.range(basket.low, basket.high), words.money(basket.total))
            let name = basket.placeName
            return ComparePage.Place(
                name: name,
                count: known(basket),
                range: range, total: total, note: ages(basket.lines),
                label: texts.text("compare.bar", ["place": name, "range": range, "total": total]),
                style: isMostlyOld(basket) ? "old" : "f1s", bar: bar,
                common: common[basket.place].map { words.money($0) },
                lines: basket.lines.map(line),
                missing: basket.missing.map {
                    .init(name: $0, note: texts.text("compare.missing", ["place": name]))
                })
        }
    }

    /// How many of the entries have a price, and which have none: baskets of different content are not compared unsaid.
    private func known(_ basket: ComparisonReport.Basket) -> String {
        let count = texts.text("compare.known", ["n": "\(basket.lines.count)", "all": "\(report.entries)"])
        return basket.missing.isEmpty ? count : "\(count). \(without(basket.missing))"
    }

    private func ages(_ lines: [ComparisonReport.Line]) -> String {
        let old = lines.count(where: isOld)
        if old > 0 { return words.count("compare.oldprices", old) }
        return lines.map(\.date).min().map { texts.text("compare.oldest", ["age": words.age($0)]) } ?? ""
    }

    /// True for a price that is older than half of the half-life.
    private func isOld(_ line: ComparisonReport.Line) -> Bool {
        line.date.number < words.today.number - Int(report.halfLife / 2)
    }

    private func isMostlyOld(_ basket: ComparisonReport.Basket) -> Bool {
        func width(_ lines: some Sequence<ComparisonReport.Line>) -> Int64 {
            lines.reduce(0) { $0 + $1.high.parts - $1.low.parts }
        }
        return width(basket.lines.filter(isOld)) * 2 > width(basket.lines)
    }

    private func line(_ line: ComparisonReport.Line) -> ComparePage.Line {
        let age = words.age(line.date)
        let old =
            isOld(line)
            ? texts.text("compare.counts", ["age": age, "range": words.range(line.low, line.high)]) : nil
        return .init(
            product: "\(line.product)", name: line.name,
            facts: [line.productName, line.unitPrice.map { words.unitPrice($0) }, old == nil ? age : nil].compactMap {
                $0
            }
            .joined(separator: ", "), cost: words.money(line.cost), old: old)
    }

    // MARK: Two stops

    func split(_ split: ComparisonReport.Split) -> ComparePage.Split {
        let stops = zip(split.places, split.placeNames).map { place, name in
            ComparePage.Stop(name: name, lines: split.lines.filter { $0.place == place }.map(line))
        }
        var sentences = [texts.text("compare.split.total", ["total": words.money(split.total)])]
        if let saves = split.saves {
            sentences.append(
                saves.parts > 0
                    ? texts.text("compare.saves", ["amount": words.money(saves)]) : texts.text("compare.saves.nothing"))
        }
        if !split.added.isEmpty {
            sentences.append(texts.text("compare.added", ["names": texts.list(split.added)]))
        }
        if !split.missing.isEmpty { sentences.append(without(split.missing)) }
        return .init(text: sentences.joined(separator: " "), stops: stops)
    }

    // MARK: Old prices

    /// The oldest of the old prices of the shown places.
    func old(_ group: ComparisonReport.Group) -> [ComparePage.OldPrice] {
        let aged = group.cheapest.flatMap { basket in
            basket.lines.filter(isOld).map { (line: $0, place: basket.placeName) }
        }
        return aged.sorted { $0.line.date < $1.line.date }.prefix(Self.shownOld).map { line, place in
            .init(
                product: "\(line.product)", place: "\(line.place)",
                text: texts.text("compare.at", ["name": line.name, "place": place]), age: words.age(line.date))
        }
    }
}
