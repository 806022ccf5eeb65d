import Core
import Household
import Kinds
import Store

/// What a person shows to staff, in the language of the menu: the allergies, and the dishes to ask about, each with the
/// answers that a tap gives.
///
/// The sentences are fixed. Allergens follow a colon, so that no language needs another form of their names.
struct AskCard {
    /// A button: what it sends, and what it says.
    struct Answer {
        /// Nil where nothing is left to answer so.
        let value: String?
        let text: String
        let isGiven: Bool
    }

    struct Dish {
        let n, name, price, allergens: String
        /// The page of the menu with the dish open.
        let address: String
        /// What was answered before, here and when the menu was photographed before.
        let said: [String]
        let earlier: String?
        let form: Form?
        let saved: Saved?
    }

    /// What was just answered, with the numbers of its reviews.
    struct Saved { let text, numbers: String }

    /// What the form sends of a dish; see ``StaffAnswer``.
    struct Form {
        let item, place, key: String
        /// "Yes" of each allergen that is asked about; one is a button, several are a menu.
        let yes: Answer?
        let yesWord: String
        let contained: [Answer]
        let others: [Answer]
    }

    let mark: PersonMark
    /// BCP 47.
    let language: String
    /// Allergies of high or severe sensitivity, and the others.
    let allergies: [String]
    let question: String
    /// The question and the answers as the reader would say them, where the menu is in another language.
    let translation: String?
    let dishes: [Dish]
    /// How many more dishes there are to ask about.
    let more: String?

    private static let mostDishes = 12
    /// A dish may say nothing of all allergens; a card that names them all with each dish is not read.
    private static let mostAllergens = 4

    /// The cards of the people who are shown, where there is something to ask.
    ///
    /// - Parameters:
    ///   - place: the language of the staff, and how many dishes are shown.
    static func all(_ shown: ShownOutcome, at place: StaffPlace = StaffPlace()) -> [(person: String, card: AskCard)] {
        let dishes = (shown.outcome.menu?.sections ?? []).flatMap(\.items)
        return shown.marked.compactMap { name, mark in
            AskCard(name, mark, of: dishes, shown, place).map { (name, $0) }
        }
    }

    private init?(
        _ person: String, _ mark: PersonMark, of dishes: [Menu.Item], _ shown: ShownOutcome, _ place: StaffPlace
    ) {
        let asked = Asked.all(dishes, person)
        guard !asked.isEmpty else { return nil }
        let own = shown.language
        let language = place.language ?? shown.outcome.readings.text?.languages.first
        let wording = language.flatMap { own.staff?[$0] } ?? own.wording
        let profile = shown.people.first { $0.name == person }
        // The words of others are found in the same dishes.
        let hasOwn = asked.contains { $0.allergens.contains(.personal) }
        let words = profile?.words ?? (hasOwn ? asked.flatMap(\.item.findings).personalWords : [])
        func names(_ allergens: [Allergen], words: [String] = words) -> String {
            allergens.map { $0 == .personal && !words.isEmpty ? words.joined(separator: ", ") : wording.name(of: $0) }
                .joined(separator: ", ")
        }
        self.mark = mark
        self.language = wording.language
        // All allergies of the person: a kitchen that leaves one food out puts another in.
        var sensitivities = profile?.allergens ?? [:]
        if !words.isEmpty { sensitivities[.personal] = .high }
        for allergen in asked.flatMap(\.allergens) where sensitivities[allergen] == nil {
            sensitivities[allergen] = .high
        }
        let all = sensitivities.keys.sorted { $0.rawValue < $1.rawValue }
        let isSevere = { (allergen: Allergen) in [.severe, .high].contains(sensitivities[allergen]) }
        allergies = [(Wording.Phrase.cardSevere, all.filter(isSevere)), (.cardAllergy, all.filter { !isSevere($0) })]
            .filter { !$0.1.isEmpty }.map { wording.phrase($0.0, ["x": names($0.1)]) }
        let phrases: [Wording.Phrase] = [.cardQuestion, .cardYes, .cardNo, .cardWithout]
        question = wording.phrase(.cardQuestion)
        translation =
            wording.language == own.wording.language
            ? nil : phrases.map { own.wording.phrase($0) }.joined(separator: " · ")
        let listed = place.isAll ? asked : Array(asked.prefix(Self.mostDishes))
        self.dishes = listed.enumerated().map { number, dish in
            let isNamed = all.count > 1 && dish.allergens.count <= Self.mostAllergens
            let found = dish.item.findings.personalWords.filter { words.map(Folding.fold).contains(Folding.fold($0)) }
            return Dish(
                dish, number: "\(number + 1)",
                allergens: isNamed ? names(dish.allergens, words: found.isEmpty ? words : found) : "", wording, shown,
                place)
        }
        let rest = asked.count - listed.count
        more = rest > 0 ? shown.texts.text("result.more", ["n": "\(rest)"]) : nil
    }

