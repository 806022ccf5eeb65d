import Core
import Documents
import Foods

/// What a package says of its food: ingredients with their allergens, the nutrition table, dates of use.
package struct LabelKind: PhotoKind {
    package static let domain = Outcome.Domain.label
    let documents: DocumentReader
    let risk: LazyRisk

    package init(_ readers: KindReaders) { (documents, risk) = (readers.documents, readers.risk) }

    package func evidence(on print: PagePrint) -> Features {
        var features = documents.packageEvidence(on: print.rows)
        let label = print.evidence.label
        features.set("l.list", label.lists > 0)
        features["l.ingredients"] = min(1, Double(label.ingredients) / 10)
        features["l.known"] = label.knownShare
        features["l.commas"] = min(1, Double(label.commas) / 10)
        features["l.share"] = label.pageShare
        features.set("l.statement", label.hasStatement)
        // Beside dishes, only a date with words is one of use: menus print codes, prices and days.
        let isDay = features["p.date"] > 0 && features["p.datesNamed"] == 0 && print.evidence.menu.pricedDishes >= 2
        features.set("l.dayOfDishes", isDay)
        return features
    }

    /// Ingredients and warnings count on any page, so that losing to another kind loses no allergen. The dishes of a menu
    /// carry them themselves.
    package func isHeld(by photo: KindInput) -> Bool {
        if let forced = photo.forced { return forced == domain }
        guard let print = photo.print, let decision = photo.decision else { return false }
        if [.menu, domain].contains(decision.best) { return decision.best == domain }
        // Food that a shop weighed and packed has a price and a date of use on one label.
        if decision.best == .priceTag, documents.haveNamedDates(on: print.rows) { return true }
        let label = print.evidence.label
        return (label.lists > 0 || label.hasStatement) && !print.text.label(for: photo.profiles).findings.isEmpty
    }

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        guard let print = photo.print else { return }
        var label = print.text.label(for: photo.profiles)
        label.nutrition = documents.nutrition(from: print.rows)
        let dates = documents.dates(from: print.rows)
        label.dates = dates.isEmpty ? nil : dates
        label.assessment = assessment(of: label, print.reading, for: photo.profiles)
        outcome.label = label
    }

    package static func values(in outcome: Outcome) -> [NamedValue] {
        let dates = (outcome.label?.dates ?? []).map { date in
            NamedValue(date.kind.rawValue, ReadValue(value: date.value, confidence: date.confidence, box: date.box))
        }
        return (outcome.label?.nutrition?.values ?? []) + dates
    }

    package static func claims(in outcome: Outcome) -> [Claim] {
        guard let label = outcome.label else { return [] }
        var claims: [Claim] = []
        if let table = label.nutrition {
            claims.append(Claim("nutrition", Mean.of(table.values.map(\.value.confidence))))
        }
        if let best = label.dates?.map(\.confidence).max() { claims.append(Claim("dates", best)) }
        if !label.ingredients.isEmpty || claims.isEmpty {
            claims.append(Claim("ingredients", label.coverage.ocrQuality))
        }
        return claims
    }
}
