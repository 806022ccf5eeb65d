import Core

/// A table whose words are in a script that is not read, but whose rows have the order that Korean law sets. Only a
/// table whose energy fits its parts is accepted.
struct RegulatedOrder {
    let weights: FittedWeights

    /// The rows of the orders in use, with units. Nil: a row that is not reported.
    private static let orders: [[(nutrient: Nutrient?, unit: String)]] = [
        [
            (.sodium, "mg"), (.carbohydrate, "g"), (.sugars, "g"), (.fat, "g"), (nil, "g"), (.saturatedFat, "g"),
            (nil, "mg"), (.protein, "g"),
        ],
        [
            (.carbohydrate, "g"), (.sugars, "g"), (.protein, "g"), (.fat, "g"), (.saturatedFat, "g"), (nil, "g"),
            (nil, "mg"), (.sodium, "mg"),
        ],
    ]

    func table(in page: PrintedPage) -> NutritionReader.Found? {
        // Rows with amounts in grams or milligrams, and a percentage or nothing else.
        let rows = page.rows.indices.filter { index in
            let figures = amounts(page.rows[index])
            return !figures.isEmpty && figures.count <= 2 && page.rows[index].letters <= 8
        }
        guard let energy = page.rows.indices.first(where: { calories(page.rows[$0]) != nil }),
            let calories = calories(page.rows[energy])
        else { return nil }
        for order in Self.orders where rows.count >= order.count {
            for start in 0...(rows.count - order.count) {
                let chosen = Array(rows[start..<(start + order.count)])
                guard zip(chosen, order).allSatisfy({ amounts(page.rows[$0]).first?.unit == $1.unit }) else { continue }
                var column = TableColumn(x: 0, per: "serving", isNamed: true)
                column.values[.energyKcal] = TableValue(
                    nutrient: .energyKcal, row: energy, figure: calories, value: calories.value, unit: "kcal",
                    decimals: calories.decimals, x: calories.center, place: 0)
                for (row, place) in zip(chosen, order) {
                    guard let nutrient = place.nutrient, let figure = amounts(page.rows[row]).first else { continue }
                    column.values[nutrient] = TableValue(
                        nutrient: nutrient, row: row, figure: figure, value: figure.value, unit: place.unit,
                        decimals: figure.decimals, x: figure.center, place: 0)
                }
                let checks = NutritionChecks(columns: [column], size: nil)
                guard checks.macros(column) == true, checks.parts(column) != false else { continue }
                return found(column, page, checks, size: size(before: calories, energy, page))
            }
        }
        return nil
    }

    /// The grams of a serving: before the energy in its row, or alone in the row above.
    private func size(before calories: Figure, _ row: Int, _ page: PrintedPage) -> ReadValue? {
        let own = page.rows[row].figures.last { $0.range.upperBound <= calories.range.lowerBound && $0.unit == "g" }
        var found = own.map { (figure: $0, row: row) }
        // Above, in the head of the column: the size of a package may be beside it, which is no smaller.
        for above in stride(from: row - 1, through: max(0, row - 3), by: -1) where own == nil && above >= 0 {
            let near = page.rows[above].figures.filter {
                !$0.isPercent && $0.value > .zero && $0.unit == "g"
                    && abs($0.center - calories.center) < 0.25 * page.width
            }
            for figure in near where found.map({ figure.value < $0.figure.value }) ?? true { found = (figure, above) }
        }
        guard let (figure, place) = found, figure.value < FixedDecimal(500) else { return nil }
        return ReadValue(
            value: figure.value.text() + " g", confidence: 0.85 * figure.confidence,
            box: page.rows[place].box(figure.range))
    }

    private func found(
        _ column: TableColumn, _ page: PrintedPage, _ checks: NutritionChecks, size: ReadValue?
    ) -> NutritionReader.Found {
        var basis = Nutrition.Basis(per: "serving")
        basis.servingSize = size
        for (nutrient, value) in column.values {
            var features = Features()
            features["reading"] = value.figure.confidence
            features.set("proved", true)
            features.set("unit", true)
            features["filled"] = 1
            let probability = weights.calibrated(
                "nutrition",
                weights.probability(
                    "nutrition", features, note: "serving\t\(nutrient.rawValue)\t\(value.text)\t\(value.unit)"))
            basis.set(
                nutrient,
                ReadValue(
                    value: value.text, unit: value.unit, confidence: probability,
                    box: page.rows[value.row].box(value.figure.range)))
        }
        return NutritionReader.Found(
            nutrition: Nutrition(basis: [basis], checks: checks.checks), nutrients: column.values.count, hasTitle: false
        )
    }

    private func amounts(_ row: PrintedRow) -> [Figure] {
        row.figures.filter { !$0.isPercent && ($0.unit == "g" || $0.unit == "mg") }
    }

    private func calories(_ row: PrintedRow) -> Figure? { row.figures.first { $0.unit == "kcal" && !$0.isPercent } }
}
