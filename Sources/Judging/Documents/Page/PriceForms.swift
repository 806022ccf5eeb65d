import Core

/// Decides which amounts are prices on this page. Each page has a price form of its own.
///
/// Strong forms are always prices. A number with one decimal needs a second such price on the page. A whole number
/// needs support from the page and a value near the usual one, or a position below other prices. Support means
/// several whole numbers, or round amounts elsewhere.
struct PriceForms: Sendable {
    private var oneDecimalCounts = false
    private var isLoose = false
    private var strongCount = 0
    /// Number of strong amounts without decimals.
    private var roundCount = 0
    /// Median of the strong amounts, or of the whole numbers; 0 if there are none.
    private var usual = 0.0
    /// True if most prices of the page have two decimals.
    private var usesDecimals = false
    /// ISO 4217 of the prices with two decimals.
    private var decimalCurrencies: Set<String> = []
    /// True if most prices of the page are printed before their names: "12,50 Pad Thai".
    private var leads = false
    /// The places of numbers that count the dishes of a column: 1, 2, 3.
    private var numberPlaces: Set<Place> = []
    /// The places of such numbers whose names are not read.
    private var orphanPlaces: Set<Place> = []
    private var wholeEdges: [Double] = []
    private var columnEdges: [Double] = []
    /// True if the page prints volumes without a unit before prices: "Silvaner 0,25  3,5".
    private var hasBareVolumes = false
    /// True on a calendar: no number is a price.
    private var isCalendar = false
    /// Volumes of drinks in litres.
    static let volumes: Set<Double> = [0.02, 0.04, 0.05, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.33, 0.4, 0.5, 0.7, 0.75]

    /// - Parameter isWeek: true if the page names the days of a week.
    init(_ segments: [TextSegment], isWeek: Bool = false) {
        var strong: [Double] = []
        var whole: [Double] = []
        var oneDecimals = 0
        var decimals = 0
        (numberPlaces, orphanPlaces) = Self.numbers(segments)
        leads = Self.leads(segments)
        hasBareVolumes = Self.volumesBeforePrices(segments) >= 2
        for segment in segments where !numberPlaces.contains(Place(segment)) {
            let run = withoutVolume(Self.tail(of: segment))
            guard let first = run.first else { continue }
            let isAlone = !segment.whole[..<first.range.lowerBound].contains(where: Letters.isWordPart)
            for amount in run {
                if amount.form == .twoDecimals {
                    decimals += 1
                    if let currency = amount.currency { decimalCurrencies.insert(currency) }
                }
                if amount.isStrong {
                    strong.append(amount.number)
                    if isAlone { columnEdges.append(segment.right) }
                    if amount.form != .twoDecimals, amount.form != .fraction { roundCount += 1 }
                } else if amount.form == .oneDecimal {
                    oneDecimals += 1
                    roundCount += 1
                } else {
                    whole.append(amount.number)
                    wholeEdges.append(segment.right)
                }
            }
        }
        strongCount = strong.count
        isCalendar =
            isWeek && strong.isEmpty && oneDecimals == 0 && whole.allSatisfy { (1...31).contains($0) }
            && Set(whole).count == whole.count
        usesDecimals = decimals >= 4 && Double(decimals) >= 0.75 * Double(strong.count + whole.count)
        oneDecimalCounts = oneDecimals + strong.count + whole.count >= 2
        usual = !strong.isEmpty ? TextSegment.median(strong) : whole.isEmpty ? 0 : TextSegment.median(whole)
        isLoose = whole.count >= 3 && Double(whole.count) >= 0.5 * Double(strong.count) || roundCount >= 2
    }

    /// Number of volumes without a unit that another amount follows, in the text or in its row.
    private static func volumesBeforePrices(_ segments: [TextSegment]) -> Int {
        let tails = segments.map(tail)
        let alone = segments.indices.filter { index in
            tails[index].first.map {
                !segments[index].whole[..<$0.range.lowerBound].contains(where: Letters.isWordPart)
            }
                ?? false
        }
        return segments.indices.count { index in
            guard let first = tails[index].first, isVolume(first) else { return false }
            if tails[index].count > 1 { return tails[index].count == 2 && tails[index].last?.number ?? 0 >= 1 }
            let one = segments[index]
            return alone.contains { other in
                let price = segments[other]
                return price.left > one.right && price.left - one.right < 15 * one.height
                    && abs(price.middle - one.middle) < 0.6 * one.height
            }
        }
    }

    private static func isVolume(_ amount: PrintedAmount) -> Bool {
        !amount.isMarked && amount.number < 1 && volumes.contains(amount.number)
    }

    /// The amount with the separator that the page's other prices prove to be lost: 1650 is 16.50.
    func restored(_ amount: PrintedAmount) -> PrintedAmount {
        guard usesDecimals, usual > 0, amount.currency.map(decimalCurrencies.contains) ?? true, amount.form == .whole,
            (3...5).contains(amount.value.count),
            amount.number > 12 * usual, amount.number / 100 >= usual / 4, amount.number / 100 <= usual * 4
        else { return amount }
        var restored = amount
        restored.value.insert(".", at: restored.value.index(restored.value.endIndex, offsetBy: -2))
        restored.form = .twoDecimals
        return restored
    }

    /// The amounts at the end of a text without a volume.
    func withoutVolume(_ run: ArraySlice<PrintedAmount>) -> ArraySlice<PrintedAmount> {
        guard hasBareVolumes, let first = run.first, Self.isVolume(first) else { return run }
        return run.dropFirst()
    }

