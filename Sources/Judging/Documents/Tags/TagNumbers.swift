import Core

/// A number that may be a price, with the ways to read it.
struct TagPrice {
    var row: Int
    var range: Range<Int>
    var value: FixedDecimal
    /// True if the decimals are raised digits without a point: `530` is 5.30.
    var isRaised = false
    var isUnitPrice = false
    var isWas = false
    var isMarked = false
    var currency: String?
    var height: Double
    var confidence: Double
    var decimals: Int
    /// The unit beside it; nil if the row names none.
    var unit: String?
    /// True if small raised digits beside it were read apart as its decimals.
    var isJoined = false
}

/// Finds the numbers of a price tag.
enum TagNumbers {
    /// Runs of digits with at most one sign or blank between groups.
    static func longNumbers(_ text: [Unicode.Scalar]) -> [(Range<Int>, String)] {
        var result: [(Range<Int>, String)] = []
        var index = 0
        while index < text.count {
            guard
                Letters.isDigit(text[index])
                    || (text[index] == "B" && index + 1 < text.count && Letters.isDigit(text[index + 1]))
            else {
                index += 1
                continue
            }
            let start = index
            var digits = ""
            while index < text.count {
                if Letters.isDigit(text[index]) {
                    digits.unicodeScalars.append(text[index])
                } else if text[index] == "B", digits.count < 13 {
                    digits.append("8")
                } else if index + 1 < text.count, Letters.isDigit(text[index + 1]),
                    " '’`".unicodeScalars.contains(text[index]),
                    digits.count < 12
                {
                    index += 1
                    continue
                } else {
                    break
                }
                index += 1
                if digits.count == 13 { break }
            }
            if digits.count >= 8 { result.append((start..<index, digits)) }
        }
        return result
    }

    /// The numbers that may be prices, from top to bottom. A number without decimals may stand for two values.
    static func prices(
        _ page: PrintedPage, _ hits: [[Phrases<TagMeaning>.Hit]], currency: String?
    ) -> [TagPrice] {
        let joined = RaisedDecimals(page: page).prices(currency: currency)
        var result = joined.map(\.price)
        let used = joined.flatMap(\.used)
        for (index, row) in page.rows.enumerated() {
            let deposit = hits[index].first { $0.meaning == .deposit }
            let isDated = hasDate(row.text)
            let unitHit = hits[index].first { $0.meaning == .unitPrice }
            let wasHit = hits[index].first { $0.meaning == .was }
            var skip: Range<Int>?
            for (number, figure) in row.figures.enumerated() {
                if let skip, skip.overlaps(figure.range) { continue }
                if used.contains(where: { $0.row == index && $0.range == figure.range }) { continue }
                // "Pfand 0,25", and the day and hour of printing.
                if let deposit, deposit.range.upperBound <= figure.range.lowerBound { continue }
                if isDated, !figure.isMarked, figure.height < tallOverDate * page.height { continue }
                guard !figure.isPercent, !figure.isGlued, figure.value > .zero, figure.wholeDigits <= 6,
                    !isSize(figure.unit)
                        || figure.decimals == 2,
                    !(figure.isUnitGlued && estimated.contains(figure.unit))
                else { continue }
                var price = TagPrice(
                    row: index, range: figure.range, value: figure.value, isMarked: figure.isMarked,
                    currency: figure.currency,
                    height: figure.height, confidence: figure.confidence, decimals: figure.decimals)
                let hundredths = Hundredths(behind: figure, in: row.text)
                if let hundredths {
                    price.value = FixedDecimal(parts: figure.value.parts / 100)
                    price.range = figure.range.lowerBound..<hundredths.end
                    (price.decimals, price.isMarked) = (figure.decimals + 2, true)
                    price.currency = figure.currency ?? hundredths.currency
                }
                if let currency, withoutCents.contains(currency), figure.decimals == 3 {
                    // "81.900": a sign for thousands.
                    price.value = FixedDecimal(parts: figure.value.parts * 1000)
                    (price.decimals, price.isMarked) = (0, true)
                }
                if isWhole(currency), figure.decimals == 0, figure.height >= tallOverDate * page.height {
                    price.isMarked = true
                }
                // "37 90", "2 €49": the decimals are raised and read as a word of their own.
                if hundredths == nil, figure.decimals == 0, figure.wholeDigits <= 4, number + 1 < row.figures.count {
                    let next = row.figures[number + 1]
                    if next.decimals == 0, next.range.count == 2, isDecimals(next, of: figure, row.text),
                        next.center - figure.right < 2.2 * figure.height, !isWhole(currency)
                    {
                        price.isMarked = figure.isMarked || next.isMarked
                        price.currency = figure.currency ?? next.currency
                        price.value = figure.value + FixedDecimal(parts: next.value.parts / 100)
                        price.range = figure.range.lowerBound..<next.range.upperBound
                        price.decimals = 2
                        price.isRaised = true
                        skip = next.range
                    }
                }
                price.isUnitPrice =
                    unitHit.map { $0.range.upperBound <= figure.range.lowerBound + 1 || row.figures.count == 1 }
                    ?? false
                if let own = Self.unit(beside: price.range, in: row.text) {
                    price.isUnitPrice = true
                    price.unit = own.name
                }
                if price.unit == nil, number + 1 < row.figures.count,
                    let unit = contentUnit(row.figures[number + 1], after: price.range)
                {
                    (price.isUnitPrice, price.unit) = (true, unit)
                }
                price.isWas = wasHit.map { $0.range.upperBound <= figure.range.lowerBound } ?? false
                result.append(price)
                if figure.decimals == 0, number + 1 < row.figures.count, !price.isRaised {
                    // "28 020": a misread part follows.
                    let next = row.figures[number + 1]
                    if next.range.lowerBound - figure.range.upperBound == 1, next.range.count == 3 {
                        result.removeLast()
                    }
                }
                // "530" may be 5.30, with raised decimals.
                if hundredths == nil, figure.decimals == 0, !price.isRaised, (3...5).contains(figure.wholeDigits),
                    !isWhole(currency),
                    figure.unit.isEmpty || figure.isMarked
                {
                    price.value = FixedDecimal(parts: figure.value.parts / 100)
                    price.isRaised = true
                    price.decimals = 2
                    result.append(price)
                }
            }
        }
        return result
    }

