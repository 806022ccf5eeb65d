import Core

/// A code of allergens or additives, such as `7`, and the word that held it.
public typealias PrintedCode = (code: String, word: Word)

/// The codes of allergens and additives on a page: "(1,2,7)", "(10.11)", "1, 6, 7", "1,7", "Allergene: A, G".
///
/// Some have the form of a price. What else the page prints decides.
struct PageCodes: Sendable {
    /// The codes that the page's legend explains.
    private var explained: Set<String> = []
    /// Those that are numbers, if there are several.
    private var numbers: Set<Int> = []
    /// Words that stand before explained codes, and nothing else, in several lines: "A>1,7", "Alérgenos: 3".
    private var leads: Set<Substring> = []
    /// Words that begin codes whether or not the page explains them.
    private var headings: Set<Substring> = []
    /// True if brackets hold codes: "(10.11)" is no amount. On some pages all prices are in brackets.
    private var areBracketed = false
    /// True if the prices have two decimals, so that "1,7" is not a price.
    private var pricesHaveCents = false
    /// True if prices with decimals have two of them: beside "16,50" and "12", "1,7" is not a price.
    private var decimalsAreCents = false

    /// A longer number is a price, a year or a weight.
    private static let longestCode = 2
    /// "Ses" of "(H,M,Ses)". A longer word with a colon begins codes.
    private static let longestLetters = 3
    /// Fewer explained numbers may be a numbered note.
    private static let leastExplained = 3
    /// Fewer prices show no habit.
    private static let leastPrices = 4
    /// Lines with several codes that show how a page begins them: "Para 2", "Para 4" are for two and four people.
    private static let leastLed = 3
    /// "2-3" is from two to three.
    private static let ranges: Set<Character> = ["-", "–"]
    /// A shorter list of whole numbers may be two prices.
    private static let surelyList = 3

    /// - Parameter segments: of the page, with every amount.
    init(_ segments: [TextSegment]) {
        var (lists, inside, outside) = (0, 0, 0)
        for segment in segments {
            let brackets = Self.brackets(in: segment.whole)
            let strong = segment.amounts.filter(\.isStrong)
            let held = strong.count { !$0.isMarked && Self.isInside($0, brackets) }
            inside += held
            outside += strong.count - held
            lists += brackets.count - held
        }
        areBracketed = inside > 0 && lists >= inside / 4 + 1 && outside >= inside
    }

    /// No codes.
    init() {}

    /// - Parameters:
    ///   - explained: the codes that the page's legend explains.
    ///   - headings: words that begin codes whether or not the page explains them.
    ///   - segments: of the page, with every amount.
    func explaining(_ explained: Set<String>, behind headings: Set<Substring>, on segments: [TextSegment]) -> PageCodes
    {
        guard explained.count >= Self.leastExplained || !headings.isEmpty else { return self }
        var codes = self
        codes.headings = headings
        if explained.count >= Self.leastExplained { codes.explained = explained }
        let numbers = Set(explained.compactMap { Int($0) })
        if numbers.count >= Self.leastExplained { codes.numbers = numbers }
        let led = segments.compactMap { codes.codes(behindWordIn: $0.words.map(\.word.text)) }
            .filter { $0.codes.count > 1 || $0.isNamed }.map(\.lead)
        codes.leads = headings.union(Dictionary(grouping: led) { $0 }.filter { $0.value.count >= Self.leastLed }.keys)
        var (withCents, others) = (0, 0)
        for segment in segments {
            for amount in segment.amounts where !codes.areExplained(amount, in: segment.whole) {
                if amount.form == .twoDecimals { withCents += 1 } else { others += 1 }
            }
        }
        codes.decimalsAreCents = withCents >= Self.leastPrices
        codes.pricesHaveCents = withCents >= Self.leastPrices && withCents >= 3 * others
        return codes
    }

    /// The amounts that are no codes.
    func without(_ amounts: [PrintedAmount], in text: [Unicode.Scalar]) -> [PrintedAmount] {
        guard areBracketed || !explained.isEmpty || !leads.isEmpty, !amounts.isEmpty else { return amounts }
        let brackets = areBracketed ? Self.brackets(in: text) : []
        if !leads.isEmpty, isLed(text.split(separator: " ").map { String(scalars: $0) }) {
            return amounts.filter(\.isMarked)
        }
        return amounts.filter { amount in
            amount.isMarked || !Self.isInside(amount, brackets) && !isCode(amount, in: text)
        }
    }

    /// True for a text that holds nothing but two or more explained numbers, one behind the word before them, or a list in
    /// brackets.
    func isList(_ text: PageLayout.Text) -> Bool {
        text.tokens.count >= 2 && text.tokens.allSatisfy { Int($0.text).map(numbers.contains) ?? false }
            || !led(by: text).isEmpty || Self.isInBrackets(text)
    }

    /// True for "(H,M,E,S)" and "[1, 7]": separators between short parts, and nothing else.
    private static func isInBrackets(_ text: PageLayout.Text) -> Bool {
        let scalars = text.segment.text.filter { !Letters.isSpace($0) }
        guard let first = scalars.first, let last = scalars.last, "([".unicodeScalars.contains(first),
            ")]".unicodeScalars.contains(last), text.tokens.count > 1
        else { return false }
        let separators = scalars.count { ",;./".unicodeScalars.contains($0) }
        return text.tokens.allSatisfy { $0.range.count <= longestLetters } && separators >= text.tokens.count - 1
    }

