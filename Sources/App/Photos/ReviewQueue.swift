import HTTP
import Core
import Foundation
import Store
import Synchronization

/// An unsure verdict that a person may decide.
struct ReviewQuestion: Sendable {
    /// The photo's id.
    var id: String
    /// The photo's title.
    var title: String?
    /// The dish's name, `label`, or a product number.
    var item: String
    var allergen: Allergen
    /// The person with the most serious verdict.
    var person: String
    var verdict: AllergenVerdict
    var findings: [AllergenFinding]
    /// Where the item is printed, pixels of the upright photo.
    var box: Quad?
    var width, height: Int
    /// Record and label give different verdicts.
    var isContradiction: Bool

    /// A stable name of the question in addresses.
    var key: String { "\(id)|\(item)|\(allergen.rawValue)" }
}

extension ReviewQuestion {
    /// A warning below this probability is asked about.
    private static let sure = 0.85

    /// The unsure verdicts of one photo that nobody has decided, most serious first.
    static func all(in outcome: Outcome) -> [ReviewQuestion] {
        guard let id = outcome.id else { return [] }
        var found: [ReviewQuestion] = []
        func add(
            _ item: String, _ verdicts: Verdicts, _ findings: [AllergenFinding], _ box: Quad?,
            _ differing: Set<Allergen>
        ) {
            var worst: [Allergen: (person: String, verdict: AllergenVerdict)] = [:]
            for (person, own) in verdicts.sorted(by: { $0.key < $1.key }) {
                for (allergen, verdict) in own where allergen != .personal {
                    if let known = worst[allergen], known.verdict.verdict.severity >= verdict.verdict.severity {
                        continue
                    }
                    worst[allergen] = (person, verdict)
                }
            }
            for (allergen, entry) in worst where entry.verdict.by == nil {
                let verdict = entry.verdict
                let isUnsure =
                    verdict.verdict == .likely
                    || verdict.verdict.isWarning && verdict.probability < sure && verdict.verdict != .mayContain
                guard isUnsure || differing.contains(allergen) else { continue }
                found.append(
                    ReviewQuestion(
                        id: id, title: outcome.title, item: item, allergen: allergen, person: entry.person,
                        verdict: verdict, findings: findings.filter { $0.allergen == allergen }, box: box,
                        width: outcome.source.width ?? 0, height: outcome.source.height ?? 0,
                        isContradiction: differing.contains(allergen)))
            }
        }
        for item in outcome.menu?.sections.flatMap(\.items) ?? [] {
            add(item.name, item.verdicts, item.findings, item.box, [])
        }
        let differing = Set((outcome.products ?? []).flatMap { $0.contradictions ?? [] }.map(\.allergen))
        if let label = outcome.label { add("label", label.verdicts, label.findings, nil, differing) }
        return found.sorted {
            (rank($0), $1.item, $1.allergen.rawValue) > (rank($1), $0.item, $0.allergen.rawValue)
        }
    }

    static func rank(_ question: ReviewQuestion) -> Double {
        (question.isContradiction ? 100 : 0) + Double(question.verdict.verdict.severity) * 10
            + question.verdict.probability
    }
}

/// The questions of photos that were looked at before: an outcome is decoded once, not for each request.
final class ReviewQuestions: Sendable {
    private struct Entry {
        var outcome: Data
        var questions: [ReviewQuestion]
        var use: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())
    private let most: Int

    /// - Parameter most: photos that are remembered, at least 1.
    init(most: Int = 128) { self.most = max(1, most) }

    /// Number of remembered photos.
    var count: Int { state.withLock { $0.entries.count } }

    /// The questions of an outcome; `json` decides whether it is still the one that was decoded.
    func all(of id: String, in json: Data) throws -> [ReviewQuestion] {
        let known = state.withLock { state -> [ReviewQuestion]? in
            state.uses += 1
            guard state.entries[id]?.outcome == json else { return nil }
            state.entries[id]?.use = state.uses
            return state.entries[id]?.questions
        }
        if let known { return known }
        let questions = ReviewQuestion.all(in: try JSONCoding.decode(Outcome.self, from: json))
        state.withLock { state in
            state.entries[id] = Entry(outcome: json, questions: questions, use: state.uses)
            guard state.entries.count > most else { return }
            let oldest = state.entries.min { $0.value.use < $1.value.use }
            if let oldest { state.entries[oldest.key] = nil }
        }
        return questions
    }
}

/// What the address of a page of review says. A step from one question to another keeps the photo.
struct ReviewPlace {
    /// The questions are those of this photo only; nil for all photos.
    var photo: String?
    /// Index of the question, from 0.
    var index = 0
    /// The number of the review that was just saved and can be undone.
    var undo: Int64?

    var address: String {
        var parts: [(String, String)] = []
        if let photo { parts.append(("photo", photo)) }
        parts.append(("n", "\(index)"))
        if let undo { parts.append(("undo", "\(undo)")) }
        return "/review?"
            + parts.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "")"
            }.joined(separator: "&")
    }

    private static let plain = CharacterSet.alphanumerics
}

