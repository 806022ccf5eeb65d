import Core

/// Splits a description from a name on the same line: "Margherita (Tomate, Mozzarella)", "MARGHERITA tomato,
/// mozzarella", "Margherita - tomato, mozzarella".
enum NameSplitter {
    /// The words of the name and of the description. The description is empty if the line is only a name.
    static func split(_ words: [Word]) -> (name: [Word], description: [Word]) {
        for place in words.indices.dropFirst() {
            let rest = words[place...]
            guard isList(rest) else { continue }
            let text = words[place].text
            let isBracket = text.hasPrefix("(") && !isCodes(rest)
            let isDash = ["-", "–", "—", ":"].contains(text) || words[place - 1].text.hasSuffix(":")
            if isBracket || isDash || startsLower(words, place) {
                return (Array(words[..<place]), trimmed(rest))
            }
        }
        return (words, [])
    }

    /// True for words with a comma between them, or four words in brackets.
    private static func isList(_ words: ArraySlice<Word>) -> Bool {
        let commas = words.dropLast().count { $0.text.hasSuffix(",") }
        return commas >= 1 || (words.first?.text.hasPrefix("(") ?? false) && words.count >= 4
    }

    /// True for "(A, C, G)" and "(1,3)".
    private static func isCodes(_ words: ArraySlice<Word>) -> Bool {
        let parts = words.flatMap { $0.text.split { "(),;/".contains($0) } }
        return parts.allSatisfy { $0.count <= 2 }
    }

    /// True if capital letters end at this position and only lower-case words follow.
    private static func startsLower(_ words: [Word], _ place: Int) -> Bool {
        guard words[..<place].allSatisfy({ isCapitals($0.text) }),
            words[..<place].contains(where: { $0.text.count > 2 })
        else { return false }
        let rest = words[place...]
        return rest.count >= 2 && rest.allSatisfy { !isCapitals($0.text) || $0.text.count == 1 }
            && rest.first?.text.first?.isLetter == true
    }

    private static func isCapitals(_ text: String) -> Bool {
        text.contains(where: \.isLetter) && !text.contains(where: \.isLowercase)
    }

    /// The words without enclosing brackets or a leading dash.
    private static func trimmed(_ words: ArraySlice<Word>) -> [Word] {
        var words = words.drop { ["-", "–", "—", ":"].contains($0.text) }
        if let first = words.first, first.text.hasPrefix("(") {
            words[words.startIndex].text.removeFirst()
            if let last = words.indices.last {
                while words[last].text.hasSuffix(")") { words[last].text.removeLast() }
            }
        }
        return words.filter { !$0.text.isEmpty }
    }
}
