import Catalogue
import Core
import Foundation
import Foods
import Store

extension Food {
    /// A catalogue's product; nil if its record states no possible energy, because a diary cannot count it.
    ///
    /// - Parameter source: replaces the record's own, for a product that was read from a photo.
    package init?(_ product: CatalogueProduct, source: Source? = nil, confidence: Double? = nil) {
        func decimal(_ value: Double?) -> Decimal? {
            value.flatMap { $0.isFinite && $0 >= 0 ? Decimal($0) : nil }?.rounded(places: 6)
        }
        let nutrients = product.nutrients
        // Catalogues of earlier imports have impossible energies.
        let energy = EnergyFigures(kilocalories: nutrients.energyKcal, kilojoules: nil).believed
        guard let calories = decimal(energy) else { return nil }
        let hundred = Serving(sizeLabel: "100 g", grams: 100, multiplier: 1)
        var servings: [Serving] = []
        if let grams = decimal(product.servingGrams), grams > 0, grams <= 20_000 {
            let label = product.serving.map { String($0.prefix(100)) } ?? "1 serving (\(grams) g)"
            servings.append(Serving(sizeLabel: label, grams: grams, multiplier: grams / 100))
        }
        let amount = product.quantity.flatMap { ServingText.quantity($0) }
        let isDrink = (product.serving.flatMap { ServingText.serving($0) } ?? amount)?.dimension == .volume
        servings += product.portions.compactMap { portion in
            decimal(portion.grams).map {
                Serving(sizeLabel: String(portion.sizeLabel.prefix(100)), grams: $0, multiplier: $0 / 100)
            }
        }
        servings.append(
            isDrink ? Serving(sizeLabel: "100 ml", grams: 100, multiplier: 1) : hundred)
        if let amount, amount.value > 0, amount.value <= 20_000, (amount.dimension == .volume) == isDrink {
            let unit = isDrink ? "ml" : "g"
            servings.append(
                Serving(
                    sizeLabel: "1 pack (\(amount.value) \(unit))", grams: amount.value, multiplier: amount.value / 100))
        }
        self.init(
            id: "\(product.source):\(product.code)", name: product.name, brand: product.brand,
            barcode: product.gtin?.normalised,
            calories: calories, defaultServing: servings[0], altServings: Array(servings.dropFirst()),
            source: source ?? (product.isVerified ? .verified : .userCreated), confidence: confidence)
        setMacros(decimal(nutrients.protein), decimal(nutrients.carbohydrate), decimal(nutrients.fat))
    }

    /// Sets protein, carbohydrate and fat; one that is nil is 0, and unknown.
    package mutating func setMacros(_ protein: Decimal?, _ carbs: Decimal?, _ fat: Decimal?) {
        (self.protein, self.carbs, self.fat) = (protein ?? 0, carbs ?? 0, fat ?? 0)
        let missing = [("protein", protein), ("carbs", carbs), ("fat", fat)].filter { $0.1 == nil }.map(\.0)
        unknown = missing.isEmpty ? nil : missing
    }
}

/// A result of a search, with the serving to propose.
package struct FoundFood: Sendable, Hashable, Codable {
    package var food: Food
    package var serving: Serving
    /// How often the person logged it lately.
    package var count: Int
    package var isFavourite: Bool
    /// The newest day on which the person logged it; nil for never lately.
    package var day: Day?

    package init(food: Food, serving: Serving, count: Int = 0, isFavourite: Bool = false, day: Day? = nil) {
        self.food = food
        self.serving = serving
        self.count = count
        self.isFavourite = isFavourite
        self.day = day
    }
}

/// Finds foods in the catalogue and in a person's own diary: favourites first, then what the person eats, then verified
/// records.
package struct FoodSearch: Sendable {
    private let diary: Diary
    private let catalogue: Catalogue

    package init(_ diary: Diary, catalogue: Catalogue) {
        self.diary = diary
        self.catalogue = catalogue
    }

    /// Fewer letters find nothing.
    package static let fewestLetters = 2

    /// Foods whose words match, also if misspelt or not yet typed to the end. A product number finds its product, or the
    /// food that the person logged with it.
    package func foods(_ text: String, of person: String, at now: Date, limit: Int = 12) throws -> [FoundFood] {
        if let gtin = GTIN(typed: text) {
            return try (product(gtin) ?? diary.food(gtin, of: person)).map {
                [FoundFood(food: $0, serving: $0.defaultServing)]
            }
                ?? []
        }
        let words = SearchedWords.of(text)
        guard words.joined().count >= Self.fewestLetters else { return [] }
        let own = try own(of: person, at: now, words: words, limit: limit)
        let known = Set(own.map(\.food.id))
        // Records without energy are dropped, so more are asked for.
        let records = try catalogue.search(text, limit: limit * 2, isUnfinished: true).compactMap { Food($0.product) }
            .filter { !known.contains($0.id) }
        let (verified, others) = (records.filter { $0.source == .verified }, records.filter { $0.source != .verified })
        return Array((own + (verified + others).map { FoundFood(food: $0, serving: $0.defaultServing) }).prefix(limit))
    }

    /// The person's favourites, then the foods that fit this moment best.
    ///
    /// - Parameter words: the beginnings of words that name or brand must have; empty for all.
    package func own(of person: String, at now: Date, words: [String] = [], limit: Int) throws -> [FoundFood] {
        var habits: [String: Habit] = [:]
        let ranked = try diary.habits(of: person, at: now, words: words, limit: limit)
        for habit in ranked where habits[habit.food.id] == nil { habits[habit.food.id] = habit }
        let favourites = try diary.favourites(of: person, words: words).map { favourite in
            let habit = habits.removeValue(forKey: favourite.food.id)
            return FoundFood(
                food: favourite.food, serving: favourite.serving, count: habit?.count ?? 0, isFavourite: true,
                day: habit?.day)
        }
        let recent = ranked.compactMap { habits.removeValue(forKey: $0.food.id) }.map {
            FoundFood(food: $0.food, serving: $0.serving, count: $0.count, day: $0.day)
        }
        return Array((favourites + recent).prefix(limit))
    }

    /// The product as a food, by its record, or else by the label that a person photographed; nil if neither states its
    /// energy.
    package func product(_ gtin: GTIN, source: Food.Source? = nil, confidence: Double? = nil) throws -> Food? {
        if let record = try catalogue.product(gtin) {
            return Food(record, source: source, confidence: confidence)
        }
        return try diary.store.photographed(gtin).flatMap { found in
            var food = Food(label: found.outcome, name: found.product.name ?? gtin.normalised)
            food?.barcode = gtin.normalised
            return food
        }
    }

    /// The product of a photo's barcode, else the person's own food with that number; nil if neither states the energy.
    func product(_ scan: ScannedFood, of person: String) throws -> Food? {
        try product(scan.gtin, source: .scanned, confidence: scan.confidence) ?? diary.food(scan.gtin, of: person)
    }

    /// True if a record has the number, with or without energy.
    package func isKnown(_ gtin: GTIN) throws -> Bool {
        try catalogue.product(gtin) != nil || diary.store.photographed(gtin) != nil
    }
}
