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
    /// Codes with the same meaning everywhere: GF, V.
    let everywhere: Set<String>

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
    func habit(of page: MenuJudge.Page, and house: [DeclaredDish], language: String?) -> HouseHabit? {
        let covered = page.legend.declared
        guard !covered.isEmpty || !house.isEmpty else { return nil }
        var coded: [(lines: [[Word]], declared: Set<Allergen>)] = []
        var hasUncoded = false
        for dish in page.menu.sections.flatMap(\.dishes) {
            let (lines, declared) = declaration(of: dish, page.legend)
            if let declared { coded.append((lines, declared)) } else { hasUncoded = true }
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

    /// The words of a dish without codes, and its declared allergens; nil if it declares nothing, or a code is
    /// unresolved.
    private func declaration(
        of dish: MenuPage.Dish, _ legend: Legend
    ) -> (lines: [[Word]], declared: Set<Allergen>?) {
        let reader = DishCodes(legend: legend, everywhere: everywhere)
        var lines: [[Word]] = []
        var codes: [String] = []
        for line in [dish.name.flatMap(\.self)] + dish.description {
            let (words, found) = reader.split(line)
            let isCodesOnly = words.count == 1 && found.isEmpty && reader.isList(words[0].text)
            codes += (isCodesOnly ? reader.list(words[0]) : found).map(\.code)
            if !isCodesOnly, !words.isEmpty { lines.append(words) }
        }
        var declared: Set<Allergen> = []
        var declares = false
        for code in codes {
            guard let meaning = legend.meaning(of: code) else {
                let isKnown =
                    detector.lexiconIndex.claimCodes[code] != nil || detector.lexiconIndex.dietCodes.contains(code)
                if isKnown { continue }
                return (lines, nil)
            }
            guard case .allergens(let bindings) = meaning else { continue }
            let present = bindings.filter { $0.polarity == .contains }.map(\.allergen)
            declared.formUnion(present)
            declares = declares || !present.isEmpty
        }
        return (lines, declares && !lines.isEmpty ? declared : nil)
    }
}
