public import Core

/// The words beside numbers: `models/amounts/words.json`. They tell prices from measures, counts, times and phone
/// numbers.
public struct AmountWords: Sendable {
    private struct File: DataFile {
        static let schema = "tablesight.amount-words/1"

        struct Words: Decodable {
            var words: [String]
            var prefixes: [String]?
        }
        struct Days: Decodable {
            /// By language.
            var weekdays: [String: [String]]
            var months, others: [String]
        }
        struct Currencies: Decodable { var marks: [CurrencyMarks.Mark] }

        var units, energies, heralds, unstated: Words
        var days: Days
        var currencies: Currencies

        func validate(name: String) throws(DataFileProblem) {
            for (key, list) in [
                ("units", units), ("energies", energies), ("heralds", heralds), ("unstated", unstated),
            ] {
                try DataFileProblem.check(!list.words.isEmpty, "\(key).words", "empty")
                for word in list.words + (list.prefixes ?? []) {
                    try DataFileProblem.check(
                        !word.isEmpty && Folding.fold(word) == word, key, "\(word): give folded words")
                }
            }
            for (key, list) in [
                ("weekdays", days.weekdays.values.flatMap(\.self)), ("months", days.months), ("others", days.others),
            ] {
                for word in list {
                    try DataFileProblem.check(Folding.fold(word) == word, "days.\(key)", "\(word): give folded words")
                }
            }
            try DataFileProblem.check(!currencies.marks.isEmpty, "currencies.marks", "empty")
        }
    }

    /// Folded words after a number that is a measure, a count or a time.
    private let units: Set<String>
    private let unitPrefixes: [String]
    /// Folded units of energy, which some kitchens print before the number.
    private let energies: Set<String>
    /// Folded words before a number that is no price.
    private let heralds: Set<String>
    /// Folded words in place of a price that staff tell: "M.P." is "m p".
    private let unstated: Set<String>
    let days: DayWords
    let currencies: CurrencyMarks

    /// - Throws: `StartupError` with the file and the key.
    public init(from models: ModelFolder) throws {
        let file = try models.load(File.self, from: "amounts/words.json")
        units = Set(file.units.words)
        unitPrefixes = file.units.prefixes ?? []
        energies = Set(file.energies.words)
        heralds = Set(file.heralds.words)
        unstated = Set(file.unstated.words)
        days = DayWords(weeks: file.days.weekdays.values.map(\.self), others: file.days.months + file.days.others)
        currencies = CurrencyMarks(file.currencies.marks)
    }

    /// True for a number that is a measure, a count, a time or a part of a list, and therefore no price.
    ///
    /// - Parameter number: the range of the digits and separators.
    func isMeasure(_ number: Range<Int>, in text: [Unicode.Scalar]) -> Bool {
        if let unit = Self.word(after: number.upperBound, in: text), isUnit(unit) { return true }
        if let herald = Self.word(before: number.lowerBound, in: text), heralds.contains(herald) { return true }
        if isEnergy(number.lowerBound, in: text) { return true }
        let end = number.upperBound
        // "12/345", "12-345": parts of a longer number.
        if end + 3 < text.count, ["-", "/"].contains(text[end]), text[(end + 1)...(end + 3)].allSatisfy(Letters.isDigit)
        {
            return true
        }
        // "#12", "×2", "2x".
        if number.lowerBound > 0, ["#", "×"].contains(text[number.lowerBound - 1]) { return true }
        return end < text.count && text[end] == "×"
    }

    /// The start of words in place of a price at the end of a text, "Lobster M.P.", or nil.
    func unstatedPrice(at end: [Unicode.Scalar]) -> Int? {
        let tokens = Folding.tokens(of: end)
        for count in [3, 2, 1] where tokens.count > count {
            let last = tokens.suffix(count)
            guard unstated.contains(last.map(\.text).joined(separator: " ")), let first = last.first else { continue }
            return Letters.longestRun(end[..<first.range.lowerBound]) >= 2 ? first.range.lowerBound : nil
        }
        return nil
    }

    private func isUnit(_ word: String) -> Bool {
        units.contains(word) || unitPrefixes.contains { word.hasPrefix($0) }
    }

    /// True for the number behind a unit of energy that belongs to no number before it: both of "kcal 680 kJ 2850".
    private func isEnergy(_ start: Int, in text: [Unicode.Scalar]) -> Bool {
        var start = start
        while let unit = Self.word(before: start, in: text), energies.contains(unit) {
            let end = text[..<start].lastIndex(where: Letters.isLetter) ?? 0
            let before = text[..<max(0, end + 1 - unit.unicodeScalars.count)]
            guard let last = before.last(where: { !Letters.isSpace($0) }), Letters.isDigit(last) else { return true }
            let number = before.lastIndex(where: Letters.isDigit) ?? 0
            start = before[...number].lastIndex { !Letters.isDigit($0) }.map { $0 + 1 } ?? 0
            // "€ 4,80 kcal 680": an amount of money has no unit of energy.
            let hasCents = number - start == 1 && start > 1 && [",", "."].contains(text[start - 1])
            if hasCents || currencies.before(start, in: text) != nil { return true }
        }
        return false
    }

    /// The folded word after the number, with at most one blank between.
    private static func word(after end: Int, in text: [Unicode.Scalar]) -> String? {
        var index = end
        while index < text.count, Letters.isSpace(text[index]) { index += 1 }
        let start = index
        while index < text.count, Letters.isLetter(text[index]) { index += 1 }
        guard index > start, index - start <= 12 else { return nil }
        return Folding.fold(String(scalars: text[start..<index]))
    }

    /// The folded word before a blank, a full stop or a colon.
    private static func word(before start: Int, in text: [Unicode.Scalar]) -> String? {
        var index = start
        while index > 0, Letters.isSpace(text[index - 1]) || [".", ":", "º", "°"].contains(text[index - 1]) {
            index -= 1
        }
        let end = index
        while index > 0, Letters.isLetter(text[index - 1]) { index -= 1 }
        guard index < end, end - index <= 9 else { return nil }
        return Folding.fold(String(scalars: text[index..<end]))
    }
}
