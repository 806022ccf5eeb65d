import Core

/// A table whose words are in a script that is not read, but whose rows have the order that a law sets. Units, the shares
/// of the daily values and the energy prove which row is which.
struct RegulatedOrder {
    let page: PrintedPage
    let weights: FittedWeights

    /// A row of an order: its nutrient, nil if it is not reported; its unit; its daily values in that unit.
    private struct Place {
        var nutrient: Nutrient?
        var unit: String
        var daily: [Double] = []
        var mayMiss = false
    }

    /// A row of the page with an amount.
    private struct Cell {
        var row: Int
        var figure: Figure
        var unit: String
        /// False for letters of a script that is not read.
        var isUnitRead: Bool
        var percent: Int?
    }

    private static let orders: [[Place]] = [
        // Korea, now and before.
        [
            Place(nutrient: .sodium, unit: "mg", daily: [2000]),
            Place(nutrient: .carbohydrate, unit: "g", daily: [324]),
            Place(nutrient: .sugars, unit: "g", daily: [100]), Place(nutrient: .fat, unit: "g", daily: [54]),
            Place(nutrient: nil, unit: "g"), Place(nutrient: .saturatedFat, unit: "g", daily: [15]),
            Place(nutrient: nil, unit: "mg", daily: [300]), Place(nutrient: .protein, unit: "g", daily: [55]),
        ],
        [
            Place(nutrient: .carbohydrate, unit: "g", daily: [330, 324]),
            Place(nutrient: .sugars, unit: "g", daily: [100]),
            Place(nutrient: .protein, unit: "g", daily: [60, 55]), Place(nutrient: .fat, unit: "g", daily: [51, 54]),
            Place(nutrient: .saturatedFat, unit: "g", daily: [15]), Place(nutrient: nil, unit: "g"),
            Place(nutrient: nil, unit: "mg", daily: [300]), Place(nutrient: .sodium, unit: "mg", daily: [2000]),
        ],
        // Thailand.
        [
            Place(nutrient: .fat, unit: "g", daily: [65]),
            Place(nutrient: .saturatedFat, unit: "g", daily: [20], mayMiss: true),
            Place(nutrient: nil, unit: "g", mayMiss: true),
            Place(nutrient: nil, unit: "mg", daily: [300], mayMiss: true),
            Place(nutrient: .protein, unit: "g"), Place(nutrient: .carbohydrate, unit: "g", daily: [300]),
            Place(nutrient: .fibre, unit: "g", daily: [25], mayMiss: true),
            Place(nutrient: .sugars, unit: "g", daily: [65]),
            Place(nutrient: .sodium, unit: "mg", daily: [2000, 2400]),
        ],
    ]

    func table() -> NutritionReader.Found? {
        table(of: cells(inRows: false), needsEnergy: false) ?? table(of: cells(inRows: true), needsEnergy: true)
    }

    private func table(of cells: [Cell], needsEnergy: Bool) -> NutritionReader.Found? {
        guard cells.count >= Self.leastRows else { return nil }
        var best: (alignment: Alignment, found: NutritionReader.Found)?
        for order in Self.orders {
            guard let alignment = Self.alignment(cells, order), alignment.score > best?.alignment.score ?? 0,
                let found = found(alignment, order, cells, needsEnergy: needsEnergy)
            else { continue }
            best = (alignment, found)
        }
        return best?.found
    }

    // MARK: Rows

    private static let leastRows = 6

    /// The amounts with the percentages behind them, from top to bottom.
    ///
    /// - Parameter inRows: true for several nutrients in a row; false for one, with at most one column beside it.
    private func cells(inRows: Bool) -> [Cell] {
        page.rows.enumerated().flatMap { index, row in
            let figures = withNothing(row)
            // "i70a 12 n.": digits of a misread word are no amount.
            let places = figures.indices.filter { place in
                let figure = figures[place]
                return !figure.isPercent && figure.value >= .zero && (!figure.isGlued || Self.isRead(figure.unit))
            }
            let found = places.map { cell(figures, $0, index) }
            if inRows { return found.compactMap(\.self) }
            guard let first = found.first, let first, found.dropFirst().count(where: { $0 != nil }) <= 1 else {
                return []
            }
            return [first]
        }
    }

    private func cell(_ figures: [Figure], _ place: Int, _ row: Int) -> Cell? {
        let (figure, rest) = (figures[place], figures[(place + 1)...])
        // "12 9": a gram that is read as a number of its own.
        let isNine = rest.first.map { $0.range.count == 1 && $0.value == FixedDecimal(9) && $0.unit.isEmpty } == true
        guard let unit = Self.unit(figure.unit) ?? (isNine ? "g" : nil) else { return nil }
        let percent = rest.dropFirst(isNine ? 1 : 0).first.flatMap { $0.isPercent && $0.decimals == 0 ? $0 : nil }
        return Cell(
            row: row, figure: figure, unit: unit, isUnitRead: Self.isRead(figure.unit),
            percent: percent.map { Int($0.value.parts / FixedDecimal.one) })
    }

