import Core
import Foundation
import Household

struct ReviewPage: Page {
    static let template = "review"
    static let styles = ["result", "fix"]
    static let scripts = ["review"]

    struct Word { let text, style: String }

    struct Row {
        let n, address, text, hint: String
        let isCurrent, isAnswered: Bool
    }

    let photo, title, count, progress: String
    let steps: [ReviewStep]
    let saved: ReviewSaved?

    let question: String
    let crop: PhotoOverlay?
    let chip: Chip
    let person: PersonMark
    let sensitivity, note: String
    let evidence: [Word]
    let isContradiction: Bool
    // What the form sends.
    let itemKey, place, allergen, index: String
    let yes, unknown: String
    let answered: String?
    /// Addresses: the questions before and after this one, and the text of its dish.
    let before: String?
    let after, fix: String
    let rows: [Row]

    /// - Parameter questions: those of one photo; `place.index` is one of them.
    init(
        _ questions: [ReviewQuestion], at place: ReviewPlace, saved: Review?, people: [AllergenProfile],
        _ language: PageLanguage
    ) {
        let (texts, wording) = (language.texts, language.wording)
        let one = questions[place.index]
        let name = wording.name(of: one.allergen)
        let thing = one.item == Review.label ? one.title ?? texts.text("untitled.label") : one.name
        func address(_ index: Int) -> String { ReviewPlace(photo: one.id, index: index).address }
        photo = one.id
        title = one.title ?? texts.text("untitled.none")
        count = texts.text("review.count", ["n": "\(place.index + 1)", "all": "\(questions.count)"])
        steps = ReviewStep.all(questions, at: place.index)
        progress = ReviewStep.words(questions, texts)
        self.saved = saved.map { ReviewSaved($0, language) }
        question =
            one.item == Review.label
            ? texts.text("review.question.label", ["x": name])
            : texts.text("review.question", ["item": one.name, "x": name])
        crop =
            one.width > 0
            ? PhotoOverlay(
                of: "/v1/outcomes/\(one.id)/image", width: one.width, height: one.height,
                quarters: one.quarters,
                around: one.box ?? Quad(x: 0, y: 0, width: Double(one.width), height: Double(one.height)),
                one.findings.flatMap(\.underlines)) : nil
        let own = one.verdict.own
        chip = Chip(
            own.verdict, names: name, percent: Chip.percent(of: own.verdict, own.probability...own.probability), texts)
        let shown = texts.person(one.person)
        person = PersonMark(
            letter: PageTexts.letter(of: shown), name: shown,
            colour: (people.firstIndex { $0.name == one.person } ?? 0) % 4 + 1)
        let level = people.first { $0.name == one.person }?.allergens[one.allergen]
        sensitivity =
            level.map { texts.text("review.for", ["name": shown, "level": texts.text("sens.\($0.rawValue)")]) }
            ?? texts.text("review.for.plain", ["name": shown])
        var seen: Set<String> = []
        evidence = one.findings.flatMap { finding in
            finding.evidence.filter { seen.insert($0.text).inserted }.map {
                Word(text: $0.text, style: finding.kind?.style ?? "none")
            }
        }
        note = texts.text(own.verdict == .contains ? "review.printed" : "review.typical")
        isContradiction = one.isContradiction
        itemKey = one.item
        self.place = one.box?.rectangle ?? ""
        allergen = one.allergen.rawValue
        index = "\(place.index)"
        yes = texts.text("review.yes", ["x": name])
        unknown = texts.text("review.unknown", ["verdict": ReviewStep.word(own.verdict, texts).lowercased()])
        answered = one.verdict.by.map { by in
            texts.text(
                "review.answered",
                ["name": by, "x": texts.text("answer.\((one.verdict.said ?? .unknown).rawValue)")])
        }
        before = place.index > 0 ? address(place.index - 1) : nil
        after = address(place.index + 1)
        let key =
            one.item == Review.label ? Review.label : one.box.map { "\(Int($0.minX))-\(Int($0.minY))" } ?? one.name
        fix = "/photos/\(one.id)?dish=\(key.escaped)"
        rows = questions.enumerated().map { number, question in
            Row(
                n: "\(number + 1)", address: address(number),
                text: "\(wording.name(of: question.allergen)) – "
                    + (question.item == Review.label ? thing : question.name),
                hint: ReviewStep.hint(question, texts), isCurrent: number == place.index,
                isAnswered: question.isAnswered)
        }
    }
}

