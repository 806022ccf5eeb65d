import Core
import Documents

/// A dish whose allergens its kitchen declared, or a person verified.
public struct DeclaredDish: Sendable, Hashable, Codable {
    /// Name and description, as on the menu.
    public var text: String
    /// EU-14 keys that the dish contains.
    public var contains: [Allergen]
    /// EU-14 keys that the declaration covers; nil means all 14.
    public var covered: [Allergen]?

    public init(text: String, contains: [Allergen], covered: [Allergen]? = nil) {
        self.text = text
        self.contains = contains
        self.covered = covered
    }
}

/// Collects what a kitchen declares: the coded dishes of a menu page, or dishes from elsewhere.
struct HouseObserver: Sendable {
    let detector: FindingDetector

    func habit(of dishes: [DeclaredDish], language: String?) -> HouseHabit? {
        HouseHabit(observations(of: dishes, language: language), parameters: detector.houses)
    }

    private func observations(of dishes: [DeclaredDish], language: String?) -> [HouseHabit.Observation] {
        dishes.suffix(HouseHabit.maximumObservations).map { dish in
            DishKnowledge(detector: detector).observation(
                RecognizedText(dish.text), language: language, declared: Set(dish.contains),
                covered: dish.covered.map(Set.init) ?? Set(Allergen.eu14))
        }
    }

    /// The habit that the page's legend and the codes of its dishes show, and dishes of the kitchen from elsewhere.
    /// Nil if no dish lacks codes, because then there is nothing to learn for.
    func habit(
        of dishes: [DishWords], by legend: Legend, and house: [DeclaredDish], language: String?
    ) -> HouseHabit? {
        let covered = legend.declared
        guard !covered.isEmpty || !house.isEmpty else { return nil }
        var coded: [(lines: [[Word]], declared: Set<Allergen>)] = []
        var hasUncoded = false
        for dish in dishes {
            let lines = ([dish.name] + dish.description).filter { !$0.isEmpty }
            if dish.areCodesSure, !lines.isEmpty, let declared = declared(by: dish.codes, legend) {
                coded.append((lines, declared))
            } else {
                hasUncoded = true
            }
        }
        guard hasUncoded, coded.count + house.count >= HouseHabit.minimumObservations else { return nil }
        let own = coded.suffix(HouseHabit.maximumObservations).map { lines, declared in
            let text = lines.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n")
            return DishKnowledge(detector: detector).observation(
                RecognizedText(text), language: language, declared: declared, covered: covered)
        }
        // The last ones count, and the page's own declarations are the latest.
        return HouseHabit(observations(of: house, language: language) + own, parameters: detector.houses)
    }

    /// The allergens that codes declare; nil if they declare none, or one of them is unresolved.
    private func declared(by codes: [PrintedCode], _ legend: Legend) -> Set<Allergen>? {
        var declared: Set<Allergen> = []
        for (code, _) in codes {
            guard let meaning = legend.meaning(of: code) else {
                let isKnown =
                    detector.lexiconIndex.claimCodes[code] != nil || detector.lexiconIndex.dietCodes.contains(code)
                if isKnown { continue }
                return nil
            }
            guard case .allergens(let bindings) = meaning else { continue }
            declared.formUnion(bindings.filter { $0.polarity == .contains }.map(\.allergen))
        }
        return declared.isEmpty ? nil : declared
    }
}
