import Vocabulary

/// One photo for several people: for each of them the dishes with the worst first. The worst verdict stands for a dish,
/// never a mean.
public struct Household: Sendable {
    public let people: [Menu.Person]

    public init(_ menu: Menu, profiles: [AllergenProfile]) {
        people = profiles.map { profile in
            var dishes: [Menu.RankedDish] = []
            for (section, items) in menu.sections.map(\.items).enumerated() {
                for (place, item) in items.enumerated() {
                    guard let verdicts = item.verdicts[profile.name],
                        let gravest = verdicts.values.max(by: { $0.weight < $1.weight })
                    else { continue }
                    let same = verdicts.filter { $0.value.verdict == gravest.verdict }.keys
                    dishes.append(
                        Menu.RankedDish(
                            section: section, item: place, name: item.name, worst: gravest.verdict, risk: gravest.risk,
                            allergens: same.sorted { $0.rawValue < $1.rawValue }, probability: gravest.probability))
                }
            }
            // Dishes of the same weight stay in the menu's order.
            let sorted = dishes.enumerated().sorted {
                ($0.element.weight, -$0.offset) > ($1.element.weight, -$1.offset)
            }
            return Menu.Person(name: profile.name, dishes: sorted.map(\.element))
        }
    }
}

extension AllergenVerdict {
    /// Order of gravity: what is known to be there before what may be, what cannot be told before what was not mentioned.
    fileprivate var weight: Double { Household.weight(verdict, risk) + probability }
}

extension Menu.RankedDish {
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
