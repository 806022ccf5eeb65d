import Core

/// A verdict that differs after a change of lexicon, legend rules or profile.
package struct VerdictChange: Sendable, Hashable, Codable {
    /// The hash of the photo's content, `sha256:…`.
    package var id: String?
    package var path: String
    package var profile: String
    /// The name of the dish, `label`, or the 14 digits of a product.
    package var item: String
    package var allergen: Allergen
    /// Nil if the dish had no verdict before.
    package var before: AllergenVerdict.Kind?
    package var after: AllergenVerdict.Kind?

    /// The verdicts that differ between two judgements of one photo.
    package static func between(_ old: Outcome, _ new: Outcome) -> [VerdictChange] {
        between(JudgedOutcome(old), JudgedOutcome(new))
    }

    /// The verdicts that differ between two judgements of one photo.
    package static func between(_ old: JudgedOutcome, _ new: JudgedOutcome) -> [VerdictChange] {
        // Most photos have no change, so their tables are not built.
        guard old.items != new.items else { return [] }
        let before = old.table
        let after = new.table
        return Set(before.keys).union(after.keys).compactMap { key in
            before[key] == after[key]
                ? nil
                : VerdictChange(
                    id: new.id, path: new.path, profile: key.profile, item: key.item, allergen: key.allergen,
                    before: before[key], after: after[key])
        }.sorted { ($0.profile, $0.item, $0.allergen.rawValue) < ($1.profile, $1.item, $1.allergen.rawValue) }
    }
}
