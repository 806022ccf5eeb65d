import Core

/// The numbers of one row with their units.
extension TableFinder {
    func energies(_ row: PrintedRow, _ index: Int, _ figures: ArraySlice<Figure>) -> [TableValue] {
        var result: [TableValue] = []
        var places: [Nutrient: Int] = [:]
        for figure in figures where !figure.isPercent && !figure.isGlued {
            let nutrient: Nutrient? =
                switch figure.unit {
                case "kj", "kjoule", "ki", "kl", "kilojoules": .energyKJ
                case "kcal", "kkal", "kcai", "kal", "kca", "kcals", "kilocalories", "cal", "calories", "cals":
                    .energyKcal
                case "k": isKilojoules(figure, index, figures) ? .energyKJ : nil
                default: misreadUnit(after: figure, row)
                }
            guard let nutrient else { continue }
            // "1.970 kJ" has a sign for thousands.
            let value = figure.decimals == 3 ? FixedDecimal(parts: figure.value.parts * 1000) : figure.value
            places[nutrient, default: -1] += 1
            result.append(
                TableValue(
                    nutrient: nutrient, row: index, figure: figure, value: value,
                    unit: nutrient == .energyKJ ? "kJ" : "kcal",
                    decimals: figure.decimals == 3 ? 0 : figure.decimals, x: figure.center, place: places[nutrient] ?? 0
                ))
        }
        return result
    }

    /// True for "1850 k" beside or above "450 kcal": a half read kJ, which the kilocalories prove.
    private func isKilojoules(_ figure: Figure, _ row: Int, _ figures: ArraySlice<Figure>) -> Bool {
        let below = row + 1 < page.rows.count ? page.rows[row + 1].figures : []
        return (figures + below).contains {
            $0.unit == "kcal"
                && EnergyFigures.agree(kilojoules: figure.value.approximate, kilocalories: $0.value.approximate)
        }
    }

    /// "1585 k)" for kJ and "377 k(al" for kcal.
    private func misreadUnit(after figure: Figure, _ row: PrintedRow) -> Nutrient? {
        let rest = Folding.fold(String(scalars: row.text[figure.range.upperBound...].prefix(6).filter { $0 != " " }))
        if rest.hasPrefix("k)") || rest.hasPrefix("k]") { return .energyKJ }
        return rest.hasPrefix("k(al") || rest.hasPrefix("kc(al") || rest.hasPrefix("(al") ? .energyKcal : nil
    }

    /// The unit between a name and its first number: "Fat (g) 8.2"; nil if no unit is printed there.
    func unit(after start: Int, before figure: Figure?, _ row: PrintedRow) -> String? {
        guard let end = figure?.range.lowerBound, end > start else { return nil }
        return Folding.tokens(of: row.text, in: start..<end).map(\.text).last { $0 == "g" || $0 == "mg" }
    }

    private static let misreadKilocalories: Set<String> = ["kal", "kcai", "kca", "keal", "kcol", "cal"]

    /// True for a row that names the unit of its numbers in brackets: "Carbohdrate (g) 55.7".
    static func namesUnit(_ row: PrintedRow) -> Bool {
        guard let first = row.figures.first, first.unit.isEmpty, !first.isPercent else { return false }
        let before = row.string(0..<first.range.lowerBound)
        return ["(g)", "(mg)"].contains { before.contains($0) }
    }

    /// "Energy (kJ) 1585": the row's name holds the only unit.
    func namedEnergies(
        _ row: Int, _ figures: [Figure], _ hit: Phrases<NutritionMeaning>.Hit
    ) -> [TableValue] {
        guard let first = figures.first, hit.range.upperBound < first.range.lowerBound else { return [] }
        let units = Folding.tokens(of: page.rows[row].text, in: hit.range.upperBound..<first.range.lowerBound)
            .map(\.text).filter { $0 == "kj" || $0 == "kcal" || Self.misreadKilocalories.contains($0) }
        guard units.count == 1 else { return [] }
        let nutrient = units[0] == "kj" ? Nutrient.energyKJ : .energyKcal
        return figures.prefix { $0.unit.isEmpty && $0.decimals <= 2 && !$0.isGlued && !$0.isPercent }.enumerated().map {
            TableValue(
                nutrient: nutrient, row: row, figure: $1, value: $1.value, unit: nutrient == .energyKJ ? "kJ" : "kcal",
                decimals: $1.decimals, x: $1.center, place: $0)
        }
    }

