import Core
import Foundation

/// Interprets a page as a nutrition table.
struct NutritionReader: Sendable {
    let phrases: Phrases<NutritionMeaning>
    /// The names of nutrients, for rows whose name is misread.
    let near: NearPhrases<NutritionMeaning>
    let weights: FittedWeights

    /// Values below this probability are left out.
    private static let least = 0.5
    /// Factor on the confidence of a value whose name is misread.
    private static let misreadName = 0.85
    private static let mostHeadLetters = 40
    /// A column without a head needs this many values to be a basis.
    private static let leastUnnamed = 5

    struct Found: Sendable {
        var nutrition: Nutrition
        /// Number of different nutrients with a value.
        var nutrients: Int
        var hasTitle: Bool
    }

    func table(in page: PrintedPage) -> Found? {
        let (hits, misread) = hits(in: page)
        let finder = TableFinder(page: page, hits: hits)
        var values = Self.ofOneTable(finder.values())
        for index in values.indices { values[index].isNear = misread.contains(values[index].row) }
        let hasTitle = hits.contains { $0.contains { $0.meaning == .title } }
        correctGrams(&values)
        values.removeAll { !Self.isPossible($0) }
        guard Set(values.map(\.nutrient)).count >= 2 else {
            return RegulatedOrder(page: page, weights: weights).table()
        }
        let size = ServingSize(page: page, hits: hits).size()
        // The size is no amount of a nutrient, whatever word is before it.
        if let box = size?.box { values.removeAll { page.rows[$0.row].box($0.figure.range) == box } }
        var columns = ColumnBuilder(page: page).columns(of: values)
        name(&columns, page, hits, values, size != nil, hasTitle)
        if let size { ColumnProportion(size: size.amount).name(&columns) }
        keepOwn(&columns, page, hits)
        LostDecimals(size: size?.amount).mend(&columns)
        if let size { ColumnProportion(size: size.amount).mend(&columns, on: page) }
        columns = proved(columns, size)
        let checker = NutritionChecks(columns: columns, size: size?.amount)
        var nutrition = Nutrition()
        for column in columns where column.per != nil && !column.values.isEmpty {
            var basis = Nutrition.Basis(per: column.per ?? "")
            for (nutrient, value) in column.values {
                let features = self.features(value, column, columns, checker, hasTitle)
                let probability = weights.calibrated(
                    "nutrition",
                    weights.probability(
                        "nutrition", features,
                        note: "\(column.per ?? "")\t\(nutrient.rawValue)\t\(value.text)\t\(value.unit)"))
                guard probability >= Self.least else { continue }
                let read = ReadValue(
                    value: value.text, unit: value.unit, confidence: probability,
                    box: page.rows[value.row].box(value.figure.range))
                basis.set(nutrient, read)
            }
            if column.per == "serving", let size {
                basis.servingSize = ReadValue(value: size.text, confidence: size.confidence, box: size.box)
            }
            if !basis.isEmpty { nutrition.basis.append(basis) }
        }
        nutrition.checks = checker.checks
        guard !nutrition.basis.isEmpty else { return RegulatedOrder(page: page, weights: weights).table() }
        return Found(nutrition: nutrition, nutrients: Set(columns.flatMap(\.values.keys)).count, hasTitle: hasTitle)
    }

    /// Rows without a value between two rows of one table.
    private static let mostBetween = 4
    /// Nutrients from which values that follow each other are the table of the page.
    private static let leastNutrients = 4

