import Core

/// Finds the words that say what the dates of a page mean.
struct DateMarkers {
    struct Marker {
        var meaning: DateMeaning
        /// True if it stands directly before the date in the row.
        var isDirect: Bool
        /// True if no gap of a column is between it and the date.
        var isAttached = false
        /// True if it is in the row above or below.
        var isAdjacent = false
        /// True if its row names the day of packing and the end of use: "MFG / EXP".
        var isMixed = false

        /// Nil for words that leave it open.
        var kind: PrintedDate.Kind? {
            guard !isMixed else { return nil }
            return switch meaning {
            case .bestBefore: .bestBefore
            case .useBy: .useBy
            case .sellBy: .sellBy
            case .packed: .packed
            default: nil
            }
        }
    }

    typealias Hit = Phrases<DateMeaning>.Hit

    let page: PrintedPage
    /// The dates of each row.
    let dates: [[DateReading]]
    /// The words about a kind of date in each row.
    private let named: [[Hit]]
    private let lots: [[Hit]]
    private let references: [Bool]

    /// Letters of words such as "per" and "exp", which are also other words.
    private static let short = 3
    /// Letters between a short word and its date: "EXP MONTH:".
    private static let between = 5

    /// Scalars between words and the first digit of their date.
    private static let signs = 3
    /// Digits that are left of a misread date.
    private static let ownDigits = 3

    init(page: PrintedPage, phrases: Phrases<DateMeaning>, dates: [[DateReading]]) {
        self.page = page
        self.dates = dates
        let hits = page.rows.map { row in
            let hits = phrases.hits(in: row.squashed.splitAtDigits)
            // "Best before 9 months from packing" names no day.
            let end = hits.first { [.bestBefore, .useBy].contains($0.meaning) && Self.isDuration(after: $0, row) }
            return end.map { end in hits.filter { $0.range.upperBound <= end.range.lowerBound } } ?? hits
        }
        named = hits.map { $0.filter { ![.endOf, .lot, .seeElsewhere].contains($0.meaning) } }
        lots = hits.map { $0.filter { $0.meaning == .lot } }
        references = hits.map { $0.contains { $0.meaning == .seeElsewhere } }
    }

    private static let spans: Set<String> = [
        "month", "months", "mths", "days", "day", "weeks", "years", "year", "monate", "mois", "mesi", "meses",
    ]

    private static func isDuration(after hit: Hit, _ row: PrintedRow) -> Bool {
        let words = Folding.tokens(of: row.text, in: hit.range.upperBound..<row.text.count).prefix(3)
        return zip(words, words.dropFirst()).contains { $0.isNumber && spans.contains($1.text) }
    }

    /// True if any row has words about packing.
    var hasPacking: Bool { named.contains { $0.contains { $0.meaning == .packed } } }

    /// The ends of use that longer words of the page name, with or without a date.
    var namedEnds: [PrintedDate.Kind] {
        named.joined().filter { $0.length > Self.short }.compactMap {
            Marker(meaning: $0.meaning, isDirect: false).kind
        }.filter { $0 != .packed }
    }

    /// True for digits directly behind the word of a lot or between letters: "LOT 210512", "V040216R7".
    func isCode(_ reading: DateReading, _ index: Int) -> Bool {
        guard !reading.hasMonthName else { return false }
        let text = page.rows[index].text
        let start = reading.range.lowerBound
        let end = reading.range.upperBound
        if reading.isBare, start > 0, Letters.isLetter(text[start - 1]), end < text.count,
            Letters.isLetter(text[end]),
            !named[index].contains(where: { $0.range.upperBound == start })
        {
            return true
        }
        return lots[index].contains { hit in
            hit.range.upperBound <= reading.range.lowerBound
                && !text[hit.range.upperBound..<reading.range.lowerBound].contains {
                    Letters.isLetter($0) || Letters.isDigit($0)
                }
        }
    }

    /// True if a word that nobody knows stands with a colon before the date: a misread name of its kind.
    func hasUnknownWord(_ found: DateReader.Found) -> Bool {
        let before = page.rows[found.row].text[..<found.reading.range.lowerBound].reversed().drop {
            Letters.isSpace($0)
        }
        return before.first == ":" && before.dropFirst().first.map(Letters.isLetter) == true
    }

    /// True for a time of day directly after a date: a day of packing as often as an end of use.
    func hasTime(_ found: DateReader.Found) -> Bool {
        let text = page.rows[found.row].text
        var index = found.reading.range.upperBound
        while index < text.count, index - found.reading.range.upperBound < 2, text[index] == "/" || text[index] == " " {
            index += 1
        }
        guard index + 4 < text.count, text[index + 2] == ":" else { return false }
        return [0, 1, 3, 4].allSatisfy { Letters.isDigit(text[index + $0]) }
    }

