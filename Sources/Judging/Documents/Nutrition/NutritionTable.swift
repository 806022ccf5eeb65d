import Core
import Layout

/// What a phrase of a nutrition table means. Of two meanings for one phrase the first counts.
enum NutritionMeaning: String, CaseIterable, Hashable, Sendable {
    case other, energy, saturatedFat, fat, sugars, carbohydrate, fibre, protein, salt, sodium, polyols, alcohol
    case prepared, per100g, per100ml, perPackage, perServing, servingSize, daily, title, nil_ = "nil"
}

/// A nutrient of the contract. Energy has two keys.
enum Nutrient: String, CaseIterable, Hashable, Sendable {
    case energyKJ, energyKcal, fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt, sodium, polyols

    init?(_ meaning: NutritionMeaning) {
        switch meaning {
        case .fat: self = .fat
        case .saturatedFat: self = .saturatedFat
        case .carbohydrate: self = .carbohydrate
        case .sugars: self = .sugars
        case .fibre: self = .fibre
        case .protein: self = .protein
        case .salt: self = .salt
        case .sodium: self = .sodium
        case .polyols: self = .polyols
        default: return nil
        }
    }

    var isEnergy: Bool { self == .energyKJ || self == .energyKcal }
}

/// One number of the table.
struct TableValue: Sendable {
    var nutrient: Nutrient
    var row: Int
    var figure: Figure
    var value: FixedDecimal
    var unit: String
    var decimals: Int
    /// x of its centre, pixels.
    var x: Double
    /// Its place among the values of its nutrient in the row, from 0.
    var place: Int
    /// True if "g" was read as 9, or the unit is missing.
    var isCorrected = false
    var hasUnit = true
    /// True if the name of the nutrient is misread.
    var isNear = false

    var text: String { (figure.isLess ? "<" : "") + value.text(decimals: decimals) }
}

/// A column of numbers.
struct TableColumn: Sendable {
    var x: Double
    /// `100g`, `100ml`, `serving`, `package`; nil for a column that is no basis, such as the daily values.
    var per: String?
    var isNamed = false
    var values: [Nutrient: TableValue] = [:]
}

/// Finds the numbers of a nutrition table and their columns.
struct TableFinder {
    let page: PrintedPage
    let hits: [[Phrases<NutritionMeaning>.Hit]]

    /// Letters between a nutrient and its first number. More of them are print beside the table, such as ingredients.
    private static let mostLetters = 28

    /// The least amount of a footnote with daily values; portions hold less of what is "less than".
    private static let leastDaily = FixedDecimal(15)

    /// Values of all nutrients, without percentages.
    func values() -> [TableValue] {
        var result: [TableValue] = []
        let end = footnote()
        let isRunning = isRunningText
        let energyRows = Set(page.rows.indices.filter { index in hits[index].contains { $0.meaning == .energy } })
        for (index, row) in page.rows.enumerated().prefix(end) {
            let own = hits[index].filter { Self.isLabel($0.meaning) }
            if own.isEmpty {
                // A second line of the energy: "497 kcal" below "2085 kJ".
                if energyRows.contains(index - 1) || energyRows.contains(index - 2) && row.letters < 8
                    || energyRows.contains(index + 1) && row.letters < 8
                {
                    result += energies(row, index, row.figures[...])
                }
                continue
            }
            if isRunning { result += wrapped(into: index, before: own[0].range.lowerBound) }
            for (number, hit) in own.enumerated() {
                let end = number + 1 < own.count ? own[number + 1].range.lowerBound : row.text.count
                let figures = row.figures.filter {
                    $0.range.lowerBound >= hit.range.upperBound && $0.range.lowerBound < end
                        && row.text[hit.range.upperBound..<$0.range.lowerBound].count(where: Letters.isLetter)
                            <= Self.mostLetters
                }
                if hit.meaning == .energy {
                    let marked = energies(row, index, figures[...])
                    result += marked.isEmpty ? bareEnergies(index, figures.filter { !$0.isPercent }) : marked
                    // "Calories 150": no unit is printed.
                    let word = Folding.fold(row.string(hit.range))
                    if figures.first?.unit.isEmpty ?? false
                        || figures.first.map({ !["kj", "kcal", "cal", "g"].contains($0.unit) }) ?? false,
                        word.hasPrefix("cal"), let figure = figures.first, figure.decimals == 0, !figure.isPercent,
                        !marked.contains(where: { $0.figure.range == figure.range })
                    {
                        result.append(
                            TableValue(
                                nutrient: .energyKcal, row: index, figure: figure, value: figure.value, unit: "kcal",
                                decimals: 0, x: figure.center, place: 0))
                    }
                    continue
                }
                guard let nutrient = Nutrient(hit.meaning) else { continue }
                result += self.values(
                    of: nutrient, figures, index, unit: unit(after: hit.range.upperBound, before: figures.first, row))
            }
        }
        return result
    }