    /// The values without those far from the table that name what the table has too, or nothing else: "fry without fat for
    /// 5 min" is no row of it.
    private static func ofOneTable(_ values: [TableValue]) -> [TableValue] {
        let blocks = values.sorted { $0.row < $1.row }.reduce(into: [[TableValue]]()) { blocks, value in
            if let last = blocks.last?.last, value.row - last.row <= mostBetween {
                blocks[blocks.count - 1].append(value)
            } else {
                blocks.append([value])
            }
        }.map { (values: $0, nutrients: Set($0.map(\.nutrient))) }
        guard let table = blocks.max(by: { $0.nutrients.count < $1.nutrients.count }),
            table.nutrients.count >= leastNutrients
        else { return values }
        let others = blocks.filter { $0.values[0].row != table.values[0].row && $0.nutrients.count > 1 }
        let rows = Set(table.values.map(\.row))
        let kept = Set(others.flatMap { $0.values.filter { !table.nutrients.contains($0.nutrient) }.map(\.row) })
        return values.filter {
            rows.contains($0.row) || kept.contains($0.row) && !table.nutrients.contains($0.nutrient)
        }
    }

    /// Removes values from columns of another basis than the one that their row names before them: "Typical values per
    /// 100 g: energy 697 kJ" below the amounts of a portion.
    private func keepOwn(
        _ columns: inout [TableColumn], _ page: PrintedPage, _ hits: [[Phrases<NutritionMeaning>.Hit]]
    ) {
        for index in columns.indices {
            guard let per = columns[index].per else { continue }
            columns[index].values = columns[index].values.filter { _, value in
                let own = hits[value.row].filter {
                    $0.range.upperBound <= value.figure.range.lowerBound && !Self.isOfShares($0.range, value.row, page)
                }.compactMap(\.meaning.basis)
                return Set(own).count != 1 || own[0] == per
            }
        }
    }

    /// True for what is in brackets behind a percent sign: in "per 100 g (% RDA per serve)" the values are those of 100 g.
    private static func isOfShares(_ range: Range<Int>, _ index: Int, _ page: PrintedPage) -> Bool {
        let row = page.rows[index].text[..<range.lowerBound]
        var open: [Bool] = []
        for scalar in (index > 0 ? page.rows[index - 1].text : []) + row {
            switch scalar {
            case "(", "[": open.append(false)
            case ")", "]": _ = open.popLast()
            case "%": if let last = open.indices.last { open[last] = true }
            default: break
            }
        }
        return open.contains(true)
    }

    /// The columns without values that nothing but their place names, unless the energy fits the parts.
    private func proved(_ columns: [TableColumn], _ size: ServingSize.Size?) -> [TableColumn] {
        let checker = NutritionChecks(columns: columns, size: size?.amount)
        return columns.map { column in
            guard checker.macros(column) != true else { return column }
            var kept = column
            kept.values = column.values.filter { !$0.value.needsProof }
            return kept
        }
    }

    /// Letters of a title from which it names a table: "serving" alone does not.
    private static let titleLetters = 10

    /// True if the page has the title of a nutrition table, even if its values were not read.
    func hasTitle(_ page: PrintedPage) -> Bool {
        page.rows.contains { row in
            phrases.hits(in: row.squashed).contains {
                [.title, .servingSize].contains($0.meaning) && $0.length >= Self.titleLetters
            }
        }
    }

    /// Rows with a nutrient's name from which a page is a table.
    private static let leastNamed = 3

    /// The phrases of each row, and the rows whose only name of a nutrient is misread. Such names count in tables only.
    private func hits(in page: PrintedPage) -> (hits: [[Phrases<NutritionMeaning>.Hit]], misread: Set<Int>) {
        var hits = page.rows.map { row in
            phrases.hits(in: row.squashed).filter { !TableFinder.isListed($0, row) }
        }
        let isNamed = hits.map { $0.contains { TableFinder.isLabel($0.meaning) } }
        var misread: Set<Int> = []
        guard isNamed.count(where: \.self) >= Self.leastNamed else { return (hits, misread) }
        for (index, row) in page.rows.enumerated()
        where !isNamed[index] && row.figures.contains(where: { TableFinder.units.contains($0.unit) })
            || !isNamed[index] && TableFinder.namesUnit(row)
        {
            guard let hit = near.hit(in: row.squashed), hits[index].allSatisfy({ !$0.range.overlaps(hit.range) }) else {
                continue
            }
            hits[index] = (hits[index] + [hit]).sorted { $0.range.lowerBound < $1.range.lowerBound }
            misread.insert(index)
        }
        return (hits, misread)
    }