    /// True if the page begins its codes with a word.
    var areLed: Bool { !leads.isEmpty }

    /// The codes of a text that holds nothing else behind a word with which the page begins codes; empty for another text.
    func led(by text: PageLayout.Text) -> [PrintedCode] {
        guard !leads.isEmpty else { return [] }
        let words = text.segment.printedWords
        guard let found = codes(behindWordIn: words.map(\.text)), leads.contains(found.lead) else { return [] }
        return found.codes.map { ($0.code, words[$0.word]) }
    }

    private func isLed(_ words: [String]) -> Bool {
        codes(behindWordIn: words).map { leads.contains($0.lead) } ?? false
    }

    /// Explained codes, by the place of their word, with nothing before them but one word; nil for other words. A further
    /// word with a colon begins those of additives, "Allergene: A, G Zusatzstoffe: 5", which may have no explanation.
    ///
    /// - Returns: `isNamed` is true for a word with a colon.
    private func codes(
        behindWordIn words: [String]
    ) -> (lead: Substring, codes: [(code: String, word: Int)], isNamed: Bool)? {
        guard let lead = words.first?.prefix(while: \.isLetter), !lead.isEmpty else { return nil }
        var codes: [(code: String, word: Int)] = []
        var areAdditives = false
        for (place, word) in words.enumerated() {
            let text = place == 0 ? word[lead.endIndex...] : word[...]
            if place > 0, Self.isNamed(text) {
                areAdditives = true
                continue
            }
            guard !text.contains(where: Self.ranges.contains) else { return nil }
            for part in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                if explained.contains(String(part)) || headings.contains(lead) && !areAdditives && Self.isCode(part) {
                    codes.append((String(part), place))
                } else if !areAdditives || Int(part) == nil {
                    return nil
                }
            }
        }
        return codes.isEmpty ? nil : (lead, codes, Self.isNamed(words[0][...]))
    }

    /// True for the shape of a code: "A", "GF", "12".
    private static func isCode(_ part: Substring) -> Bool {
        part.count <= longestLetters && part.allSatisfy(\.isUppercase) || part.count == 1 && part.allSatisfy(\.isLetter)
            || part.count <= longestCode && Int(part) != nil
    }

    /// True for a word with a colon, "Allergene:", alone or before a code, "Allergene:A".
    private static func isNamed(_ text: Substring) -> Bool {
        let word = text.prefix { $0.isLetter }
        return word.count > longestLetters && text[word.endIndex...].first == ":"
    }

    private func isCode(_ amount: PrintedAmount, in text: [Unicode.Scalar]) -> Bool {
        guard areExplained(amount, in: text) else { return false }
        let numbers = Self.numbers(text[amount.range])
        let isRising = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        if pricesHaveCents { return amount.form != .twoDecimals || isRising }
        if decimalsAreCents, amount.form == .oneDecimal, isRising { return true }
        return list(around: amount.range, in: text).count >= Self.surelyList
    }

    private func areExplained(_ amount: PrintedAmount, in text: [Unicode.Scalar]) -> Bool {
        guard !amount.isMarked, [.whole, .oneDecimal, .twoDecimals].contains(amount.form) else { return false }
        return Self.numbers(text[amount.range]).allSatisfy(self.numbers.contains)
    }

    /// The numbers of the list with commas that an amount is part of; empty if one is not explained.
    private func list(around range: Range<Int>, in text: [Unicode.Scalar]) -> [Int] {
        let isPart = { (scalar: Unicode.Scalar) in Letters.isDigit(scalar) || scalar == "," || scalar == " " }
        let start = text[..<range.lowerBound].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = text[range.upperBound...].firstIndex { !isPart($0) } ?? text.count
        let parts = text[start..<end].split(separator: ",")
        let numbers = parts.compactMap { Int(String(scalars: $0.filter { $0 != " " })) }
        return numbers.count == parts.count && numbers.allSatisfy(self.numbers.contains) ? numbers : []
    }

    private static func numbers(_ text: ArraySlice<Unicode.Scalar>) -> [Int] {
        text.split { !Letters.isDigit($0) }.map { $0.first == "0" ? 0 : Int(String(scalars: $0)) ?? 0 }
    }

    private static func isInside(_ amount: PrintedAmount, _ brackets: [Range<Int>]) -> Bool {
        brackets.contains { $0.contains(amount.range.lowerBound) }
    }

    /// The brackets of a text that hold nothing but short numbers and single letters, at least one of them a number.
    private static func brackets(in text: [Unicode.Scalar]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var open: Int?
        for index in text.indices {
            switch text[index] {
            case "(", "[": open = index
            case ")", "]":
                if let start = open, areCodes(text[(start + 1)..<index]) { found.append(start..<(index + 1)) }
                open = nil
            default: break
            }
        }
        return found
    }

    /// True for short numbers and single letters with separators between them, at least one of them a number: "1,3,7".
    static func areCodes(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let parts = text.split { ",.;/+ ".unicodeScalars.contains($0) }
        return parts.contains { $0.allSatisfy(Letters.isDigit) }
            && parts.allSatisfy { part in
                part.count <= longestCode && part.allSatisfy(Letters.isDigit) && part.first != "0"
                    || part.count == 1 && part.allSatisfy(Letters.isLetter)
            }
    }
}
