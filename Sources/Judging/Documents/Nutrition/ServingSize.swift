import Core

/// Finds the grams or millilitres of a serving.
struct ServingSize {
    let page: PrintedPage
    let hits: [[Phrases<NutritionMeaning>.Hit]]

    /// Words before a size: "Per 1 cup (122 g)".
    private static let pers: Set<String> = ["per", "pour", "pro", "je", "par", "por", "na", "w", "trong"]
    /// Grams or millilitres; a serving is smaller.
    private static let most = FixedDecimal(2000)

    struct Size: Sendable {
        var text: String
        var amount: FixedDecimal
        var confidence: Double
        var box: Quad?
    }

    /// The grams or millilitres of a figure with their unit; nil for what is no size, such as the milligrams of a nutrient.
    private static func measured(_ figure: Figure) -> (amount: FixedDecimal, unit: AmountUnit)? {
        guard let unit = AmountUnit(printed: figure.unit), unit.isContent || unit == .ounce, !figure.isPercent,
            let amount = figure.value.times(FixedDecimal(unit.baseUnits)), amount > .zero, amount < most
        else { return nil }
        return (amount, unit)
    }

    /// True for the size of a serving beside an amount for 100 g or 100 ml.
    static func isPart(_ figure: Figure) -> Bool {
        measured(figure).map { $0.unit.isContent && $0.amount != FixedDecimal(100) } == true
    }

    /// The grams or millilitres of a serving: in the row of "serving size", or in brackets after "per serving".
    func size() -> Size? {
        // Grams are exact; ounces count only where no grams are printed.
        for (strict, isOunce) in [(true, false), (false, false), (true, true)] {
            for index in page.rows.indices {
                guard
                    let hit = hits[index].first(where: {
                        $0.meaning == .servingSize || $0.meaning == .perServing && !strict
                    }), strict || !hits[index].contains(where: { $0.meaning == .energy })
                else { continue }
                for next in [index, index + 1] where page.rows.indices.contains(next) {
                    let other = page.rows[next]
                    // Beside a list of nutrients, "1 cup (244g)" below "Serving Size" shares the nutrients' row.
                    let end = hits[next].first {
                        $0.meaning != .title && $0.meaning != .servingSize && $0.meaning != .perServing
                    }?.range.lowerBound
                    if next != index, end != nil, !strict { continue }
                    let figures = other.figures.filter { figure in
                        Self.measured(figure).map { ($0.unit == .ounce) == isOunce } == true
                            && (next != index || figure.range.lowerBound >= hit.range.lowerBound)
                            && (next == index || end.map { isBracketed(figure, other, before: $0) } ?? true)
                            && !hits[next].contains {
                                TableFinder.isLabel($0.meaning) && $0.range.upperBound <= figure.range.lowerBound
                                    && $0.range.lowerBound >= (next == index ? hit.range.upperBound : 0)
                            }
                            && (strict || Self.isPart(figure))
                    }
                    if let figure = figures.first { return size(figure, other, named: 0.48) }
                }
            }
        }
        // "Per 1 cup (122 g)": the only size in brackets above the first value.
        return bracketedSize() ?? headSize()
    }

    /// True if a row up to `last` names a portion without its grams: "Per 1/2 pack", "Eine Portion enthält".
    func isNamed(upTo last: Int) -> Bool {
        page.rows.indices.prefix { $0 <= last }.contains { index in
            if hits[index].contains(where: { $0.meaning == .servingSize }) { return true }
            let words = Folding.tokens(of: page.rows[index].text)
            return zip(words, words.dropFirst()).contains { word, next in
                Self.pers.contains(word.text) && next.isNumber && next.text != "100"
            }
        }
    }

    /// True for "(244g)" before a place of its row.
    private func isBracketed(_ figure: Figure, _ row: PrintedRow, before end: Int = .max) -> Bool {
        figure.range.lowerBound > 0 && row.text[figure.range.lowerBound - 1] == "(" && figure.range.upperBound < end
    }

    /// "100 g | 30 g": the second column's head.
    private func headSize() -> Size? {
        for (index, row) in page.rows.enumerated()
        where hits[index].contains(where: { $0.meaning == .per100g || $0.meaning == .per100ml })
            && !hits[index].contains(where: { TableFinder.isLabel($0.meaning) })
        {
            let sizes = row.figures.filter(Self.isPart)
            return Set(sizes.map(\.value)).count == 1 ? size(sizes[0], row) : nil
        }
        return nil
    }

    private func bracketedSize() -> Size? {
        for (index, row) in page.rows.prefix(8).enumerated()
        where !hits[index].contains(where: { TableFinder.isLabel($0.meaning) }) {
            // The row may begin with print beside the table.
            let words = Folding.tokens(of: row.text)
            guard
                let per = words.indices.last(where: { index in
                    Self.pers.contains(words[index].text) && index + 1 < words.count
                        && (words[index + 1].text.first?.isNumber == true || index == 0)
                })
            else { continue }
            let own = row.figures.last {
                Self.measured($0)?.unit.isContent == true && $0.range.lowerBound > words[per].range.upperBound
            }
            if let own, Self.isPart(own), row.figures.count <= 3 { return size(own, row) }
            // "Per 2 shells, 1/6 pouch," above "1/6 sauce (42 g)".
            guard own == nil, index + 1 < page.rows.count,
                !hits[index + 1].contains(where: { TableFinder.isLabel($0.meaning) })
            else { continue }
            let next = page.rows[index + 1]
            let found = next.figures.filter { Self.isPart($0) && isBracketed($0, next) }
            if found.count == 1 { return size(found[0], next) }
        }
        return nil
    }

    /// - Parameter weight: of the figure's own confidence.
    private func size(_ figure: Figure, _ row: PrintedRow, named weight: Double = 0.45) -> Size? {
        guard let (amount, unit) = Self.measured(figure) else { return nil }
        let isOunce = unit == .ounce
        return Size(
            text: (isOunce ? figure.value : amount).text() + " "
                + (isOunce ? "oz" : unit.dimension == .mass ? "g" : "ml"),
            amount: amount, confidence: 0.5 + weight * figure.confidence, box: row.box(figure.range))
    }
}