    /// False for amounts that no portion of food holds; they come from footnotes about daily values.
    private static func isPossible(_ value: TableValue) -> Bool {
        switch value.nutrient {
        case .energyKJ: value.value <= FixedDecimal(10_000)
        case .energyKcal: value.value <= FixedDecimal(2_400)
        case .sodium, .salt: value.unit == "mg" ? value.value <= FixedDecimal(6_000) : value.value <= FixedDecimal(100)
        default: value.value <= FixedDecimal(150)
        }
    }

    private func features(
        _ value: TableValue, _ column: TableColumn, _ columns: [TableColumn], _ checker: NutritionChecks,
        _ hasTitle: Bool
    ) -> Features {
        var features = Features()
        features["reading"] = value.figure.confidence * (value.isNear ? Self.misreadName : 1)
        features.set("unit", value.hasUnit && !value.isCorrected)
        features.set("corrected", value.isCorrected)
        features.set("named", column.isNamed)
        features.set("title", hasTitle)
        features["columns"] = Double(min(4, columns.count))
        features["filled"] = Double(min(8, column.values.count)) / 8
        let witness = checker.witness(value.nutrient, column)
        features.set("proved", witness == true)
        features.set("refuted", witness == false)
        features.set("servingsAgree", checker.servingsAgree(value.nutrient, column) == true)
        features.set("servingsDiffer", checker.servingsAgree(value.nutrient, column) == false)
        features.set("energy", value.nutrient.isEnergy)
        features.set("daily", value.isDailyShare)
        return features
    }

    // MARK: Columns

    /// Values of a table that show how many decimals it prints.
    private static let leastTenths = 3

    /// "4.79" in a column of "2.4g" is 4.7 g: the letter is read as a nine.
    private func correctGrams(_ values: inout [TableValue]) {
        let grams = values.filter { !$0.nutrient.isEnergy && $0.hasUnit && !$0.isCorrected }
        let glued = grams.count { $0.figure.isUnitGlued }
        // "15.89" among tenths without units.
        func endsInNine(_ figure: Figure) -> Bool {
            figure.decimals == 2 && figure.value >= FixedDecimal(1) && figure.text.hasSuffix("9")
        }
        let others = values.filter { !$0.nutrient.isEnergy && !endsInNine($0.figure) }
        let areTenths = others.count >= Self.leastTenths && others.allSatisfy { $0.figure.decimals <= 1 }
        for index in values.indices where !values[index].hasUnit && !values[index].nutrient.isEnergy {
            let figure = values[index].figure
            let digits = figure.value.text(decimals: figure.decimals)
            if let percent = values[index].percent, figure.decimals == 0, digits.hasSuffix("9"),
                !DailyValues.fits(values[index].nutrient, values[index].grams, percent)
            {
                // "89 3%" is 8 g.
                let shorter = (figure.value.parts / FixedDecimal.one - 9) / 10
                guard DailyValues.agrees(values[index].nutrient, Double(shorter), percent) else { continue }
                values[index].value = FixedDecimal(parts: shorter * FixedDecimal.one)
                (values[index].hasUnit, values[index].isCorrected) = (true, false)
                continue
            }
            guard digits.hasSuffix("9"), digits.count >= 2,
                glued * 2 >= max(1, grams.count) || areTenths && endsInNine(figure),
                figure.decimals != 1 || digits.count > 3
            else { continue }
            if figure.decimals >= 2 {
                values[index].value = FixedDecimal(parts: figure.value.parts - 9 * (figure.decimals == 2 ? 100 : 10))
                values[index].decimals = figure.decimals - 1
                values[index].hasUnit = true
            } else if figure.decimals == 0 {
                values[index].value = FixedDecimal(
                    parts: (figure.value.parts / FixedDecimal.one - 9) / 10 * FixedDecimal.one)
                values[index].hasUnit = true
            }
        }
    }

