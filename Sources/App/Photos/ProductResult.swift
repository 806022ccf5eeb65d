import HTTP
import Core
import Foundation

/// The part of a result page about a label, a product, or both.
struct ProductResult {
    let page: ResultPage

    private var texts: PageTexts { page.texts }
    private var outcome: Outcome { page.outcome }

    /// - Parameter besideMenu: true where the page answers for dishes too, so the head says that this is the product.
    func values(besideMenu: Bool) -> Values {
        let verdicts = combined
        let findings = outcome.label?.findings ?? []
        var values: Values = [
            "answerHead": (besideMenu ? texts.text("kind.label") + ": " : "") + page.answerHead,
            "answers": page.names.map { answer($0, verdicts[$0] ?? [:]) },
            "emergency": page.language.wording.emergency,
        ]
        let differences = (outcome.products ?? []).flatMap { $0.contradictions ?? [] }
        values["differences"] = differences.map(difference)
        values["hasDifferences"] = !differences.isEmpty
        let ingredients = ingredientValues(findings)
        values["ingredients"] = ingredients
        values["hasIngredients"] = !ingredients.isEmpty
        if let label = outcome.label { values.merge(DocumentResult(page: page).packageValues(label)) { $1 } }
        let evidence = Evidence.lines(findings, outcome.label?.verdicts ?? [:], page)
        values["evidence"] = evidence
        values["hasEvidence"] = !evidence.isEmpty
        if let assessment = outcome.label?.assessment {
            values["risk"] = RiskSheet(assessment: assessment, release: page.release, texts: texts).values()
        }
        if let products = outcome.products, !products.isEmpty { values["records"] = products.map(record) }
        return values
    }

    /// Where the label's findings and the barcodes are printed.
    var marks: PhotoMarks {
        PhotoMarks(
            underlines: (outcome.label?.findings ?? []).flatMap(\.underlines),
            barcodes: (outcome.readings.barcodes ?? []).map(\.corners).filter { !$0.isEmpty })
    }

    /// Verdicts of the label, made more serious by the record; without a label those of the products.
    private var combined: Verdicts {
        var verdicts = outcome.label?.verdicts ?? [:]
        for product in outcome.products ?? [] {
            guard let own = product.verdicts else { continue }
            if verdicts.isEmpty { verdicts = own } else { verdicts.mergeWarnings(from: own) }
        }
        return verdicts
    }

    private func answer(_ name: String, _ verdicts: [Allergen: AllergenVerdict]) -> Values {
        var values = texts.who(name)
        values["chips"] = Chip.all(verdicts, words: page.words(of: name), page.language).map {
            $0.values(texts, isDish: false)
        }
        values["checks"] = verdicts.filter { $0.value.by != nil }.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            texts.text(
                "result.checked",
                [
                    "name": $0.value.by ?? "", "date": String(($0.value.at ?? "").prefix(10)),
                    "verdict": texts.text("v.\($0.value.own.verdict.rawValue)"),
                ])
        }
        return values
    }

    private func difference(_ difference: Product.Contradiction) -> Values {
        [
            "person": texts.person(difference.profile), "allergen": page.language.wording.name(of: difference.allergen),
            "label": texts.text("v.\(difference.label.rawValue)"),
            "record": texts.text("v.\(difference.record.rawValue)"),
        ]
    }

    /// The ingredient list in pieces, with the words of findings marked.
    private func ingredientValues(_ findings: [AllergenFinding]) -> [Values] {
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
        let text = (outcome.label?.ingredients ?? []).map(line).joined(separator: ", ")
        return Self.pieces(of: text, marks)
    }

    /// Splits a text at the marked words, longest first.
    static func pieces(of text: String, _ marks: [String: String]) -> [Values] {
        let words = marks.keys.filter { !$0.isEmpty }.sorted { ($0.count, $0) > ($1.count, $1) }
        var rest = text[...]
        var pieces: [Values] = []
        while !rest.isEmpty {
            let hits = words.compactMap { word in
                rest.range(of: word, options: .caseInsensitive).map { (range: $0, word: word) }
            }
            let first = hits.min { one, other in
                (one.range.lowerBound, other.word.count) < (other.range.lowerBound, one.word.count)
            }
            guard let hit = first else { break }
            if hit.range.lowerBound > rest.startIndex {
                pieces.append(["text": String(rest[..<hit.range.lowerBound])])
            }
            pieces.append(["text": String(rest[hit.range]), "style": marks[hit.word] ?? "contains"])
            rest = rest[hit.range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(["text": String(rest)]) }
        return pieces
    }

    private func record(_ product: Product) -> Values {
        var values: Values = ["number": product.gtin]
        if let name = product.name { values["name"] = name } else { values["isMissing"] = true }
        if let brand = product.brand { values["brand"] = brand }
        if let trust = product.trust { values["source"] = page.language.wording.source(trust) }
        if let day = product.recorded {
            let age = page.language.wording.age(since: day, asOf: Date())
            values["recorded"] = age.map { "\(day), \($0)" } ?? day
        }
        if let text = product.ingredients { values["ingredientText"] = text }
        return values
    }
}
