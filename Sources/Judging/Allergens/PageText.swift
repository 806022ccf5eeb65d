import Core
import Documents

/// The text of one photo, analysed once. It answers as a menu and as a label, whatever the photo shows: which of them it
/// is, others decide from the evidence.
public struct PageText: Sendable {
    let reading: TextReading
    let text: RecognizedText
    let analysis: TextAnalysis
    let lists: LabelParser.Layout
    let page: MenuJudge.Page
    let labels: LabelJudge
    let menus: MenuJudge

    /// The dishes with their verdicts. Even poor text gives a menu, with CANNOT_TELL verdicts.
    /// - Parameters:
    ///   - house: dishes of the same kitchen with known allergens.
    ///   - reviews: what people said of its dishes, oldest first.
    public func menu(
        for profiles: [AllergenProfile], house: [DeclaredDish] = [], reviews: [Review] = []
    ) -> Menu {
        var menu = menus.menu(
            from: text, page, analysis, profiles: profiles, house: house, reading: reading, reviews: reviews)
        if profiles.count > 1 { menu.household = menu.ranked(for: profiles.map(\.name)) }
        return menu
    }

    /// The ingredients with their verdicts. Even poor text gives a label, with CANNOT_TELL verdicts.
    public func label(for profiles: [AllergenProfile]) -> Label {
        labels.label(from: reading, text, analysis, lists, profiles: profiles)
    }

    /// What the page shows of a menu and of a list of ingredients.
    public var evidence: TextEvidence {
        let dishes = page.menu.sections.flatMap(\.dishes)
        let best = lists.lists.max { $0.total < $1.total }
        let letters = lists.lists.reduce(0) { $0 + $1.range.count }
        let words = analysis.tokens.indices.filter { !analysis.tokens[$0].isNumber }
        let foods = words.count { index in [.entry, .neutral, .trap].contains { analysis.has($0, at: index) } }
        return TextEvidence(
            menu: .init(
                dishes: dishes.count, pricedDishes: dishes.count { !$0.prices.isEmpty && $0.certainty >= 0.4 },
                namedSections: page.menu.sections.count { !$0.title.isEmpty },
                certainty: dishes.isEmpty ? 0 : dishes.reduce(0) { $0 + $1.certainty } / Double(dishes.count),
                hasHeading: page.hasHeading, legendCodes: page.legend.entries.count,
                layout: page.menu.features.values, layoutConfidence: menus.reader.confidence(in: page.menu)),
            label: .init(
                lists: lists.lists.count, ingredients: best?.total ?? 0,
                knownShare: best.map { 1 - $0.unknownRatio } ?? 0,
                commas: best.map { list in list.tokens.count { analysis.punctuation.hasBreak(before: $0) } } ?? 0,
                pageShare: min(1, Double(letters) / Double(max(1, text.characters.count))),
                hasStatement: lists.hasStatement),
            foodShare: words.isEmpty ? 0 : Double(foods) / Double(words.count))
    }
}

/// What a page shows of a menu and of a list of ingredients, measured whether it has one or not.
public struct TextEvidence: Sendable, Hashable {
    public var menu: MenuEvidence
    public var label: LabelEvidence
    /// Share of the page's words that name a food, 0…1.
    public var foodShare: Double
}

/// What a page shows of a menu, measured whether it is one or not.
public struct MenuEvidence: Sendable, Hashable {
    /// Numbers of dishes, of dishes with a price and a likely name, and of sections with a heading.
    public var dishes, pricedDishes, namedSections: Int
    /// Mean probability of the names, 0…1.
    public var certainty: Double
    /// True for a line that says "menu".
    public var hasHeading: Bool
    /// Number of codes that the page explains.
    public var legendCodes: Int
    /// The layout's features, by the order of `PageFeatures.names`.
    public var layout: [Double]
    /// Probability 0…1 that the dishes were found well, if the page is a menu.
    public var layoutConfidence: Double
}

/// What a page shows of a list of ingredients, measured whether it has one or not.
public struct LabelEvidence: Sendable, Hashable {
    /// Number of lists; of the longest one, the numbers of ingredients and of separators.
    public var lists, ingredients: Int
    /// Share of its ingredients that are in a lexicon, 0…1.
    public var knownShare: Double
    public var commas: Int
    /// Share of the page's letters in lists, 0…1.
    public var pageShare: Double
    /// True for a sentence such as "contains nuts" or "may contain traces of milk".
    public var hasStatement: Bool
}
