import Core

/// The part of a stored outcome that a replay compares: its verdicts and its source. Decoding skips findings, boxes
/// and readings, which makes it several times faster.
package struct JudgedOutcome: Sendable, Hashable {
    /// The verdicts on one dish or label, by profile. A dish keeps the name that the program read.
    struct Item: Sendable, Hashable {
        var name: String
        var verdicts: [String: [Allergen: AllergenVerdict.Kind]]
    }

    package struct Key: Hashable {
        var profile, item: String
        var allergen: Allergen

        /// - Parameter item: as in ``VerdictChange/item``.
        package init(profile: String, item: String, allergen: Allergen) {
            (self.profile, self.item, self.allergen) = (profile, item, allergen)
        }
    }

    package let id: String?
    package let path: String
    /// Length of the photo in bytes.
    package let bytes: Int
    package let versions: Outcome.Versions
    package let processing: Outcome.Processing
    /// Numbers of the products whose server gave no answer. A replay asks no server, so this is kept.
    package let unanswered: Set<String>
    let items: [Item]
    /// What the assessment of the label says, by ingredient.
    let ingredients: [String: AssessmentChange.State]

    package init(_ outcome: Outcome) {
        ingredients = Self.states(outcome.label?.assessment?.ingredients.map { ($0.name, .init($0)) } ?? [])
        id = outcome.id
        path = outcome.source.path
        bytes = outcome.source.bytes
        versions = outcome.versions
        processing = outcome.processing
        unanswered = Set((outcome.products ?? []).filter { $0.reason == Self.remoteUnavailable }.map(\.gtin))
        let words = { (verdicts: Verdicts?) in (verdicts ?? [:]).mapValues { $0.mapValues(\.verdict) } }
        var items = (outcome.menu?.sections.flatMap(\.items) ?? []).map {
            Item(name: $0.corrected?.system?.name ?? $0.name, verdicts: words($0.verdicts))
        }
        if let label = outcome.label { items.append(Item(name: Self.label, verdicts: words(label.verdicts))) }
        items += (outcome.products ?? []).map { Item(name: $0.gtin, verdicts: words($0.verdicts)) }
        items += outcome.allPriceTags.map { Item(name: $0.product?.value ?? "", verdicts: words($0.verdicts)) }
        items += (outcome.receipt?.items ?? []).map { Item(name: $0.name.value, verdicts: words($0.verdicts)) }
        self.items = items
    }

    /// The reason of a product whose server gave no answer.
    package static let remoteUnavailable = "remoteUnavailable"
    private static let label = "label"

    private static func states(_ all: [(String, AssessmentChange.State)]) -> [String: AssessmentChange.State] {
        Dictionary(all, uniquingKeysWith: { first, _ in first })
    }

    /// The names of the profiles with verdicts.
    package var profiles: Set<String> { Set(items.flatMap(\.verdicts.keys)) }

    /// Each verdict by person, dish and allergen. An ordinal distinguishes dishes of the same name.
    package var table: [Key: AllergenVerdict.Kind] {
        var result: [Key: AllergenVerdict.Kind] = [:]
        var seen: [String: Int] = [:]
        for item in items {
            seen[item.name, default: 0] += 1
            let number = seen[item.name] ?? 1
            let name = number == 1 ? item.name : "\(item.name) (\(number))"
            for (profile, words) in item.verdicts {
                for (allergen, word) in words { result[Key(profile: profile, item: name, allergen: allergen)] = word }
            }
        }
        return result
    }
}

extension JudgedOutcome: Decodable {
    private struct Stored: Decodable {
        struct Shown: Decodable { var verdict: AllergenVerdict.Kind }
        struct Dish: Decodable {
            struct Correction: Decodable { var system: Own? }
            struct Own: Decodable { var name: String }

            var name: String
            var verdicts: [String: [Allergen: Shown]]
            var corrected: Correction?
        }
        struct Section: Decodable { var items: [Dish] }
        struct Menu: Decodable { var sections: [Section] }
        struct Ingredient: Decodable {
            struct Statement: Decodable { var id, text: String }

            var name: String
            var risk_level: IngredientAssessment.Level?
            var rule: String?
            var statements: [Statement]
        }
        struct Assessment: Decodable {
            var high_risk, moderate_risk, low_risk, no_level, no_evidence, not_read: [Ingredient]

            var ingredients: [Ingredient] {
                high_risk + moderate_risk + low_risk + no_level + no_evidence + not_read
            }
        }
        struct Label: Decodable {
            var verdicts: [String: [Allergen: Shown]]
            var assessment: Assessment?
        }
        struct Product: Decodable {
            var gtin: String
            var reason: String?
            var verdicts: [String: [Allergen: Shown]]?
        }
        struct Text: Decodable { var value: String }
        struct Tag: Decodable {
            var product: Text?
            var verdicts: [String: [Allergen: Shown]]?
        }
        struct Line: Decodable {
            var name: Text
            var verdicts: [String: [Allergen: Shown]]?
        }
        struct Receipt: Decodable { var items: [Line] }
        struct Source: Decodable {
            var path: String
            var bytes: Int
        }

        var id: String?
        var source: Source
        var menu: Menu?
        var label: Label?
        var products: [Product]?
        var priceTag: Tag?
        var priceTags: [Tag]?
        var receipt: Receipt?
        var versions: Outcome.Versions
        var processing: Outcome.Processing
    }

    package init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        id = stored.id
        path = stored.source.path
        bytes = stored.source.bytes
        versions = stored.versions
        processing = stored.processing
        unanswered = Set((stored.products ?? []).filter { $0.reason == JudgedOutcome.remoteUnavailable }.map(\.gtin))
        ingredients = Self.states(
            (stored.label?.assessment?.ingredients ?? []).map { one in
                (
                    one.name,
                    .init(
                        level: one.risk_level, rule: one.rule,
                        statements: one.statements.map { .init(id: $0.id, text: $0.text) })
                )
            })
        let words = { (verdicts: [String: [Allergen: Stored.Shown]]?) in
            (verdicts ?? [:]).mapValues { $0.mapValues(\.verdict) }
        }
        var items = (stored.menu?.sections.flatMap(\.items) ?? []).map {
            Item(name: $0.corrected?.system?.name ?? $0.name, verdicts: words($0.verdicts))
        }
        if let label = stored.label { items.append(Item(name: Self.label, verdicts: words(label.verdicts))) }
        items += (stored.products ?? []).map { Item(name: $0.gtin, verdicts: words($0.verdicts)) }
        items += (stored.priceTags ?? [stored.priceTag].compactMap(\.self)).map {
            Item(name: $0.product?.value ?? "", verdicts: words($0.verdicts))
        }
        items += (stored.receipt?.items ?? []).map { Item(name: $0.name.value, verdicts: words($0.verdicts)) }
        self.items = items
    }
}