/// A part of the bar above the questions: `done`, `now`, or empty.
struct ReviewStep {
    let state: String

    static func all(_ questions: [ReviewQuestion], at index: Int?) -> [ReviewStep] {
        questions.enumerated().map { number, question in
            ReviewStep(state: number == index ? "now" : question.isAnswered ? "done" : "")
        }
    }

    static func words(_ questions: [ReviewQuestion], _ texts: PageTexts) -> String {
        texts.text("review.progress", ["n": "\(questions.count(where: \.isAnswered))", "all": "\(questions.count)"])
    }

    /// What is typical and not probable is to be asked.
    static func word(_ kind: AllergenVerdict.Kind, _ texts: PageTexts) -> String {
        texts.text(kind == .cannotTell ? "band.ask" : "v.\(kind.rawValue)")
    }

    /// What is known of a question: who answered it, or what the program says.
    static func hint(_ question: ReviewQuestion, _ texts: PageTexts) -> String {
        if let by = question.verdict.by {
            let said =
                question.verdict.said.map { texts.text("answer.\($0.rawValue)") } ?? texts.text("review.confirmed")
            return texts.text("review.answered", ["name": by, "x": said])
        }
        if question.isContradiction { return texts.text("review.differ") }
        let verdict = question.verdict
        return [
            word(verdict.verdict, texts),
            Chip.percent(of: verdict.verdict, verdict.probability...verdict.probability),
        ].compactMap { $0 }.joined(separator: " ")
    }
}

/// What was just saved. Undo leads back to its question.
struct ReviewSaved {
    let text, number: String

    init(_ review: Review, _ language: PageLanguage) {
        text = language.saved([review])
        number = "\(review.number ?? 0)"
    }
}

/// The end of a photo's questions, with the next photo.
struct ReviewEndPage: Page {
    static let template = "reviewend"
    static let styles = ["result", "fix"]
    static let scripts = ["review"]

    struct Answer { let text, hint: String }

    let heading, photo, title, head, progress: String
    let steps: [ReviewStep]
    let saved: ReviewSaved?
    let answers: [Answer]
    /// The first question without an answer.
    let open: String?
    let next: ReviewRow?

    init(
        _ questions: [ReviewQuestion], of photo: String, saved: Review?, next: ReviewActions.Waiting?,
        _ language: PageLanguage
    ) {
        let texts = language.texts
        self.photo = photo
        heading = texts.text("review.head")
        title = questions.first?.title ?? texts.text("untitled.none")
        steps = ReviewStep.all(questions, at: nil)
        progress = ReviewStep.words(questions, texts)
        let first = questions.firstIndex { !$0.isAnswered }
        let left = questions.count { !$0.isAnswered }
        head = texts.text(
            first == nil ? "review.done" : "review.left", ["n": "\(left)"])
        open = first.map { ReviewPlace(photo: photo, index: $0).address }
        self.saved = saved.map { ReviewSaved($0, language) }
        answers = questions.map { question in
            Answer(
                text: (question.item == Review.label ? texts.text("untitled.label") : question.name) + " – "
                    + language.wording.name(of: question.allergen), hint: ReviewStep.hint(question, texts))
        }
        self.next = next.map { ReviewRow($0, texts) }
    }
}

struct ReviewRow {
    let photo, title, text, address: String

    init(_ waiting: ReviewActions.Waiting, _ texts: PageTexts) {
        photo = waiting.photo
        title = waiting.title ?? texts.text("untitled.none")
        text = texts.text("review.open", ["n": "\(waiting.open)"])
        address = ReviewPlace(photo: waiting.photo, index: waiting.index).address
    }
}

struct ReviewQueuePage: Page {
    static let template = "reviewqueue"
    static let styles = ["result", "fix"]

    let heading: String
    let count: String?
    let rows: [ReviewRow]

    init(_ waiting: [ReviewActions.Waiting], _ texts: PageTexts) {
        heading = texts.text("review.head")
        rows = waiting.map { ReviewRow($0, texts) }
        let open = waiting.reduce(0) { $0 + $1.open }
        count = rows.isEmpty ? nil : texts.text("review.open", ["n": "\(open)"])
    }
}
