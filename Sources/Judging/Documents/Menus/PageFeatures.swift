import Foundation
import Core

/// Features of a page that indicate how well it was interpreted, without ground truth. The layout confidence is
/// fitted to them.
public struct PageFeatures: Sendable {
    /// The names of the features, in the order of `values`.
    public static let names = [
        "expectedF1", "meanNameMargin", "worstMargins", "unsureShare", "reading", "badlyRead", "evenlyPriced",
        "pricesUsed", "evenlyDescribed", "echoingNames", "manyPrices", "dishes", "unassigned", "oddNames",
        "oneWordNames", "meanEntropy", "unsureNames", "likelyMissed", "aloneInSection",
    ]
    public let values: [Double]

    /// The features of a page without content.
    static let nothing = PageFeatures(values: [Double](repeating: 0, count: names.count))

    private init(values: [Double]) { self.values = values }

    init(
        _ layout: PageLayout, _ roles: [MenuRole], _ probabilities: [[Float]], _ dishes: [DishAssembler.Dish],
        _ sections: [MenuPage.Section], lost: Int
    ) {
        guard !probabilities.isEmpty, !dishes.isEmpty else {
            self = .nothing
            return
        }
        let name = Int(MenuRole.dish.rawValue)
        let count = Double(probabilities.count)
        let margins = probabilities.map { row -> Double in
            let sorted = row.sorted(by: >)
            return Double(sorted[0] - sorted[1])
        }
        let names = roles.indices.filter { roles[$0] == .dish }
        let chances = probabilities.map { Double($0[name]) }
        let sum = chances.reduce(0, +)
        let expected = 2 * names.reduce(0) { $0 + chances[$1] } / max(1e-6, Double(names.count) + sum)
        let worst = margins.sorted().prefix(max(1, probabilities.count / 5))
        let letters = layout.texts.map { Double($0.segment.text.count) }
        let total = max(1, letters.reduce(0, +))
        let sure = zip(layout.texts, letters).reduce(0) { $0 + $1.0.segment.confidence * $1.1 }
        let bad = zip(layout.texts, letters).reduce(0) { $0 + ($1.0.segment.confidence < 0.7 ? $1.1 : 0) }
        let left = zip(roles, letters).reduce(0) { $0 + ([.other, .priceHead].contains($1.0) ? $1.1 : 0) }
        let found = Double(dishes.count)
        let priced = Double(dishes.count { $0.hasPrice }) / found
        let described = Double(dishes.count { !$0.description.isEmpty }) / found
        let texts = sections.flatMap(\.dishes).map { $0.name.joined().map(\.text).joined(separator: " ") }
        let entropy = probabilities.reduce(0.0) { $0 + Self.entropy($1) }
        let missed = probabilities.indices.reduce(0.0) { $0 + (roles[$1] == .dish ? 0 : chances[$1]) }
        let margin = names.reduce(0.0) { $0 + margins[$1] } / max(1, Double(names.count))
        let noPrice = Double(lost) / Double(max(1, layout.prices.count))
        let unsure: Double = Double(margins.count { $0 < 0.7 }) / count
        let many: Double = Double(dishes.count { $0.own.count > 3 }) / found
        let odd: Double = Double(texts.count { $0.count < 4 || $0.count > 60 }) / found
        let single: Double = Double(texts.count { !$0.contains(" ") }) / found
        let doubtful: Double = Double(names.count { chances[$0] < 0.8 }) / max(1, Double(names.count))
        let worstMean: Double = worst.reduce(0, +) / Double(worst.count)
        let reading: [Double] = [
            sure / total, bad / total, max(priced, 1 - priced), 1 - noPrice, abs(2 * described - 1),
        ]
        // A heading above each single dish is the dish, more often than not.
        let alone: Double =
            Double(sections.count { !$0.title.isEmpty && $0.dishes.count == 1 }) / max(1, Double(texts.count))
        let shape: [Double] = [Self.nearDuplicates(texts), many, log1p(found), left / total, odd, single]
        values =
            [expected, margin, worstMean, unsure] + reading + shape + [
                entropy / count, doubtful, missed / max(1, found), alone,
            ]
    }

    private static func entropy(_ row: [Float]) -> Double {
        var sum = 0.0
        for value in row where value > 0 { sum -= Double(value * Foundation.log(value)) }
        return sum
    }

    /// Share of names that share most of their trigrams with another name. A high share indicates sizes and extras
    /// mistaken for dishes.
    private static func nearDuplicates(_ names: [String]) -> Double {
        let grams = names.map { name -> [UInt32] in
            TextTraits.trigrams(of: Array(Folding.words(of: name).joined(separator: " ").utf8))
        }
        let echoing = grams.indices.count { one in
            !grams[one].isEmpty
                && grams.indices.contains { $0 != one && TextTraits.similarity(grams[one], grams[$0]) > 0.6 }
        }
        return Double(echoing) / Double(max(1, names.count))
    }
}
