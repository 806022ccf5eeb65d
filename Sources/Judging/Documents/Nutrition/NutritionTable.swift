import Core

/// What a phrase of a nutrition table means. Of two meanings for one phrase the first counts.
enum NutritionMeaning: String, CaseIterable, Hashable, Sendable {
    case other, energy, saturatedFat, fat, sugars, carbohydrate, fibre, protein, salt, sodium, polyols, alcohol
    case prepared, per100g, per100ml, perPackage, perServing, servingSize, daily, title, nil_ = "nil"

    /// The basis that the phrase names, as the outcome writes it; nil for other phrases.
    var basis: String? {
        switch self {
        case .per100g: "100g"
        case .per100ml: "100ml"
        case .perServing: "serving"
        case .perPackage: "package"
        default: nil
        }
    }
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
    /// The share of a daily value that is printed behind it, per cent.
    var percent: Int?
    /// True for a value whose place alone names it: it counts if the energy fits the parts.
    var needsProof = false

    var text: String { (figure.isLess ? "<" : "") + value.text(decimals: decimals) }

    /// The value with the decimal sign before its last digit, which was not read: 125 becomes 12.5.
    mutating func shift() {
        value = FixedDecimal(parts: value.parts / 10)
        (decimals, isCorrected) = (1, true)
    }
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

    /// Words of a sentence on the energy that an adult needs in a day.
    private static let leastProse = 6
    /// Nutrients above it.
    private static let leastAbove = 3
    private static let energyUnits: Set<String> = ["kcal", "kkal", "kj"]

    /// The least amount of a footnote with daily values; portions hold less of what is "less than".
    private static let leastDaily = FixedDecimal(15)

