import Core

/// Finds the numbers of a text that may be amounts of money, in strong and weak forms. It excludes phone numbers,
/// times, weights and counts of people. `PriceForms` decides which weak forms are prices on a page.
struct AmountScanner: Sendable {
    let words: AmountWords
    /// The numbers of the page that are no amounts.
    var codes = PageCodes()
    var habits = PriceHabits()

    private var currencies: CurrencyMarks { words.currencies }

    /// Amounts from left to right.
    func amounts(in text: [Unicode.Scalar]) -> [PrintedAmount] {
        guard text.contains(where: Letters.isDigit) else { return [] }
        var cleared = AmountMask.cleared(text)
        habits.restoreSlashes(&cleared)
        var found: [PrintedAmount] = []
        var index = 0
        while index < cleared.count {
            guard Letters.isDigit(cleared[index]), !habits.isLine(index, in: cleared, currencies),
                let start = start(at: index, in: cleared)
            else {
                index += 1
                continue
            }
            if let amount = amount(at: index, in: cleared, after: found.last?.range.upperBound ?? 0),
                start == .free || amount.isMarked || start == .afterWord && amount.form == .twoDecimals
            {
                found.append(amount)
                index = amount.range.upperBound
            } else {
                while index < cleared.count, Letters.isWordPart(cleared[index]) { index += 1 }
            }
        }
        return codes.without(Self.withPartners(found, cleared), in: text)
    }

    /// What is before a number.
    private enum Start {
        case free
        /// A word, as in "Mare12,80" and "Wrap.7.50". Only decimals or a currency mark make the number an amount.
        case afterWord
        /// A short word with a full stop, as in "ai.7€". Only a currency mark makes the number an amount.
        case afterStop
    }

    /// Nil if the number starts inside a word or after a number's separator. `R$12` and `Rs12` are accepted.
    private func start(at index: Int, in text: [Unicode.Scalar]) -> Start? {
        guard index > 0 else { return .free }
        let before = text[index - 1]
        if Letters.isWordPart(before) {
            if currencies.before(index, in: text) != nil || CurrencyMarks.isMisreadDollar(before: index, in: text) {
                return .free
            }
            return index > 2 && text[(index - 3)..<index].allSatisfy(Letters.isLetter) ? .afterWord : nil
        }
        // "20(W),23" and "Suppe²6" end with codes.
        if before == ",", index > 1, text[index - 2] == ")" { return nil }
        if before.properties.numericType == .digit { return nil }
        if before == "." || before == ",", index > 1, Letters.isWordPart(text[index - 2]) {
            if currencies.before(index, in: text) != nil { return .free }
            let isWord = index > 3 && text[(index - 4)..<(index - 1)].allSatisfy(Letters.isLetter)
            return isWord ? .afterWord : Letters.isLetter(text[index - 2]) ? .afterStop : nil
        }
        return .free
    }

    /// - Parameter last: the end of the amount before. A currency mark after one amount does not also belong to the next.
    private func amount(at start: Int, in text: [Unicode.Scalar], after last: Int) -> PrintedAmount? {
        let before = Self.skippingSpaces(back: start, in: text)
        let near = currencies.before(start, in: text) ?? (before < start ? currencies.before(before, in: text) : nil)
        let mark = near.flatMap { $0.start < last ? nil : $0 }
        let isMisread = mark == nil && CurrencyMarks.isMisreadDollar(before: start, in: text)
        for number in AmountNumber.candidates(at: start, in: text, currencies)
        where !isMisread || number.form == .twoDecimals {
            for end in ends(of: number, in: text, isMarked: mark != nil) where Self.isFree(end.upperBound, in: text) {
                var form = number.form
                var value = number.value
                switch end.suffix {
                case .kilo:
                    form = .kilo
                    // 55K is 55,000. Prices of more than six digits do not use this form.
                    guard let thousand = Double(value), thousand < 1_000_000 else { continue }
                    value = String(Int((thousand * 1000).rounded()))
                case .dash: form = .dash
                case .cents(let cents):
                    form = .twoDecimals
                    value += ".\(cents)"
                case .mark, .nothing: break
                }
                let isMarked = mark != nil || end.isMarked || isMisread
                var lowerBound =
                    mark.map { habits.startWithLine($0.start, in: text, currencies) }
                    ?? (isMisread ? start - 1 : start)
                if number.form == .whole, number.value.count == 2,
                    let cents = startOfCents(start, in: text)
                {
                    lowerBound = cents
                    form = .twoDecimals
                    value = "0.\(value)"
                }
                let one = PrintedAmount(
                    range: lowerBound..<end.upperBound, value: value, form: form, isMarked: isMarked,
                    currency: mark?.code ?? end.currency ?? (isMisread ? "USD" : nil))
                return isPlausible(one, number: start..<number.end, in: text) ? one : nil
            }
        }
        return nil
    }

