import Core
import Foundation

/// A printed number with what stands around it.
struct Figure: Sendable {
    /// Range of scalars in the row, with sign and percent sign but without unit and currency.
    var range: Range<Int>
    var value: FixedDecimal
    /// Number of printed decimals.
    var decimals: Int
    /// Number of digits before the decimal sign.
    var wholeDigits: Int
    /// True after `<` or a word such as "less than".
    var isLess = false
    var isPercent = false
    /// True if a letter stands directly before it: `A12`.
    var isGlued = false
    /// True if the decimal sign has a blank beside it, or a digit was corrected.
    var isCorrected = false
    /// The folded letters after it, with at most one blank between; empty if there are none.
    var unit = ""
    /// True if the unit follows without a blank.
    var isUnitGlued = false
    /// True if a currency mark is next to it.
    var isMarked = false
    /// ISO 4217; nil if there is no mark or several countries share it.
    var currency: String?
    /// x of its centre on the deskewed page, and its right edge, pixels.
    var center = 0.0
    var right = 0.0
    var height = 0.0
    /// Recognition confidence of its words, 0…1.
    var confidence = 0.0

    /// A number with two decimals, or one marked as money.
    var isMoney: Bool { !isPercent && !isGlued && (decimals == 2 || isMarked) }
    /// The number as printed, with its decimals.
    var text: String { value.text(decimals: decimals) }
}

/// Finds the numbers of a row.
struct FigureScanner {
    let amounts: AmountWords

    func figures(in text: [Unicode.Scalar]) -> [Figure] {
        guard text.contains(where: { PrintedNumber.begins($0) || Self.lookalikes[$0] == "0" }) else { return [] }
        let (text, corrected) = Self.corrected(text)
        var found: [Figure] = []
        var index = 0
        while index < text.count {
            guard PrintedNumber.begins(text[index]) else {
                index += 1
                continue
            }
            guard var figure = Self.number(at: index, in: text) else {
                while index < text.count, Letters.isDigit(text[index]) || ".,".unicodeScalars.contains(text[index]) {
                    index += 1
                }
                continue
            }
            figure.isCorrected = figure.isCorrected || figure.range.contains { corrected.contains($0) }
            index = figure.range.upperBound
            addSurroundings(&figure, text)
            found.append(figure)
            index = max(index, figure.range.upperBound)
        }
        return found
    }

    /// Letters that OCR reads for digits, replaced beside digits: `9.5O`, `<O.5g`, `l.99`.
    private static func corrected(_ text: [Unicode.Scalar]) -> (text: [Unicode.Scalar], places: Set<Int>) {
        var text = text
        var places: Set<Int> = []
        for index in text.indices {
            guard let digit = lookalikes[text[index]] else { continue }
            let before: Unicode.Scalar = index > 0 ? text[index - 1] : " "
            let next: Unicode.Scalar = index + 1 < text.count ? text[index + 1] : " "
            let isSeparated =
                isSeparator(next) && index + 2 < text.count
                && (Letters.isDigit(text[index + 2]) || lookalikes[text[index + 2]] == "0")
                && !Letters.isLetter(before)
            let isAfter =
                (Letters.isDigit(before) || isSeparator(before) && index > 1 && Letters.isDigit(text[index - 2]))
                && (digit == "0" || Letters.isDigit(next)) && !Letters.isLetter(next)
            let isZero =
                digit == "0" && !Letters.isLetter(before) && !Letters.isDigit(before)
                && (next == "g" || next == "m" || next == "%")
                && (index + 2 >= text.count || !Letters.isLetter(text[index + 2])
                    || next == "m" && text[index + 2] == "g")
            guard isSeparated || isAfter || isZero else { continue }
            text[index] = digit
            places.insert(index)
        }
        return (text, places)
    }

    private static let lookalikes = Letters.lookalikes.adding(["|": "1"])

    /// True for one capital letter and no word part behind it.
    private static func isLetterAlone(_ index: Int, _ text: [Unicode.Scalar]) -> Bool {
        text[index].properties.isUppercase && (index + 1 == text.count || !Letters.isWordPart(text[index + 1]))
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "," }

