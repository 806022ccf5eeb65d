import Core

/// How much of an ingredient the label states, and its share of a daily value: only where the label gives the amount.
struct DoseShare {
    let circumstances: RiskInterpreter.Circumstances
    let scalars: [Unicode.Scalar]

    /// A daily value of a statement, in milligrams.
    private struct DailyValue {
        var milligrams: Double
        /// True for a value per kilogram of body weight.
        var isPerWeight = false
        /// True for a value of sodium. The nutrition table gives its amount as salt.
        var isSodium = false

        /// Nil for units that the amount of the ingredient cannot be compared with, such as an ion of it.
        init?(_ one: EvidenceFile.Statement) {
            guard let value = one.value, value > 0, one.substance == nil else { return nil }
            switch one.unit {
            case "mg/day": milligrams = value
            case "g/day": milligrams = value * 1000
            case "g sodium/day": milligrams = value * 1000
            case "mg/kg bw/day": (milligrams, isPerWeight) = (value, true)
            default: return nil
            }
            isSodium = one.subjects.contains { RiskSubject.salts.contains($0) }
        }
    }

    /// Kinds of statements whose value is an intake a day.
    private static let kinds: Set<String> = ["guidance-value", "intake-guideline"]
    /// Salt is sodium times 2.5 (Regulation (EU) No 1169/2011, Annex I).
    private static let saltPerSodium = 2.5

    /// - Parameters:
    ///   - records: those that are shown for the ingredient, the user's jurisdiction first.
    ///   - percent: the share of the ingredient in the product.
    /// - Returns: the share, and the position of its record; nil if an amount or a value is unknown.
    func share(
        of subjects: [String], _ percent: Double?, _ records: [EvidenceRelease.Record]
    ) -> (dose: IngredientAssessment.Dose, record: Int)? {
        let own = milligramsPer100(subjects, percent)
        let portion = circumstances.portion ?? 100
        for number in records.indices {
            let record = records[number].statement
            guard Self.kinds.contains(record.kind) || record.nutrient != nil, let value = DailyValue(record),
                let stated = record.nutrient == nil ? own : ofTable(record.nutrient),
                value.isSodium == stated.isSalt
            else { continue }
            var daily = value.milligrams
            if value.isPerWeight {
                guard let weight = circumstances.bodyWeight else { continue }
                daily *= weight
            }
            let amount = stated.milligrams * portion / 100
            let sodium = stated.isSalt ? amount / Self.saltPerSodium : nil
            let dose = IngredientAssessment.Dose(
                milligrams: amount.rounded(toPlaces: 3), sodium: sodium?.rounded(toPlaces: 3), portion: portion,
                share: ((sodium ?? amount) / daily).rounded(toPlaces: 4),
                bodyWeight: value.isPerWeight ? circumstances.bodyWeight : nil, text: "", statement: record.id,
                citations: [])
            return (dose, number)
        }
        return nil
    }

    /// Milligrams of a nutrient in 100 g or 100 ml, which the table counts wherever they come from.
    private func ofTable(_ nutrient: EvidenceFile.Statement.Nutrient?) -> (milligrams: Double, isSalt: Bool)? {
        let grams =
            switch nutrient {
            case .sugars: circumstances.nutrition?.sugars
            case .saturates: circumstances.nutrition?.saturatedFat
            case nil: nil as Double?
            }
        return grams.map { ($0 * 1000, false) }
    }

    /// Milligrams in 100 g or 100 ml as far as the label states them.
    private func milligramsPer100(_ subjects: [String], _ percent: Double?) -> (milligrams: Double, isSalt: Bool)? {
        if !RiskSubject.salts.isDisjoint(with: subjects) {
            // The nutrition table counts all salt of the product, the list only what was added.
            return circumstances.nutrition?.salt.map { ($0 * 1000, true) }
        }
        if subjects.contains(RiskSubject.caffeine) { return caffeine.map { ($0, false) } }
        guard let percent, percent > 0, subjects.contains(where: { $0.hasPrefix("E") }) else { return nil }
        return (percent * 1000, false)
    }

    /// "32 mg/100 ml" after the warning of a high caffeine content.
    private var caffeine: Double? {
        let text = String(scalars: scalars[...])
        guard
            let found = text.firstMatch(
                of: /(\d{1,4}(?:[.,]\d{1,2})?)\s?mg\s?(?:\/|per|pro|je|pour|por)\s?100\s?(?:ml|g)/)
        else { return nil }
        return Double(found.1.map { $0 == "," ? "." : String($0) }.joined())
    }
}

/// Subjects that a rule names.
enum RiskSubject {
    static let salts: Set<String> = ["ing:salt", "ing:sea-salt"]
    static let caffeine = "ing:caffeine"
}
