import Foundation
import Core

/// All texts about outcomes in one language: `models/wording/<language>.json`. Outcomes store keys; texts are chosen
/// for display.
package struct Wording: Sendable, Codable, DataFile {
    package static let schema = "tablesight.wording/3"

    /// Texts with placeholders, by their keys in `phrases`.
    package enum Phrase: String, Sendable, CaseIterable {
        case confidence, layout, ingredientsRead, product, barcode, correctedBy, deniedBy, canOmitBy, askedBy,
            codesDiffer, contradiction, askStaff
        case household, avoid, ask, notMentioned, wholeLabel, unreadScript
        case receiptMerchant, receiptTotal, receiptDate, checkHolds, checkFails, figuresAgree, figuresDiffer
        case cardSevere, cardAllergy, cardQuestion, cardYes, cardNo, cardWithout
        case nutritionPer, dateBestBefore, dateUseBy, dateSellBy, datePacked, tagPrice, ambiguous
    }

    /// BCP 47.
    package let language: String
    let verdicts: [String: String]
    let labels: [String: String]
    /// What this program never claims.
    package let limits: String
    /// Emergency advice for an allergic reaction.
    package let emergency: String
    let allergens: [Allergen: String]
    /// Names of allergens in the grammatical forms that `verdicts` uses, by name of the form: `dative`.
    let forms: [String: [Allergen: String]]
    let reasons, failures, statuses, domains, levels, trust: [String: String]
    /// Names of the scripts that are not read, by `PrintScript`.
    let scripts: [String: String]
    /// Names of nutrients, by the keys of nutrition tables.
    let nutrients: [String: String]
    /// Names of units and portions that are no symbols, by their keys in outcomes.
    let units: [String: String]
    let age: Age
    let phrases: [String: String]

    /// The age of a record; each unit by CLDR plural category.
    struct Age: Sendable, Codable {
        var today: String
        var days, months, years: [String: String]
    }

    /// Whether the figures of a nutrition table agree; nil without a check. They are no amounts of money.
    package func agreement(of nutrition: Nutrition) -> String? {
        guard !nutrition.checks.isEmpty else { return nil }
        return phrase(nutrition.checks.allSatisfy(\.holds) ? .figuresAgree : .figuresDiffer)
    }

    /// The verdict on one allergen as a sentence.
    package func sentence(_ word: AllergenVerdict.Kind, on allergen: Allergen) -> String {
        var text = template(word)
        for (form, names) in forms { text = text.replacing("{x:\(form)}", with: names[allergen] ?? name(of: allergen)) }
        return text.replacing("{x}", with: name(of: allergen))
    }

    /// The verdict on a personal word as a sentence.
    package func sentence(_ word: AllergenVerdict.Kind, on name: String) -> String {
        forms.keys.reduce(template(word)) { $0.replacing("{x:\($1)}", with: name) }.replacing("{x}", with: name)
    }

    private func template(_ word: AllergenVerdict.Kind) -> String { verdicts[word.rawValue] ?? word.rawValue + " {x}" }

    /// The verdict in one or two words, for use before the names of allergens.
    package func label(_ word: AllergenVerdict.Kind) -> String { labels[word.rawValue] ?? word.rawValue }

    /// The name of the allergen; its key if the file has no name.
    package func name(of allergen: Allergen) -> String { allergens[allergen] ?? allergen.rawValue }
    /// A person's own word for what the person avoids beyond the allergens.
    package func name(of finding: AllergenFinding) -> String {
        (finding.allergen == .personal ? finding.leaf : nil) ?? name(of: finding.allergen)
    }

    /// The sentence for a page on allergens that depend on what the kitchen buys; nil without allergens.
    package func kitchenSentence(_ allergens: [Allergen]) -> String? {
        guard !allergens.isEmpty, let reason = reason(Menu.kitchenReason) else { return nil }
        let names = allergens.map(name).joined(separator: ", ")
        return names.prefix(1).uppercased() + names.dropFirst() + ": " + reason
    }

    /// The reason of a verdict; nil for a key without a text.
    package func reason(_ key: String) -> String? { reasons[key] }

    /// The text of a failure, by `ItemFailure.Code`.
    package func failure(_ code: String) -> String? { failures[code] }

    /// The text of a status.
    package func status(_ status: Outcome.Status) -> String { statuses[status.rawValue] ?? status.rawValue }

    /// The text of a domain.
    package func domain(_ domain: Outcome.Domain) -> String { domains[domain.rawValue] ?? domain.rawValue }

    /// The text of a confidence level.
    package func level(_ level: Confidence.Level) -> String { levels[level.rawValue] ?? level.rawValue }

    /// The name of a script.
    package func name(of script: PrintScript) -> String { scripts[script.rawValue] ?? script.rawValue }

    /// The name of a nutrient, by its key in nutrition tables, such as `saturatedFat`.
    package func nutrient(_ key: String) -> String { nutrients[key] ?? key }

    /// The name of a unit or portion, such as `100g` or `piece`; symbols such as `kg` stay.
    package func unit(_ key: String) -> String { units[key] ?? key }

    /// The text of a record's source.
    package func source(_ trust: Product.Trust) -> String { self.trust[trust.rawValue] ?? trust.rawValue }

    /// A phrase with its placeholders filled, such as `{level}`.
    package func phrase(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        (phrases[phrase.rawValue] ?? phrase.rawValue).filling(values)
    }

    /// The age of a record: `2 years old`, `5 months old`, `12 days old`, `from today`.
    ///
    /// - Parameters:
    ///   - day: the day of the record, `yyyy-MM-dd`.
    ///   - date: the current date.
    /// - Returns: nil if `day` is not a date.
    package func age(since day: String, asOf date: Date) -> String? {
        guard let began = try? Date(day, strategy: .iso8601.year().month().day()) else { return nil }
        let days = Int((date.timeIntervalSince(began) / 86_400).rounded(.down))
        func count(_ number: Int, _ forms: [String: String]) -> String {
            let category = PluralCategory(of: number, in: language)
            return (forms[category.rawValue] ?? forms["other"] ?? "{n}").replacing("{n}", with: String(number))
        }
        return switch days {
        case ...0: age.today
        case 1..<61: count(days, age.days)
        case 61..<730: count(days / 30, age.months)
        default: count(days / 365, age.years)
        }
    }

    /// Loads every wording of the folder, by language.
    /// - Throws: `StartupError` with the file and the key.
    package static func loadAll(from models: ModelFolder) throws -> [String: Wording] {
        let all = try models.loadAll(Wording.self, in: "wording")
        return Dictionary(all.map { ($0.language, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(language == name, "language", "\(language) differs from the file's name")
        if let missing { throw DataFileProblem(missing, "missing: add its text") }
    }

    /// The first key without a text, or nil.
    private var missing: String? {
        func first(_ part: String, _ table: [String: String], _ keys: [String]) -> String? {
            keys.first { table[$0]?.isEmpty != false }.map { "\(part).\($0)" }
        }
        let words = AllergenVerdict.Kind.allCases.map(\.rawValue)
        let tables = [
            first("verdicts", verdicts.filter { $0.value.contains("{x") }, words),
            first("labels", labels, words),
            first("failures", failures, ItemFailure.Code.allCases.map(\.rawValue)),
            first("phrases", phrases, Phrase.allCases.map(\.rawValue)),
            first("scripts", scripts, PrintScript.allCases.map(\.rawValue)),
            first("nutrients", nutrients, Nutrition.Basis.names),
            first("units", units, ["100g", "100ml", "serving", "package", "piece"]),
            first("domains", domains, Outcome.Domain.allCases.map(\.rawValue)),
        ]
        if let missing = tables.compactMap(\.self).first { return missing }
        for allergen in Allergen.allCases {
            if allergens[allergen] == nil { return "allergens.\(allergen.rawValue)" }
            for (form, names) in forms where names[allergen] == nil { return "forms.\(form).\(allergen.rawValue)" }
        }
        if [age.days, age.months, age.years].contains(where: { $0["other"] == nil }) { return "age.*.other" }
        return emergency.isEmpty || limits.isEmpty ? "emergency or limits" : nil
    }
}