    /// Values of all nutrients, without percentages.
    func values() -> [TableValue] {
        var result: [TableValue] = []
        let end = footnote()
        let isRunning = isRunningText
        let hits = lesser()
        let energyRows = Set(page.rows.indices.filter { index in hits[index].contains { $0.meaning == .energy } })
        for (index, row) in page.rows.enumerated().prefix(end) {
            let own = hits[index].filter { Self.isLabel($0.meaning) }
            if own.isEmpty {
                // A second line of the energy: "497 kcal" below "2085 kJ".
                if energyRows.contains(index - 1) || energyRows.contains(index - 2) && row.letters < 8
                    || energyRows.contains(index + 1) && row.letters < 8
                {
                    result += energies(row, index, row.figures[...])
                } else if energyRows.contains(index + 1) {
                    result += kilojoules(above: index + 1)
                }
                continue
            }
            if own.allSatisfy({ $0.meaning == .other }), energyRows.contains(index + 1) {
                result += kilojoules(above: index + 1)
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
                    let bare = figures.filter { !$0.isPercent }
                    result += marked.isEmpty ? bareEnergies(index, bare) + namedEnergies(index, bare, hit) : marked
                    if Folding.fold(row.string(hit.range)).hasPrefix("cal") {
                        result += calories(hit, index, figures, marked)
                    }
                    continue
                }
                guard let nutrient = Nutrient(hit.meaning) else { continue }
                result += self.values(
                    of: nutrient, figures, index, unit: unit(after: hit.range.upperBound, before: figures.first, row))
            }
        }
        return Self.placed(result)
    }

    /// The values with their places among all values of the nutrient in the row: a second name of the nutrient does not
    /// count from the beginning.
    private static func placed(_ values: [TableValue]) -> [TableValue] {
        var result = values
        let groups = Dictionary(grouping: values.indices) { "\(values[$0].row) \(values[$0].nutrient.rawValue)" }
        for group in groups.values where group.count > 1 {
            for (place, index) in group.sorted(by: { values[$0].x < values[$1].x }).enumerated() {
                result[index].place = place
            }
        }
        return result
    }

    /// The kilojoules above the kilocalories of a name over two lines: "Valeur 1928 kJ", "énergétique 458 kcal".
    private func kilojoules(above row: Int) -> [TableValue] {
        let own = energies(page.rows[row], row, page.rows[row].figures[...])
        guard !own.isEmpty, own.allSatisfy({ $0.nutrient == .energyKcal }) else { return [] }
        return energies(page.rows[row - 1], row - 1, page.rows[row - 1].figures[...]).filter {
            $0.nutrient == .energyKJ
        }
    }

    /// The phrases without "less than" between a nutrient and its number: it is a sign, not another nutrient.
    private func lesser() -> [[Phrases<NutritionMeaning>.Hit]] {
        zip(page.rows, hits).map { row, hits in
            hits.enumerated().filter { number, hit in
                guard hit.meaning == .other, Self.isLess(row.string(hit.range)), number > 0 else { return true }
                let before = hits[number - 1]
                return Nutrient(before.meaning) == nil
                    || row.figures.contains {
                        $0.range.lowerBound >= before.range.upperBound && $0.range.upperBound <= hit.range.lowerBound
                    }
            }.map(\.element)
        }
    }

    private static func isLess(_ text: String) -> Bool { Folding.words(of: text) == ["less", "than"] }

    /// "Calories 150" without a unit, or the name above its number: "Calories", "per serving", "150".
    private func calories(
        _ hit: Phrases<NutritionMeaning>.Hit, _ index: Int, _ figures: [Figure], _ marked: [TableValue]
    ) -> [TableValue] {
        func value(_ figure: Figure, _ row: Int) -> TableValue {
            TableValue(
                nutrient: .energyKcal, row: row, figure: figure, value: figure.value, unit: "kcal", decimals: 0,
                x: figure.center, place: 0)
        }
        if let first = figures.first, !Self.foreign.contains(first.unit) {
            guard first.decimals == 0, !first.isPercent, !marked.contains(where: { $0.figure.range == first.range })
            else { return [] }
            // "Calories 140 430" in a table of two columns.
            let isPlain = figures.allSatisfy {
                $0.decimals == 0 && !$0.isPercent && $0.unit.isEmpty && (0.7...1.4).contains($0.height / first.height)
            }
            return isPlain ? figures.prefix(2).map { value($0, index) } : [value(first, index)]
        }
        guard marked.isEmpty else { return [] }
        let row = page.rows[index]
        let (left, right) = (row.x(of: hit.range.lowerBound), row.x(of: hit.range.upperBound))
        func isWhole(_ figure: Figure) -> Bool {
            figure.decimals == 0 && (1...4).contains(figure.wholeDigits) && !figure.isPercent && !figure.isGlued
        }
        let reach = page.rows.indices.clamped(to: (index - 3)..<(index + 4))
        let below = reach.filter { $0 > index }.lazy.compactMap { other in
            page.rows[other].figures.first {
                isWhole($0) && $0.unit.isEmpty && $0.center > left - page.height && $0.center < right + page.height
            }.map { value($0, other) }
        }.first
        // The large number of the calories may be in a row of the print beside it.
        let beside = reach.filter { abs(page.rows[$0].middle - row.middle) < Self.largePrint * page.height }.lazy
            .compactMap { other in
                page.rows[other].figures.first { figure in
                    isWhole(figure) && !Self.foreign.contains(figure.unit) && figure.center > right
                        && !hits[other].contains {
                            Self.isLabel($0.meaning) && $0.range.upperBound <= figure.range.lowerBound
                        }
                }.map { value($0, other) }
            }.first
        guard var found = below ?? beside else { return [] }
        found.needsProof = true
        return [found]
    }

    /// Heights of the print by which the number of the calories may lie above or below their name.
    private static let largePrint = 2.0

    /// Units of other values than energy in kilocalories.
    private static let foreign: Set<String> = ["kj", "kcal", "cal", "g", "mg", "rng", "mcg", "ml", "oz"]

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
            let mayBeDiet = [2000, 2150, 8400].contains(where: has)
            guard mayBeNote || mayBeDiet else { return false }
            let words = Folding.words(of: page.rows[index].string)
            // "Less than 65g", also misread as "Lose than". "Fibre less than 1g" is a row of the table.
            let isNote = mayBeNote && zip(words, words.dropFirst()).contains { $0 != "more" && $1 == "than" }
            let isDiet =
                mayBeDiet && (words.contains("calorie") || words.contains { $0.hasPrefix("calor") } && has(2500))
            // Beside the table the sentence may be in its rows.
            let isIntake =
                mayBeDiet && words.count >= Self.leastProse
                && figures.contains { Self.energyUnits.contains($0.unit) }
                && !hits[index].contains { Nutrient($0.meaning) != nil }
            return (isNote || isDiet) && page.rows[..<index].contains { !$0.figures.isEmpty }
                || isIntake && Set(hits[..<index].joined().compactMap { Nutrient($0.meaning) }).count >= Self.leastAbove
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
