import Core

/// Names of products, compared and abbreviated.
package enum ProductNames {
    /// A name for comparison: folded words with single blanks.
    package static func normalised(_ name: String) -> String { Folding.words(of: name).joined(separator: " ") }

    /// Letters in a row from which a print has a word.
    private static let word = 3

    /// False for a print that is no name of anything: digits and marks with hardly a letter, such as `33.7 e8 or 2/s6.00 KB`.
    package static func isName(_ printed: String) -> Bool {
        let signs = printed.filter { !$0.isWhitespace }
        let letters = signs.count(where: \.isLetter)
        let isWord = printed.split { !$0.isLetter }.contains { $0.count >= word }
        // A letter of Chinese or Japanese is a word.
        let isScript = printed.unicodeScalars.contains { $0.properties.isIdeographic }
        return isWord || isScript || letters >= 2 && letters * 2 >= signs.count
    }

    /// The chain of a shop's name: its folded words up to the first one that is not generic. `REWE Markt GmbH` is `rewe`,
    /// `Bäckerei Kornfeld` is `backerei kornfeld`.
    package static func chain(_ name: String, rules: GroceryRules) -> String {
        let words = Folding.words(of: name)
        let last = words.firstIndex { $0.count > 2 && !rules.names.generic.contains($0) } ?? words.endIndex - 1
        return words.prefix(last + 1).joined(separator: " ")
    }

    /// Why two entries may be the same product.
    package enum Duplicate: String, Sendable, Hashable, Codable, CaseIterable { case gtin, name, near }

    /// The most certain reason, or nil.
    package static func duplicate(
        _ name: String, _ gtin: GTIN?, of other: String, _ otherGTIN: GTIN?, rules: GroceryRules
    ) -> Duplicate? {
        if let gtin, let otherGTIN { return gtin == otherGTIN ? .gtin : nil }
        let (one, two) = (normalised(name), normalised(other))
        guard !one.isEmpty, !two.isEmpty else { return nil }
        if one == two { return .name }
        if one.split(separator: " ").sorted() == two.split(separator: " ").sorted() { return .near }
        // Numbers distinguish products: "cola 0.5 l" is not "cola 1.5 l".
        guard one.filter(\.isNumber) == two.filter(\.isNumber) else { return nil }
        let letters = max(one.count, two.count)
        let most = 2 * (letters * rules.names.nearPercent / 100)
        return most > 0 && EditDistance.typed.between(one, two, limit: most) <= most ? .near : nil
    }

    /// How well printed words abbreviate a product's name, 0…1.
    ///
    /// Each printed word takes the best word of the name that is still free: equal words count fully, a beginning and
    /// letters in order (`GEFL` for `Gefluegel`, `HHN` for `Haehnchen`) in part. Numbers count only if equal. The
    /// score is the share of printed letters that found a word, less a little for words of the name that nothing
    /// printed names.
    package static func score(printed: String, name: String) -> Double {
        let (printed, words) = (Folding.words(of: printed), Folding.words(of: name))
        guard !printed.isEmpty, !words.isEmpty, printed.count <= 20, words.count <= 40 else { return 0 }
        var free = Array(words.indices)
        var (found, letters) = (0.0, 0)
        for word in printed {
            letters += word.utf8.count
            let fits = free.map { ($0, fit(Array(word.utf8), Array(words[$0].utf8))) }
            guard let best = fits.max(by: { ($0.1, -$0.0) < ($1.1, -$1.0) }), best.1 > 0 else { continue }
            found += best.1 * Double(word.utf8.count)
            free.removeAll { $0 == best.0 }
        }
        let unnamed = free.reduce(0) { $0 + words[$1].utf8.count }
        let all = words.reduce(0) { $0 + $1.utf8.count }
        return found / Double(letters) * (1 - 0.3 * Double(unnamed) / Double(all))
    }

    private static func fit(_ short: [UInt8], _ word: [UInt8]) -> Double {
        if short == word { return 1 }
        let isNumber = short.contains { (48...57).contains($0) }
        guard !isNumber, short.count >= 2, short.count < word.count, short[0] == word[0] else { return 0 }
        if word.starts(with: short) { return 0.9 }
        var place = word.startIndex
        for letter in short {
            guard let next = word[place...].firstIndex(of: letter) else { return 0 }
            place = next + 1
        }
        return short.count >= 3 ? 0.7 : 0
    }
}