    /// The number at `start`; nil for dates, telephone numbers and other runs with several separators.
    private static func number(at start: Int, in text: [Unicode.Scalar]) -> Figure? {
        guard let number = PrintedNumber(at: start, in: text, blanks: .besideDecimals), number.groups.count <= 4 else {
            return nil
        }
        let fraction = number.fraction.flatMap { isAmount($0, of: number, in: text) ? $0 : nil }
        // Weights have three decimals, so one sign before three digits separates them; an apostrophe separates thousands.
        let isWhole = number.signs.isEmpty || number.isGrouped && (number.signs.count > 1 || number.signs[0] == "'")
        guard isWhole || number.hasDecimals else { return nil }
        let groups = fraction == nil || number.hasWhole ? number.groups[...] : []
        let digits = { (range: Range<Int>) in text[range].map { UInt8($0.value - 0x30) } }
        let whole = (isWhole ? groups : groups.dropLast()).flatMap(digits)
        let decimals = isWhole ? [] : groups.last.map(digits) ?? []
        guard var value = FixedDecimal(whole: whole[...], decimals: decimals[...]) else { return nil }
        if let fraction { value = value + FixedDecimal(fraction) }
        return Figure(
            range: start..<(fraction?.range.upperBound ?? number.end), value: value, decimals: decimals.count,
            wholeDigits: whole.count, isCorrected: number.isBroken)
    }

    /// True for a fraction that belongs to the number: a sign, or a quotient before a unit, "1/2 l". "3/4 g" are two values of
    /// a table, and other quotients are numbers of a series.
    private static func isAmount(
        _ fraction: PrintedNumber.Fraction, of number: PrintedNumber, in text: [Unicode.Scalar]
    ) -> Bool {
        guard number.signs.isEmpty else { return false }
        if fraction.isSign { return true }
        let isSeries = fraction.range.lowerBound > 0 && text[fraction.range.lowerBound - 1] == "/"
        let unit = text[fraction.range.upperBound...].drop { $0 == " " }.prefix { Letters.isLetter($0) }
        return !isSeries && fraction.numerator < fraction.denominator
            && AmountUnit(printed: String(scalars: unit)).map { $0.baseUnits > leastDivided } == true
    }

    /// Smaller units, in grams or millilitres, are not divided.
    private static let leastDivided: Decimal = 20

    private func addSurroundings(_ figure: inout Figure, _ text: [Unicode.Scalar]) {
        var start = figure.range.lowerBound
        var end = figure.range.upperBound
        // Currency before: "RM 9.00", "$4".
        var before = start
        while before > 0, text[before - 1] == " " { before -= 1 }
        if start - before <= 1, let mark = amounts.currencies.before(before, in: text) {
            (figure.isMarked, figure.currency) = (true, mark.code)
            before = mark.start
            while before > 0, text[before - 1] == " " { before -= 1 }
        } else if start > 0, Letters.isLetter(text[start - 1]) {
            figure.isGlued = true
        }
        if before > 0, "-−–~".unicodeScalars.contains(text[before - 1]), start - before <= 1,
            before == 1 || text[before - 2] == " "
        {
            // "-0.25": a minus that no word precedes. A bare tilde means "about".
            if text[before - 1] != "~", before == start || figure.isMarked {
                figure.value = -figure.value
                start = before - 1
            }
        }
        if before > 0, "<≤".unicodeScalars.contains(text[before - 1]) {
            figure.isLess = true
            start = min(start, before - 1)
        }
        if end < text.count, "-−".unicodeScalars.contains(text[end]), figure.decimals == 2,
            end + 1 == text.count || text[end + 1] == " " || Self.isLetterAlone(end + 1, text)
        {
            // "4.00-A": the kind of the tax stands behind the sign.
            figure.value = -figure.value
            end += 1
        }
        var after = end
        while after < text.count, text[after] == " ", after - end < 1 { after += 1 }
        if after < text.count, text[after] == "%" {
            figure.isPercent = true
            end = after + 1
        } else if let mark = amounts.currencies.after(after, in: text) {
            figure.isMarked = true
            figure.currency = figure.currency ?? mark.code
            // "2€49": the currency replaces the decimal sign.
            if figure.decimals == 0, after == end, mark.end + 1 < text.count, Letters.isDigit(text[mark.end]),
                Letters.isDigit(text[mark.end + 1]), mark.end + 2 == text.count || !Letters.isDigit(text[mark.end + 2])
            {
                let cents = Int64(text[mark.end].value - 0x30) * 10 + Int64(text[mark.end + 1].value - 0x30)
                figure.value = figure.value + FixedDecimal(parts: cents * 100)
                figure.decimals = 2
                end = mark.end + 2
            }
            after = max(end, mark.end)
        }
        var unit = after
        while unit < text.count, Letters.isLetter(text[unit]), unit - after < 10 { unit += 1 }
        if unit > after {
            figure.unit = Folding.fold(String(scalars: text[after..<unit]))
            figure.isUnitGlued = after == end
        }
        figure.range = start..<end
    }
}
