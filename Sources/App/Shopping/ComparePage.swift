import Baskets
import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird
import Meals

extension WebRoutes {
    func addCompare(to routes: RouterGroup<APIContext>) {
        routes.get("compare") { request, context in
            try await shopPage(request, context, section: "compare") { shopper in
                let query = FormBody(queryOf: request)
                let wanted = try Self.number(query["list"])
                let currency = query["currency"].isEmpty ? nil : Currency(query["currency"])
                guard query["currency"].isEmpty || currency != nil else {
                    throw Problem(400, "badRequest", "a currency is a code such as EUR")
                }
                let content = try await groceries.run { groceries in
                    let lists = try groceries.lists(of: shopper.person)
                    let list = try wanted.map { try groceries.list($0, of: shopper.person) } ?? lists.first
                    let report = try list.map {
                        ComparisonReport(try groceries.compare($0.id, for: shopper.person, currency: currency))
                    }
                    return CompareContent(lists: lists, list: list, report: report, today: groceries.today)
                }
                let texts = try language(request).texts
                return try page(
                    request, "compare", section: "compare", heading: texts.text("compare.head"),
                    ComparePage(content: content, texts: texts).values())
            }
        }
    }
}

/// What the page Compare shows.
struct CompareContent: Sendable {
    var lists: [GroceryList]
    /// Nil for a person without lists.
    var list: GroceryList?
    var report: ComparisonReport?
    var today: Day
}

/// Where a list is cheapest: places with their ranges, what all of them have, and two stops.
struct ComparePage {
    let content: CompareContent
    let texts: PageTexts

    /// The oldest prices that the page asks to look at again.
    private static let shownOld = 5

    private var words: GroceryText { GroceryText(texts, today: content.today) }

    func values() -> Values {
        var values: Values = [
            "lists": content.lists.map { list -> Values in
                ["id": "\(list.id)", "name": list.name, "isCurrent": list.id == content.list?.id]
            }, "hasMore": content.lists.count > 1,
        ]
        guard let list = content.list, let report = content.report else {
            values["nothing"] = texts.text("compare.nolist")
            return values
        }
        values["list"] = ["id": "\(list.id)", "name": list.name] as Values
        values["count"] = words.count("list.items", report.entries)
        let units = otherUnits(report)
        guard let group = report.currencies.first else {
            let reason =
                report.entries == 0
                ? texts.text("compare.empty")
                : notEnough(report) ?? (units.isEmpty ? texts.text("compare.noprices") : "")
            values["nothing"] = ([reason] + units).filter { !$0.isEmpty }.joined(separator: " ")
            return values
        }
        values["units"] = units
        values["currency"] = group.currency.code
        values["currencies"] = report.currencies.dropFirst().map(\.currency.code)
        values["answer"] = answer(group, of: report)
        if !group.cheapest.isEmpty {
            values["places"] = places(group, of: report)
            values["plot"] = PricePlots.ranges(
                group.cheapest.map { ($0.placeName, $0.low, $0.total, $0.high) }, words: words)
            values["plotText"] =
                texts.text("compare.plot") + ": "
                + group.cheapest.map { "\($0.placeName) \(words.range($0.low, $0.high))" }.joined(separator: "; ")
        }
        if let common = group.common {
            values["hasCommon"] = true
            values["commonText"] = texts.text(
                "compare.common.text", ["n": "\(common.entries.count)", "names": texts.list(common.entries)])
        }
        if !group.packsDiffer.isEmpty {
            values["packs"] = texts.text("compare.packs", ["names": texts.list(group.packsDiffer)])
        }
        if let split = group.split { values["split"] = self.split(split) }
        let old = self.old(group, of: report)
        values["old"] = old
        values["hasOld"] = !old.isEmpty
        return values
    }

    // MARK: Places

    /// The cheapest place, or that none has enough, and whether the ranges allow to say so.
    private func answer(_ group: ComparisonReport.Group, of report: ComparisonReport) -> Values {
        guard let first = group.cheapest.first else {
            return [
                "head": texts.text("compare.notenough"),
                "text": notEnough(report) ?? texts.text("compare.notenough.text"),
            ]
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
        return [
            "head": isSure ? first.placeName : texts.text("compare.likely", ["place": first.placeName]),
            "text": sentences.joined(separator: " "),
        ]
    }

    /// Which shop has most of the list, where none has enough; nil if one has, or none has anything.
    private func notEnough(_ report: ComparisonReport) -> String? {
        report.closest.map { closest in
            let most = texts.text(
                "compare.closest",
                ["place": closest.placeName, "n": "\(closest.count)", "all": "\(report.entries)"])
            return [texts.text("compare.notenough.text"), most, without(closest.missing)].joined(separator: " ")
        }
    }

    /// One sentence for each entry whose prices are for other units.
    private func otherUnits(_ report: ComparisonReport) -> [String] {
        report.otherUnits.map { entry in
            let units = entry.units.map { texts.text("shop.unit.\($0.rawValue)") }
            return texts.text("compare.unit", ["name": entry.name, "units": texts.list(units)])
        }
    }

    private func without(_ names: [String]) -> String { texts.text("compare.without", ["names": texts.list(names)]) }

    private func places(_ group: ComparisonReport.Group, of report: ComparisonReport) -> [Values] {
        let common = Dictionary(
            group.common?.totals.map { ($0.place, $0.total) } ?? [], uniquingKeysWith: { first, _ in first })
        return group.cheapest.map { basket in
            let days = basket.lines.map(\.date)
            var values: Values = [
                "name": basket.placeName,
                "count": texts.text("week.of", ["n": "\(basket.lines.count)", "all": "\(report.entries)"]),
                "range": words.range(basket.low, basket.high), "total": words.money(basket.total),
                "common": common[basket.place].map { words.money($0) } ?? "–",
                "lines": basket.lines.map(line), "missing": basket.missing.isEmpty ? false : without(basket.missing),
            ]
            if let newest = days.max(), let oldest = days.min() {
                values["ages"] =
                    newest == oldest
                    ? words.age(newest)
                    : texts.text("compare.ages", ["new": words.age(newest), "old": words.age(oldest)])
            }
            return values
        }
    }

    private func line(_ line: ComparisonReport.Line) -> Values {
        [
            "name": line.name, "product": "\(line.product)", "cost": words.money(line.cost),
            "facts": [line.unitPrice.map { words.unitPrice($0) }, words.age(line.date)].compactMap { $0 }
                .joined(separator: ", "),
        ]
    }

    // MARK: Two stops

    private func split(_ split: ComparisonReport.Split) -> Values {
        let stops = zip(split.places, split.placeNames).map { place, name -> Values in
            let lines = split.lines.filter { $0.place == place }
            return ["name": name, "lines": lines.map(line)]
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
        return ["text": sentences.joined(separator: " "), "stops": stops]
    }

    // MARK: Old prices

    /// Prices of the shown places that are older than half of the half-life, and entries without a price there; the
    /// cheapest place first.
    private func old(_ group: ComparisonReport.Group, of report: ComparisonReport) -> [Values] {
        let limit = content.today.number - Int(report.halfLife / 2)
        let aged = group.cheapest.flatMap { basket in
            basket.lines.filter { $0.date.number < limit }.map { (line: $0, place: basket.placeName) }
        }
        return aged.sorted { $0.line.date < $1.line.date }.prefix(Self.shownOld).map { line, place in
            [
                "text": texts.text("compare.at", ["name": line.name, "place": place]), "age": words.age(line.date),
                "product": "\(line.product)", "place": "\(line.place)",
            ]
        }
    }
}
