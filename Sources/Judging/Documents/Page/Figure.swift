import Core

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
        guard text.contains(where: { Letters.isDigit($0) || Self.lookalikes[$0] == "0" }) else { return [] }
        let (text, corrected) = Self.corrected(text)
        var found: [Figure] = []
        var index = 0
        while index < text.count {
            guard Letters.isDigit(text[index]) else {
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

    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "O": "0", "o": "0", "I": "1", "l": "1", "|": "1", "Q": "0", "D": "0",
    ]

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "," }

    /// The number at `start`; nil for dates, telephone numbers and other runs with several separators.
    private static func number(at start: Int, in text: [Unicode.Scalar]) -> Figure? {
        var groups: [Range<Int>] = []
        var signs: [Unicode.Scalar] = []
        var index = start
        var isCorrected = false
        while true {
            let begin = index
            while index < text.count, Letters.isDigit(text[index]) { index += 1 }
            groups.append(begin..<index)
            guard index + 1 < text.count else { break }
            if isSeparator(text[index]) || text[index] == "'", Letters.isDigit(text[index + 1]) {
                signs.append(text[index])
                index += 1
                continue
            }
            // "9. 90", "9 .90": a blank beside the decimal sign.
            if groups.count == 1, groups[0].count <= 4 {
                if isSeparator(text[index]), text[index + 1] == " ", isTwoDigits(at: index + 2, in: text) {
                    signs.append(text[index])
                    index += 2
                    isCorrected = true
                    continue
                }
                if text[index] == " ", isSeparator(text[index + 1]), isTwoDigits(at: index + 2, in: text) {
                    signs.append(text[index + 1])
                    index += 2
                    isCorrected = true
                    continue
                }
            }
            break
        }
        guard groups.count <= 4 else { return nil }
        let digits = { (range: Range<Int>) in text[range].map { UInt8($0.value - 0x30) } }
        var whole = groups[0..<1]
        var decimals: Range<Int>?
        if groups.count > 1 {
            let isThousands = groups.dropFirst().dropLast().allSatisfy { $0.count == 3 } && groups[0].count <= 3
            guard let lastSign = signs.last, let last = groups.last else { return nil }
            let sameSigns = signs.allSatisfy { $0 == lastSign }
            if groups.count == 2 {
                if last.count == 3, lastSign == "'" {
                    whole = groups[0..<2]
                } else {
                    decimals = last
                }
            } else if isThousands, sameSigns, last.count == 3 {
                whole = groups[...]
            } else if isThousands, !sameSigns, signs.dropLast().allSatisfy({ $0 == signs[0] }) {
                whole = groups.dropLast()
                decimals = last
            } else {
                return nil
            }
        }
        let wholeDigits = whole.flatMap { digits($0) }
        guard let value = FixedDecimal(whole: wholeDigits[...], decimals: (decimals.map(digits) ?? [])[...]) else {
            return nil
        }
        return Figure(
            range: start..<index, value: value, decimals: decimals?.count ?? 0, wholeDigits: wholeDigits.count,
            isCorrected: isCorrected)
    }

    private static func isTwoDigits(at start: Int, in text: [Unicode.Scalar]) -> Bool {
        guard start + 1 < text.count, Letters.isDigit(text[start]), Letters.isDigit(text[start + 1]) else {
            return false
        }
        return start + 2 >= text.count || !Letters.isDigit(text[start + 2]) && !isSeparator(text[start + 2])
    }

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
            end + 1 == text.count || text[end + 1] == " "
        {
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