    /// The start of an amount without whole units, "-,60" or "$.50", whose digits start at a position; else nil.
    private func startOfCents(_ start: Int, in text: [Unicode.Scalar]) -> Int? {
        guard start >= 2 else { return nil }
        if text[start - 1] == ".", ["$", "€", "£"].contains(text[start - 2]) { return start - 2 }
        guard text[start - 1] == ",", Self.isDash(text[start - 2]), start == 2 || !Letters.isWordPart(text[start - 3])
        else { return nil }
        return start - 2
    }

    private enum Suffix { case nothing, kilo, dash, mark, cents(String) }

    private struct End {
        var upperBound: Int
        var suffix: Suffix
        var isMarked = false
        var currency: String?
    }

    /// Suffixes that may belong to the number, longest first.
    ///
    /// - Parameter isMarked: true if a mark is before the number. The mark after it is then the next number's.
    private func ends(of number: AmountNumber, in text: [Unicode.Scalar], isMarked: Bool) -> [End] {
        var result: [End] = []
        for start in [number.end, number.end + 1] {
            guard start < text.count, start == number.end || Letters.isSpace(text[number.end]) else { break }
            if text[start] == "k" || text[start] == "K", start + 1 == text.count || !Letters.isWordPart(text[start + 1])
            {
                result.append(End(upperBound: start + 1, suffix: .kilo))
            }
            if let mark = currencies.after(start, in: text),
                !isMarked && !habits.marksLead || !Self.isNumber(after: mark.end, in: text)
            {
                if number.form == .whole, !isMarked, let cents = cents(after: mark.end, in: text) {
                    let digits = String(scalars: text[(cents - 2)..<cents])
                    result.append(
                        End(upperBound: cents, suffix: .cents(digits), isMarked: true, currency: mark.code))
                }
                result.append(End(upperBound: mark.end, suffix: .mark, isMarked: true, currency: mark.code))
            }
            // "(9,50 c)": €, misread.
            if ["c", "C", "e"].contains(text[start]), start + 1 < text.count, text[start + 1] == ")",
                Self.isAfterBracket(number, in: text)
            {
                result.append(End(upperBound: start + 1, suffix: .mark, isMarked: true, currency: "EUR"))
            }
            // "80.000d": đ without its bar.
            if number.form == .thousands, text[start] == "d" || text[start] == "D",
                start + 1 == text.count || !Letters.isWordPart(text[start + 1])
            {
                result.append(End(upperBound: start + 1, suffix: .mark, isMarked: true, currency: "VND"))
            }
            if let end = Self.dash(at: start, in: text) {
                // "149,- Kč".
                let place = end < text.count && Letters.isSpace(text[end]) ? end + 1 : end
                if let mark = currencies.after(place, in: text), !isMarked {
                    result.append(End(upperBound: mark.end, suffix: .dash, isMarked: true, currency: mark.code))
                }
                if end == text.count || !Letters.isWordPart(text[end]) {
                    result.append(End(upperBound: end, suffix: .dash))
                }
            }
        }
        result.append(End(upperBound: number.end, suffix: .nothing))
        return result
    }

    /// The end of two digits after a currency mark, "5 € 00", unless they are an amount or a measure of their own.
    private func cents(after mark: Int, in text: [Unicode.Scalar]) -> Int? {
        let start = mark < text.count && Letters.isSpace(text[mark]) ? mark + 1 : mark
        let end = start + 2
        guard end <= text.count, text[start..<end].allSatisfy(Letters.isDigit),
            end == text.count
                || !Letters.isWordPart(text[end]) && ![",", ".", "-", "/"].contains(text[end])
                    && currencies.after(end, in: text) == nil
        else { return nil }
        let isMarked = end < text.count && Letters.isSpace(text[end]) && currencies.after(end + 1, in: text) != nil
        return isMarked || words.isMeasure(start..<end, in: text) ? nil : end
    }

    private static func isNumber(after end: Int, in text: [Unicode.Scalar]) -> Bool {
        let start = end < text.count && Letters.isSpace(text[end]) ? end + 1 : end
        return start < text.count && Letters.isDigit(text[start])
    }

    /// True if nothing is between an opening bracket and the number.
    private static func isAfterBracket(_ number: AmountNumber, in text: [Unicode.Scalar]) -> Bool {
        number.start > 0 && text[number.start - 1] == "("
    }

    private static func isDash(_ scalar: Unicode.Scalar) -> Bool { ["-", "–", "—"].contains(scalar) }

    /// The end of a dash suffix, `,-` `.-` `/-` `-` `,--` `–`.
    private static func dash(at start: Int, in text: [Unicode.Scalar]) -> Int? {
        var index = start
        if [",", ".", "/"].contains(text[index]) { index += 1 }
        var dashes = 0
        while index < text.count, dashes < 2, isDash(text[index]) {
            index += 1
            dashes += 1
        }
        return dashes > 0 ? index : nil
    }

    /// True unless a letter, a digit or the sign of another measure follows.
    private static func isFree(_ end: Int, in text: [Unicode.Scalar]) -> Bool {
        guard end < text.count else { return true }
        return !Letters.isWordPart(text[end]) && !["%", "\"", "”", "°"].contains(text[end])
    }

