import Core
import Layout

/// A day, a month, or a day without a year.
struct PrintedDay: Sendable, Hashable, Comparable {
    var year: Int?
    var month: Int
    var day: Int?

    /// ISO 8601: `2021-11-03`, `2021-11`, `--11-03`.
    var iso: String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let head = year.map { "\($0)-\(two(month))" } ?? "--\(two(month))"
        return day.map { "\(head)-\(two($0))" } ?? head
    }

    var isValid: Bool {
        guard (1...12).contains(month) else { return false }
        guard let day else { return year != nil }
        let isLeap = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    static func < (one: PrintedDay, other: PrintedDay) -> Bool {
        (one.year ?? 0, one.month, one.day ?? 31) < (other.year ?? 0, other.month, other.day ?? 31)
    }
}

/// A date in a text, with every order in which it can be read.
struct DateReading: Sendable {
    enum Order: String, Sendable, Hashable, Codable { case dayMonth, monthDay, yearMonth }

    struct Choice: Sendable, Hashable {
        var day: PrintedDay
        var order: Order
    }

    /// Range of scalars in the text.
    var range: Range<Int>
    /// Without duplicates, in the order dayMonth, monthDay, yearMonth.
    var choices: [Choice]
    /// True if the year has four digits or the month is a word.
    var isExplicit: Bool
    /// True for digits without separators.
    var isCompact = false
    /// True for a month word.
    var hasMonthName = false
    /// True if a part had to be corrected or blanks separate the parts.
    var isWeak = false
}

/// Finds dates in rows. Knows the month names of all languages.
struct DateScanner: Sendable {
    /// Folded month names and abbreviations → 1…12.
    let months: [String: Int]
    /// The years that two digits may mean, and in which a date must lie.
    let years: ClosedRange<Int>

    private struct Part {
        var isNumber: Bool
        var text: String
        var value: Int
        var range: Range<Int>
        /// What separates it from the part before, without blanks.
        var sign: String
        /// True if a blank stands before it.
        var hasBlank: Bool
    }

    func dates(in text: [Unicode.Scalar]) -> [DateReading] {
        guard text.contains(where: Letters.isDigit) else { return [] }
        let parts = parts(of: text)
        var found: [DateReading] = []
        var index = 0
        while index < parts.count {
            if let (reading, count) = date(at: index, in: parts) {
                if !Self.isPrice(reading, in: text) { found.append(reading) }
                index += count
            } else {
                index += 1
            }
        }
        return found
    }

