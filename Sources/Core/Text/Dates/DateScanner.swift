/// Finds dates in rows. Knows the month names of all languages.
package struct DateScanner: Sendable {
    /// Folded month names and abbreviations → 1…12.
    let months: [String: Int]
    /// Folded symbols of the twelve months, which are other words too.
    let symbols: [String]
    /// The years that two digits may mean, and in which a date must lie.
    let years: ClosedRange<Int>

    private struct Part {
        var isNumber: Bool
        var text: String
        /// The number, or the month that a word names; 0 for other words.
        var value: Int
        /// The month that a misread word means.
        var guess: Int?
        var range: Range<Int>
        /// What separates it from the part before, without blanks.
        var sign: String
        /// True if a blank stands before it.
        var hasBlank: Bool
    }

    package func dates(in text: [Unicode.Scalar]) -> [DateReading] {
        guard text.contains(where: Letters.isDigit) else { return [] }
        let parts = parts(of: text)
        var found: [DateReading] = []
        var index = 0
        while index < parts.count {
            if let (reading, count) = date(at: index, in: parts) {
                if !Self.isPrice(reading, in: text), !Self.isAmount(reading, in: text) { found.append(reading) }
                index += count
            } else {
                index += 1
            }
        }
        return found
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
                    digits.unicodeScalars.append(Self.lookalikes[text[index]] ?? text[index])
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
                        isNumber: false, text: word, value: months[word] ?? 0,
                        guess: months[word] == nil ? MonthGuess.month(of: word) : nil, range: start..<index,
                        sign: sign, hasBlank: hasBlank))
                (sign, hasBlank) = ("", false)
            } else {
                if Letters.isSpace(scalar) { hasBlank = true } else { sign.unicodeScalars.append(scalar) }
                index += 1
            }
        }
        return parts
    }

    /// A letter that OCR reads for a digit: any between two digits, an O beside one that has no letter on its other side.
    private func isLookalike(at index: Int, in text: [Unicode.Scalar]) -> Bool {
        guard Self.lookalikes[text[index]] != nil else { return false }
        let before = index > 0 ? text[index - 1] : " "
        let next = index + 1 < text.count ? text[index + 1] : " "
        if Letters.isDigit(before), Letters.isDigit(next) { return true }
        return ["O", "o", "Q"].contains(text[index])
            && (Letters.isDigit(next) && !Letters.isLetter(before)
                || Letters.isDigit(before) && !Letters.isLetter(next))
    }

    private static let lookalikes = Letters.lookalikes.adding(["B": "8", "S": "5", "Z": "2"])

    // MARK: Forms

    private func date(at start: Int, in parts: [Part]) -> (DateReading, Int)? {
        let isPart = { (offset: Int) in start + offset < parts.count }
        let one = parts[start]
        // "07:06 04.2026": the minutes are no day.
        if isPart(1), parts[start + 1].hasBlank, isTime(start, parts) { return nil }
        if let reading = monthAndYear(at: start, in: parts) { return (reading, 2) }
        // "DEC 12.12.2026": the word belongs to something else.
        if one.value > 0, !one.isNumber, isPart(3), !parts[start + 2].sign.isEmpty,
            threeNumbers(parts[start + 1], parts[start + 2], parts[start + 3], parts, start + 1) != nil
        {
            return nil
        }
        if let reading = withSplitYear(at: start, in: parts) { return (reading, 4) }
        if isPart(2) {
            let (two, three) = (parts[start + 1], parts[start + 2])
            if !isTime(start + 2, parts), let reading = withMonthName(one, two, three) { return (reading, 3) }
            if one.isNumber, two.isNumber, three.isNumber, !isTime(start + 2, parts),
                let reading = threeNumbers(one, two, three, parts, start)
            {
                return (reading, 3)
            }
        }
        if isPart(1), !isTime(start + 1, parts), let reading = twoParts(one, parts[start + 1], parts, start) {
            return (reading, 2)
        }
        if one.isNumber, let reading = compact(one, parts, start) { return (reading, 1) }
        if isPart(1), let reading = split(one, parts[start + 1], parts, start) { return (reading, 2) }
        return nil
    }

    /// True for the hour or the minutes of a time: "06:57".
    private func isTime(_ index: Int, _ parts: [Part]) -> Bool {
        func joins(_ place: Int) -> Bool {
            parts.indices.contains(place) && place > 0 && parts[place].isNumber && parts[place - 1].isNumber
                && parts[place].sign == ":" && !parts[place].hasBlank && parts[place].text.count == 2
                && parts[place - 1].text.count <= 2
        }
        return joins(index) || joins(index + 1)
    }

    /// One of two months with short years: "AUG-24/FEB-26". Alone, "FEB-26" may be a day.
    private func monthAndYear(at start: Int, in parts: [Part]) -> DateReading? {
        func sign(at place: Int) -> String? {
            guard place >= 0, place + 1 < parts.count, !parts[place].isNumber,
                parts[place].value > 0 || parts[place].guess != nil, parts[place + 1].text.count == 2,
                year(parts[place + 1]) != nil, !parts[place + 1].hasBlank, !parts[place + 1].sign.isEmpty
            else { return nil }
            return parts[place + 1].sign
        }
        guard let own = sign(at: start), sign(at: start - 2) == own || sign(at: start + 2) == own else { return nil }
        let (month, number) = (parts[start], parts[start + 1])
        let day = PrintedDay(year: year(number), month: month.value > 0 ? month.value : month.guess ?? 0, day: nil)
        guard day.isValid else { return nil }
        return DateReading(
            range: month.range.lowerBound..<number.range.upperBound, choices: [.init(day: day, order: .dayMonth)],
            isExplicit: true, hasMonthName: true, isWeak: month.value == 0, isMisread: month.value == 0)
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
        ":", "+", "&", "=", "%", "<", ">", "×", "*", "€", "$", "£", "(", ")", "[", "]", "{", "}",
    ]

    /// `3 MAR 2021`, `MAR 3, 2021`, `2021 MAR 03`, also with a misread letter.
    private func withMonthName(_ one: Part, _ two: Part, _ three: Part) -> DateReading? {
        guard isClose(two, words: true), isClose(three, words: true) else { return nil }
        var day: PrintedDay?
        var isMisread = false
        if one.isNumber, !two.isNumber, three.isNumber {
            let symbol = one.text.count == 4 ? symbols.firstIndex(of: two.text).map { $0 + 1 } : nil
            guard let month = symbol ?? (two.value > 0 ? two.value : two.guess) else { return nil }
            isMisread = two.value == 0 && symbol == nil
            if one.text.count == 4 {
                day = year(one).map { PrintedDay(year: $0, month: month, day: three.value) }
            } else if one.text.count <= 2, let year = year(three) {
                day = PrintedDay(year: year, month: month, day: one.value)
            }
        } else if !one.isNumber, two.isNumber, three.isNumber, two.text.count <= 2, let year = year(three),
            one.value > 0 || three.text.count == 4, let month = one.value > 0 ? one.value : one.guess
        {
            isMisread = one.value == 0
            day = PrintedDay(year: year, month: month, day: two.value)
        }
        guard let day, day.isValid else { return nil }
        return DateReading(
            range: one.range.lowerBound..<three.range.upperBound, choices: [.init(day: day, order: .dayMonth)],
            isExplicit: true, hasMonthName: true, isWeak: isMisread, isMisread: isMisread)
    }

    /// "03 11 20 20": printers of dots set the year apart.
    private func withSplitYear(at start: Int, in parts: [Part]) -> DateReading? {
        guard start + 3 < parts.count, start + 4 == parts.count || !parts[start + 4].isNumber,
            start == 0 || !parts[start - 1].isNumber
        else { return nil }
        let four = Array(parts[start..<(start + 4)])
        guard four.allSatisfy({ $0.isNumber && $0.text.count == 2 }),
            four.dropFirst().allSatisfy({ $0.sign.isEmpty && $0.hasBlank }), four[2].value == 20
        else { return nil }
        var year = four[2]
        year.text += four[3].text
        year.value = year.value * 100 + four[3].value
        year.range = year.range.lowerBound..<four[3].range.upperBound
        var reading = threeNumbers(four[0], four[1], year, four.dropLast(2) + [year], 0)
        reading?.isWeak = true
        return reading
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
        // A lot, "L 21 05 12", and a telephone number, "02 12 22 33 44".
        if isSpaced, counts.0 <= 2, counts.2 == 2, isInCode(start..<(start + 3), parts) { return nil }
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
            isExplicit: counts.0 == 4 || counts.2 == 4, isWeak: !hasSigns,
            // "1.07.22" with a month of two digits is the end of "2021.07.22".
            needsWords: counts.0 == 1 && counts.2 == 2 && two.text.first == "0")
    }

    /// Words before a number that is a code.
    private static let codes: Set<String> = ["l", "lot", "no", "nr", "tel", "fax", "phone", "call"]

    /// True for numbers behind the mark of a code, or among more numbers that are no time of day.
    private func isInCode(_ range: Range<Int>, _ parts: [Part]) -> Bool {
        if range.lowerBound > 0 {
            let before = parts[range.lowerBound - 1]
            if before.isNumber ? !isTime(range.lowerBound - 1, parts) : Self.codes.contains(before.text) { return true }
        }
        return range.upperBound < parts.count && parts[range.upperBound].isNumber && !isTime(range.upperBound, parts)
    }

    /// "1 80625": six or eight digits that a blank splits.
    private func split(_ one: Part, _ two: Part, _ parts: [Part], _ start: Int) -> DateReading? {
        guard one.isNumber, two.isNumber, two.sign.isEmpty, two.hasBlank,
            !isInCode(start..<(start + 2), parts), !isTime(start + 1, parts)
        else { return nil }
        var joined = one
        joined.text += two.text
        joined.range = one.range.lowerBound..<two.range.upperBound
        var reading = compact(joined, parts, start)
        reading?.needsWords = true
        return reading
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
                var reading = make(PrintedDay(year: nil, month: one.value, day: two.value), true)
                reading?.month = year(two).map {
                    .init(day: PrintedDay(year: $0, month: one.value, day: nil), order: .dayMonth)
                }
                return reading
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
        // "05/25": no month has the number of such a year, so that it is no day without a year.
        if one.text.count == 2, two.text.count == 2, ["/", "-"].contains(two.sign), two.value > 12,
            PrintedDay.packageYears.contains(2000 + two.value),
            var reading = make(PrintedDay(year: 2000 + two.value, month: one.value, day: nil), false)
        {
            (reading.isExplicit, reading.needsWords, reading.isShortMonth) = (false, true, true)
            return reading
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
        if digits.count == 6, start > 0, !parts[start - 1].isNumber, Self.codes.contains(parts[start - 1].text) {
            return nil
        }
        guard !choices.isEmpty else { return nil }
        return DateReading(
            range: part.range, choices: choices, isExplicit: digits.count == 8, isCompact: true, isWeak: true)
    }
}
