import Core
import Foods
import Foundation

extension Food {
    /// The food of a nutrition table on a photo, source `scanned`, with the lowest confidence of the outcome and of the
    /// figures that it uses.
    ///
    /// The column for 100 g or 100 ml counts; without it, the column of a serving.
    ///
    /// - Parameter name: used where the photo names nothing.
    /// - Returns: nil if the photo shows no table, or if the table states no energy.
    package init?(label outcome: Outcome, name: String) { self.init(label: outcome, name: name) { $0.energy } }

    /// The food of a table whose energy was not read, with an energy of 0: a person has to type it.
    fileprivate init?(unfinishedLabel outcome: Outcome, name: String) {
        self.init(label: outcome, name: name) { $0.hasFigures ? (0, 0) : nil }
    }

    /// - Parameter energy: the kilocalories of a column with their confidence; nil for a column that does not count.
    private init?(
        label outcome: Outcome, name: String, energy: (Nutrition.Basis) -> (kilocalories: Decimal, confidence: Double)?
    ) {
        guard let content = outcome.id, let all = outcome.label?.nutrition?.basis else { return nil }
        let columns = all.filter { energy($0) != nil }
        guard let basis = columns.first(where: { ["100g", "100ml"].contains($0.per) }) ?? columns.first,
            let energy = energy(basis)
        else { return nil }
        let macros = [basis.protein, basis.carbohydrate, basis.fat]
        let read = macros.map { $0.flatMap { Self.figure($0) } }
        // The page says no more than the outcome does.
        let used = [energy.confidence, outcome.confidence.score] + macros.compactMap { $0?.confidence }
        let size = all.lazy.compactMap { $0.servingSize }.first
        var servings: [Serving] = []
        if basis.per.hasPrefix("100") {
            let unit = basis.per == "100ml" ? "ml" : "g"
            if let size, let amount = ServingText.serving(size.value + (size.unit.map { " " + $0 } ?? "")),
                amount.value <= 2000
            {
                servings.append(
                    Serving(
                        sizeLabel: "1 serving (\(amount.value) \(unit))", grams: amount.value,
                        multiplier: amount.value / 100))
            }
            servings.append(Serving(sizeLabel: "100 \(unit)", grams: 100, multiplier: 1))
        } else {
            let grams = size.flatMap { ServingText.serving($0.value + ($0.unit.map { " " + $0 } ?? "")) }?.value
            let label = size.map { "1 serving (\($0.value))" } ?? "1 serving"
            servings.append(Serving(sizeLabel: String(label.prefix(100)), grams: grams, multiplier: 1))
        }
        let title = outcome.title?.trimmingCharacters(in: .whitespaces) ?? ""
        // The first line of a photo of the table alone is a line of the table.
        let isTable = title.contains(/100 ?(g|ml)\b|\d ?kcal|\d ?kJ/.ignoresCase())
        let isName = !title.isEmpty && (outcome.label?.name != nil || !isTable)
        self.init(
            id: "own:" + content.replacing("sha256:", with: "").prefix(32),
            name: String((isName ? title : name).prefix(200)), calories: energy.kilocalories,
            defaultServing: servings[0], altServings: Array(servings.dropFirst()), source: .scanned,
            confidence: used.min())
        setMacros(read[0], read[1], read[2])
        guard fault == nil else { return nil }
    }

    /// True if no check of the energy holds and one fails, and if 100 g or 100 ml have more energy than fat.
    fileprivate func isRefuted(by nutrition: Nutrition) -> Bool {
        let checks = nutrition.checks.filter { ["kilojoules", "macros"].contains($0.check) }
        if !checks.isEmpty, !checks.contains(where: \.holds) { return true }
        return servings.contains { serving in
            guard let grams = serving.grams, grams > 0 else { return false }
            return calories * serving.multiplier * 100 / grams > Decimal(EnergyFigures.most)
        }
    }

    fileprivate static func figure(_ value: ReadValue) -> Decimal? {
        let text = value.value.trimmingPrefix("<").trimmingCharacters(in: .whitespaces)
        guard let figure = WrittenNumber(text)?.value, figure >= 0 else { return nil }
        // Tables state salt and vitamins in mg; a macronutrient in mg is one of a thousandth.
        return value.unit == "mg" ? figure / 1000 : figure
    }
}