    /// Units of the values of a table.
    static let units: Set<String> = ["g", "mg", "kj", "kcal"]

    /// True for a word in a list, such as the salt of "OILS, SALT, WHEY": ingredients, not a row of the table.
    static func isListed(_ hit: Phrases<NutritionMeaning>.Hit, _ row: PrintedRow) -> Bool {
        guard isLabel(hit.meaning) else { return false }
        let before = row.text[..<hit.range.lowerBound].last { !Letters.isSpace($0) }
        let after = row.text[hit.range.upperBound...].drop { Letters.isSpace($0) }
        // A name before a comma may have its number behind it: "Fat, total 5.0 g".
        return before == "," && after.first == "," && !after.dropFirst().prefix(6).contains(where: Letters.isDigit)
    }

    /// The first row of the footnote with the daily values of 2,000 kcal; the end of the page without such a footnote.
    private func footnote() -> Int {
        page.rows.indices.first { index in
            let figures = page.rows[index].figures
            func has(_ number: Int) -> Bool {
                figures.contains {
                    $0.value == FixedDecimal(number)
                        || $0.value == FixedDecimal(parts: Int64(number) * 10) && $0.decimals == 3
                }
            }
            let mayBeNote =
                figures.contains { $0.value >= Self.leastDaily } && hits[index].contains { Self.isLabel($0.meaning) }
            let mayBeDiet = has(2000)
            guard mayBeNote || mayBeDiet else { return false }
            let words = Folding.words(of: page.rows[index].string)
            // "Less than 65g", also misread as "Lose than". "Fibre less than 1g" is a row of the table.
            let isNote = mayBeNote && words.contains("than")
            let isDiet =
                mayBeDiet && (words.contains("calorie") || words.contains { $0.hasPrefix("calor") } && has(2500))
            return (isNote || isDiet) && page.rows[..<index].contains { !$0.figures.isEmpty }
        } ?? page.rows.count
    }

    /// True for names and numbers in sentences, as on small packages: "Fat 6.0 g, of which saturates 4.1 g, …".
    private var isRunningText: Bool {
        page.rows.indices.contains { index in
            let own = hits[index].filter { Self.isLabel($0.meaning) }
            return zip(own, own.dropFirst()).contains { one, next in
                page.rows[index].figures.contains {
                    $0.range.lowerBound >= one.range.upperBound && $0.range.upperBound <= next.range.lowerBound
                        && Self.units.contains($0.unit)
                }
            }
        }
    }

    /// The number of a name at the end of the row above, and the kilocalories of an energy there.
    private func wrapped(into index: Int, before end: Int) -> [TableValue] {
        guard index > 0, let last = hits[index - 1].last(where: { Self.isLabel($0.meaning) }) else { return [] }
        let (above, row) = (page.rows[index - 1], page.rows[index])
        guard let first = row.figures.first, first.range.lowerBound == 0, first.range.upperBound <= end else {
            return []
        }
        let rest = above.figures.filter { $0.range.lowerBound >= last.range.upperBound }
        if last.meaning == .energy, !rest.contains(where: { $0.unit == "kcal" }) {
            return energies(row, index, [first])
        }
        guard rest.isEmpty, let nutrient = Nutrient(last.meaning),
            above.text[last.range.upperBound...].count(where: Letters.isLetter) == 0
        else { return [] }
        return values(of: nutrient, [first], index, unit: nil)
    }

