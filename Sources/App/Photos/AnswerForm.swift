import Core
import Foundation

/// The questions of a dish, label or product, one for each allergen, that an adult can answer.
struct AnswerForm {
    /// One allergen.
    struct Row {
        let key, name: String
        let people: [PersonMark]
        /// What the text says, and who checked it.
        let note: String
        let isContained, isDenied, isUnknown: Bool
    }

    /// The name in reviews, and the place on the photo, empty without one.
    let item, place: String
    /// The allergens that somebody here must know, and the others of the fourteen.
    let watched, others: [Row]
    let more: String

    /// - Parameter item: its name in reviews.
    init(
        of item: String, at place: Quad?, _ verdicts: Verdicts, _ statements: [AllergenStatement],
        _ findings: [AllergenFinding], _ shown: ShownOutcome
    ) {
        self.item = item
        self.place = place?.rectangle ?? ""
        var own: [Allergen: (verdict: AllergenVerdict, people: [PersonMark])] = [:]
        for (person, mark) in shown.marked {
            for (allergen, verdict) in verdicts[person] ?? [:] where allergen != .personal {
                let known = own[allergen]
                let isWorse = known.map { $0.verdict.verdict.severity < verdict.verdict.severity } ?? true
                own[allergen] = (isWorse ? verdict : known?.verdict ?? verdict, (known?.people ?? []) + [mark])
            }
        }
        func row(_ allergen: Allergen) -> Row {
            let said = statements.last { $0.allergen == allergen }
            return Row(
                key: allergen.rawValue, name: shown.language.wording.name(of: allergen).capitalisedFirst,
                people: own[allergen]?.people ?? [],
                note: Self.note(allergen, own[allergen]?.verdict, findings, said, shown),
                isContained: said?.said == .contains, isDenied: said?.said == .absent,
                isUnknown: said?.said == .unknown)
        }
        // What is open comes first, most serious first; what the text says needs no answer.
        watched = own.sorted {
            (Self.urgency($0.value.verdict), $1.key.rawValue) > (Self.urgency($1.value.verdict), $0.key.rawValue)
        }.map { row($0.key) }
        others = Allergen.eu14.filter { own[$0] == nil }.map(row)
        more = shown.texts.text("answer.others", ["n": "\(others.count)"])
    }

    private static func urgency(_ verdict: AllergenVerdict) -> Double {
        let order: Double =
            switch verdict.own.verdict {
            case .likely: 4
            case .mayContain: 3
            case .cannotTell: verdict.own.risk == .unknown ? 1 : 2
            case .contains: 0.5
            case .notFoundInText: 0
            }
        return order * 10 + verdict.own.probability
    }

    private static func note(
        _ allergen: Allergen, _ verdict: AllergenVerdict?, _ findings: [AllergenFinding], _ said: AllergenStatement?,
        _ shown: ShownOutcome
    ) -> String {
        let texts = shown.texts
        let own = verdict?.own
        let words = findings.filter { $0.allergen == allergen && $0.polarity != .freeClaim }.flatMap(\.evidence).map(
            \.text)
        let quoted = words.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.prefix(3)
            .map(texts.quoted)
        let percent = own.map { "\(Int(nearest: $0.probability * 100)) %" } ?? ""
        let values = ["x": texts.list(Array(quoted)), "p": percent]
        var note: String
        switch own?.verdict {
        case .contains, .mayContain: note = texts.text(quoted.isEmpty ? "answer.printed" : "answer.text", values)
        case .likely: note = texts.text(quoted.isEmpty ? "answer.likely.plain" : "answer.likely", values)
        case .cannotTell where own?.risk != .unknown && !quoted.isEmpty: note = texts.text("answer.possible", values)
        case .cannotTell: note = texts.text("answer.unclear")
        case .notFoundInText: note = texts.text("answer.none")
        case nil: note = texts.text(quoted.isEmpty ? "answer.none" : "answer.text", values)
        }
        if let said {
            note +=
                " "
                + texts.text(
                    "answer.by",
                    ["name": said.by, "time": shown.moment(said.at), "x": texts.text("answer.\(said.said.rawValue)")])
        }
        return note
    }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
