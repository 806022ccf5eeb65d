import Core
import Foundation
import HTTP
import Household
import Kinds
import Foods
import Store

/// What the address of a result says besides the photo.
struct ResultPlace {
    /// The person who is shown; nil for everybody.
    var person: String?
    /// The open dish, or `label`, or a product number.
    var open: String?
    /// Numbers of the reviews that were just saved and can be taken back.
    var saved: [Int64] = []
    /// The number that was scanned before the label was photographed.
    var number: GTIN?

    private static let mostSaved = 40

    init() {}

    init(_ query: FormBody) {
        person = query["for"].isEmpty ? nil : query["for"]
        open = query["dish"].isEmpty ? nil : query["dish"]
        saved = Self.numbers(query["saved"])
        number = GTIN(typed: query["gtin"])
    }

    static func numbers(_ text: String) -> [Int64] {
        text.split(separator: ",").prefix(mostSaved).compactMap { Int64($0) }
    }

    func address(of photo: String) -> String {
        "/photos/\(photo)".with([
            "for": person, "dish": open, "gtin": number?.normalised,
            "saved": saved.isEmpty ? nil : saved.map(String.init).joined(separator: ","),
        ])
    }
}

/// An outcome with what its page needs to put it into words.
struct ShownOutcome {
    var outcome: Outcome
    let id: String
    let people: [AllergenProfile]
    let language: PageLanguage
    /// Gives the sentences of the ingredient sheet in the reader's language.
    var release: EvidenceRelease?
    /// What is on file about the ingredients, where it is not that of the label.
    var assessment: IngredientAssessment?
    var place = ResultPlace()
    /// True for adults.
    var mayCorrect = false
    /// The numbers of the reviews that the reader may withdraw.
    var withdrawable: Set<Int64> = []
    /// The keys of what the reader saved from the photo; nil for a reader who cannot save.
    var savedKeys: Set<String>?
    var saved: [Review] = []
    /// What was said when the menu was photographed before.
    var earlier = EarlierAnswers.none

    var texts: PageTexts { language.texts }

    /// The reviews that a form withdraws, which withdraws all or none; empty if one of them is not the reader's to withdraw.
    func undo(_ reviews: some Collection<Int64>) -> [String] {
        reviews.allSatisfy(withdrawable.contains) ? reviews.map(String.init) : []
    }

    /// Names of the people with verdicts, in the order of the household.
    var names: [String] {
        let judged = Set((outcome.household ?? [:]).keys)
        return people.map(\.name).filter(judged.contains)
            + judged.subtracting(people.map(\.name)).sorted()
    }

    /// The people who are shown, with their pictures.
    var marked: [(name: String, mark: PersonMark)] {
        let all = marks(of: names)
        let chosen = all.filter { $0.name == place.person }
        return chosen.isEmpty ? all : chosen
    }

    /// The findings about the people who are shown: with one person chosen, those of the person's verdicts and words.
    func ofShown(_ findings: [AllergenFinding], _ verdicts: Verdicts) -> [AllergenFinding] {
        guard let person = place.person, names.contains(person) else { return findings }
        let words = Set(words(of: person).map { Folding.fold($0) })
        return findings.filter { finding in
            verdicts[person]?[finding.allergen] != nil
                && (finding.allergen != .personal || finding.leaf.map { words.contains(Folding.fold($0)) } ?? true)
        }
    }

    func marks(of names: [String]) -> [(name: String, mark: PersonMark)] {
        Array(zip(names, PersonMark.all(names, texts))).map { ($0.0, $0.1) }
    }

    /// For whom the answer is.
    var answerHead: String {
        let shown = marked
        return shown.count == 1
            ? texts.text("result.for.one", ["name": texts.person(shown[0].name)])
            : texts.text("result.for.many", ["n": "\(shown.count)"])
    }

    func words(of name: String) -> [String] { people.first { $0.name == name }?.words ?? [] }

    /// True if everybody is judged by the 14 groups of EU law.
    var isEU: Bool { people.allSatisfy { $0.regime == "eu14" } }

    /// The level of a confidence that is not high; nil otherwise.
    func doubt(_ score: Double) -> String? {
        let level = Confidence(score).level
        return level == .high
            ? nil : texts.text("result.confidence", ["level": texts.text("level.\(level.rawValue)")])
    }

    /// A moment (ISO 8601) as people say it.
    func moment(_ text: String) -> String { (try? Date(text, strategy: .iso8601)).map(texts.moment) ?? text }

    /// The answers of last time that a dish contains an allergen of the people who are shown.
    func contained(before item: Menu.Item) -> [EarlierAnswer] {
        (earlier.ofDish[Self.key(of: item)] ?? []).filter { answer in
            [.contains, .mayContain, .canOmit].contains(answer.review.said)
                && marked.contains { item.verdicts[$0.name]?[answer.allergen] != nil }
        }
    }

    /// "Warung Melati: no peanuts – Anna (Wayan), 2026-11-18, 12:30".
    func said(_ answer: EarlierAnswer) -> String {
        let review = answer.review
        let text = review.said.map {
            said($0, answer.allergen, by: review.reviewer, staff: review.staff, at: review.moment)
        }
        return [answer.title, text].compactMap(\.self).joined(separator: ": ")
    }

    // MARK: Addresses

    /// The page with the verdicts of one person, or of everybody.
    func address(for person: String?) -> String {
        var place = ResultPlace()
        place.person = person
        return place.address(of: id)
    }

    /// The page with this dish open.
    func address(opening item: Menu.Item) -> String { address(opening: Self.key(of: item)) }

    /// - Parameter key: that of a dish, `label`, or a product number.
    func address(opening key: String) -> String {
        var place = ResultPlace()
        (place.person, place.open) = (self.place.person, key)
        return place.address(of: id)
    }

    func isOpen(_ item: Menu.Item) -> Bool { place.open == Self.key(of: item) }

    private static func key(of item: Menu.Item) -> String { SavedItem.key(ofDish: item.name, at: item.box) }

    /// `3.50 / 5.00` in the form of a dish, as the reader's language writes numbers.
    func prices(_ prices: [Menu.Price]) -> String {
        prices.map { texts.amount($0.amount, nil) }.joined(separator: " / ")
    }

    // MARK: Photo

    /// The part of the photo around a place; nil for a photo without size.
    func crop(_ box: Quad, _ underlines: [WordUnderline]) -> PhotoOverlay? {
        guard let width = outcome.source.width, let height = outcome.source.height else { return nil }
        return PhotoOverlay(
            of: "/v1/outcomes/\(id)/image", width: width, height: height, quarters: outcome.quarterTurns, around: box,
            underlines)
    }
}

extension Review {
    /// True for a review of this dish.
    func concerns(_ item: Menu.Item) -> Bool {
        guard self.item == item.name || self.item == item.corrected?.system?.name else { return false }
        guard let place, let box = item.box else { return true }
        return place.overlap(with: box) > 0
    }
}
