import Core

/// Letters and digits that text recognition takes for each other, in words of ingredient lists.
///
/// Only a digit inside a word is certainly misread. A letter in place of another is left: the word may be another one, so that
/// a near name is reported as unread.
enum MisreadWords {
    private static let shortest = 5
    private static let mostVariants = 16

    /// The word, or the known word that it is with letters for its digits. A word that is known stays.
    static func word(_ text: String, in words: NameWords) -> NameWord {
        let found = words[text]
        guard !isKnown(found), text.utf8.count >= shortest, !found.isNumber, text.contains(where: \.isNumber) else {
            return found
        }
        for variant in variants(text) {
            let other = words[variant]
            if isKnown(other) { return other }
        }
        return found
    }

    private static func isKnown(_ word: NameWord) -> Bool {
        word.number != NameWord.unknown || word.singular != NameWord.unknown
    }

    /// What a digit inside a word may be.
    private static let letters: [Character: String] = ["0": "o", "1": "li", "3": "e", "5": "s", "8": "b"]

    private static func variants(_ text: String) -> [String] {
        var all = [""]
        for letter in text {
            let options = letters[letter].map(Array.init) ?? [letter]
            guard all.count * options.count <= mostVariants else { return [] }
            all = all.flatMap { start in options.map { start + String($0) } }
        }
        return all
    }

    /// The text with the digits of E-numbers that were read as letters: E3OO, E-47l, lNS 25O.
    static func withReadNumbers(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result = scalars
        var index = 0
        while index < result.count {
            defer { index += 1 }
            guard index == 0 || !result[index - 1].properties.isAlphabetic, let start = numberStart(index, in: result)
            else { continue }
            let digits = result[start...].prefix(3)
            guard digits.count == 3, Letters.isDigit(digits[start]),
                digits.allSatisfy({ Letters.isDigit($0) || Letters.lookalikes[$0] != nil }),
                // Longer words are words.
                start + 5 >= result.count || !result[(start + 3)..<(start + 5)].allSatisfy(\.properties.isAlphabetic)
            else { continue }
            for place in digits.indices { result[place] = Letters.lookalikes[result[place]] ?? result[place] }
        }
        return result
    }

    /// Where the digits after an "E" or "INS" begin, behind at most one blank or hyphen.
    private static func numberStart(_ index: Int, in scalars: [Unicode.Scalar]) -> Int? {
        let rest = scalars[index...].prefix(3)
        var start: Int
        if rest.count == 3, rest[index] == "I" || rest[index] == "l", rest[index + 1] == "N", rest[index + 2] == "S" {
            start = index + 3
        } else if scalars[index] == "E" || scalars[index] == "e" {
            start = index + 1
        } else {
            return nil
        }
        if start < scalars.count, scalars[start] == " " || scalars[start] == "-" { start += 1 }
        return start < scalars.count ? start : nil
    }
}
