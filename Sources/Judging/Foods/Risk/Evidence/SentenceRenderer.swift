import Core
import Foundation

/// Renders statements as sentences: a text by key, with the record's fields in place of the braces.
struct SentenceRenderer: Sendable {
    let file: SentencesFile

    /// Nil if the key or a needed field is missing.
    func sentence(of one: EvidenceFile.Statement, language: String) -> String? {
        guard let template = file.sentences[one.sentence]?[language] else { return nil }
        var values: [String: String] = ["body": one.body, "place": word(one.jurisdiction, language)]
        if let date = one.date { values["year"] = String(date.prefix(4)) }
        if let effective = one.effective { values["effective"] = effective }
        if let value = one.value { values["value"] = Self.number(value, language) }
        if let numbers = one.values {
            values["values"] = numbers.map { Self.number($0, language) }.joined(separator: " / ")
        }
        if let unit = one.unit { values["unit"] = file.units[unit]?[language] ?? unit }
        if let substance = one.substance { values["substance"] = substance }
        if let group = one.group { values["group"] = group }
        if let route = one.route { values["route"] = word(route, language) }
        if let population = one.population {
            values["population"] = file.words["population:" + population]?[language] ?? population
        }
        if let groups = one.populations {
            values["populations"] = groups.map { word($0, language) }.joined(separator: ", ")
        }
        return Self.fill(template, values)
    }

    /// "The label states 80 mg in 250 g or ml: 20 % of 400 mg a day (EFSA 2015, adults)." Salt is compared as the sodium
    /// in it, and the sentence gives both amounts.
    func sentence(
        of dose: IngredientAssessment.Dose, about one: EvidenceFile.Statement, language: String
    ) -> String? {
        let key =
            one.nutrient.map { "dose-share-\($0.rawValue)" }
            ?? (dose.sodium != nil ? "dose-share-sodium" : dose.bodyWeight == nil ? "dose-share" : "dose-share-weight")
        guard let template = file.sentences[key]?[language], let value = one.value, let stated = one.unit else {
            return nil
        }
        // The records of salt count sodium, also where their unit does not say so.
        let unit = dose.sodium != nil && stated == "g/day" ? "g sodium/day" : stated
        var values = [
            "amount": Self.number(dose.milligrams, language),
            "grams": Self.number(dose.milligrams / 1000, language), "portion": Self.number(dose.portion, language),
            "share": Self.number((dose.share * 100).rounded(toPlaces: dose.share < 0.1 ? 1 : 0), language),
            "value": Self.number(value, language), "unit": file.units[unit]?[language] ?? unit, "body": one.body,
            "year": String((one.date ?? "").prefix(4)),
        ]
        if let sodium = dose.sodium { values["sodium"] = Self.number(sodium, language) }
        if let weight = dose.bodyWeight { values["weight"] = Self.number(weight, language) }
        return Self.fill(template, values)
    }

    private func word(_ key: String, _ language: String) -> String { file.words[key]?[language] ?? key }

    /// Nil if a field in braces has no value.
    static func fill(_ template: String, _ values: [String: String]) -> String? {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}"),
                let value = values[String(rest[rest.index(after: open)..<close])]
            else { return nil }
            text += value
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// `0.07`, in German `0,07`; no trailing zeros.
    static func number(_ value: Double, _ language: String) -> String {
        let rounded = (value * 1000).rounded() / 1000
        let whole = rounded.rounded(.towardZero)
        let plain = rounded == whole && abs(whole) < 1e15 ? String(Int(whole)) : String(rounded)
        return language == "de" ? plain.replacingOccurrences(of: ".", with: ",") : plain
    }
}
