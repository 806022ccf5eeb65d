import Core
import Layout

/// What a phrase on a receipt means. Of two meanings for one phrase the first counts.
enum ReceiptMeaning: String, CaseIterable, Hashable, Sendable {
    case grandTotal, subtotal, total, tax, rounding, change, cash, card, discount, service, count, date, otherDate
    case document, contact, legal, address, shop, header
}

/// A row of a receipt with the meanings of its phrases.
struct ReceiptRow: Sendable {
    let printed: PrintedRow
    let hits: [Phrases<ReceiptMeaning>.Hit]
    /// Amounts of money, from left to right.
    let amounts: [Figure]
    let dates: [DateReading]

    init(_ row: PrintedRow, _ phrases: Phrases<ReceiptMeaning>, _ dates: [DateReading]) {
        printed = row
        hits = phrases.hits(in: row.squashed)
        self.dates = dates
        amounts = Self.joined(row).filter { figure in
            figure.isMoney && !dates.contains { !$0.isWeak && $0.range.overlaps(figure.range) }
                && !Self.measures.contains(figure.unit)
        }
    }

    /// The figures, with "10 00" and "5: 00" at the end of a row joined to an amount.
    private static func joined(_ row: PrintedRow) -> [Figure] {
        var figures = row.figures
        guard figures.count >= 2, let cents = figures.last else { return figures }
        let whole = figures[figures.count - 2]
        // "68 90 80" is a telephone number.
        if figures.count > 2, whole.range.lowerBound - figures[figures.count - 3].range.upperBound <= 2 {
            return figures
        }
        let gap = whole.range.upperBound..<max(whole.range.upperBound, cents.range.lowerBound)
        guard cents.decimals == 0, cents.range.count == 2, !cents.isPercent, cents.unit.isEmpty, whole.decimals == 0,
            whole.wholeDigits <= 4, whole.unit.isEmpty, !whole.isPercent, !whole.isGlued, (1...2).contains(gap.count),
            row.text[gap].allSatisfy({ $0 == " " || $0 == ":" }), cents.right - whole.right < 3.5 * row.height,
            cents.range.upperBound == row.text.count
        else { return figures }
        figures.removeLast(2)
        var joined = whole
        joined.value = whole.value + FixedDecimal(parts: cents.value.parts / 100)
        joined.decimals = 2
        joined.range = whole.range.lowerBound..<cents.range.upperBound
        joined.right = cents.right
        joined.isCorrected = true
        joined.confidence = 0.8 * min(whole.confidence, cents.confidence)
        return figures + [joined]
    }

    /// Units after a number that is no amount of money.
    private static let measures: Set<String> = ["kg", "g", "ml", "l", "ltr", "litre", "km", "cm", "mm"]

    func has(_ meaning: ReceiptMeaning) -> Bool { hits.contains { $0.meaning == meaning } }
    func has(_ meanings: Set<ReceiptMeaning>) -> Bool { hits.contains { meanings.contains($0.meaning) } }

    /// The amount at the right end.
    var last: Figure? { amounts.last }

    /// True for a time of day: `13:56`.
    var hasTime: Bool { timeRange != nil }

    /// The place of a time of day.
    var timeRange: Range<Int>? {
        let text = printed.text
        var index = 1
        while index + 2 < text.count {
            if text[index] == ":", Letters.isDigit(text[index - 1]), Letters.isDigit(text[index + 1]),
                Letters.isDigit(text[index + 2])
            {
                let start = index >= 2 && Letters.isDigit(text[index - 2]) ? index - 2 : index - 1
                let hour = Int(String(scalars: text[start..<index])) ?? 99
                let minute = Int(String(scalars: text[(index + 1)...(index + 2)])) ?? 99
                let isAlone = index + 3 >= text.count || !Letters.isDigit(text[index + 3])
                if hour < 24, minute < 60, isAlone { return start..<(index + 3) }
            }
            index += 1
        }
        return nil
    }
}

/// A receipt's rows with what several parts need.
struct ReceiptPage: Sendable {
    let page: PrintedPage
    let rows: [ReceiptRow]

    /// The chain whose name is on the receipt; nil if none does.
    let chain: ReadValue?

    /// - Parameter dates: those of each row.
    init(_ page: PrintedPage, _ phrases: Phrases<ReceiptMeaning>, _ dates: [[DateReading]], chain: ReadValue?) {
        self.page = page
        self.chain = chain
        rows = zip(page.rows, dates).map { ReceiptRow($0, phrases, $1) }
    }

    /// The row of the first total that is no count of items; the end of the page without such a row.
    var firstTotal: Int {
        rows.indices.first { index in
            let row = rows[index]
            guard row.has([.grandTotal, .total, .subtotal]), !row.has(.header) || !row.amounts.isEmpty else {
                return false
            }
            // "Total" as the heading of a column has no amount, neither here nor below.
            return !row.amounts.isEmpty && !isHeading(row)
                || row.hits.count == 1 && index + 1 < rows.count && rows[index + 1].printed.letters < 4
                    && !rows[index + 1].amounts.isEmpty
        } ?? rows.count
    }

    func isHeading(_ row: ReceiptRow) -> Bool { row.amounts.isEmpty && row.has(.header) }

    /// The amount that belongs to a row: its own, or that of the next row if this one has none and that one no words.
    func amount(of index: Int) -> Figure? {
        if let own = rows[index].last { return own }
        guard index + 1 < rows.count, rows[index + 1].printed.letters < 3, rows[index].hits.count >= 1 else {
            return nil
        }
        let gap = rows[index + 1].printed.middle - rows[index].printed.middle
        return gap < 2.5 * rows[index].printed.height ? rows[index + 1].last : nil
    }
}