extension Nutrition.Basis {
    /// True if a figure was read besides the energy.
    fileprivate var hasFigures: Bool {
        [fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt, sodium, polyols].contains { $0 != nil }
    }

    /// The energy in kilocalories, from kilojoules where nothing else is printed.
    fileprivate var energy: (kilocalories: Decimal, confidence: Double)? {
        if let value = energyKcal, let figure = Food.figure(value) { return (figure, value.confidence) }
        guard let value = energyKJ, let figure = Food.figure(value) else { return nil }
        return ((figure / Decimal(EnergyFigures.kilojoulesPerKilocalorie)).rounded(places: 1), value.confidence)
    }
}

package enum PhotoFood: Sendable, Hashable {
    /// The product of its barcode. `table` is the same product with the figures of the table on the photo, if they differ.
    case product(Food, table: Food?)
    /// Its nutrition table, with the number of its barcode if one was read.
    case label(Food)
    /// Its nutrition table, whose figures contradict each other: a person has to look at them.
    case contradicted(Food)
    /// Its nutrition table, whose energy was not read and stands as 0: a person has to type it.
    case incomplete(Food)
    /// A barcode was read, but no record states the energy of the product.
    case noRecord(GTIN)
    /// Neither a barcode nor a nutrition table was read.
    case unreadable

    /// Nil if there is nothing to log without a person.
    package var food: Food? {
        switch self {
        case .product(let food, _), .label(let food): food
        case .contradicted, .incomplete, .noRecord, .unreadable: nil
        }
    }
}

extension FoodSearch {
    /// The food of a photo: the product of its barcode, or else its nutrition table. The person's own food with that number
    /// counts where no record states the energy.
    ///
    /// - Parameter name: name of a label that has none.
    package func food(of outcome: Outcome, name: String, for person: String) throws -> PhotoFood {
        let (scan, label) = (ScannedFood(outcome), Food(label: outcome, name: name))
        let isRefuted = outcome.label?.nutrition.map { label?.isRefuted(by: $0) ?? false } ?? false
        if let scan, let food = try product(scan, of: person) {
            return .product(food, table: label.flatMap { isRefuted ? nil : food.figures(of: $0) })
        }
        if var label {
            label.barcode = scan?.gtin.normalised
            return isRefuted ? .contradicted(label) : .label(label)
        }
        if var label = Food(unfinishedLabel: outcome, name: name) {
            label.barcode = scan?.gtin.normalised
            return .incomplete(label)
        }
        return scan.map { .noRecord($0.gtin) } ?? .unreadable
    }
}

extension Food {
    /// The same product with the figures of a table; nil where both agree: within a tenth, or 5 kcal.
    fileprivate func figures(of table: Food) -> Food? {
        let isPerHundred = [self, table].allSatisfy { food in
            food.servings.contains { $0.grams == 100 && $0.multiplier == 1 }
        }
        guard isPerHundred, abs(calories - table.calories) > max(5, max(calories, table.calories) / 10) else {
            return nil
        }
        var food = table
        (food.name, food.brand, food.barcode) = (name, brand, barcode)
        return food
    }
}

/// The product number that a photo shows, with the confidence of the barcode.
package struct ScannedFood: Sendable, Hashable {
    package var gtin: GTIN
    package var confidence: Double

    /// Nil if no barcode of the photo is a product number.
    package init?(_ outcome: Outcome) {
        let codes = (outcome.readings.barcodes ?? []).compactMap { code in
            code.gtin.flatMap { GTIN($0) }.map { ($0, code.confidence) }
        }
        let known = Set((outcome.products ?? []).filter { $0.name != nil }.compactMap { GTIN($0.gtin) })
        let best = codes.max { (known.contains($0.0) ? 1 : 0, $0.1) < (known.contains($1.0) ? 1 : 0, $1.1) }
        guard let best = best ?? known.first.map({ ($0, outcome.confidence.score) }) else { return nil }
        (gtin, confidence) = best
    }
}