    /// - Parameters:
    ///   - isAlone: true if the segment contains nothing else.
    ///   - segment: the segment of the amount.
    func isPrice(_ amount: PrintedAmount, isAlone: Bool, in segment: TextSegment) -> Bool {
        if amount.isStrong { return true }
        if isCalendar { return false }
        if isAlone, numberPlaces.contains(Place(segment)) { return false }
        if amount.form == .oneDecimal { return oneDecimalCounts }
        let value = amount.number
        if usual > 0, value < usual / 12 || value > usual * 12 { return false }
        // Vintages and founding years.
        if (1900...2035).contains(value), usual < 500 { return false }
        if isLoose {
            if isAlone || strongCount == 0 || roundCount >= 2 { return true }
            if value >= usual / 4, value <= usual * 4 { return true }
            if wholeEdges.count(where: { abs($0 - segment.right) < 1.2 * segment.height }) >= 3 { return true }
        }
        return isAlone && columnEdges.count { abs($0 - segment.right) < 1.5 * segment.height } >= 2
    }

    private struct Place: Hashable {
        var left, middle: Double
        init(_ segment: TextSegment) { (left, middle) = (segment.left, segment.middle) }
    }

    /// True for the number of a dish whose name is not read.
    func isOrphan(_ segment: TextSegment) -> Bool { orphanPlaces.contains(Place(segment)) }

    /// Whole numbers alone in a column that count up: by one, at least three, each with a text on its right. Orphans have
    /// none: five in the first column beside strong amounts, with some numbers missing.
    private static func numbers(_ segments: [TextSegment]) -> (all: Set<Place>, orphans: Set<Place>) {
        let alone = segments.filter { segment in
            guard segment.words.count == 1, segment.amounts.count == 1, let amount = segment.amounts.first else {
                return false
            }
            return amount.form == .whole && !amount.isMarked && amount.number < Double(RisingNumbers.largest)
        }
        let named = alone.filter { RisingNumbers.isNamed($0, segments) }
        let found = rising(named, step: 1, least: 3)
        guard segments.count(where: { $0.amounts.contains(where: \.isStrong) }) >= 3 else { return (found, []) }
        let first = alone.filter { segment in
            !segments.contains { $0.right < segment.left && RisingNumbers.isInRow(segment, $0) }
        }
        let orphans = rising(first, step: 3, least: 5).subtracting(found)
        return (found.union(orphans), orphans)
    }

    private static func rising(_ segments: [TextSegment], step: Int, least: Int) -> Set<Place> {
        let numbers = segments.map { RisingNumbers.Number(value: Int($0.amounts[0].number), of: $0) }
        return Set(RisingNumbers.rising(numbers, step: step, least: least).map { Place(segments[$0]) })
    }

    private static func leads(_ segments: [TextSegment]) -> Bool {
        let before = segments.count { segment in
            guard let first = segment.amounts.first, first.isStrong, first.range.lowerBound == 0 else { return false }
            return Letters.longestRun(segment.whole[first.range.upperBound...]) >= 3
        }
        guard before >= 3 else { return false }
        return before > 2 * segments.count { $0.hasWord && tail(of: $0).contains(where: \.isStrong) }
    }

    /// The amounts at the end of a text, with only leaders and slashes between and after them.
    static func tail(of segment: TextSegment) -> ArraySlice<PrintedAmount> {
        if let bracketed = bracketed(segment) { return bracketed }
        var end = endWithoutUnit(segment)
        var first = segment.amounts.count
        while first > 0 {
            let amount = segment.amounts[first - 1]
            guard segment.whole[amount.range.upperBound..<end].allSatisfy(isGlue) else { break }
            end = amount.range.lowerBound
            first -= 1
        }
        return segment.amounts[first...]
    }

    /// The strong amount at the end of a text that has brackets of its own, as in "Calzone (9,50 €)".
    private static func bracketed(_ segment: TextSegment) -> ArraySlice<PrintedAmount>? {
        let text = segment.whole
        guard let last = segment.amounts.last, last.isStrong, last.range.lowerBound > 0,
            text[last.range.lowerBound - 1] == "(",
            let close = text[last.range.upperBound...].firstIndex(where: { !Letters.isSpace($0) }), text[close] == ")",
            text[(close + 1)...].allSatisfy(isGlue)
        else { return nil }
        return segment.amounts.suffix(1)
    }

    /// The end of the text without a unit, as in "$1.50/ea." and "80.000 / Portion".
    private static func endWithoutUnit(_ segment: TextSegment) -> Int {
        let text = segment.whole
        guard let last = segment.amounts.last, last.isStrong, last.range.upperBound < text.count else {
            return text.count
        }
        let rest = text[last.range.upperBound...].drop(while: Letters.isSpace)
        guard rest.first == "/" else { return text.count }
        let unit = rest.dropFirst().filter { !Letters.isSpace($0) && $0 != "." }
        return (1...10).contains(unit.count) && unit.allSatisfy(Letters.isLetter) ? last.range.upperBound : text.count
    }

    /// Amounts at the start of a text, marked ones or those in the page's form: "$5 Burger".
    func head(of segment: TextSegment) -> ArraySlice<PrintedAmount> { Self.head(of: segment, leads: leads) }

    /// - Parameter leads: true if strong amounts need no mark.
    static func head(of segment: TextSegment, leads: Bool = false) -> ArraySlice<PrintedAmount> {
        var start = 0
        var count = 0
        for amount in segment.amounts {
            guard amount.isMarked || leads && amount.isStrong, start <= amount.range.lowerBound,
                segment.whole[start..<amount.range.lowerBound].allSatisfy(isGlue)
            else { break }
            start = amount.range.upperBound
            count += 1
        }
        return segment.amounts[..<count]
    }

    /// True for characters that may occur between and after the prices of a line.
    static func isGlue(_ scalar: Unicode.Scalar) -> Bool {
        Letters.isSpace(scalar) || ".…·:|/,~–—-+&*•_".unicodeScalars.contains(scalar)
    }
}