    fileprivate struct Asked {
        let item: Menu.Item
        /// Most probable first.
        let allergens: [Allergen]
        let isLikely: Bool
        let weight: Double

        /// The dishes with allergens that the program cannot tell, by its own verdicts, so that an answer moves no dish.
        /// What may be eaten comes first; a dish that contains an allergen of the person is left out.
        static func all(_ dishes: [Menu.Item], _ person: String) -> [Asked] {
            dishes.compactMap { Asked($0, $0.verdicts[person] ?? [:]) }.enumerated().sorted {
                ($0.element.isLikely ? 0 : 1, $0.element.weight, -$0.offset)
                    > ($1.element.isLikely ? 0 : 1, $1.element.weight, -$1.offset)
            }.map(\.element)
        }

        init?(_ item: Menu.Item, _ verdicts: [Allergen: AllergenVerdict]) {
            let own = verdicts.mapValues(\.own)
            let open = own.filter { $0.value.verdict != .contains && !$0.value.isUnlikely }
            guard !open.isEmpty, !own.values.contains(where: { $0.verdict == .contains }) else { return nil }
            self.item = item
            allergens = open.sorted {
                ($0.value.verdict.severity, $0.value.probability, $1.key.rawValue)
                    > ($1.value.verdict.severity, $1.value.probability, $0.key.rawValue)
            }.map(\.key)
            isLikely = open.values.contains { $0.verdict == .likely }
            weight = own.values.map(\.gravity).max() ?? 0
        }
    }
}

extension AskCard.Dish {
    fileprivate init(
        _ dish: AskCard.Asked, number: String, allergens names: String, _ wording: Wording, _ shown: ShownOutcome,
        _ place: StaffPlace
    ) {
        let item = dish.item
        n = number
        name = item.name
        price = shown.prices(item.prices)
        allergens = names
        address = shown.address(opening: item) + "#open"
        let statements = (item.statements ?? []).filter { dish.allergens.contains($0.allergen) }
        said = statements.map { shown.said($0.said, $0.allergen, by: $0.by, staff: $0.staff, at: $0.at) }
        let before = (shown.earlier.ofDish[SavedItem.key(ofDish: item.name, at: item.box)] ?? [])
            .filter { dish.allergens.contains($0.allergen) }
        earlier = before.isEmpty ? nil : before.map(shown.said).joined(separator: "; ")
        form = shown.mayCorrect ? AskCard.Form(dish, number, statements, wording) : nil
        saved =
            shown.saved.first?.concerns(item) == true
            ? AskCard.Saved(
                text: shown.language.saved(shown.saved),
                numbers: shown.saved.compactMap(\.number).map(String.init).joined(separator: ",")) : nil
    }
}

extension AskCard.Form {
    /// Nil for a dish of which only own words are open: an answer would hold for the words of others too.
    fileprivate init?(
        _ dish: AskCard.Asked, _ number: String, _ statements: [AllergenStatement], _ wording: Wording
    ) {
        let asked = dish.allergens.filter { $0 != .personal }
        guard !asked.isEmpty else { return nil }
        item = dish.item.corrected?.system?.name ?? dish.item.name
        place = dish.item.box?.rectangle ?? ""
        key = SavedItem.key(ofDish: dish.item.name, at: dish.item.box)
        func said(_ allergen: Allergen) -> Review.Said? { statements.last { $0.allergen == allergen }?.said }
        let open = asked.filter { said($0) == nil }
        /// - Parameter meant: of several allergens those that have no answer yet, so that "no" takes no "yes" back.
        func answer(_ answer: Review.Said, _ text: String, of meant: [Allergen]) -> AskCard.Answer {
            let names = meant.count < asked.count ? meant.map(wording.name).joined(separator: ", ") : ""
            return AskCard.Answer(
                value: meant.isEmpty
                    ? nil : "\(number) \(answer.rawValue) " + meant.map(\.rawValue).joined(separator: ","),
                text: names.isEmpty ? text : text + ": " + names,
                isGiven: (meant.isEmpty ? asked : meant).allSatisfy { said($0) == answer })
        }
        yesWord = wording.phrase(.cardYes)
        let isOne = asked.count == 1
        yes = isOne ? answer(.contains, yesWord, of: asked) : nil
        contained =
            isOne
            ? []
            : asked.map { one in
                AskCard.Answer(
                    value: "\(number) \(Review.Said.contains.rawValue) \(one.rawValue)", text: wording.name(of: one),
                    isGiven: said(one) == .contains)
            }
        let contains = asked.filter { said($0) == .contains }
        others = [
            answer(.absent, wording.phrase(.cardNo), of: isOne ? asked : open),
            answer(.canOmit, wording.phrase(.cardWithout), of: isOne ? asked : open.isEmpty ? contains : open),
        ]
    }
}

extension ShownOutcome {
    /// What somebody said of an allergen: "no peanuts – Anna (Wayan), 2026-11-18, 12:30".
    ///
    /// - Parameter time: ISO 8601.
    func said(_ said: Review.Said, _ allergen: Allergen, by name: String, staff: String?, at time: String) -> String {
        let names = [name, staff.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
        return texts.text(
            "answer.line", ["x": language.said(said, allergen), "name": names, "time": moment(time)])
    }
}
