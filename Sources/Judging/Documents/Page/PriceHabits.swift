import Core

/// How a page prints its prices, where a single line does not tell: "1 € 7.50" and "501-" have two readings each.
struct PriceHabits: Sendable {
    /// True if currency marks stand before their numbers. A lone 1 or I before such a mark is a line of the table.
    private(set) var marksLead = false
    /// True if whole amounts end with "/-". A 1 before a dash is then the slash.
    private(set) var hasSlashes = false

    /// Fewer amounts show no habit.
    private static let leastAmounts = 3
    /// A mark on one side is the habit if it is so many times as frequent as on the other.
    private static let rarer = 4

    /// No habits.
    init() {}

    /// - Parameter segments: of the page, with every amount.
    init(_ segments: [TextSegment]) {
        var (leading, trailing, slashes) = (0, 0, 0)
        for segment in segments {
            let text = segment.whole
            for (number, amount) in segment.amounts.enumerated() {
                if text[amount.range].suffix(2).elementsEqual(["/", "-"]) { slashes += 1 }
                guard amount.isMarked, let last = text[amount.range].last else { continue }
                if !Letters.isDigit(text[amount.range.lowerBound]) {
                    leading += 1
                } else if !Letters.isDigit(last) {
                    let next = segment.amounts.dropFirst(number + 1).first
                    let isBeside = text[amount.range.upperBound...].first { !Letters.isSpace($0) }.map(Letters.isDigit)
                    // Of "1 € 7.50" the mark is the next number's, or is not known to be this one's.
                    if isBeside != true {
                        trailing += 1
                    } else if let next, !next.isMarked, next.form == .twoDecimals, amount.form == .whole {
                        leading += 1
                    }
                }
            }
        }
        marksLead = leading >= Self.leastAmounts && leading >= Self.rarer * trailing
        hasSlashes = slashes >= Self.leastAmounts
    }

    /// True for the line of a table before the mark of an amount, read as a digit or a letter: the 1 of "1 € 7.50".
    func isLine(_ place: Int, in text: [Unicode.Scalar], _ currencies: CurrencyMarks) -> Bool {
        marksLead && place >= 0 && place + 2 < text.count && Self.lines.contains(text[place])
            && (place == 0 || Letters.isSpace(text[place - 1])) && Letters.isSpace(text[place + 1])
            && currencies.after(place + 2, in: text) != nil
    }

    /// The start of an amount, with the line of a table before its mark.
    ///
    /// - Parameter mark: where the mark begins.
    func startWithLine(_ mark: Int, in text: [Unicode.Scalar], _ currencies: CurrencyMarks) -> Int {
        isLine(mark - 2, in: text, currencies) ? mark - 2 : mark
    }

    private static let lines: [Unicode.Scalar] = ["1", "I", "l", "|"]

    /// Puts the slash of "50/-" where a reader saw "501-".
    func restoreSlashes(_ text: inout [Unicode.Scalar]) {
        guard hasSlashes else { return }
        for index in text.indices.dropFirst().dropLast()
        where text[index + 1] == "-" && Self.lines.contains(text[index]) {
            let isSpaced = Letters.isSpace(text[index - 1])
            let before = isSpaced ? index - 2 : index - 1
            guard before >= 0, Letters.isDigit(text[before]),
                index + 2 == text.count || Letters.isSpace(text[index + 2])
            else { continue }
            text[index] = "/"
        }
    }
}