    /// True for spaced numbers before a currency sign, such as two codes and a price: "1 7 12 €".
    private static func isPrice(_ reading: DateReading, in text: [Unicode.Scalar]) -> Bool {
        guard reading.isWeak, !reading.isCompact, !reading.hasMonthName else { return false }
        let next = text[reading.range.upperBound...].first { !Letters.isSpace($0) }
        return next.map { "€$£¥".unicodeScalars.contains($0) } ?? false
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "/", "-", ",", "'", "’", ":", "·", "–", "|", "\\", "年", "月", "日", "년", "월", "일", "º", "°": true
        default: false
        }
    }

    private func parts(of text: [Unicode.Scalar]) -> [Part] {
        var parts: [Part] = []
        var index = 0
        var sign = ""
        var hasBlank = false
        while index < text.count {
            let scalar = text[index]
            let isSeparator = Self.isSeparator(scalar)
            if !isSeparator, Letters.isDigit(scalar) || isLookalike(at: index, in: text) {
                let start = index
                var digits = ""
                while index < text.count, Letters.isDigit(text[index]) || isLookalike(at: index, in: text) {
                    digits.unicodeScalars.append(
                        Letters.isDigit(text[index]) ? text[index] : Self.lookalike(text[index]))
                    index += 1
                }
                parts.append(
                    Part(
                        isNumber: true, text: digits, value: Int(digits.suffix(9)) ?? 0, range: start..<index,
                        sign: sign,
                        hasBlank: hasBlank))
                (sign, hasBlank) = ("", false)
            } else if !isSeparator, Letters.isLetter(scalar) {
                let start = index
                while index < text.count, Letters.isLetter(text[index]), !Self.isSeparator(text[index]),
                    index == start || !isLookalike(at: index, in: text)
                {
                    index += 1
                }
                let word = Folding.fold(String(scalars: text[start..<index]))
                parts.append(
                    Part(
                        isNumber: false, text: word, value: months[word] ?? 0, range: start..<index, sign: sign,
                        hasBlank: hasBlank))
                (sign, hasBlank) = ("", false)
            } else {
                if Letters.isSpace(scalar) { hasBlank = true } else { sign.unicodeScalars.append(scalar) }
                index += 1
            }
        }
        return parts
    }

    /// A letter between digits that OCR reads for a digit.
    private func isLookalike(at index: Int, in text: [Unicode.Scalar]) -> Bool {
        guard ["O", "o", "Q", "D", "I", "l", "B", "S", "Z"].contains(text[index]) else { return false }
        let before = index > 0 ? text[index - 1] : " "
        let next = index + 1 < text.count ? text[index + 1] : " "
        let isZero = ["O", "o", "Q"].contains(text[index])
        let joins = { (scalar: Unicode.Scalar) in [".", "/", "-"].contains(scalar) }
        if Letters.isDigit(before), Letters.isDigit(next) { return true }
        return isZero
            && (Letters.isDigit(next) && (joins(before) || before == " ") || Letters.isDigit(before) && (joins(next)))
    }

    private static func lookalike(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "I", "l": "1"
        case "B": "8"
        case "S": "5"
        case "Z": "2"
        default: "0"
        }
    }

    // MARK: Forms

    private func date(at start: Int, in parts: [Part]) -> (DateReading, Int)? {
        let isPart = { (offset: Int) in start + offset < parts.count }
        let one = parts[start]
        if isPart(2) {
            let (two, three) = (parts[start + 1], parts[start + 2])
            if let reading = withMonthName(one, two, three) { return (reading, 3) }
            if one.isNumber, two.isNumber, three.isNumber, let reading = threeNumbers(one, two, three, parts, start) {
                return (reading, 3)
            }
        }
        if isPart(1), let reading = twoParts(one, parts[start + 1], parts, start) { return (reading, 2) }
        if one.isNumber, let reading = compact(one, parts, start) { return (reading, 1) }
        return nil
    }

    private func year(_ part: Part) -> Int? {
        guard part.isNumber else { return nil }
        let year = part.text.count == 4 ? part.value : part.text.count == 2 ? 2000 + part.value : nil
        return year.flatMap { years.contains($0) ? $0 : nil }
    }

    private func isClose(_ part: Part, words: Bool = false) -> Bool {
        part.sign.unicodeScalars.count <= (words ? 2 : 1) && !part.sign.contains(where: Self.noSeparators.contains)
    }

    /// Signs that stand between the parts of a time, a sum, a price or a list of codes: "+ 3.25 + 14.25", "(1) 2,25".
    private static let noSeparators: Set<Character> = [
        ":", "+", "=", "%", "<", ">", "×", "*", "€", "$", "£", "(", ")", "[", "]", "{", "}",
    ]

    /// `3 MAR 2021`, `MAR 3, 2021`, `2021 MAR 03`.
    private func withMonthName(_ one: Part, _ two: Part, _ three: Part) -> DateReading? {
        guard isClose(two, words: true), isClose(three, words: true) else { return nil }
        var day: PrintedDay?
        if one.isNumber, !two.isNumber, two.value > 0, three.isNumber {
            if one.text.count == 4 {
                day = year(one).map { PrintedDay(year: $0, month: two.value, day: three.value) }
            } else if one.text.count <= 2, let year = year(three) {
                day = PrintedDay(year: year, month: two.value, day: one.value)
            }
        } else if !one.isNumber, one.value > 0, two.isNumber, three.isNumber, two.text.count <= 2,
            let year = year(three)
        {
            day = PrintedDay(year: year, month: one.value, day: two.value)
        }
        guard let day, day.isValid else { return nil }
        return DateReading(
            range: one.range.lowerBound..<three.range.upperBound, choices: [.init(day: day, order: .dayMonth)],
            isExplicit: true, hasMonthName: true)
    }

    private func threeNumbers(_ one: Part, _ two: Part, _ three: Part, _ parts: [Part], _ start: Int) -> DateReading? {
        guard isClose(two), isClose(three) else { return nil }
        let counts = (one.text.count, two.text.count, three.text.count)
        guard counts.1 <= 2 else { return nil }
        // A number with more groups is no date: 10.08.21.33.
        if start > 0, parts[start - 1].isNumber, !one.hasBlank, one.sign == two.sign, !one.sign.isEmpty { return nil }
        if start + 3 < parts.count, parts[start + 3].isNumber, !parts[start + 3].hasBlank,
            parts[start + 3].sign == three.sign, !three.sign.isEmpty
        {
            return nil
        }
        let hasSigns = !two.sign.isEmpty && !three.sign.isEmpty
        let isSpaced = two.sign.isEmpty && three.sign.isEmpty
        // "Cappuccino 1 7 12,50": two codes and a price.
        if isSpaced, start + 3 < parts.count, parts[start + 3].isNumber, !parts[start + 3].hasBlank,
            [".", ","].contains(parts[start + 3].sign)
        {
            return nil
        }
        guard hasSigns || isSpaced || counts.0 == 4 || counts.2 == 4 else { return nil }
        var choices: [DateReading.Choice] = []
        func add(_ year: Int?, _ month: Int, _ day: Int, _ order: DateReading.Order) {
            guard let year else { return }
            let day = PrintedDay(year: year, month: month, day: day)
            if day.isValid, !choices.contains(where: { $0.day == day }) {
                choices.append(.init(day: day, order: order))
            }
        }
        if counts.0 == 4, counts.2 <= 2 {
            add(year(one), two.value, three.value, .yearMonth)
        } else if counts.0 <= 2, counts.2 == 4 {
            add(year(three), two.value, one.value, .dayMonth)
            add(year(three), one.value, two.value, .monthDay)
        } else if counts.0 <= 2, counts.2 == 2 {
            add(year(three), two.value, one.value, .dayMonth)
            add(year(three), one.value, two.value, .monthDay)
            if counts.0 == 2 { add(year(one), two.value, three.value, .yearMonth) }
        } else if counts.0 <= 2, counts.2 > 4, hasSigns, let year = glued(three) {
            // "10/03/201818:29": the time is joined.
            add(year, two.value, one.value, .dayMonth)
            add(year, one.value, two.value, .monthDay)
        }
        guard !choices.isEmpty else { return nil }
        return DateReading(
            range: one.range.lowerBound..<three.range.upperBound, choices: choices,
            isExplicit: counts.0 == 4 || counts.2 == 4, isWeak: !hasSigns)
    }

    private func glued(_ part: Part) -> Int? {
        guard part.text.count >= 5, let year = Int(part.text.prefix(4)) else { return nil }
        return years.contains(year) ? year : nil
    }

    /// `MAR 2021`, `03/2027`, `2021.11`, `18 FEB`.
    private func twoParts(_ one: Part, _ two: Part, _ parts: [Part], _ start: Int) -> DateReading? {
        guard isClose(two, words: true) else { return nil }
        let range = one.range.lowerBound..<two.range.upperBound
        let make = { (day: PrintedDay, hasName: Bool) -> DateReading? in
            guard day.isValid else { return nil }
            return DateReading(
                range: range, choices: [.init(day: day, order: .dayMonth)], isExplicit: true, hasMonthName: hasName,
                isWeak: true)
        }
        if !one.isNumber, one.value > 0, two.isNumber {
            if two.text.count == 4, let year = year(two) {
                return make(PrintedDay(year: year, month: one.value, day: nil), true)
            }
            if two.text.count == 2 {
                if two.value > 31 || two.sign == "'", let year = year(two) {
                    return make(PrintedDay(year: year, month: one.value, day: nil), true)
                }
                return make(PrintedDay(year: nil, month: one.value, day: two.value), true)
            }
            // "MAR072023": day and year joined.
            if two.text.count == 6, let day = Int(two.text.prefix(2)), let year = Int(two.text.suffix(4)),
                years.contains(year)
            {
                return make(PrintedDay(year: year, month: one.value, day: day), true)
            }
            if two.text.count == 4, let day = Int(two.text.prefix(2)), let short = Int(two.text.suffix(2)),
                years.contains(2000 + short)
            {
                return make(PrintedDay(year: 2000 + short, month: one.value, day: day), true)
            }
        }
        if one.isNumber, !two.isNumber, two.value > 0 {
            if one.text.count == 4, let year = year(one) {
                return make(PrintedDay(year: year, month: two.value, day: nil), true)
            }
            if one.text.count <= 2 { return make(PrintedDay(year: nil, month: two.value, day: one.value), true) }
        }
        guard one.isNumber, two.isNumber, !two.sign.isEmpty, !two.hasBlank else { return nil }
        if one.text.count <= 2, two.text.count == 4, let year = year(two), !one.text.isEmpty {
            return make(PrintedDay(year: year, month: one.value, day: nil), false)
        }
        if one.text.count == 4, two.text.count == 2, let year = year(one) {
            return make(PrintedDay(year: year, month: two.value, day: nil), false)
        }
        return nil
    }

    /// `20210810`, `10082021`, `210810`.
    private func compact(_ part: Part, _ parts: [Part], _ start: Int) -> DateReading? {
        let digits = Array(part.text.utf8).map { Int($0) - 48 }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        var choices: [DateReading.Choice] = []
        func add(_ year: Int, _ month: Int, _ day: Int, _ order: DateReading.Order) {
            let day = PrintedDay(year: year, month: month, day: day)
            if years.contains(year), day.isValid, !choices.contains(where: { $0.day == day }) {
                choices.append(.init(day: day, order: order))
            }
        }
        switch digits.count {
        case 8:
            add(number(0..<4), number(4..<6), number(6..<8), .yearMonth)
            if choices.isEmpty {
                add(number(4..<8), number(2..<4), number(0..<2), .dayMonth)
                add(number(4..<8), number(0..<2), number(2..<4), .monthDay)
            }
        case 6:
            add(2000 + number(4..<6), number(2..<4), number(0..<2), .dayMonth)
            add(2000 + number(4..<6), number(0..<2), number(2..<4), .monthDay)
            add(2000 + number(0..<2), number(2..<4), number(4..<6), .yearMonth)
        default: return nil
        }
        guard !choices.isEmpty else { return nil }
        return DateReading(
            range: part.range, choices: choices, isExplicit: digits.count == 8, isCompact: true, isWeak: true)
    }
}