    /// True if a row above or below has words before digits of their own: another date, of which only this one was read.
    func hasUnreadPartner(_ found: DateReader.Found) -> Bool {
        [found.row - 1, found.row + 1].contains { other in
            page.rows.indices.contains(other) && dates[other].isEmpty
                && named[other].contains {
                    isWord($0, in: page.rows[other], named[other]) && hasOwnDigits($0, page.rows[other])
                }
        }
    }

    /// The phrase that describes a date: before it in its row, else after it, else in a near row above or below.
    func marker(of reading: DateReading, _ index: Int) -> Marker? {
        let row = page.rows[index]
        let own = named[index]
        let before = own.last {
            $0.range.upperBound <= reading.range.lowerBound + 1 && isWord($0, before: reading.range.lowerBound, row)
        }
        let blocked = dates[index].contains { other in
            other.range != reading.range
                && before.map {
                    $0.range.upperBound <= other.range.lowerBound && other.range.upperBound <= reading.range.lowerBound
                } ?? false
        }
        if let before, !blocked {
            // "Prod. date / exp. date": both names before one date.
            let first = own.last { $0.range.upperBound <= before.range.lowerBound }
            let isMixed =
                dates[index].count == 1
                && (first.map { ($0.meaning == .packed) != (before.meaning == .packed) } ?? false)
            return Marker(
                meaning: before.meaning, isDirect: true, isAttached: isJoined(before, reading, row), isMixed: isMixed)
        }
        if let after = own.first(where: { $0.range.lowerBound >= reading.range.upperBound - 1 }),
            dates[index].count == 1 || after.meaning == .packed
                || ["까지", "부터"].contains(row.string(after.range))
        {
            return Marker(meaning: after.meaning, isDirect: true, isAttached: isJoined(after, reading, row))
        }
        if let before { return Marker(meaning: before.meaning, isDirect: false) }
        for distance in 1...3 {
            for other in [index - distance, index + distance] where page.rows.indices.contains(other) {
                // A row that has a date of its own keeps its words; below a date only the nearest row counts.
                guard dates[other].isEmpty, other < index || distance == 1, !references[other] else { continue }
                let gap = abs(page.rows[other].middle - row.middle)
                guard gap < 3.2 * max(row.height, page.rows[other].height) else { continue }
                let words = named[other].filter {
                    isWord($0, in: page.rows[other], named[other]) && !hasOwnDigits($0, page.rows[other])
                }
                if let hit = words.last {
                    let isMixed = words.contains { ($0.meaning == .packed) != (hit.meaning == .packed) }
                    return Marker(meaning: hit.meaning, isDirect: false, isAdjacent: distance == 1, isMixed: isMixed)
                }
            }
        }
        return nil
    }

    /// True for words and a date without the gap of a column between them.
    private func isJoined(_ hit: Hit, _ reading: DateReading, _ row: PrintedRow) -> Bool {
        row.cells.contains { $0.contains(hit.range.lowerBound) && $0.contains(reading.range.lowerBound) }
    }

    /// True for words before digits of their own, a date that was misread: "BBF.23 07".
    private func hasOwnDigits(_ hit: Hit, _ row: PrintedRow) -> Bool {
        let rest = row.text[hit.range.upperBound...]
        guard rest.prefix(Self.signs).contains(where: Letters.isDigit) else { return false }
        return rest.prefix { !Letters.isLetter($0) }.count(where: Letters.isDigit) >= Self.ownDigits
    }

    private func letters(_ range: Range<Int>, _ row: PrintedRow) -> Int {
        row.text[range.clamped(to: 0..<row.text.count)].count(where: Letters.isLetter)
    }

    /// False for a short word in front of other words or numbers: "per 100 g … 12.03.2026".
    private func isWord(_ hit: Hit, before end: Int, _ row: PrintedRow) -> Bool {
        guard hit.length <= Self.short, hit.range.upperBound < end else { return true }
        return letters(hit.range.upperBound..<end, row) <= Self.between
            && !row.text[hit.range.upperBound..<end].contains(where: Letters.isDigit)
    }

    /// False for a short word of another row that has other words too.
    private func isWord(_ hit: Hit, in row: PrintedRow, _ hits: [Hit]) -> Bool {
        guard hit.length <= Self.short else { return true }
        let named = hits.reduce(0) { $0 + letters($1.range, row) }
        return row.letters - named <= Self.between
    }
}