    /// "1585/377" in a row that names both units before: the ratio of kilojoules and kilocalories proves the pair.
    func bareEnergies(_ row: Int, _ figures: [Figure]) -> [TableValue] {
        var result: [TableValue] = []
        var index = 0
        while index + 1 < figures.count {
            let (one, other) = (figures[index], figures[index + 1])
            index += 1
            guard one.decimals == 0, other.decimals == 0, one.value > FixedDecimal(20),
                abs(one.value.approximate - 4.184 * other.value.approximate) <= max(4, 0.03 * one.value.approximate)
            else { continue }
            let place = result.count / 2
            for (figure, nutrient, unit) in [(one, Nutrient.energyKJ, "kJ"), (other, .energyKcal, "kcal")] {
                result.append(
                    TableValue(
                        nutrient: nutrient, row: row, figure: figure, value: figure.value, unit: unit, decimals: 0,
                        x: figure.center, place: place))
            }
            index += 1
        }
        return result
    }

    func values(
        of nutrient: Nutrient, _ figures: [Figure], _ index: Int, unit named: String?
    ) -> [TableValue] {
        var result: [TableValue] = []
        let row = page.rows[index]
        for (number, figure) in figures.enumerated()
        where !figure.isPercent && !figure.isGlued && figure.value >= .zero {
            if number > 0, isGram(figure, behind: figures[number - 1], row), let last = result.indices.last,
                !result[last].hasUnit
            {
                (result[last].hasUnit, result[last].isCorrected) = (true, true)
                continue
            }
            var value = TableValue(
                nutrient: nutrient, row: index, figure: figure, value: figure.value, unit: "g",
                decimals: figure.decimals, x: figure.center,
                place: result.count)
            if number + 1 < figures.count, figures[number + 1].isPercent, figures[number + 1].decimals == 0 {
                value.percent = Int(figures[number + 1].value.parts / FixedDecimal.one)
            }
            if let before = Folding.tokens(of: row.text, in: 0..<figure.range.lowerBound).suffix(4).map(\.text)
                as [String]?,
                zip(before, before.dropFirst()).contains(where: { $0 == "less" && $1 == "than" }),
                figures.first?.range == figure.range
            {
                value.figure.isLess = true
            }
            if figure.decimals == 0, figure.value > .zero, row.text[figure.range].filter(Letters.isDigit).first == "0" {
                // "05 g" lost its decimal sign.
                value.shift()
            }
            let bracketed = bracketedUnit(after: figure, row)
            let isMilligrams = figure.unit == "mg" || bracketed == "mg"
            if isMilligrams, figure.decimals == 3 {
                // "2,400mg" has a sign for thousands.
                value.value = FixedDecimal(parts: figure.value.parts * 1000)
                value.decimals = 0
            }
            switch bracketed ?? figure.unit {
            case "g", "gr", "grams", "gram", "grammes": break
            case "q", "a", "o": value.isCorrected = true
            case "mg", "mgs", "milligrams": value.unit = "mg"
            case "rng", "mig", "rag", "ing", "mq", "nig":
                (value.unit, value.isCorrected) = ("mg", true)
            case "kcal", "kkal", "kj", "ml", "iu", "mcg", "µg", "ug", "cal": continue
            default:
                value.hasUnit = named != nil
                value.isCorrected = named == nil
                value.unit = named ?? value.unit
                // "7g 5": a daily value that lost its sign.
                if !value.hasUnit, figure.decimals == 0, figure.unit.isEmpty, let first = result.first, first.hasUnit,
                    first.percent == nil,
                    DailyValues.agrees(nutrient, first.grams, Int(figure.value.parts / FixedDecimal.one))
                {
                    continue
                }
            }
            // Nutrients other than sodium are not printed in milligrams.
            if value.unit == "mg", nutrient != .sodium, nutrient != .salt { continue }
            result.append(value)
        }
        return result
    }

    /// True for the nine of "0.8 9": a gram that is read as a number of its own.
    private func isGram(_ figure: Figure, behind other: Figure, _ row: PrintedRow) -> Bool {
        figure.range.count == 1 && figure.value == FixedDecimal(9) && figure.unit.isEmpty && other.unit.isEmpty
            && !other.isPercent && figure.range.lowerBound - other.range.upperBound == 1
            && figure.center - other.right < 1.5 * page.height
    }

    /// "5 n. (g)": the unit in a second script.
    private func bracketedUnit(after figure: Figure, _ row: PrintedRow) -> String? {
        let rest = row.text[figure.range.upperBound...].prefix(10)
        guard let open = rest.firstIndex(of: "("), !rest[..<open].contains(where: Letters.isDigit),
            let close = rest[open...].firstIndex(of: ")")
        else { return nil }
        let unit = Folding.fold(String(scalars: rest[(open + 1)..<close]))
        return ["g", "mg"].contains(unit) ? unit : nil
    }
}