    /// Gives each column its basis: by the words above it, else by the kind of table.
    private func name(
        _ columns: inout [TableColumn], _ page: PrintedPage, _ hits: [[Phrases<NutritionMeaning>.Hit]],
        _ values: [TableValue],
        _ hasSize: Bool, _ hasTitle: Bool
    ) {
        // Energies are in other print too, such as the front of the pack.
        let firstRow = values.filter { !$0.nutrient.isEnergy }.map(\.row).min() ?? values.map(\.row).min() ?? 0
        var heads: [(x: Double, per: String?, row: Int)] = []
        for index in page.rows.indices where index <= firstRow + 1 && index + 9 > firstRow {
            let row = page.rows[index]
            for hit in hits[index] {
                let per: String??
                switch hit.meaning {
                // "Prepare in two minutes" in a sentence above is no head.
                case .prepared: per = row.letters <= Self.mostHeadLetters ? .some(nil) : nil
                default: per = hit.meaning.basis.map { .some($0) }
                }
                // "Serving size 2/3 cup (100g)" is no head of a column.
                let isSize =
                    row.string(hit.range).hasPrefix("100") && hits[index].contains { $0.meaning == .servingSize }
                guard let per, !isSize, !Self.isOfShares(hit.range, index, page) else { continue }
                let x = (row.x(of: hit.range.lowerBound) + row.x(of: hit.range.upperBound)) / 2
                heads.append((x, per, index))
            }
        }
        // "100" without its gram at the end of a head.
        if !heads.contains(where: { $0.per == "100g" || $0.per == "100ml" }) {
            for index in page.rows.indices
            where index < firstRow && index + 9 > firstRow
                && !hits[index].contains(where: { $0.meaning == .energy || $0.meaning == .servingSize })
            {
                for figure in page.rows[index].figures
                where figure.value == FixedDecimal(100) && figure.decimals == 0 && !figure.isPercent {
                    heads.append((figure.center, figure.unit.hasPrefix("ml") ? "100ml" : "100g", index))
                }
            }
        }
        // "100 g | 30 g": the second is a serving.
        if let own = portion(besides: heads, page, hits) { heads.append(own) }
        let named = heads.filter { $0.per != nil }
        if columns.count == 1 {
            let kinds = Set(named.compactMap(\.per))
            if kinds.count == 1 {
                columns[0].per = kinds.first
                columns[0].isNamed = true
            } else if kinds.contains("serving"), hasTitle, !kinds.contains("100g"), !kinds.contains("100ml") {
                columns[0].per = "serving"
                columns[0].isNamed = true
            } else if kinds.isEmpty {
                // Tables of the United States and Canada without a readable head are per serving.
                let isAmerican =
                    values.contains { $0.nutrient == .sodium } && !values.contains { $0.nutrient == .energyKJ }
                let isPortion = hasSize || isAmerican || ServingSize(page: page, hits: hits).isNamed(upTo: firstRow + 1)
                columns[0].per = isPortion ? "serving" : "100g"
                columns[0].isNamed = hasSize && isAmerican
            } else {
                columns[0].per = nearest(columns[0].x, named).per
            }
            return
        }
        guard !named.isEmpty else {
            // A table whose head was not read beside other print: the fullest column is its only basis.
            let full = columns.indices.filter { columns[$0].values.count >= Self.leastUnnamed }
            if full.count == 2, hasSize, hasTitle, columns[full[0]].values[.energyKJ] == nil {
                // "2 tbsp. | 1 cup": the portion of the label stands first.
                columns[full[0]].per = "serving"
                return
            }
            guard let main = columns.indices.max(by: { columns[$0].values.count < columns[$1].values.count }),
                columns[main].values.count >= Self.leastUnnamed,
                !columns.indices.contains(where: { $0 != main && columns[$0].values.count >= Self.leastUnnamed })
            else { return }
            let found = columns[main].values
            let isAmerican = found[.sodium] != nil && found[.energyKJ] == nil
            columns[main].per = isAmerican || hasSize ? "serving" : "100g"
            columns[main].isNamed = hasSize && isAmerican
            return
        }
        var pers: [String] = []
        for head in named.sorted(by: { $0.x < $1.x }) { if let per = head.per, pers.last != per { pers.append(per) } }
        let order = columns.indices.filter { columns[$0].values.count >= 2 }
        for index in columns.indices {
            let near = nearest(columns[index].x, heads.map { ($0.x, $0.per, $0.row) })
            let distance = abs(near.x - columns[index].x)
            guard distance < max(7 * page.height, 0.22 * page.width) else { continue }
            columns[index].per = near.per
            columns[index].isNamed = true
        }
        // One basis, and no column near its head: the fullest column has it.
        if columns.allSatisfy({ $0.per == nil }), Set(pers).count == 1, heads.count == named.count,
            let main = columns.indices.max(by: { columns[$0].values.count < columns[$1].values.count }),
            columns[main].values.count >= Self.leastUnnamed
        {
            columns[main].per = pers.first
        }
        // As many bases as columns: the order decides, whatever the positions.
        if pers.count == order.count, Set(pers).count == pers.count, !heads.contains(where: { $0.per == nil }) {
            for (index, per) in zip(order, pers) {
                columns[index].per = per
                columns[index].isNamed = true
            }
        }
        // Two columns with one basis: the one without a nearer head is something else.
        for per in Set(columns.compactMap(\.per)) {
            let same = columns.indices.filter { columns[$0].per == per }
            guard same.count > 1 else { continue }
            let xs = named.filter { $0.per == per }.map(\.x)
            let full = same.filter { columns[$0].values.count >= Self.leastUnnamed }
            let best = (full.isEmpty ? same : full).min { one, other in
                (xs.map { abs($0 - columns[one].x) }.min() ?? .infinity)
                    < (xs.map { abs($0 - columns[other].x) }.min() ?? .infinity)
            }
            for index in same where index != best { columns[index].per = nil }
        }
        // "Per serve | per pouch" may both be heads of a portion.
        let full = columns.indices.filter { columns[$0].values.count >= Self.leastUnnamed }
        if full.count == 2, Set(full.compactMap { columns[$0].per }) == ["serving"] {
            ColumnProportion.nameWhole(&columns, full)
        }
    }

    /// The head of a serving that names only its size, in the row of the head of 100 g.
    private func portion(
        besides heads: [(x: Double, per: String?, row: Int)], _ page: PrintedPage,
        _ hits: [[Phrases<NutritionMeaning>.Hit]]
    ) -> (x: Double, per: String?, row: Int)? {
        guard !heads.contains(where: { $0.per == "serving" }),
            let full = heads.first(where: { $0.per?.hasPrefix("100") == true })
        else { return nil }
        // "Per 100 g: energy 480 kcal, fat 22 g": an amount behind its nutrient is no size.
        let end = hits[full.row].first { TableFinder.isLabel($0.meaning) }?.range.lowerBound ?? .max
        let sizes = page.rows[full.row].figures.filter {
            ServingSize.isPart($0) && $0.range.lowerBound < end && !Self.isOfShares($0.range, full.row, page)
        }
        return Set(sizes.map(\.value)).count == 1 ? (sizes[0].center, "serving", full.row) : nil
    }

    private func nearest(
        _ x: Double, _ heads: [(x: Double, per: String?, row: Int)]
    ) -> (x: Double, per: String?, row: Int) {
        heads.min { abs($0.x - x) < abs($1.x - x) } ?? (x, nil, 0)
    }
}
