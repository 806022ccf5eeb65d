import Core

/// Finds the address below the merchant's name: rows with words of streets and places, and the postcode.
struct AddressFinder {
    let receipt: ReceiptPage
    /// The merchant as read: "Harbour Street Hardware" is no street. Nil if unknown.
    let merchant: String?

    struct Address {
        var rows: ClosedRange<Int>
        var text: String
        var features: Features
    }

    /// Rows at the top that may hold the address.
    private static let depth = 14
    /// An address has at most this many rows.
    private static let longest = 5

    /// Nil if no row at the top has a word of an address.
    func address() -> Address? {
        let rows = receipt.rows
        let end = min(Self.depth, receipt.firstTotal, rows.count)
        guard let first = rows.indices.prefix(end).first(where: { isStart($0) && !isClosed($0) }) else { return nil }
        var last = first
        while last + 1 < end, last - first + 1 < Self.longest, !isClosed(last + 1), isPart(last + 1) { last += 1 }
        // "Berliner Str. 5" alone may be part of a name; a postcode or a second row confirms it.
        let range = first...last
        let text = range.map { Self.trimmed(rows[$0].printed.string) }.joined(separator: ", ")
        var features = Features()
        features["reading"] = range.map { rows[$0].printed.confidence() }.min() ?? 0
        features.set("postcode", range.contains { hasPostcode(rows[$0]) })
        features["words"] = min(3, Double(range.reduce(0) { $0 + rows[$1].hits.count { $0.meaning == .address } }))
        features["rows"] = Double(range.count)
        features.set("early", first <= 4)
        return Address(rows: range, text: text, features: features)
    }

    /// Only words of an address start one. A number of five digits beside letters may also be a registration, a cashier
    /// or a till.
    private func isStart(_ index: Int) -> Bool { hasAddressWord(receipt.rows[index]) }

    /// True for a word of an address. "No" alone counts at the start of a row: "CO REG NO 210038-K" is a registration.
    private func hasAddressWord(_ row: ReceiptRow) -> Bool {
        row.hits.contains { hit in
            guard hit.meaning == .address else { return false }
            return Folding.words(of: row.printed.string(hit.range)) != ["no"] || hit.range.lowerBound == 0
        }
    }

    private func isPart(_ index: Int) -> Bool {
        let row = receipt.rows[index]
        if hasAddressWord(row) || hasPostcode(row) { return row.printed.letters >= 3 }
        // A place alone, between two rows of the address.
        guard index + 1 < receipt.rows.count, row.printed.letters >= 4, row.hits.isEmpty else { return false }
        let next = receipt.rows[index + 1]
        return !isClosed(index + 1) && (hasAddressWord(next) || hasPostcode(next))
    }

    /// Rows that end an address: amounts, telephone and tax numbers, dates, the kind of document.
    private func isClosed(_ index: Int) -> Bool {
        let row = receipt.rows[index]
        return isName(row) || !row.amounts.isEmpty || row.has([.contact, .document, .tax, .total]) || !row.dates.isEmpty
            || row.hasTime
            || row.printed.letters < 2
    }

    private func isName(_ row: ReceiptRow) -> Bool {
        guard let merchant else { return false }
        let (name, text) = (Folding.words(of: merchant).joined(), Folding.words(of: row.printed.string).joined())
        return !text.isEmpty && !name.isEmpty && (name.contains(text) || text.contains(name))
    }

    /// Four to six digits beside letters: `40170 SHAH ALAM`, `0557 Oslo`, `M5V 2T6`.
    private func hasPostcode(_ row: ReceiptRow) -> Bool {
        guard row.printed.letters >= 3 else { return false }
        return row.printed.figures.contains { figure in
            figure.decimals == 0 && (4...6).contains(figure.range.count) && !figure.isMarked && !figure.isPercent
                && !figure.isGlued
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, ",;.:- ".contains(last) { text.removeLast() }
        while let first = text.first, ",;.:- ".contains(first) { text.removeFirst() }
        return String(text)
    }
}
