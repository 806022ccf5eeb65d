import Core

/// Where the names of a receipt are, and the codes that a shop prints beside every name.
extension ItemFinder {
    /// True for "Discount: 20.70 (17 % of 119.70)" and "Discount from 2.95 now 2.00": a note with several numbers.
    func isReduction(_ row: ReceiptRow) -> Bool {
        guard let first = row.hits.first, first.meaning == .discount, first.range.lowerBound < 2, let last = row.last,
            last.value > .zero
        else { return false }
        return row.amounts.count > 1 || row.printed.figures.contains(where: \.isPercent)
    }

    /// True for another price of an item: "Normally $1.60".
    func isPriceNote(_ row: ReceiptRow) -> Bool {
        row.hits.first.map { $0.meaning == .discount && $0.range.lowerBound < 2 } == true
            && !row.printed.figures.isEmpty
    }

    /// True for the number of an article in front of other words.
    func startsWithArticle(_ row: ReceiptRow) -> Bool {
        guard let first = row.printed.figures.first else { return false }
        return first.range.lowerBound == 0 && Self.isArticle(first) && first.unit.count != 1
    }

    static func isArticle(_ figure: Figure) -> Bool { figure.decimals == 0 && figure.wholeDigits >= 5 }

    /// True if every item has its name in a row of its own above its article number, kind and amount.
    func isNamedAbove(from start: Int, _ end: Int, _ column: (right: Double, slack: Double)) -> Bool {
        let rows = receipt.rows
        let numbered = (start..<max(start, end)).filter { index in
            rows[index].last.map { isInColumn($0, column) } ?? false && startsWithArticle(rows[index])
        }
        return numbered.count > 1
            && numbered.allSatisfy { $0 > start && rows[$0 - 1].amounts.isEmpty && rows[$0 - 1].printed.letters >= 3 }
    }

    /// Items from which a word at the end of most names is a code of the tax.
    private static let leastCoded = 5
    private static let codedShare = 0.6
    /// Letters of such a code.
    private static let codeLetters = 2...4

    /// Removes the codes around the names: "4011 BANANA MRJ", "CHERRIES 000000004045K". A short word counts as a code if most
    /// names end with it, a short number in front if most names begin with one.
    func removeCodes(_ items: inout [Item]) {
        let words = items.map { $0.name.split(separator: " ").map(String.init) }
        let named = words.filter { $0.count > 1 }
        let ends = named.compactMap { words in
            words.last.flatMap { Self.codeLetters.contains($0.count) && $0.allSatisfy(\.isUppercase) ? $0 : nil }
        }
        let code = ends.mostFrequent.flatMap { code in
            let share = Double(ends.count { Self.isAlike($0, code) }) / Double(max(1, items.count))
            return items.count >= Self.leastCoded && share >= Self.codedShare ? code : nil
        }
        let numbered = named.count { Self.isCodeInFront($0[0]) }
        let isNumbered = items.count >= Self.leastCoded && Double(numbered) >= Self.codedShare * Double(items.count) / 2
        for (index, all) in words.enumerated() {
            var kept = all[...]
            if let code, let last = kept.last, kept.count > 1, Self.isAlike(last, code) { kept.removeLast() }
            // "BREAD 007225003712 F": an article number and the kind of its tax.
            if let last = kept.last, kept.count > 2, last.count <= 2, last.allSatisfy(\.isUppercase),
                Self.isArticleNumber(kept[kept.count - 2])
            {
                kept.removeLast()
            }
            if let last = kept.last, kept.count > 1, Self.isArticleNumber(last) { kept.removeLast() }
            // "(2)770 9513125 ROLLED OATS": the count of the item in front of its number, in one part or in two.
            let isCounted = kept.first.map(Self.isCounted) ?? false
            while let first = kept.first, kept.count > 1,
                isNumbered && Self.isCodeInFront(first) || isCounted && Self.isCounted(first)
                    || isCounted && Self.isArticleNumber(first, least: 5)
            {
                kept.removeFirst()
            }
            if kept.count < all.count { items[index].name = kept.joined(separator: " ") }
        }
    }

    /// True for a code with at most one letter misread or added: "NRJ" for "MRJ".
    private static func isAlike(_ one: String, _ code: String) -> Bool {
        one == code || one.count >= 3 && EditDistance.plain.between(one, code, limit: 2) <= 2
    }

    /// True for many digits with at most two letters behind them.
    private static func isArticleNumber(_ word: String, least: Int = 8) -> Bool {
        let digits = word.prefix(while: \.isNumber).count
        return digits >= least && word.count - digits <= 2
    }

    /// True for four digits and more, also behind a count in brackets.
    private static func isCodeInFront(_ word: String) -> Bool {
        isCounted(word) || word.count >= 4 && word.allSatisfy(\.isNumber)
    }

    /// True for a count in brackets and the digits of an article: "(2)0660000008".
    private static func isCounted(_ word: String) -> Bool {
        let parts = word.split(separator: ")", maxSplits: 1)
        guard parts.count == 2, parts[0].first == "(", (2...3).contains(parts[0].count) else { return false }
        return parts[0].dropFirst().allSatisfy(\.isNumber) && parts[1].count >= 3 && parts[1].allSatisfy(\.isNumber)
    }
}