    private static func isRead(_ unit: String) -> Bool { unit == "g" || unit == "mg" }

    /// "g" and "mg"; other letters behind a number are a unit in a script that is not read: one for grams, two or three
    /// for milligrams. Nil without letters.
    private static func unit(_ letters: String) -> String? {
        switch letters {
        case "g", "mg": letters
        case "kcal", "kj", "ml", "l", "kg", "cal": nil
        default: (1...3).contains(letters.count) ? (letters.count == 1 ? "g" : "mg") : nil
        }
    }

    /// The numbers of a row, with a letter O before a unit as zero: "O n.".
    private func withNothing(_ row: PrintedRow) -> [Figure] {
        let tokens = Folding.tokens(of: row.text)
        let nothing = zip(tokens, tokens.dropFirst()).compactMap { token, next -> Figure? in
            guard token.text == "o", Self.unit(next.text) != nil, !next.isNumber, next.range.count <= 3,
                next.range.lowerBound - token.range.upperBound <= 1
            else { return nil }
            var figure = Figure(range: token.range, value: .zero, decimals: 0, wholeDigits: 1, isCorrected: true)
            figure.unit = next.text
            figure.center = row.x(of: token.range.lowerBound)
            figure.confidence = row.confidence(token.range)
            return figure
        }
        return (row.figures + nothing).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: Alignment

    private struct Alignment {
        var score: Double
        /// The cell of each place of the order.
        var cells: [Int?]
        /// Percentages above zero that fit.
        var proofs: Int
    }

    private static let missing = 1.5
    private static let mayMiss = 0.2
    private static let skipped = 1.0
    /// An alignment this much worse, which gives a nutrient another amount, makes the amount doubtful.
    private static let margin = 0.75
    private static let kept = 6

    /// The best order of cells, without the nutrients to which a nearly as good one gives another amount.
    private static func alignment(_ cells: [Cell], _ order: [Place]) -> Alignment? {
        // The best alignments that end before each cell and place.
        var table = Array(
            repeating: Array(repeating: [Alignment](), count: order.count + 1), count: cells.count + 1)
        for cell in 0...cells.count {
            for place in 0...order.count {
                var found: [Alignment] = []
                if place == 0 { found = [Alignment(score: 0, cells: [], proofs: 0)] }
                if place > 0 {
                    let cost = order[place - 1].mayMiss ? mayMiss : missing
                    found += table[cell][place - 1].map {
                        Alignment(score: $0.score - cost, cells: $0.cells + [nil], proofs: $0.proofs)
                    }
                }
                if cell > 0, place > 0 {
                    // Rows before the first place and behind the last cost nothing.
                    if place < order.count {
                        found += table[cell - 1][place].map {
                            Alignment(score: $0.score - skipped, cells: $0.cells, proofs: $0.proofs)
                        }
                    } else {
                        found += table[cell - 1][place]
                    }
                    if let score = score(cells[cell - 1], order[place - 1]) {
                        found += table[cell - 1][place - 1].map {
                            Alignment(
                                score: $0.score + score, cells: $0.cells + [cell - 1],
                                proofs: $0.proofs + (score >= proof - otherUnit ? 1 : 0))
                        }
                    }
                }
                table[cell][place] = Array(found.sorted { $0.score > $1.score }.prefix(kept))
            }
        }
        let all = table[cells.count][order.count]
        guard var best = all.first else { return nil }
        for other in all.dropFirst() where other.score > best.score - margin {
            for place in order.indices {
                guard let own = best.cells[place], let next = other.cells[place],
                    cells[own].figure.value != cells[next].figure.value
                else { continue }
                best.cells[place] = nil
            }
        }
        return best
    }

    private static let proof = 2.0
    private static let otherUnit = 0.5

    /// Nil if the cell cannot be that row.
    private static func score(_ cell: Cell, _ place: Place) -> Double? {
        guard cell.unit == place.unit || !cell.isUnitRead else { return nil }
        let cost = cell.unit == place.unit ? 0 : otherUnit
        guard let percent = cell.percent else { return (place.daily.isEmpty ? 0.7 : 0.1) - cost }
        guard !place.daily.isEmpty else { return nil }
        let share = place.daily.map { abs(100 * cell.figure.value.approximate / $0 - Double(percent)) }.min() ?? 100
        guard share <= 0.65 else { return nil }
        return (percent >= 1 ? proof : 0.7) - cost
    }

    // MARK: Values

    /// Share of the places that need a cell.
    private static let leastProofs = 2

    private func found(
        _ alignment: Alignment, _ order: [Place], _ cells: [Cell], needsEnergy: Bool
    ) -> NutritionReader.Found? {
        let used = alignment.cells.compactMap(\.self)
        guard used.count >= Self.leastRows, let first = used.min() else { return nil }
        var column = TableColumn(x: 0, per: "serving", isNamed: true)
        for (place, cell) in zip(order, alignment.cells) {
            guard let nutrient = place.nutrient, let cell else { continue }
            let figure = cells[cell].figure
            column.values[nutrient] = TableValue(
                nutrient: nutrient, row: cells[cell].row, figure: figure, value: figure.value, unit: place.unit,
                decimals: figure.decimals, x: figure.center, place: 0)
        }
        let energy = energy(above: cells[first].row, column)
        if let energy { column.values[.energyKcal] = energy }
        let checks = NutritionChecks(columns: [column], size: nil)
        guard checks.parts(column) != false, checks.macros(column) != false,
            !needsEnergy || checks.macros(column) == true
        else { return nil }
        let isWhole = zip(order, alignment.cells).allSatisfy { $0.mayMiss || $1 != nil }
        guard
            checks.macros(column) == true && (isWhole || alignment.proofs >= Self.leastProofs)
                || alignment.proofs >= Self.leastProofs && isWhole
        else { return nil }
        if let energy, let per = hundred(before: energy) {
            column.per = per
            return self.found(column, checks, size: nil)
        }
        return self.found(column, checks, size: size(above: cells[first].row, energy))
    }

    /// The basis of "100 g 395 kcal"; nil for other sizes.
    private func hundred(before energy: TableValue) -> String? {
        let own = page.rows[energy.row].figures.last { $0.range.upperBound <= energy.figure.range.lowerBound }
        guard let own, own.value == FixedDecimal(100), own.unit == "g" || own.unit == "ml" else { return nil }
        return "100" + own.unit
    }

    /// The kilocalories above the first row: a number with that unit, or the only one that fits fat, carbohydrate and
    /// protein.
    private func energy(above row: Int, _ column: TableColumn) -> TableValue? {
        func value(_ figure: Figure, _ row: Int) -> TableValue {
            TableValue(
                nutrient: .energyKcal, row: row, figure: figure, value: figure.value, unit: "kcal",
                decimals: figure.decimals, x: figure.center, place: 0)
        }
        let above = page.rows.indices.prefix(row + 1)
        for index in above {
            if let figure = page.rows[index].figures.first(where: { $0.unit == "kcal" && !$0.isPercent }) {
                return value(figure, index)
            }
        }
        let fitting = above.flatMap { index in
            page.rows[index].figures.filter { figure in
                var trial = column
                trial.values[.energyKcal] = value(figure, index)
                return !figure.isPercent && !figure.isGlued && figure.decimals == 0 && figure.value >= FixedDecimal(20)
                    && Self.unit(figure.unit) == nil && figure.unit.count > 3
                    && NutritionChecks(columns: [trial], size: nil).macros(trial) == true
            }.map { value($0, index) }
        }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// The grams of a serving: in brackets above the first row, or above the energy in its column.
    private func size(above first: Int, _ energy: TableValue?) -> ReadValue? {
        for index in page.rows.indices.prefix(first + 1) {
            let row = page.rows[index]
            for figure in row.figures where figure.value > .zero && figure.value < FixedDecimal(500) {
                let range = figure.range
                guard range.lowerBound > 0, row.text[range.lowerBound - 1] == "(", !figure.isPercent,
                    Self.unit(figure.unit) == "g" || figure.unit.count == 2,
                    row.text[range.upperBound...].prefix(6).contains(")")
                else { continue }
                return size(figure, index)
            }
        }
        guard let energy else { return nil }
        let own = page.rows[energy.row].figures.last {
            $0.range.upperBound <= energy.figure.range.lowerBound && $0.unit == "g"
        }
        if let own { return size(own, energy.row) }
        // Above, in the head of the column: the size of a package may be beside it, which is no smaller.
        var found: (figure: Figure, row: Int)?
        for above in stride(from: energy.row - 1, through: max(0, energy.row - 3), by: -1) {
            let near = page.rows[above].figures.filter {
                !$0.isPercent && $0.value > .zero && $0.unit == "g" && abs($0.center - energy.x) < 0.25 * page.width
            }
            for figure in near where found.map({ figure.value < $0.figure.value }) ?? true { found = (figure, above) }
        }
        return found.flatMap { $0.figure.value < FixedDecimal(500) ? size($0.figure, $0.row) : nil }
    }

    private func size(_ figure: Figure, _ row: Int) -> ReadValue {
        ReadValue(
            value: figure.value.text() + " g", confidence: 0.5 + 0.4 * figure.confidence,
            box: page.rows[row].box(figure.range))
    }

    private func found(
        _ column: TableColumn, _ checks: NutritionChecks, size: ReadValue?
    ) -> NutritionReader.Found {
        let per = column.per ?? "serving"
        var basis = Nutrition.Basis(per: per)
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
                    "nutrition", features, note: "\(per)\t\(nutrient.rawValue)\t\(value.text)\t\(value.unit)"))
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
}
