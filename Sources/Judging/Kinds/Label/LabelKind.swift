import Core
import Documents
import Risk

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
        return features
    }

    /// Ingredients on any page still warn.
    package func isHeld(by photo: JudgedPhoto) -> Bool {
        if photo.forced != nil { return photo.forced == domain }
        guard let print = photo.print, let best = photo.decision?.best, best != domain else {
            return photo.decision?.best == domain || photo.print.map(hasIngredients) == true
        }
        return best != .menu && hasIngredients(print)
    }

    private func hasIngredients(_ print: PagePrint) -> Bool {
        print.evidence.label.lists > 0 && print.evidence.label.ingredients >= 2
    }

    package func judge(_ photo: JudgedPhoto, into outcome: inout Outcome) {
        guard let print = photo.print else { return }
        var label = print.text.label(for: photo.profiles)
        label.nutrition = documents.nutrition(from: print.rows)
        let dates = documents.dates(from: print.rows)
        label.dates = dates.isEmpty ? nil : dates
        label.assessment = assessment(of: label, print.reading, for: photo.profiles)
        outcome.label = label
    }

    package static func confidence(in outcome: Outcome) -> Double? { outcome.label?.coverage.ocrQuality }
}
