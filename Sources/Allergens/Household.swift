import Vocabulary

/// One photo for several people: for each of them the dishes with the worst first. The worst verdict stands for a dish,
/// never a mean.
public struct Household: Sendable {
    /// A dish as one person should see it.
    public struct Dish: Sendable, Hashable {
        public var name: String
        /// The gravest verdict, and the allergens it holds for.
        public var worst: AllergenVerdict.Word
        public var risk: AllergenVerdict.Risk
        public var allergens: [Allergen]
        public var probability: Double
    }

    /// One person's dishes, worst first.
    public struct Person: Sendable, Hashable {
        public var name: String
        public var dishes: [Dish]
    }

    public let people: [Person]

    public init(_ menu: Menu, profiles: [AllergenProfile]) {
        let items = menu.sections.flatMap(\.items)
        people = profiles.map { profile in
            let dishes = items.compactMap { item in
                item.verdicts[profile.name].flatMap { Self.dish(item.name, $0) }
            }
            return Person(
                name: profile.name,
                dishes: dishes.enumerated().sorted { ($0.element.weight, -$0.offset) > ($1.element.weight, -$1.offset) }
                    .map(\.element))
        }
    }

    private static func dish(_ name: String, _ verdicts: [Allergen: AllergenVerdict]) -> Dish? {
        guard let gravest = verdicts.values.max(by: { $0.weight < $1.weight }) else { return nil }
        let same = verdicts.filter { $0.value.verdict == gravest.verdict }
        return Dish(
            name: name, worst: gravest.verdict, risk: gravest.risk,
            allergens: same.keys.sorted { $0.rawValue < $1.rawValue }, probability: gravest.probability)
    }
}

extension AllergenVerdict {
    /// Order of gravity: what is known to be there before what may be, what cannot be told before what was not mentioned.
    fileprivate var weight: Double { Household.weight(verdict, risk) + probability }
}

extension Household.Dish {
    fileprivate var weight: Double { Household.weight(worst, risk) + probability }
}

extension Household {
    fileprivate static func weight(_ word: AllergenVerdict.Word, _ risk: AllergenVerdict.Risk) -> Double {
        let base: Double =
            switch word {
            case .contains: 40
            case .likely: 30
            case .mayContain: 20
            case .cannotTell: 10
            case .notFoundInText: 0
            }
        let step: Double =
            switch risk {
            case .high: 3
            case .medium: 2
            case .low: 1
            case .unknown: 0
            }
        return base + 2 * step
    }
}