    /// Units of a content with the sign ℮: "1L℮" is read as "1Le".
    private static let estimated: Set<String> = ["le", "cle", "mle", "ge", "kge"]

    /// Currencies whose prices have no decimals.
    static let withoutCents: Set<String> = ["JPY", "KRW", "VND", "IDR", "HUF", "ISK", "CLP", "PYG"]

    private static func isWhole(_ currency: String?) -> Bool { currency.map(withoutCents.contains) ?? false }

    /// A figure this much taller than the page's print is a price also beside a date.
    private static let tallOverDate = 1.6

    /// True for a row with a day such as 07.06.2026.
    private static func hasDate(_ text: [Unicode.Scalar]) -> Bool {
        let groups = text.split { !Letters.isDigit($0) && $0 != "." && $0 != "/" }
        return groups.contains { group in
            let parts = group.split { !Letters.isDigit($0) }.map(\.count)
            return parts.count == 3 && parts[0] <= 2 && parts[1] <= 2 && parts[2] == 4
        }
    }

    /// Raised decimals behind a currency sign are at most this high, as a share of the digits before them.
    private static let raisedHeight = 0.8

    /// True if a number follows another as its decimals do: after one blank, or smaller behind a currency sign.
    private static func isDecimals(_ next: Figure, of figure: Figure, _ text: [Unicode.Scalar]) -> Bool {
        let between = figure.range.upperBound..<max(figure.range.upperBound, next.range.lowerBound)
        if between.count == 1 { return true }
        let signs = text[between].filter { !Letters.isSpace($0) }
        return between.count <= 3 && signs.count == 1 && "€$£".unicodeScalars.contains(signs[0])
            && next.height > 0 && next.height <= raisedHeight * figure.height
    }

    /// "32.760 100ML": the content that a price is for.
    private static func contentUnit(_ next: Figure, after range: Range<Int>) -> String? {
        guard next.value == FixedDecimal(100), next.decimals == 0, next.range.lowerBound - range.upperBound <= 3 else {
            return nil
        }
        return unit(named: "100" + next.unit)
    }

    /// True for the unit of a weight: "1 kg", "0,5L".
    static func followsDigit(_ place: Int, _ text: [Unicode.Scalar]) -> Bool {
        var index = place
        while index > 0, text[index - 1] == " " { index -= 1 }
        return index > 0 && Letters.isDigit(text[index - 1])
    }