    private static func skippingSpaces(back end: Int, in text: [Unicode.Scalar]) -> Int {
        var index = end
        if index > 0, text[index - 1] == "." { index -= 1 }
        if index > 0, Letters.isSpace(text[index - 1]) { index -= 1 }
        return index
    }

    private func isPlausible(_ one: PrintedAmount, number: Range<Int>, in text: [Unicode.Scalar]) -> Bool {
        if one.form == .whole, one.value.count > 6 { return false }
        if one.value.hasPrefix("00") || one.number == 0 { return false }
        return one.isMarked || !words.isMeasure(number, in: text)
    }

    /// In "30/35k" and "12/14 €" the first amount takes the form of the last. "1/2" is a fraction.
    private static func withPartners(_ found: [PrintedAmount], _ text: [Unicode.Scalar]) -> [PrintedAmount] {
        var found = found
        for index in found.indices.dropLast().reversed() {
            let (one, next) = (found[index], found[index + 1])
            guard one.form == .whole, !one.isMarked else { continue }
            let between = text[one.range.upperBound..<next.range.lowerBound].filter { !Letters.isSpace($0) }
            guard between.count == 1, ["/", "|", "-", "–"].contains(between[0]) else { continue }
            if next.form == .kilo {
                found[index].form = .kilo
                found[index].value = one.value + "000"
            } else if next.isStrong {
                found[index].isMarked = true
                found[index].currency = next.currency
            }
        }
        return found.enumerated().filter { number, one in
            guard one.form == .whole, !one.isMarked else { return true }
            let end = one.range.upperBound
            if end + 1 < text.count, text[end] == "/", Letters.isDigit(text[end + 1]) { return false }
            let start = one.range.lowerBound
            guard start >= 2, text[start - 1] == "/", Letters.isDigit(text[start - 2]) else { return true }
            return found[..<number].contains { $0.isStrong && $0.range.upperBound == start - 1 }
        }.map(\.element)
    }
}

/// A number as printed, with its possible interpretations.
struct AmountNumber {
    var start: Int
    var end: Int
    var value: String
    var form: PrintedAmount.Form

    /// The interpretations of the number at `start`, most likely first.
    static func candidates(
        at start: Int, in text: [Unicode.Scalar], _ currencies: CurrencyMarks
    ) -> [AmountNumber] {
        guard let number = PrintedNumber(at: start, in: text), let first = number.groups.first, first.count <= 7 else {
            return []
        }
        let digits = number.groups.map { String(scalars: text[$0]) }
        let whole = digits[0]
        var result: [AmountNumber] = []
        func add(_ value: String, _ end: Int, _ form: PrintedAmount.Form) {
            result.append(AmountNumber(start: start, end: end, value: value, form: form))
        }
        if first.count <= 3 {
            if let end = spacedThousands(from: first.upperBound, in: text, currencies) {
                add(whole + String(scalars: text[(end - 3)..<end]), end, .thousands)
            }
            // `4.000`, `1,250,000`, `1.250,00`.
            let groups = 1 + number.groups.dropFirst().prefix { $0.count == 3 }.count
            let value = digits.prefix(groups).joined()
            if groups > 1, groups < digits.count, digits[groups].count == 2 {
                add("\(value).\(digits[groups])", number.groups[groups].upperBound, .twoDecimals)
            } else if groups > 1 {
                add(value, number.groups[groups - 1].upperBound, .thousands)
            }
        }
        if digits.count > 1 {
            let form: PrintedAmount.Form? =
                switch digits[1].count {
                case 2 where first.count <= 5: .twoDecimals
                case 1 where first.count <= 4: .oneDecimal
                default: nil
                }
            if let form { add("\(whole).\(digits[1])", number.groups[1].upperBound, form) }
        }
        if first.count <= 3 {
            // "25-00".
            let rest = text[first.upperBound...]
            if rest.prefix(3).elementsEqual(["-", "0", "0"]), rest.dropFirst(3).first.map(Letters.isDigit) != true {
                add("\(whole).00", first.upperBound + 3, .twoDecimals)
            }
            // "9½".
            if let part = number.fraction, part.isSign, digits.count == 1, let count = Int(whole) {
                add((FixedDecimal(count) + FixedDecimal(part)).text(), part.range.upperBound, .fraction)
            }
        }
        add(whole, first.upperBound, .whole)
        return result
    }

    /// Currencies with a blank before the last three digits.
    private static let spaced: Set<String> = ["HUF", "CZK", "PLN", "RUB"]

    /// Matches `1 200 Ft`, only before the mark of a currency with blanks as thousands separators.
    private static func spacedThousands(
        from first: Int, in text: [Unicode.Scalar], _ currencies: CurrencyMarks
    ) -> Int? {
        guard first + 3 < text.count, text[first] == " ",
            PrintedNumber.endOfDigits(from: first + 1, in: text) == first + 4
        else {
            return nil
        }
        let end = first + 4
        let place = end < text.count && text[end] == " " ? end + 1 : end
        guard let mark = currencies.after(place, in: text), mark.code.map(spaced.contains) ?? true else { return nil }
        return end
    }
}
