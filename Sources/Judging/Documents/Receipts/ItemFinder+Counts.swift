import Core

// Quantities that are printed before the name of an item.
extension ItemFinder {
    /// Receipts of restaurants begin each row with a count; one name alone may begin with a number: "7 Up".
    func separateCounts(_ items: inout [Item]) {
        let counts = items.map { item -> (figure: Figure, name: String)? in
            let row = receipt.rows[item.row].printed
            // "*1 JASMINE": the sign may be before the count.
            let start = row.text.first.map(Self.times.contains) == true ? 1 : 0
            guard let figure = row.figures.first, figure.range.lowerBound == start, figure.decimals == 0,
                figure.wholeDigits <= 2, figure.value > .zero,
                item.quantity.map({ $0.row == item.row && $0.figure.range == figure.range }) ?? true,
                let next = row.text[figure.range.upperBound...].first, next == " " || Self.times.contains(next)
            else { return nil }
            let rest = item.name.hasPrefix(figure.text) ? item.name.dropFirst(figure.text.count) : item.name[...]
            let scalars = Array(rest.unicodeScalars)
            let name = String(scalars: scalars[Self.trimmed(0..<scalars.count, of: scalars)])
            return name.count(where: \.isLetter) >= 2 ? (figure, name) : nil
        }
        let counted = zip(items, counts).count { $0.isCountFirst || $1 != nil }
        guard counted >= 2, counts.contains(where: { $0 != nil }), counted * 5 >= items.count * 4 else { return }
        for (index, count) in counts.enumerated() {
            guard let count else { continue }
            (items[index].quantity, items[index].name) = ((count.figure, items[index].row), count.name)
        }
    }

    /// Signs of multiplication beside a name: "2 x Latte à 4.50".
    static let (times, each) = (Array("xX×*".unicodeScalars), Array("àáa@".unicodeScalars))

    /// The words between a quantity and a price, without the signs of multiplication.
    static func trimmed(_ range: Range<Int>, of text: [Unicode.Scalar]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        func skipBlanks() {
            while start < end, !Letters.isWordPart(text[start]), !times.contains(text[start]) { start += 1 }
        }
        skipBlanks()
        // "2xLatte", "2 x Latte"; "XL shirt" begins with its own letter.
        if start + 1 < end, times.contains(text[start]),
            text[start + 1] == " " || start == range.lowerBound && !Letters.isDigit(text[start + 1])
        {
            start += 1
            skipBlanks()
        }
        while end > start, Letters.isSpace(text[end - 1]) { end -= 1 }
        if end - start > 2, (each + times).contains(text[end - 1]), Letters.isSpace(text[end - 2]) { end -= 2 }
        return start..<max(start, end)
    }

    /// True if each single word behind a quantity has a row of words above it: "BERAS ASAS 10KG" above "15*BAG 24.90 373.50".
    /// The word is a unit then. A heading stands above the first of its items alone.
    func isUnitInFront(_ end: Int) -> Bool {
        let rows = receipt.rows
        let fronted = rows.indices.prefix(end).filter { index in
            rows[index].last.map { amount in
                let parts = parts(of: rows[index], before: amount)
                return parts.front != nil
                    && isOneWord(rows[index], nameRange(of: rows[index], before: parts.multiplied, behind: parts.front))
            } ?? false
        }
        return fronted.allSatisfy { $0 > 0 && rows[$0 - 1].amounts.isEmpty && rows[$0 - 1].printed.letters >= 3 }
    }

    func isOneWord(_ row: ReceiptRow, _ range: Range<Int>) -> Bool {
        Folding.tokens(of: row.printed.text, in: range.clamped(to: 0..<row.printed.text.count)).count == 1
    }
}
