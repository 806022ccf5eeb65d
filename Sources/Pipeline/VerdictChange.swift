import Vocabulary

/// A verdict that another lexicon, legend rule or profile has changed.
public struct VerdictChange: Sendable, Hashable, Codable {
    /// The photo's content, `sha256:…`.
    public var id: String?
    public var path: String
    public var profile: String
    /// The dish's name, or `label`.
    public var item: String
    public var allergen: Allergen
    /// Nil where the dish was not judged before.
    public var before: AllergenVerdict.Word?
    public var after: AllergenVerdict.Word?

    /// What differs between two judgements of one photo.
    public static func between(_ old: Outcome, _ new: Outcome) -> [VerdictChange] {
        let before = verdicts(of: old)
        let after = verdicts(of: new)
        return Set(before.keys).union(after.keys).compactMap { key in
            before[key] == after[key]
                ? nil
                : VerdictChange(
                    id: new.id, path: new.source.path, profile: key.profile, item: key.item, allergen: key.allergen,
                    before: before[key], after: after[key])
        }.sorted { ($0.profile, $0.item, $0.allergen.rawValue) < ($1.profile, $1.item, $1.allergen.rawValue) }
    }

    private struct Key: Hashable {
        var profile, item: String
        var allergen: Allergen
    }

    private static func verdicts(of outcome: Outcome) -> [Key: AllergenVerdict.Word] {
        var result: [Key: AllergenVerdict.Word] = [:]
        var seen: [String: Int] = [:]
        for item in outcome.menu?.sections.flatMap(\.items) ?? [] {
            // Two dishes of one name are told apart by their order.
            seen[item.name, default: 0] += 1
            let number = seen[item.name] ?? 1
            add(item.verdicts, number == 1 ? item.name : "\(item.name) (\(number))", &result)
        }
        if let label = outcome.label { add(label.verdicts, "label", &result) }
        return result
    }

    private static func add(_ verdicts: Verdicts, _ item: String, _ result: inout [Key: AllergenVerdict.Word]) {
        for (profile, words) in verdicts {
            for (allergen, verdict) in words {
                result[Key(profile: profile, item: item, allergen: allergen)] = verdict.verdict
            }
        }
    }
}
