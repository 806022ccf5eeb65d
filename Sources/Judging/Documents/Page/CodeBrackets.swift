import Core

/// Brackets that hold the codes of allergens and additives: "(1,2,7)", "(10.11)".
///
/// "(10.11)" has the form of a price. The page decides: on some pages all prices are in brackets.
enum CodeBrackets {
    /// A longer number is a price, a year or a weight.
    private static let longestCode = 2

    /// True if brackets on this page hold codes: some hold a list that can be no price, and prices are outside of brackets.
    static func holdCodes(_ segments: [TextSegment]) -> Bool {
        var (lists, inside, outside) = (0, 0, 0)
        for segment in segments {
            let brackets = ranges(in: segment.whole)
            let isInside = { (amount: PrintedAmount) in brackets.contains { $0.contains(amount.range.lowerBound) } }
            let strong = segment.amounts.filter { $0.isStrong && !$0.isMarked }
            let held = strong.count(where: isInside)
            inside += held
            outside += segment.amounts.count(where: \.isStrong) - held
            lists += brackets.count - held
        }
        return inside > 0 && lists >= inside / 4 + 1 && outside >= inside
    }

    /// The amounts outside of such brackets.
    static func without(_ amounts: [PrintedAmount], in text: [Unicode.Scalar]) -> [PrintedAmount] {
        let brackets = ranges(in: text)
        return amounts.filter { amount in
            amount.isMarked || !brackets.contains { $0.contains(amount.range.lowerBound) }
        }
    }

    /// The brackets of a text that hold nothing but short numbers and single letters, at least one of them a number.
    private static func ranges(in text: [Unicode.Scalar]) -> [Range<Int>] {
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

    private static func areCodes(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let parts = text.split { ",.;/+ ".unicodeScalars.contains($0) }
        return parts.contains { $0.allSatisfy(Letters.isDigit) }
            && parts.allSatisfy { part in
                part.count <= longestCode && part.allSatisfy(Letters.isDigit) && part.first != "0"
                    || part.count == 1 && part.allSatisfy(Letters.isLetter)
            }
    }
}
