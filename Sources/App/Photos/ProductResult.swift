import Core
import Foundation

/// The part of a result page about a label, a product, or both.
struct ProductResult {
    struct Answer {
        let letter, name: String
        let colour: Int
        /// True where pictures have the same letter.
        let isNamed: Bool
        let chips: [Chip]
        /// Who checked which verdict.
        let checks: [String]
    }

    /// A verdict that the label and the record give differently.
    struct Difference { let person, allergen, label, record: String }

    /// A part of the ingredient list.
    struct Piece: Equatable {
        let text: String
        /// Of a word that is marked.
        var style: String?
    }

    struct Record {
        let number: String
        let isMissing: Bool
        let name, brand, source, recorded, ingredientText: String?
    }

    /// A packet that no catalogue knows: its name is offered from the label, allergens and figures are those of the photo.
    struct NewPacket { let number, name: String }

    /// A packet that no catalogue knows, on a photo without its label.
    struct Unlabelled { let number: String }

    let answerHead: String
    let answers: [Answer]
    let differences: [Difference]
    let ingredients: [Piece]
    let evidence: [Evidence]
    let nutrition: NutritionResult?
    let dates: DatesResult?
    let risk: RiskSheet?
    let records: [Record]
    /// Nil for a packet that is known, and for whoever may not name one.
    let newPacket: NewPacket?
    let unlabelled: Unlabelled?
    /// True for whoever may add it to a list, log it, or add a price.
    let hasActions: Bool
    /// The name of the packet, for who may change it.
    let packet: String?
    /// What people said of it, and the form for more.
    let said: AnswerCard?
    let emergency: String

    /// Nil for a photo without label and product.
    ///
    /// - Parameter besideMenu: true where the page answers for dishes too, so the head says that this is the product.
    init?(_ shown: ShownOutcome, besideMenu: Bool) {
        let (label, products, texts) = (shown.outcome.label, shown.outcome.products ?? [], shown.texts)
        guard label != nil || !products.isEmpty else { return nil }
        let verdicts = Self.combined(label, products)
        answerHead = (besideMenu ? texts.text("kind.label") + ": " : "") + shown.answerHead
        let marks = shown.marked
        let isNamed = Set(marks.map(\.mark.letter)).count < marks.count
        answers = marks.map { Answer($0.name, $0.mark, isNamed: isNamed, verdicts[$0.name] ?? [:], shown) }
        differences = products.flatMap { $0.contradictions ?? [] }.filter { difference in
            marks.contains { $0.name == difference.profile }
        }.map { difference in
            Difference(
                person: texts.person(difference.profile),
                allergen: shown.language.wording.name(of: difference.allergen),
                label: texts.text("v.\(difference.label.rawValue)"),
                record: texts.text("v.\(difference.record.rawValue)"))
        }
        let findings = shown.ofShown(label?.findings ?? [], label?.verdicts ?? [:])
        ingredients = Self.ingredients(label?.ingredients ?? [], findings)
        evidence = Evidence.all(findings, label?.verdicts ?? [:], shown)
        nutrition = label?.nutrition.map { NutritionResult($0, shown) }
        dates = label?.dates.map { DatesResult($0, shown) }
        risk = (shown.assessment ?? label?.assessment).map {
            RiskSheet(assessment: $0, of: shown.id, release: shown.release, texts: texts)
        }
        records = products.map { Record($0, shown) }
        newPacket = NewPacket(shown)
        let isKnown = label != nil || products.count > 1 || products.contains { $0.name != nil || !$0.isUnknown }
        unlabelled = isKnown ? nil : products.first.flatMap { GTIN($0.gtin) }.map { Unlabelled(number: $0.normalised) }
        said = AnswerCard(shown)
        hasActions = shown.mayCorrect
        packet = label != nil && newPacket == nil && shown.mayCorrect ? texts.title(of: shown.outcome) : nil
        emergency = shown.language.wording.emergency
    }

    /// What reviews and saved items call the label, or the product without one.
    static func key(of outcome: Outcome) -> String? {
        outcome.label == nil ? outcome.products?.first?.gtin : Review.label
    }

    /// Where the label's findings and the barcodes are printed.
    static func marks(_ shown: ShownOutcome) -> PhotoMarks {
        let label = shown.outcome.label
        return PhotoMarks(
            underlines: label.map { shown.ofShown($0.findings, $0.verdicts).flatMap(\.underlines) } ?? [],
            barcodes: (shown.outcome.readings.barcodes ?? []).map(\.corners).filter { !$0.isEmpty })
    }

    /// Verdicts of the label, made more serious by the record; without a label those of the products.
    private static func combined(_ label: Label?, _ products: [Product]) -> Verdicts {
        var verdicts = label?.verdicts ?? [:]
        for own in products.compactMap(\.verdicts) {
            if verdicts.isEmpty { verdicts = own } else { verdicts.mergeWarnings(from: own) }
        }
        return verdicts
    }

