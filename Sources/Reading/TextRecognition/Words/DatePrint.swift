import Core

/// A date in the letters of a line, as printed. It serves to decide whether two readings of one print agree; what the date
/// means is decided by the judgement.
struct DatePrint: Hashable {
    /// The numbers and the month in the order of the print, joined by points: "01.02.2023", "07.mar.23".
    var numbers: String
    /// The least probability of its letters and digits, 0…1.
    var probability: Float
    /// Six digits without separators, such as a lot number may have too.
    var isCompact = false

    /// Years that a date of a package may have.
    private static let years = 2010...2039
    private static let months: Set<String> = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let separators: Set<Character> = [".", "/", "-", ",", ":", "·", "–", "'", "|"]

    private struct Part {
        var text: String
        var isNumber: Bool
        var probability: Float
        /// Separators before it; a blank counts only if there is nothing else.
        var sign: String
    }

    /// The dates in a line, from its beginning to its end.
    static func dates(in letters: [LineDecoder.Letter]) -> [DatePrint] {
        let parts = parts(of: letters)
        var found: [DatePrint] = []
        var index = 0
        while index < parts.count {
            if let (date, count) = date(at: index, in: parts) {
                found.append(date)
                index += count
            } else {
                index += 1
            }
        }
        return found
    }

    private static func parts(of letters: [LineDecoder.Letter]) -> [Part] {
        var parts: [Part] = []
        var sign = ""
        for (index, letter) in letters.enumerated() {
            let isZero = isZero(at: index, in: letters)
            let character: Character = isZero ? "0" : letter.character
            let isNumber = character.isASCII && character.isNumber
            guard isNumber || character.isLetter else {
                sign += character == " " ? "" : String(character)
                if character == " ", sign.isEmpty { sign = " " }
                if character != " ", sign.hasPrefix(" ") { sign.removeFirst() }
                continue
            }
            if sign.isEmpty, let last = parts.last, last.isNumber == isNumber {
                parts[parts.count - 1].text += character.lowercased()
                parts[parts.count - 1].probability = min(last.probability, letter.probability)
            } else {
                parts.append(
                    Part(
                        text: character.lowercased(), isNumber: isNumber, probability: letter.probability, sign: sign))
                sign = ""
            }
        }
        return parts
    }

    /// A letter O beside a digit.
    private static func isZero(at index: Int, in letters: [LineDecoder.Letter]) -> Bool {
        func isDigit(_ place: Int) -> Bool {
            letters.indices.contains(place) && letters[place].character.isASCII && letters[place].character.isNumber
        }
        return ["O", "o"].contains(letters[index].character) && (isDigit(index - 1) || isDigit(index + 1))
    }

    private static func date(at start: Int, in parts: [Part]) -> (DatePrint, Int)? {
        func date(_ count: Int, isCompact: Bool = false) -> (DatePrint, Int) {
            let own = parts[start..<(start + count)]
            return (
                DatePrint(
                    numbers: own.map { $0.isNumber ? $0.text : String($0.text.prefix(3)) }.joined(separator: "."),
                    probability: own.map(\.probability).min() ?? 0, isCompact: isCompact),
                count
            )
        }
        if start + 2 < parts.count {
            let three = Array(parts[start..<(start + 3)])
            if three.dropFirst().allSatisfy({ isSeparator($0.sign) }), isDate(three) { return date(3) }
        }
        if start + 1 < parts.count, parts[start + 1].sign != " ", isSeparator(parts[start + 1].sign),
            isMonthAndYear(parts[start], parts[start + 1])
        {
            return date(2)
        }
        return isCompactDate(parts[start]) ? date(1, isCompact: parts[start].text.count == 6) : nil
    }

    private static func isSeparator(_ sign: String) -> Bool {
        sign.count <= 1 && sign.allSatisfy { $0 == " " || separators.contains($0) }
    }

    private static func isMonth(_ part: Part) -> Bool {
        part.isNumber
            ? part.text.count <= 2 && (1...12).contains(Int(part.text) ?? 0)
            : (3...4).contains(part.text.count) && months.contains(String(part.text.prefix(3)))
    }

    private static func isDay(_ part: Part) -> Bool {
        part.isNumber && part.text.count <= 2 && (1...31).contains(Int(part.text) ?? 0)
    }

    private static func isYear(_ part: Part) -> Bool {
        guard part.isNumber, part.text.count == 2 || part.text.count == 4, let number = Int(part.text) else {
            return false
        }
        return years.contains(part.text.count == 2 ? 2000 + number : number)
    }

    /// Day, month and year in any order; a number of the time of day, "02.14. 04:27", does not belong to them.
    private static func isDate(_ parts: [Part]) -> Bool {
        guard !parts.dropFirst().contains(where: { $0.isNumber && $0.sign == ":" }) || parts[2].text.count == 4 else {
            return false
        }
        let (one, two, three) = (parts[0], parts[1], parts[2])
        if !one.isNumber { return isMonth(one) && isDay(two) && isYear(three) }
        guard parts.allSatisfy(\.isNumber) || !two.isNumber && three.isNumber else { return false }
        return isYear(three) && (isDay(one) && isMonth(two) || isMonth(one) && isDay(two))
            || isYear(one) && one.text.count == 4 && isMonth(two) && isDay(three)
            || isYear(one) && isMonth(two) && isDay(three)
    }

    private static func isMonthAndYear(_ one: Part, _ two: Part) -> Bool {
        isMonth(one) && isYear(two) && (two.text.count == 4 || !one.isNumber)
    }

    /// `20251101`, `15082025`; six digits, `150825`.
    private static func isCompactDate(_ part: Part) -> Bool {
        guard part.isNumber, part.text.count == 6 || part.text.count == 8 else { return false }
        let digits = Array(part.text)
        func piece(_ range: Range<Int>) -> Part {
            Part(text: String(digits[range]), isNumber: true, probability: part.probability, sign: "")
        }
        let long = digits.count == 8
        let yearFirst = long ? [piece(0..<4), piece(4..<6), piece(6..<8)] : [piece(0..<2), piece(2..<4), piece(4..<6)]
        let yearLast = long ? [piece(0..<2), piece(2..<4), piece(4..<8)] : yearFirst
        return isYear(yearFirst[0]) && isMonth(yearFirst[1]) && isDay(yearFirst[2])
            || isDay(yearLast[0]) && isMonth(yearLast[1]) && isYear(yearLast[2])
            || isMonth(yearLast[0]) && isDay(yearLast[1]) && isYear(yearLast[2])
    }
}