    /// The unit of a price in its own words: "4,98 €/kg", "2,10 le litre", "1 kg = 4,98".
    private static func unit(beside range: Range<Int>, in text: [Unicode.Scalar]) -> (name: String, range: Range<Int>)?
    {
        var index = range.upperBound
        // Over the currency, then a stroke or a word.
        while index < text.count, text[index] == " " || text[index] == "€" || text[index] == "£" || text[index] == "$" {
            index += 1
        }
        var start = index
        var isMarked = false
        if index < text.count, text[index] == "/" {
            isMarked = true
            index += 1
        }
        var words: [(text: String, range: Range<Int>)] = []
        for token in Folding.tokens(of: text, in: index..<min(text.count, index + 16)).prefix(3) {
            words.append((token.text, token.range))
        }
        if let first = words.first,
            ["eur", "kr", "zl", "kc", "ft", "le", "la", "l", "je", "per", "pro", "al", "el", "par", "za", "the"]
                .contains(first.text), words.count > 1
        {
            isMarked = isMarked || first.text != "eur"
            start = first.range.lowerBound
            words.removeFirst()
        }
        if isMarked, let word = words.first, let name = unit(named: word.text) {
            return (name, start..<word.range.upperBound)
        }
        guard let sign = text[..<range.lowerBound].lastIndex(of: "="), range.lowerBound - sign <= 4 else { return nil }
        let before = Folding.tokens(of: text, in: max(0, sign - 8)..<sign)
        guard let last = before.last, let name = unit(named: last.text) else { return nil }
        return (name, last.range.lowerBound..<sign)
    }

    /// True for a unit of packs. Milligrams are no sizes: the weights of the kinds were fitted with them as numbers.
    private static func isSize(_ unit: String) -> Bool {
        AmountUnit(printed: unit) != .milligram
            && (AmountUnit.counts(unit) || AmountUnit.measures(unit) || unit == "pk")
    }

    /// The unit of a price as one word names it: `kg`, `1l`, `100ml`.
    private static func unit(named word: some StringProtocol) -> String? {
        let name = word.drop { $0.isNumber }
        let count = word.dropLast(name.count)
        guard !name.isEmpty, ["", "1", "100"].contains(count) else { return nil }
        let meaning: TagMeaning? =
            switch AmountUnit(printed: name) {
            case .kilogram where count != "100": .kg
            case .litre where count != "100": .l
            case .gram where count == "100": .per100g
            case .millilitre where count == "100": .per100ml
            case nil where count != "100" && AmountUnit.pieces.contains(String(name)): .piece
            default: nil
            }
        return meaning?.rawValue
    }
}

/// The sign for pence or cents behind a number: "54.3p per 100g", "27.7¢ per oz".
struct Hundredths {
    /// The index behind the sign.
    let end: Int
    /// ISO 4217; nil if several countries share the sign.
    let currency: String?

    /// Nil without such a sign, and for an amount in pounds or dollars.
    init?(behind figure: Figure, in text: [Unicode.Scalar]) {
        guard !figure.isMarked || figure.currency == nil || figure.isUnitGlued else { return nil }
        let before = text[..<figure.range.lowerBound].last { !Letters.isSpace($0) }
        guard before.map({ !"£$€".unicodeScalars.contains($0) }) ?? true else { return nil }
        var index = figure.range.upperBound
        if index < text.count, Letters.isSpace(text[index]) { index += 1 }
        guard index < text.count else { return nil }
        if text[index] == "¢" {
            (end, currency) = (index + 1, nil)
            return
        }
        let isGlued = index == figure.range.upperBound
        guard isGlued, text[index] == "p" || text[index] == "c" else { return nil }
        let next = index + 1 < text.count ? text[index + 1] : " "
        guard !Letters.isLetter(next), !Letters.isDigit(next) else { return nil }
        if text[index] == "c" {
            // Degrees and contents have a "c" too; cents are for something.
            let rest = Folding.tokens(of: text, in: (index + 1)..<text.count).first?.text
            guard next == "/" || rest == "per" else { return nil }
        }
        (end, currency) = (index + 1, text[index] == "p" ? "GBP" : nil)
    }
}
