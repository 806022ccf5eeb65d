import Core

/// What a phrase on a receipt means. Of two meanings for one phrase the first counts.
enum ReceiptMeaning: String, CaseIterable, Hashable, Sendable {
    case grandTotal, subtotal, total, tax, rounding, change, cash, card, discount, service, count, date, otherDate
    case document, contact, legal, address, shop, header
}

/// A row of a receipt with the meanings of its phrases.
struct ReceiptRow: Sendable {
    let printed: PrintedRow
    let hits: [Phrases<ReceiptMeaning>.Hit]
    /// Numbers from left to right, with groups of thousands joined and pence as pounds.
    let figures: [Figure]
    /// Amounts of money, from left to right.
    let amounts: [Figure]
    let dates: [DateReading]
    /// True for "0.822 kg NET $6.00/kg", with or without the amount.
    let isWeighing: Bool

    private static let shortTotal = 3

    /// - Parameter isWhole: true for a receipt whose amounts have no decimals.
    init(_ row: PrintedRow, _ phrases: Phrases<ReceiptMeaning>, _ dates: [DateReading], isWhole: Bool) {
        printed = row
        // "TOP" is a total in Turkish and a word elsewhere: so short a word is one only at the beginning of its row.
        let start = row.text.firstIndex(where: Letters.isWordPart) ?? 0
        let isWeighing = Self.isWeighing(row)
        self.isWeighing = isWeighing
        // "NETTO" is a subtotal in German, and beside a weight the weight without its packaging.
        let hits = phrases.hits(in: row.squashed).filter {
            ($0.meaning != .total || $0.length > Self.shortTotal || $0.range.lowerBound <= start)
                && !(isWeighing && [.subtotal, .total].contains($0.meaning))
        }
        self.hits = hits + Self.misreadForms(row, phrases, beside: hits)
        self.dates = dates
        if isWhole {
            let amount = Self.wholeAmount(row, dates)
            // Numbers of houses and telephones are at the right too.
            let isContact = hits.contains { [.address, .contact, .legal, .document].contains($0.meaning) }
            amounts = amount.flatMap { $0.isMarked || !isContact ? [$0] : nil } ?? []
            figures = Self.withThousands(row, whole: amount)
            return
        }
        figures = Self.withThousands(row).map { figure in
            // "0.645 kg @ 78p/kg"; "12p" behind a name is a pack of twelve.
            guard let pence = Hundredths(behind: figure, in: row.text), pence.end < row.text.count,
                row.text[pence.end] == "/"
            else { return figure }
            var price = figure
            price.value = FixedDecimal(parts: figure.value.parts / 100)
            (price.decimals, price.isMarked) = (figure.decimals + 2, true)
            price.currency = pence.currency
            return price
        }
        amounts = Self.joined(figures, row, dates).filter { figure in
            figure.isMoney && !dates.contains { !$0.isWeak && $0.range.overlaps(figure.range) }
                && !AmountUnit.measures(figure.unit)
        }
    }

    /// True for a weight and the price of its unit; the words between them name nothing.
    private static func isWeighing(_ row: PrintedRow) -> Bool {
        guard let weight = row.figures.first, AmountUnit.measures(weight.unit),
            row.text[..<weight.range.lowerBound].count(where: Letters.isLetter) < 2
        else { return false }
        let unit = weight.unit.unicodeScalars
        return row.figures.dropFirst().contains { figure in
            let behind = row.text[figure.range.upperBound...].drop { !Letters.isWordPart($0) && $0 != "/" }
            return behind.first == "/" && behind.dropFirst().prefix(unit.count).elementsEqual(unit)
        }
    }

    /// Legal forms whose letters O are read as noughts: "D.0.0.".
    private static func misreadForms(
        _ row: PrintedRow, _ phrases: Phrases<ReceiptMeaning>, beside hits: [Phrases<ReceiptMeaning>.Hit]
    ) -> [Phrases<ReceiptMeaning>.Hit] {
        guard row.text.contains("0"), !hits.contains(where: { $0.meaning == .legal }) else { return [] }
        return phrases.hits(in: row.squashed.withoutNoughts).filter { hit in
            hit.meaning == .legal && row.text[hit.range].contains("0")
                && row.text[hit.range].contains(where: Letters.isLetter)
                && !row.text[hit.range].contains { Letters.isDigit($0) && $0 != "0" }
        }
    }

