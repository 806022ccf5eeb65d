import Core
import Foods

extension LabelKind {
    /// What is on file about the ingredients of a label; nil without an ingredient list.
    func assessment(
        of label: Label, _ text: TextReading, for profiles: [AllergenProfile]
    ) -> IngredientAssessment? {
        guard !label.ingredients.isEmpty else { return nil }
        return risk.interpreter?.assessment(
            of: label.ingredients, unread: Self.unreadWords(of: text),
            .init(
                language: text.languages.first, jurisdiction: profiles.jurisdiction,
                nutrition: label.nutrition.flatMap(NutritionPer100.init), hasTable: label.nutrition != nil))
    }

    /// Folded words below medium confidence. A missing record says nothing about an ingredient with such a word.
    private static func unreadWords(of text: TextReading) -> Set<String> {
        var unread: Set<String> = []
        for word in text.lines.flatMap(\.words) where Confidence(word.confidence).level < .medium {
            unread.formUnion(Folding.words(of: word.text))
        }
        return unread
    }
}

extension [AllergenProfile] {
    /// The jurisdiction of all people; nil if they differ or none has evidence of its own.
    package var jurisdiction: String? {
        let known = ["eu14": "EU", "eu": "EU", "us9": "US", "us": "US"]
        let all = Set(map { known[$0.regime.lowercased()] })
        return all.count == 1 ? all.first ?? nil : nil
    }
}

extension NutritionPer100 {
    /// The column per 100 g or 100 ml; nil without one. Its confidence is that of the least certain value.
    init?(_ table: Nutrition) {
        guard let basis = table.basis.first(where: { $0.per == "100g" || $0.per == "100ml" }) else { return nil }
        let read = [
            basis.energyKJ ?? basis.energyKcal, basis.fat, basis.saturatedFat, basis.carbohydrate, basis.sugars,
            basis.fibre, basis.protein, basis.salt ?? basis.sodium,
        ]
        guard let least = read.compactMap({ $0?.confidence }).min() else { return nil }
        func grams(_ value: ReadValue?) -> Double? {
            guard let value, let number = Double(value.value) else { return nil }
            return value.unit == "mg" ? number / 1000 : number
        }
        self.init(
            energyKJ: grams(basis.energyKJ) ?? grams(basis.energyKcal).map { $0 * 4.184 }, fat: grams(basis.fat),
            saturatedFat: grams(basis.saturatedFat), carbohydrate: grams(basis.carbohydrate),
            sugars: grams(basis.sugars), fibre: grams(basis.fibre), protein: grams(basis.protein),
            // Salt is sodium times 2.5 (Regulation (EU) No 1169/2011, Annex I).
            salt: grams(basis.salt) ?? grams(basis.sodium).map { $0 * 2.5 }, confidence: least)
    }
}
