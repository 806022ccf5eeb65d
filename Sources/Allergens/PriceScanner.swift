import Foundation
import Vocabulary

/// Finds prices among the words of a row.
struct PriceScanner: Sendable {
    /// A price and the words it takes.
    struct Found: Sendable, Hashable {
        var amount: String
        /// ISO 4217 where a sign stands beside it.
        var currency: String?
        var words: Range<Int>
    }

    let lexica: Lexica

    /// Prices from left to right.
    func prices(in words: [String]) -> [Found] {
        var found: [Found] = []
        var index = 0
        while index < words.count {
            if let price = price(in: words, at: index) {
                found.append(price)
                index = price.words.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    /// True where the text is prices and signs alone.
    func isPriceOnly(_ text: String) -> Bool {
        let words = text.split(separator: " ").map(String.init)
        let found = prices(in: words)
        return !found.isEmpty
            && found.reduce(0) { $0 + $1.words.count }
                == words.count(where: { $0.contains { $0.isLetter || $0.isNumber || $0.isCurrencySymbol } })
    }

    private static func hasDigit(_ word: String) -> Bool {
        word.unicodeScalars.contains { $0.properties.numericType != nil }
    }

    private func price(in words: [String], at index: Int) -> Found? {
        // Most words are no part of a price: an amount, or a sign before an amount, has a digit.
        guard Self.hasDigit(words[index]) || index + 1 < words.count && Self.hasDigit(words[index + 1]) else {
            return nil
        }
        var word = Self.trimmed(words[index])
        var currency: String?
        var range = index..<(index + 1)
        if let code = Self.currency(word) {
            guard index + 1 < words.count else { return nil }
            let next = Self.trimmed(words[index + 1])
            guard let amount = Self.amount(next, isMarked: true) else { return nil }
            return Found(amount: amount, currency: code, words: index..<(index + 2))
        }
        (word, currency) = Self.withoutSign(word)
        if currency == nil, index + 1 < words.count, let code = Self.currency(Self.trimmed(words[index + 1])) {
            currency = code
            range = index..<(index + 2)
        }
        guard let amount = Self.amount(word, isMarked: currency != nil) else { return nil }
        if currency == nil, index + 1 < words.count, let unit = Folding.words(of: words[index + 1]).first,
            lexica.has(.unit, unit)
        {
            return nil
        }
        return Found(amount: amount, currency: currency, words: range)
    }

    private static func trimmed(_ word: String) -> String {
        String(word.trimmingSuffix(while: { "._…·*|".contains($0) }).drop { "._…·|".contains($0) })
    }

    private static func currency(_ word: String) -> String? {
        switch word.uppercased() {
        case "€", "EUR", "EURO": "EUR"
        case "£", "GBP": "GBP"
        case "$", "USD": "USD"
        case "CHF", "SFR", "FR.": "CHF"
        default: nil
        }
    }

    private static func withoutSign(_ word: String) -> (String, String?) {
        for sign in ["€", "£", "$", "EUR", "CHF"] where word.count > sign.count {
            if word.hasPrefix(sign) { return (String(word.dropFirst(sign.count)), currency(sign)) }
            if word.hasSuffix(sign) { return (String(word.dropLast(sign.count)), currency(sign)) }
        }
        return (word, nil)
    }

    /// `12,50` → `12.50`; whole numbers only beside a sign, or as `12,-`.
    private static func amount(_ word: String, isMarked: Bool) -> String? {
        var digits = word
        if let dash = [",-", ".-", ",--", ",–", ".–", ",—"].first(where: { word.hasSuffix($0) }) {
            digits = String(word.dropLast(dash.count))
            return (1...3).contains(digits.count) && digits.allSatisfy(\.isWholeNumber) ? digits + ".00" : nil
        }
        let parts = digits.split(separator: ",", omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: ".", omittingEmptySubsequences: false) }
        guard let whole = parts.first, (1...4).contains(whole.count),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        if parts.count == 2, parts[1].count == 2 { return "\(whole).\(parts[1])" }
        if parts.count == 2, parts[1].count == 1, isMarked { return "\(whole).\(parts[1])0" }
        return parts.count == 1 && isMarked && whole.count <= 3 ? "\(whole).00" : nil
    }
}