    /// The whole number at the right end of a row, with the groups of its thousands joined: "1 299 Ft", "1.299".
    private static func wholeAmount(_ row: PrintedRow, _ dates: [DateReading]) -> Figure? {
        let figures = row.figures
        // "Szerémi út 4." is a house.
        let isEnding = figures.last.map { $0.range.upperBound < row.text.count && row.text[$0.range.upperBound] == "." }
        guard isEnding != true, var amount = figures.last, !amount.isPercent, !amount.isGlued, amount.wholeDigits <= 7,
            amount.decimals == 0 || amount.decimals == 3, !AmountUnit.measures(amount.unit),
            // A code of the tax may follow.
            amount.isMarked || amount.unit.count <= 1, !isTime(amount.range, row.text),
            !dates.contains(where: { $0.range.overlaps(amount.range) })
        else { return nil }
        if amount.decimals == 3 {
            guard amount.value.magnitude < FixedDecimal(10_000), amount.wholeDigits <= 3 else { return nil }
            (amount.value, amount.decimals) = (FixedDecimal(parts: amount.value.parts * 1000), 0)
            amount.wholeDigits += 3
        } else if amount.range.count == 3 {
            joinThousands(&amount, figures.dropLast(), row)
        }
        return amount
    }

    /// The figures, with groups of thousands joined: "1 234,50", on a receipt without decimals the amount, and a price
    /// behind a multiplication sign.
    private static func withThousands(_ row: PrintedRow, whole amount: Figure? = nil) -> [Figure] {
        var joined: [Figure] = []
        for figure in row.figures.reversed() where joined.last.map({ !$0.range.overlaps(figure.range) }) ?? true {
            if let amount, joined.isEmpty, amount.range.overlaps(figure.range) {
                joined.append(amount)
                continue
            }
            var grouped = figure
            if figure.wholeDigits == 3, figure.decimals == 0 || row.text[figure.range].contains(",") {
                joinThousands(&grouped, row.figures.prefix { $0.range.upperBound <= figure.range.lowerBound }, row)
            }
            let sign = row.text[..<grouped.range.lowerBound].last { !Letters.isSpace($0) }
            let isPrice = figure.decimals == 2 || sign.map { "xX×*@".unicodeScalars.contains($0) } == true
            joined.append(isPrice ? grouped : figure)
        }
        return joined.reversed()
    }

    /// Puts the groups of digits before "299" in front of it: one blank before, in one line of print.
    private static func joinThousands(_ amount: inout Figure, _ before: ArraySlice<Figure>, _ row: PrintedRow) {
        for group in before.reversed() {
            let step = amount.right - group.right
            let printed = row.height * Double(amount.range.count + 1) * widthOfDigit
            guard group.decimals == 0, (1...3).contains(group.wholeDigits), !group.isPercent, !group.isGlued,
                group.unit.isEmpty, amount.range.lowerBound - group.range.upperBound == 1,
                row.text[group.range.upperBound] == " ", step <= printed, amount.wholeDigits <= 6
            else { return }
            let scale = Int64(amount.wholeDigits == 3 ? 1000 : 1_000_000)
            let thousands = FixedDecimal(parts: group.value.parts * scale)
            amount.value = group.value < .zero ? thousands - amount.value : thousands + amount.value
            amount.wholeDigits += group.wholeDigits
            amount.range = group.range.lowerBound..<amount.range.upperBound
            amount.confidence = min(amount.confidence, group.confidence)
            if group.wholeDigits < 3 { return }
        }
    }

    /// The largest width of a printed digit in heights of its row.
    private static let widthOfDigit = 0.7

    /// True for the hour or the minute of "14:05".
    private static func isTime(_ range: Range<Int>, _ text: [Unicode.Scalar]) -> Bool {
        range.lowerBound > 0 && text[range.lowerBound - 1] == ":"
            || range.upperBound < text.count && text[range.upperBound] == ":"
    }

