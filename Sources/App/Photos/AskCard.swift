import Core
import Kinds

/// What a person shows to staff, in the language of the menu: the allergies, and the dishes to ask about.
///
/// The sentences are fixed. Allergens follow a colon, so that no language needs another form of their names.
struct AskCard {
    struct Dish {
        let name, allergens: String
        /// Where its answer is recorded.
        let address: String
    }

    let mark: PersonMark
    /// BCP 47.
    let language: String
    /// Allergies of high or severe sensitivity, and the others.
    let allergies: [String]
    let question: String
    /// The question as the reader would say it, where the menu is in another language.
    let translation: String?
    let dishes: [Dish]
    /// How many more dishes there are to ask about.
    let more: String?

    private static let mostDishes = 12
    /// A dish may say nothing of all allergens; a card that names them all with each dish is not read.
    private static let mostAllergens = 4

    /// The card of a person; nil where there is nothing to ask.
    /// - Parameter ranked: the dishes, those to ask about first at the head.
    init?(_ person: String, _ mark: PersonMark, of ranked: [Menu.Item], _ shown: ShownOutcome) {
        let asked = ranked.compactMap { item in
            Self.open(item.verdicts[person] ?? [:]).map { (item: item, allergens: $0) }
        }
        guard !asked.isEmpty else { return nil }
        let own = shown.language
        let spoken = shown.outcome.readings.text?.languages.first.flatMap { own.staff?[$0] } ?? own.wording
        let profile = shown.people.first { $0.name == person }
        let words = profile?.words ?? asked.flatMap(\.item.findings).personalWords
        func names(_ allergens: [Allergen], words: [String] = words) -> String {
            allergens.map { $0 == .personal && !words.isEmpty ? words.joined(separator: ", ") : spoken.name(of: $0) }
                .joined(separator: ", ")
        }
        self.mark = mark
        language = spoken.language
        // All allergies of the person: a kitchen that leaves one food out puts another in.
        var sensitivities = profile?.allergens ?? [:]
        if !words.isEmpty { sensitivities[.personal] = .high }
        for allergen in asked.flatMap(\.allergens) where sensitivities[allergen] == nil {
            sensitivities[allergen] = .high
        }
        let all = sensitivities.keys.sorted { $0.rawValue < $1.rawValue }
        let isSevere = { (allergen: Allergen) in [.severe, .high].contains(sensitivities[allergen]) }
        allergies = [(Wording.Phrase.cardSevere, all.filter(isSevere)), (.cardAllergy, all.filter { !isSevere($0) })]
            .filter { !$0.1.isEmpty }.map { spoken.phrase($0.0, ["x": names($0.1)]) }
        question = spoken.phrase(.cardQuestion)
        translation = spoken.language == own.wording.language ? nil : own.wording.phrase(.cardQuestion)
        dishes = asked.prefix(Self.mostDishes).map { dish in
            let isNamed = all.count > 1 && dish.allergens.count <= Self.mostAllergens
            return Dish(
                name: dish.item.name,
                allergens: isNamed ? names(dish.allergens, words: dish.item.findings.personalWords) : "",
                address: shown.address(opening: dish.item) + "#open")
        }
        let rest = asked.count - dishes.count
        more = rest > 0 ? shown.texts.text("result.more", ["n": "\(rest)"]) : nil
    }

    /// The allergens of a dish that staff can tell of, most probable first; nil for a dish that is out, or that nothing
    /// points to, or that staff were asked about.
    private static func open(_ verdicts: [Allergen: AllergenVerdict]) -> [Allergen]? {
        let open = verdicts.filter { _, verdict in
            verdict.by == nil && verdict.verdict != .contains && !verdict.isUnlikely
        }
        guard !open.isEmpty, !verdicts.values.contains(where: { $0.verdict == .contains }) else { return nil }
        return open.sorted {
            ($0.value.verdict.severity, $0.value.probability, $1.key.rawValue)
                > ($1.value.verdict.severity, $1.value.probability, $0.key.rawValue)
        }.map(\.key)
    }
}
