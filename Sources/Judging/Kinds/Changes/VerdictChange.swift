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

    /// The changes that a person must know of: a warning that was missing before, or an absence claim that is retracted.
    ///
    /// A dish that was not read before counts if its verdict is a warning, and if the person was judged for the allergen on
    /// the photo before: otherwise the profile is what changed. It does not count if a dish that is gone had the warning.
    ///
    /// - Parameters:
    ///   - changes: all changes of one photo.
    ///   - old: the former judgement.
    package static func missed(_ changes: [VerdictChange], since old: JudgedOutcome) -> [VerdictChange] {
        changes.filter { change in
            guard let after = change.after else { return false }
            if let before = change.before { return after.isMissed(since: before) }
            let gone = changes.filter { $0.profile == change.profile && $0.allergen == change.allergen }
                .filter { $0.after == nil }.compactMap(\.before)
            return after.isMissed(since: nil) && !gone.contains(where: \.isWarning)
                && old.items.contains { $0.verdicts[change.profile]?[change.allergen] != nil }
        }
    }
}

extension AllergenVerdict.Kind {
    /// True if this verdict is news to a person who read the former one.
    ///
    /// - Parameter before: nil if there was none.
    package func isMissed(since before: Self?) -> Bool {
        guard let before else { return isWarning }
        return !before.isWarning && severity > before.severity
    }
}