    /// The ingredient list in pieces, with the words of findings marked.
    private static func ingredients(_ list: [Label.Ingredient], _ findings: [AllergenFinding]) -> [Piece] {
        var marks: [String: String] = [:]
        for finding in findings {
            guard let kind = finding.kind else { continue }
            for evidence in finding.evidence { marks[evidence.text.lowercased()] = kind.style }
        }
        func line(_ ingredient: Label.Ingredient) -> String {
            let share = ingredient.percent.map { " \($0.formatted()) %" } ?? ""
            let parts = ingredient.ingredients.map(line).joined(separator: ", ")
            return ingredient.text + share + (parts.isEmpty ? "" : " (\(parts))")
        }
        return pieces(of: list.map(line).joined(separator: ", "), marks)
    }

    /// Splits a text at the marked words, longest first.
    static func pieces(of text: String, _ marks: [String: String]) -> [Piece] {
        let words = marks.keys.filter { !$0.isEmpty }.sorted { ($0.count, $0) > ($1.count, $1) }
        var rest = text[...]
        var pieces: [Piece] = []
        while !rest.isEmpty {
            let hits = words.compactMap { word in
                rest.range(of: word, options: .caseInsensitive).map { (range: $0, word: word) }
            }
            let first = hits.min { one, other in
                (one.range.lowerBound, other.word.count) < (other.range.lowerBound, one.word.count)
            }
            guard let hit = first else { break }
            if hit.range.lowerBound > rest.startIndex {
                pieces.append(Piece(text: String(rest[..<hit.range.lowerBound])))
            }
            pieces.append(Piece(text: String(rest[hit.range]), style: marks[hit.word] ?? "contains"))
            rest = rest[hit.range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(Piece(text: String(rest))) }
        return pieces
    }
}

/// What people said of a label, or of the only product without one, and the form for more.
struct AnswerCard {
    let statements: [String]
    /// Opens the form, or closes it; nil for whoever may not correct.
    let address: String?
    let form: AnswerForm?
    let saved: SavedBar?

    /// Nil if nobody said anything and this reader cannot.
    fileprivate init?(_ shown: ShownOutcome) {
        let (label, product) = (shown.outcome.label, shown.outcome.products?.first)
        guard let key = ProductResult.key(of: shown.outcome), let verdicts = label?.verdicts ?? product?.verdicts else {
            return nil
        }
        let said = label?.statements ?? product?.statements ?? []
        guard shown.mayCorrect || !said.isEmpty else { return nil }
        statements = said.map { statement in
            shown.texts.text(
                "answer.line",
                [
                    "name": statement.by, "time": shown.moment(statement.at),
                    "x": shown.language.said(statement.said, statement.allergen),
                ])
        }
        let isOpen = shown.place.open == key
        address =
            shown.mayCorrect
            ? (isOpen ? shown.address(for: shown.place.person) : shown.address(opening: key)) + "#said" : nil
        form =
            shown.mayCorrect && isOpen
            ? AnswerForm(
                of: key, at: nil, verdicts, said, label?.findings ?? product?.findings ?? [], shown) : nil
        saved = shown.outcome.menu == nil && shown.saved.contains { $0.item == key } ? SavedBar(shown) : nil
    }
}

extension ProductResult.Answer {
    fileprivate init(
        _ person: String, _ mark: PersonMark, isNamed: Bool, _ verdicts: [Allergen: AllergenVerdict],
        _ shown: ShownOutcome
    ) {
        let texts = shown.texts
        (name, letter, colour) = (mark.name, mark.letter, mark.colour)
        self.isNamed = isNamed
        chips = VerdictGroup.all(verdicts, words: shown.words(of: person), shown.language).map {
            Chip($0, isDish: false, texts)
        }
        checks = verdicts.filter { $0.value.by != nil }.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            let (allergen, words) = ($0.key, shown.words(of: person))
            return texts.text(
                "result.checked",
                [
                    "x": $0.value.said.map { shown.language.said($0, allergen, words: words) }
                        ?? shown.language.name(of: allergen, words: words),
                    "name": $0.value.by ?? "", "date": String(($0.value.at ?? "").prefix(10)),
                    "verdict": texts.text("v.\($0.value.own.verdict.rawValue)"),
                ])
        }
    }
}

extension ProductResult.NewPacket {
    fileprivate init?(_ shown: ShownOutcome) {
        let products = shown.outcome.products ?? []
        guard shown.mayCorrect, shown.outcome.label != nil, products.count <= 1, products.first?.name == nil,
            products.first?.isUnknown ?? true,
            let gtin = products.first.map({ GTIN($0.gtin) }) ?? shown.place.number
        else { return nil }
        (number, name) = (gtin.normalised, shown.outcome.heading ?? "")
    }
}

extension ProductResult.Record {
    fileprivate init(_ product: Product, _ shown: ShownOutcome) {
        let wording = shown.language.wording
        number = product.gtin
        name = product.name
        isMissing = product.name == nil
        brand = product.brand
        source = product.trust.map { wording.source($0) }
        recorded = product.recorded.map { day in
            wording.age(since: day, asOf: Date()).map { "\(day), \($0)" } ?? day
        }
        ingredientText = product.ingredients
    }
}
