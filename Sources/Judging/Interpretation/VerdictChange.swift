import Core

/// A verdict that another lexicon, legend rule or profile has changed.
public struct VerdictChange: Sendable, Hashable, Codable {
    /// The photo's content, `sha256:…`.
    public var id: String?
    public var path: String
    public var profile: String
    /// The dish's name, `label`, or a product's 14 digits.
    public var item: String
    public var allergen: Allergen
    /// Nil where the dish was not judged before.
    public var before: AllergenVerdict.Word?
    public var after: AllergenVerdict.Word?

    /// What differs between two judgements of one photo.
    public static func between(_ old: Outcome, _ new: Outcome) -> [VerdictChange] {
        between(JudgedOutcome(old), JudgedOutcome(new))
    }

    /// What differs between two judgements of one photo.
    public static func between(_ old: JudgedOutcome, _ new: JudgedOutcome) -> [VerdictChange] {
        // Most photos are judged as before: nothing is put into tables for them.
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