    static func isLabel(_ meaning: NutritionMeaning) -> Bool {
        switch meaning {
        case .energy, .fat, .saturatedFat, .carbohydrate, .sugars, .fibre, .protein, .salt, .sodium, .polyols, .alcohol,
            .other:
            true
        default: false
        }
    }

    private func energies(_ row: PrintedRow, _ index: Int, _ figures: ArraySlice<Figure>) -> [TableValue] {
        var result: [TableValue] = []
        var places: [Nutrient: Int] = [:]
        for figure in figures where !figure.isPercent && !figure.isGlued {
            let nutrient: Nutrient? =
                switch figure.unit {
                case "kj", "kjoule", "ki", "kl", "kilojoules": .energyKJ
                case "kcal", "kcai", "kal", "kca", "kcals", "kilocalories", "cal", "calories", "cals": .energyKcal
                default: nil
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

    /// The unit between a name and its first number: "Fat (g) 8.2"; nil if no unit is printed there.
    private func unit(after start: Int, before figure: Figure?, _ row: PrintedRow) -> String? {
        guard let end = figure?.range.lowerBound, end > start else { return nil }
        return Folding.tokens(of: row.text, in: start..<end).map(\.text).last { $0 == "g" || $0 == "mg" }
    }

    /// "1585/377" in a row that names both units before: the ratio of kilojoules and kilocalories proves the pair.
    private func bareEnergies(_ row: Int, _ figures: [Figure]) -> [TableValue] {
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

    private func values(
        of nutrient: Nutrient, _ figures: [Figure], _ index: Int, unit named: String?
    ) -> [TableValue] {
        var result: [TableValue] = []
        for figure in figures where !figure.isPercent && !figure.isGlued && figure.value >= .zero {
            var value = TableValue(
                nutrient: nutrient, row: index, figure: figure, value: figure.value, unit: "g",
                decimals: figure.decimals, x: figure.center,
                place: result.count)
            if figure.unit == "mg", figure.decimals == 3 {
                // "2,400mg" has a sign for thousands.
                value.value = FixedDecimal(parts: figure.value.parts * 1000)
                value.decimals = 0
            }
            switch figure.unit {
            case "g", "gr", "grams", "gram", "grammes": break
            case "q", "a", "o": value.isCorrected = true
            case "mg", "mgs", "rng", "milligrams": value.unit = "mg"
            case "kcal", "kj", "ml", "iu", "mcg", "µg", "ug", "cal": continue
            default:
                value.hasUnit = named != nil
                value.isCorrected = named == nil
                value.unit = named ?? value.unit
            }
            // Nutrients other than sodium are not printed in milligrams.
            if value.unit == "mg", nutrient != .sodium, nutrient != .salt { continue }
            result.append(value)
        }
        return result
    }
}

extension Nutrition.Basis {
    var isEmpty: Bool {
        [energyKJ, energyKcal, fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt, sodium, polyols]
            .allSatisfy { $0 == nil }
    }

    mutating func set(_ nutrient: Nutrient, _ value: ReadValue) {
        switch nutrient {
        case .energyKJ: energyKJ = value
        case .energyKcal: energyKcal = value
        case .fat: fat = value
        case .saturatedFat: saturatedFat = value
        case .carbohydrate: carbohydrate = value
        case .sugars: sugars = value
        case .fibre: fibre = value
        case .protein: protein = value
        case .salt: salt = value
        case .sodium: sodium = value
        case .polyols: polyols = value
        }
    }
}