    /// The figures, with "10 00" and "5: 00" at the end of a row joined to an amount.
    private static func joined(_ figures: [Figure], _ row: PrintedRow, _ dates: [DateReading]) -> [Figure] {
        var figures = figures
        guard figures.count >= 2, let cents = figures.last else { return figures }
        let whole = figures[figures.count - 2]
        // "68 90 80" is a telephone number.
        if figures.count > 2, whole.range.lowerBound - figures[figures.count - 3].range.upperBound <= 2 {
            return figures
        }
        let gap = whole.range.upperBound..<max(whole.range.upperBound, cents.range.lowerBound)
        guard cents.decimals == 0, cents.range.count == 2, !cents.isPercent, cents.unit.isEmpty, whole.decimals == 0,
            whole.wholeDigits <= 4, whole.unit.isEmpty, !whole.isPercent, !whole.isGlued, (1...2).contains(gap.count),
            row.text[gap].allSatisfy({ $0 == " " || $0 == ":" }), !isTimeOfDay(whole, cents, gap, row, dates),
            cents.right - whole.right < 2.5 * row.height,
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

    /// True for "14:05" beside a day or alone in its row.
    private static func isTimeOfDay(
        _ hour: Figure, _ minute: Figure, _ gap: Range<Int>, _ row: PrintedRow, _ dates: [DateReading]
    ) -> Bool {
        gap.count == 1 && row.text[gap.lowerBound] == ":" && hour.value < FixedDecimal(24)
            && minute.value < FixedDecimal(60) && (!dates.isEmpty || row.letters == 0)
    }

    func has(_ meaning: ReceiptMeaning) -> Bool { hits.contains { $0.meaning == meaning } }
    func has(_ meanings: Set<ReceiptMeaning>) -> Bool { hits.contains { meanings.contains($0.meaning) } }

    /// True for a subtotal, and false for a row or the titles of a table of taxes: "VAT 7 %  4.00  0.28", "NET  GROSS".
    var isSubtotal: Bool {
        has(.subtotal) && !has(.tax) && hits.count { $0.meaning == .subtotal } < 2
            && !printed.figures.contains { $0.isPercent }
    }

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

    /// True if the amounts have no decimals: forints, yen, and prices rounded to crowns.
    let isWhole: Bool
    /// The decimals of an amount.
    var decimals: Int { isWhole ? 0 : 2 }
    /// The smallest difference of two amounts.
    var step: FixedDecimal { isWhole ? FixedDecimal(1) : .cent }

    /// The chain whose name is on the receipt; nil if none does.
    let chain: ReadValue?

    /// - Parameter dates: those of each row.
    init(_ page: PrintedPage, _ phrases: Phrases<ReceiptMeaning>, _ dates: [[DateReading]], chain: ReadValue?) {
        self.page = page
        self.chain = chain
        let isWhole = Self.isWhole(page.rows, dates)
        self.isWhole = isWhole
        rows = zip(page.rows, dates).map { ReceiptRow($0, phrases, $1, isWhole: isWhole) }
    }

    /// True if the marked amounts have no decimals, and no number has two. A receipt in a currency without coins may
    /// have two in its rates of tax.
    private static func isWhole(_ rows: [PrintedRow], _ dates: [[DateReading]]) -> Bool {
        var (marked, withCents, grouped) = (0, 0, 0)
        var isCoinless = false
        for (row, dates) in zip(rows, dates) {
            let isDate = { (figure: Figure) in dates.contains { $0.range.overlaps(figure.range) } }
            if let last = row.figures.last, last.decimals == 3, last.value >= FixedDecimal(1), last.unit.isEmpty,
                last.range.upperBound == row.text.count
            {
                grouped += 1
            }
            for figure in row.figures where !figure.isPercent && !isDate(figure) {
                if figure.decimals == 2 {
                    withCents += 1
                } else if figure.isMarked, figure.decimals == 0 || figure.decimals == 3 {
                    marked += 1
                    isCoinless = isCoinless || figure.currency.map(TagNumbers.withoutCents.contains) == true
                }
            }
        }
        if isCoinless { return withCents <= 2 }
        // One number with two decimals may be part of a telephone number.
        return withCents == 0 && marked >= 2 || grouped >= max(leastGrouped, 4 * withCents)
    }

    /// Rows that end in "4,900" from which all amounts have no decimals.
    private static let leastGrouped = 3

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

    /// True if the amounts have commas before their decimals.
    var hasDecimalCommas: Bool {
        let last = rows.compactMap { row in row.last.map { (row.printed.text[$0.range], $0.decimals) } }
        let amounts = last.filter { $0.1 == 2 }.map(\.0)
        return amounts.count >= 2 && amounts.count { $0.contains(",") && !$0.contains(".") } * 2 > amounts.count
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