extension ReviewPlace {
    init(_ form: FormBody) {
        func value(_ name: String) -> String? { form[name].isEmpty ? nil : form[name] }
        photo = value("photo")
        index = max(0, value("n").flatMap { Int($0) } ?? 0)
        undo = value("undo").flatMap { Int64($0) }
    }
}

/// The page of one question.
struct ReviewPage {
    let questions: [ReviewQuestion]
    /// Index of the question shown.
    let index: Int
    let people: [AllergenProfile]
    let language: PageLanguage
    /// What the address of the page says.
    let place: ReviewPlace
    /// What was just saved.
    let saved: String?

    private var texts: PageTexts { language.texts }

    func values() -> Values {
        var values: Values = ["waiting": waiting, "hasQuestion": !questions.isEmpty, "ofPhoto": place.photo ?? ""]
        if let photo = place.photo { values["onlyPhoto"] = ["address": "/photos/\(photo)"] as Values }
        if let saved, let number = place.undo {
            // An undo comes back to the question that was answered, which may have been the last.
            values["saved"] =
                ["text": saved, "number": "\(number)", "index": "\(place.index)"]
                as Values
        }
        guard questions.indices.contains(index) else { return values }
        let question = questions[index]
        let name = language.wording.name(of: question.allergen)
        values["count"] = texts.text("review.count", ["n": "\(index + 1)", "all": "\(questions.count)"])
        values["all"] = "\(questions.count)"
        values["done"] = "\(index)"
        values["photoTitle"] = question.title ?? texts.text("untitled.none")
        values["item"] = itemName(question)
        values["question"] =
            question.item == "label"
            ? texts.text("review.question.label", ["x": name])
            : texts.text("review.question", ["item": itemName(question), "x": name])
        values["chip"] = Chip(
            kind: question.verdict.verdict, allergens: [name],
            range: question.verdict.probability...question.verdict.probability, isChecked: false
        ).values(texts, isDish: question.item != "label")
        let sensitivity = people.first { $0.name == question.person }?.allergens[question.allergen]
        values["for"] =
            sensitivity.map {
                texts.text(
                    "review.for", ["name": texts.person(question.person), "level": texts.text("sens.\($0.rawValue)")])
            } ?? texts.text("review.for.plain", ["name": texts.person(question.person)])
        values["evidence"] = question.findings.flatMap { finding in
            finding.evidence.map { word -> Values in
                [
                    "text": word.text, "style": finding.kind?.style ?? "none",
                    "how": texts.text("s.\(finding.strength.rawValue)"),
                ]
            }
        }
        values["hasEvidence"] = question.findings.contains { !$0.evidence.isEmpty }
        values["isContradiction"] = question.isContradiction
        if question.width > 0 { values["photo"] = photo(question) }
        values["id"] = question.id
        values["itemKey"] = question.item
        values["allergen"] = question.allergen.rawValue
        values["index"] = "\(index)"
        values["before"] = address(max(0, index - 1))
        values["after"] = address((index + 1) % max(1, questions.count))
        values["isLikelyRight"] = question.verdict.verdict == .contains
        values["choices"] = [
            ("CONTAINS", "v.CONTAINS"), ("MAY_CONTAIN", "v.MAY_CONTAIN"), ("ABSENT", "v.NOT_FOUND_IN_TEXT"),
        ].map { value, key -> Values in ["value": value, "word": texts.text(key)] }
        return values
    }

    /// The page of another question, of the same photo if the questions are those of one.
    private func address(_ index: Int) -> String {
        ReviewPlace(photo: place.photo, index: index).address
    }

    private func itemName(_ question: ReviewQuestion) -> String {
        question.item == "label" ? question.title ?? texts.text("untitled.label") : question.item
    }

    private var waiting: [Values] {
        questions.enumerated().prefix(12).map { number, question in
            [
                "n": "\(number + 1)", "address": address(number), "isCurrent": number == index,
                "text": "\(language.wording.name(of: question.allergen)) – \(itemName(question))",
                "hint": question.isContradiction
                    ? texts.text("review.differ")
                    : "\(texts.text("v.\(question.verdict.verdict.rawValue)")) "
                        + Chip.percent(question.verdict.probability...question.verdict.probability),
            ]
        }
    }

    /// The part of the photo around the item.
    private func photo(_ question: ReviewQuestion) -> Values {
        let overlay = PhotoOverlay(
            width: question.width, height: question.height, items: [],
            underlines: question.findings.flatMap(\.underlines), words: [])
        var values = overlay.values(image: "/v1/outcomes/\(question.id)/image")
        if let box = question.box {
            let edge = Double(question.width) / 20
            let (left, top) = (max(0, box.minX - edge), max(0, box.minY - edge))
            let width = min(Double(question.width) - left, box.width + 2 * edge)
            let height = min(Double(question.height) - top, box.height + 2 * edge)
            values["viewBox"] = [left, top, width, height].map { String(Int(nearest: $0)) }.joined(separator: " ")
        }
        return values
    }
}
