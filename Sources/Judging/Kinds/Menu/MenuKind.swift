import Allergens
import Core
import Documents

/// Dishes with prices, and what each person must avoid of them.
package struct MenuKind: PhotoKind {
    package static let domain = Outcome.Domain.menu

    package init(_ readers: KindReaders) {}

    package func evidence(on print: PagePrint) -> Features {
        var features = Features()
        let menu = print.evidence.menu
        features["m.dishes"] = min(1, Double(menu.dishes) / 8)
        features.set("m.noDish", menu.dishes == 0)
        features["m.priced"] = min(1, Double(menu.pricedDishes) / 4)
        features["m.pricedShare"] = Double(menu.pricedDishes) / Double(max(1, menu.dishes))
        features["m.sections"] = min(1, Double(menu.namedSections) / 3)
        features["m.certainty"] = menu.certainty
        features.set("m.heading", menu.hasHeading)
        features["m.legend"] = min(1, Double(menu.legendCodes) / 4)
        features["m.layout"] = menu.layoutConfidence
        for (name, value) in zip(Self.layout, menu.layout) { features[name] = value }
        features["m.food"] = print.evidence.foodShare
        features["m.foodDishes"] = print.evidence.foodShare * min(1, Double(menu.dishes) / 8)
        return features
    }

    /// The layout's features that also tell pages with dishes from others, by `PageFeatures.names`.
    private static let layout: [FeatureName] = [
        "m.expectedF1", "m.nameMargin", "m.worstMargins", "m.unsureShare", "m.reading", "m.badlyRead",
        "m.evenlyPriced", "m.pricesUsed", "m.evenlyDescribed", "m.echoingNames", "m.manyPrices", "m.logDishes",
        "m.unassigned", "m.oddNames", "m.oneWordNames", "m.entropy", "m.unsureNames", "m.likelyMissed",
    ]

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        // The menu depends on these dishes, so they are part of its versions.
        if !photo.house.isEmpty { outcome.versions.models["kitchen"] = DeclaredDish.version(of: photo.house) }
        outcome.menu = photo.print?.text.menu(for: photo.profiles, house: photo.house, reviews: photo.reviews)
    }

    package static func claims(in outcome: Outcome) -> [Claim] {
        // The layout confidence is fitted to recognised pages, so it already accounts for misread words.
        outcome.menu.map { menu in
            [Claim("menu", menu.confidence?.score ?? Mean.of(menu.sections.flatMap(\.items).map(\.confidence)))]
        } ?? []
    }
}
