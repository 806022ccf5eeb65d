import Core
import Foundation
import HTTP
import Store

/// The page of one question.
struct ReviewPage: Page {
    static let template = "review"
    static let styles = ["result", "steps", "form"]
    static let scripts = ["review"]

    /// The photo whose questions these are.
    struct OnlyPhoto { let address: String }

    /// What was just saved. An undo comes back to the question that was answered, which may have been the last.
    struct Saved { let text, number, index: String }

    /// A question of the list.
    struct Waiting {
        let n, address, text, hint: String
        let isCurrent: Bool
    }

    let heading: String
    /// The photo in the address; empty for all photos.
    let ofPhoto: String
    let onlyPhoto: OnlyPhoto?
    let saved: Saved?
    /// Nil if nothing is left to ask.
    let asked: Question?

    init(
        _ questions: [ReviewQuestion], at place: ReviewPlace, saved: Review?, people: [AllergenProfile],
        _ language: PageLanguage
    ) {
        heading = language.texts.text("review.head")
        ofPhoto = place.photo ?? ""
        onlyPhoto = place.photo.map { OnlyPhoto(address: "/photos/\($0)") }
        self.saved = saved.map { review in
            Saved(
                text: Self.text(of: review, language), number: "\(review.number ?? 0)", index: "\(place.index)")
        }
        asked = questions.isEmpty ? nil : Question(questions, at: place, people: people, language)
    }

    private static func text(of review: Review, _ language: PageLanguage) -> String {
        let texts = language.texts
        guard let allergen = review.allergen else {
            return texts.text("review.saved.all", ["name": review.reviewer])
        }
        let kind: AllergenVerdict.Kind =
            review.value == "ABSENT" ? .notFoundInText : review.value == "MAY_CONTAIN" ? .mayContain : .contains
        return texts.text(
            "review.saved",
            [
                "item": review.item == Review.label ? texts.text("untitled.label") : review.item,
                "x": language.wording.name(of: allergen), "verdict": texts.text("v.\(kind.rawValue)"),
                "name": review.reviewer,
            ])
    }
}

extension ReviewPage {
    /// The question that the page asks.
    struct Question {
        struct Word { let text, style, how: String }
        struct Choice { let value, word: String }

        /// Place among all questions, as words and as numbers.
        let count, all, done: String
        let photoTitle, item, question: String
        let chip: Chip
        let person: String
        let evidence: [Word]
        let hasEvidence, isContradiction: Bool
        let photo: PhotoOverlay?
        // What the form sends.
        let id, itemKey, allergen, index: String
        let choices: [Choice]
        /// Addresses of other questions.
        let before, after: String
        let waiting: [Waiting]
    }
}

extension ReviewPage.Question {
    private static let mostWaiting = 12

    /// - Parameter questions: at least one.
    init(_ questions: [ReviewQuestion], at place: ReviewPlace, people: [AllergenProfile], _ language: PageLanguage) {
        let texts = language.texts
        let index = min(place.index, questions.count - 1)
        let one = questions[index]
        let name = language.wording.name(of: one.allergen)
        /// The page of another question, of the same photo if the questions are those of one.
        func address(_ index: Int) -> String { ReviewPlace(photo: place.photo, index: index).address }
        func itemName(_ question: ReviewQuestion) -> String {
            question.item == Review.label ? question.title ?? texts.text("untitled.label") : question.item
        }
        count = texts.text("review.count", ["n": "\(index + 1)", "all": "\(questions.count)"])
        all = "\(questions.count)"
        done = "\(index)"
        photoTitle = one.title ?? texts.text("untitled.none")
        item = itemName(one)
        question =
            one.item == Review.label
            ? texts.text("review.question.label", ["x": name])
            : texts.text("review.question", ["item": itemName(one), "x": name])
        chip = Chip(
            VerdictGroup(
                kind: one.verdict.verdict, allergens: [name], range: one.verdict.probability...one.verdict.probability,
                isChecked: false), isDish: one.item != Review.label, texts)
        let shown = texts.person(one.person)
        let sensitivity = people.first { $0.name == one.person }?.allergens[one.allergen]
        person =
            sensitivity.map {
                texts.text("review.for", ["name": shown, "level": texts.text("sens.\($0.rawValue)")])
            } ?? texts.text("review.for.plain", ["name": shown])
        evidence = one.findings.flatMap { finding in
            finding.evidence.map { word in
                Word(
                    text: word.text, style: finding.kind?.style ?? "none",
                    how: texts.text("s.\(finding.strength.rawValue)"))
            }
        }
        hasEvidence = !evidence.isEmpty
        isContradiction = one.isContradiction
        photo = one.width > 0 ? Self.photo(one) : nil
        id = one.id
        itemKey = one.item
        allergen = one.allergen.rawValue
        self.index = "\(index)"
        choices = [
            ("CONTAINS", "v.CONTAINS"), ("MAY_CONTAIN", "v.MAY_CONTAIN"), ("ABSENT", "v.NOT_FOUND_IN_TEXT"),
        ].map { Choice(value: $0, word: texts.text($1)) }
        before = address(max(0, index - 1))
        after = address((index + 1) % questions.count)
        waiting = questions.enumerated().prefix(Self.mostWaiting).map { number, question in
            let verdict = question.verdict
            return ReviewPage.Waiting(
                n: "\(number + 1)", address: address(number),
                text: "\(language.wording.name(of: question.allergen)) – \(itemName(question))",
                hint: question.isContradiction
                    ? texts.text("review.differ")
                    : "\(texts.text("v.\(verdict.verdict.rawValue)")) "
                        + Chip.percent(verdict.probability...verdict.probability), isCurrent: number == index)
        }
    }

    /// The part of the photo around the item.
    private static func photo(_ question: ReviewQuestion) -> PhotoOverlay {
        var overlay = PhotoOverlay(
            image: "/v1/outcomes/\(question.id)/image", width: question.width, height: question.height, items: [],
            underlines: question.findings.flatMap(\.underlines), words: [])
        if let box = question.box {
            let edge = Double(question.width) / 20
            let (left, top) = (max(0, box.minX - edge), max(0, box.minY - edge))
            let width = min(Double(question.width) - left, box.width + 2 * edge)
            let height = min(Double(question.height) - top, box.height + 2 * edge)
            overlay.viewBox = [left, top, width, height].map { String(Int(nearest: $0)) }.joined(separator: " ")
        }
        return overlay
    }
}
